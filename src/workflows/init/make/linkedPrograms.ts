import path from 'node:path';
import { compilationOf, linkedProgram, type PlacedCommand } from './makeOutput';

export interface LinkedProgram {
  /** Absolute path of the final location, also for a program that was linked elsewhere and copied. */
  readonly file: string;
  /** The build runs the program before it compiles more: it generates sources. */
  readonly isHelper: boolean;
}

/** The programs that commands link, in their order. */
export function linkedPrograms(commands: readonly PlacedCommand[]): readonly LinkedProgram[] {
  // Programs by the linked file.
  const programs = new Map<string, LinkedProgram>();
  const folders = new Set<string>();
  const run = new Set<string>();
  const helpers = new Set<string>();
  for (const { folder, words } of commands) {
    const compilation = compilationOf(words);
    if (compilation !== undefined) {
      run.forEach((file) => helpers.add(file));
      const linked = linkedProgram(compilation);
      const file = path.resolve(folder, linked ?? '');
      if (linked !== undefined) programs.set(file, { file, isHelper: false });
    } else if (words[0] === 'mkdir') {
      for (const name of operands(words)) folders.add(path.resolve(folder, name));
    } else {
      run.add(path.resolve(folder, words[0] ?? ''));
      followCopy(programs, folders, folder, words);
    }
  }
  const all = [...programs].map(([linked, { file }]) => ({
    file,
    isHelper: helpers.has(linked) || helpers.has(file),
  }));
  return [...new Map(all.map((program) => [program.file, program])).values()];
}

/** The folder of a build may depend on its options, so the path that a program is copied or linked to is preferred. */
function followCopy(
  programs: Map<string, LinkedProgram>,
  folders: ReadonlySet<string>,
  folder: string,
  words: readonly string[],
): void {
  const copy = copyOf(folders, folder, words);
  if (copy === undefined || !isDeliverable(copy.file)) return;
  // A second name beside the first may mean something else: unpigz is pigz, and decompresses.
  if (!copy.moves && path.dirname(copy.file) === path.dirname(copy.source)) return;
  // Copies of copies count, too: zstd in obj/…/zstd, in programs/zstd, in ./zstd.
  for (const [linked, program] of programs)
    if (program.file === copy.source) programs.set(linked, { ...program, file: copy.file });
}

interface Copy {
  /** Absolute path. */
  readonly source: string;
  readonly file: string;
  /** The program is moved, so the source path no longer exists. */
  readonly moves: boolean;
}

function copyOf(folders: ReadonlySet<string>, folder: string, words: readonly string[]): Copy | undefined {
  const tool = path.basename(words[0] ?? '');
  if (!['cp', 'mv', 'ln', 'install'].includes(tool)) return undefined;
  const [from, to, ...more] = operands(words);
  if (from === undefined || to === undefined || more.length > 0) return undefined;
  const target = path.resolve(folder, to);
  // A symbolic link's text counts from the folder of the link.
  const base = tool === 'ln' && words.some((word) => /^-\w*s/.test(word)) ? path.dirname(target) : folder;
  const source = path.resolve(base, from);
  const isFolder = to.endsWith('/') || to === '.' || folders.has(target);
  return { source, file: isFolder ? path.join(target, path.basename(source)) : target, moves: tool === 'mv' };
}

function isDeliverable(file: string): boolean {
  return !/\.(bak|old|orig|debug)$/.test(file);
}

function operands(words: readonly string[]): readonly string[] {
  return words.slice(1).filter((word) => !word.startsWith('-'));
}
