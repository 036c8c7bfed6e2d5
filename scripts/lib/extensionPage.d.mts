export function extensionPage(readme: string): string;
export function publishedManifest(manifest: Readonly<Record<string, unknown>>): Record<string, unknown>;
