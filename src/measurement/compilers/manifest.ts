import { readFileSync } from 'node:fs';
import path from 'node:path';
import { hashOfParts } from './unitHash';

/** The sources of the runtime and how they are built, `runtime/manifest.json` (runtime/README.md). Paths are relative to its folder. */
export interface Manifest {
  readonly cflags: readonly string[];
  /** Additional flags that clang does not know. */
  readonly gccFlags: readonly string[];
  /** By the processor's name as the kernel writes it: `x86_64`, `aarch64`. */
  readonly architectures: Readonly<Record<string, ArchitectureParts>>;
  /** The program that compiles usual C units without Node.js (runtime/inserter). */
  readonly inserter: ProgramParts;
  /** The parent of the programs that are built and run (runtime/launcher). */
  readonly launcher: ProgramParts;
  /** The library that records MPI calls, but for the functions themselves, which depend on the user's MPI (runtime/mpi). */
  readonly mpi: ProgramParts;
  /** The library that records OpenMP constructs (runtime/openmp). */
  readonly openmp: ProgramParts;
  /** The library that records waiting in Pthreads (runtime/pthread). */
  readonly pthread: ProgramParts;
  /** The library that records input and output (runtime/io). */
  readonly io: ProgramParts;
  /** The program that tries the processor's counters (runtime/perf). */
  readonly perf: ProgramParts;
  /** Arguments added to a link; `{name}` is a file beside the built library. */
  readonly link: {
    readonly executable: readonly string[];
    readonly executableExportFallback: readonly string[];
    readonly shared: readonly string[];
  };
}

/** A program in C; `headers` are only included. */
export interface ProgramParts {
  readonly cflags: readonly string[];
  readonly files: readonly string[];
  readonly headers: readonly string[];
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

/** A hash that changes with the compiler and with all sources of the program. */
export function programKey(compilerKey: string, parts: ProgramParts, sources: string): string {
  const contents = [...parts.files, ...parts.headers].map((file) => readFileSync(path.join(sources, file)));
  return hashOfParts([compilerKey, JSON.stringify(parts), ...contents]);
}
