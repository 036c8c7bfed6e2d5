import path from 'node:path';
import { gccDiagnostic } from './gccDiagnostics';
import { GfortranReader } from './gfortranDiagnostics';
import { linkerDiagnostic } from './linkerDiagnostics';

/** One message of a compiler or linker. */
export interface Diagnostic {
  /** Absolute where the folder is known; absent for messages about no file. */
  readonly file?: string;
  /** 1-based, as is the column (counted in bytes by gcc, in characters by clang). */
  readonly line?: number;
  readonly column?: number;
  readonly severity: 'error' | 'warning' | 'note';
  readonly text: string;
}

/**
 * The messages of gcc, clang, gfortran and the linkers in a build's output, in their order. `directory`: working folder of the command;
 * the function follows make's "Entering directory" lines.
 */
export function parseDiagnostics(output: string, directory?: string): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const folders = new Folders(directory);
  const fortran = new GfortranReader();
  for (const raw of output.split(/\r?\n/)) {
    const line = withoutColours(raw);
    folders.follow(line);
    const diagnostic = fortran.read(line) ?? gccDiagnostic(line) ?? linkerDiagnostic(line);
    if (diagnostic !== undefined) diagnostics.push(folders.place(diagnostic));
  }
  return diagnostics;
}

/** SGR and erase sequences, and the hyperlinks that gcc puts around option names (ECMA-48; OSC 8). */
export function withoutColours(line: string): string {
  return line.replace(colours, '');
}

const colours = new RegExp(
  ['\\[[0-9;]*[A-Za-z]', '\\]8;[^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)'].map((form) => `\\x1b${form}`).join('|'),
  'g',
);

/** Folders of make's "Entering directory" and "Leaving directory" lines. */
class Folders {
  private readonly folders: string[] = [];

  constructor(private readonly directory: string | undefined) {}

  follow(line: string): void {
    const match = /^\S*make(?:\[\d+\])?: (Entering|Leaving) directory [`'"](.*)['"]$/.exec(line);
    if (match === null) return;
    if (match[1] === 'Entering') this.folders.push(match[2] ?? '');
    else this.folders.pop();
  }

  place(diagnostic: Diagnostic): Diagnostic {
    const folder = this.folders.at(-1) ?? this.directory;
    if (diagnostic.file === undefined || folder === undefined) return diagnostic;
    return { ...diagnostic, file: path.resolve(folder, diagnostic.file) };
  }
}
