export function packCommandLine(root: string, destination: string): string;
