import type { BuildOptions } from 'esbuild';

export function webviewNames(): readonly string[];
export function webviewBundle(entry: string, options: { readonly production: boolean }): BuildOptions;
