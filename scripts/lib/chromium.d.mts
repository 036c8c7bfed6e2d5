export const headlessShell: string;
export const browserPath: string;
