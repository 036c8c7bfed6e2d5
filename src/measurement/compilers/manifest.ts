import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The list of what the runtime is made of, `runtime/manifest.json` (runtime/README.md). Paths are relative to its folder. */
export interface Manifest {
  readonly cflags: readonly string[];
  /** More of them that clang does not know. */
  readonly gccFlags: readonly string[];
  /** By the processor's name as the kernel writes it: `x86_64`, `aarch64`. */
  readonly architectures: Readonly<Record<string, ArchitectureParts>>;
  /** The program that compiles usual C units without Node.js (runtime/inserter); `headers` are only included. */
  readonly inserter: {
    readonly cflags: readonly string[];
    readonly files: readonly string[];
    readonly headers: readonly string[];
  };
  /** The program that starts what is built and run (runtime/launcher). */
  readonly launcher: Manifest['inserter'];
  /** What is added to a link; `{name}` is a file beside the built library. */
  readonly link: {
    readonly executable: readonly string[];
    readonly executableExportFallback: readonly string[];
    readonly shared: readonly string[];
  };
}

export interface ArchitectureParts {
  /** For all files of this architecture. */
  readonly flags?: readonly string[];
  readonly handlerFlags: readonly string[];
  readonly handlers: readonly string[];
  readonly library: readonly string[];
  readonly object: readonly string[];
  readonly objectFlags: { readonly executable: readonly string[]; readonly shared: readonly string[] };
}

/** Reads the manifest in the runtime's source folder; it is part of the installation, so it is not checked. */
export function readManifest(sources: string): Manifest {
  return JSON.parse(readFileSync(path.join(sources, 'manifest.json'), 'utf8')) as Manifest;
}
