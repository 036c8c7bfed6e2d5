export function extensionPage(readme: string, read: (path: string) => Uint8Array): string;
export function publishedManifest(manifest: Readonly<Record<string, unknown>>): Record<string, unknown>;
