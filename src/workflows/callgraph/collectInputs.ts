import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { languageOf } from '../../measurement/wrappers/commandLine/commandLine';
import { findProgram } from '../../measurement/compilers/identityCache';
import { expandResponseFiles, splitResponseText } from '../../measurement/wrappers/commandLine/responseFile';

/** One compilation, as a build would run it. */
export interface CompileCommand {
  readonly directory: string;
  /** The compiler's words and its arguments. */
  readonly argv: readonly [string, ...string[]];
  readonly file: string;
}

/** The inputs that the given paths refer to. */
export interface CallGraphInputs {
  readonly commands: readonly CompileCommand[];
  /** Folders with unit fragments (`units/<hash>.json`). */
  readonly stores: readonly string[];
  /** Executables and libraries that were built by the wrappers. */
  readonly programs: readonly string[];
}

const maximumSources = 100_000;
const skippedFolders = new Set(['node_modules', 'CMakeFiles']);

/** Sorts out sources, folders, compile_commands.json files, stores and executables. */
export async function collectInputs(paths: readonly string[]): Promise<CallGraphInputs> {
  const commands: CompileCommand[] = [];
  const stores: string[] = [];
  const programs: string[] = [];
  for (const given of paths) {
    const file = path.resolve(given);
    const facts = await stat(file).catch(() => undefined);
    if (facts === undefined)
      throw new KymoError('file-missing', `There is no file or folder “${given}”.`, { file: given });
    if (facts.isDirectory()) await addFolder(file, commands, stores);
    else if (file.endsWith('.json')) commands.push(...(await readCompileCommands(file)));
    else if (isSource(file)) commands.push(await commandFor(file, path.dirname(file)));
    else if (await isElf(file)) programs.push(file);
    else
      throw new KymoError(
        'usage',
        `“${given}” is neither a C or C++ source, a folder, a compile_commands.json, nor a program that was built by the wrappers.`,
        { file: given },
      );
  }
  return { commands, stores, programs };
}

async function addFolder(folder: string, commands: CompileCommand[], stores: string[]): Promise<void> {
  const entries = new Set(await readdir(folder));
  if (entries.has('units')) {
    stores.push(folder);
    return;
  }
  for (const place of ['compile_commands.json', 'build/compile_commands.json']) {
    const file = path.join(folder, place);
    if ((await stat(file).catch(() => undefined))?.isFile() !== true) continue;
    commands.push(...(await readCompileCommands(file)));
    return;
  }
  for (const source of await sourcesBelow(folder)) commands.push(await commandFor(source, folder));
}

async function sourcesBelow(folder: string): Promise<string[]> {
  const sources: string[] = [];
  const queue = [folder];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = path.join(next, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith('.') && !skippedFolders.has(entry.name))
        queue.push(file);
      else if (entry.isFile() && isSource(entry.name)) sources.push(file);
    }
    if (sources.length > maximumSources) break;
  }
  return sources;
}

function isSource(file: string): boolean {
  const language = languageOf(file, false);
  return language === 'c' || language === 'c++' || language === 'cpp-output' || language === 'c++-cpp-output';
}

async function isElf(file: string): Promise<boolean> {
  const bytes = await readFile(file).catch(() => undefined);
  return bytes?.subarray(0, 4).toString('latin1') === '\x7fELF';
}

/**
 * The command for a source without one: `CC` or `CXX`, else the usual compiler; that of MPI if the source includes `mpi.h` and no compiler is
 * given. Headers are searched in the given folder.
 */
async function commandFor(file: string, folder: string): Promise<CompileCommand> {
  const isC = languageOf(file, false)?.startsWith('c++') !== true;
  const asked = isC ? process.env.CC : process.env.CXX;
  const words = asked === undefined ? [] : asked.split(/\s+/).filter((word) => word !== '');
  const [program, ...rest] = words.length > 0 ? words : [await usualCompiler(file, isC)];
  const include = path.join(folder, 'include');
  const folders =
    (await stat(include).catch(() => undefined))?.isDirectory() === true ? [folder, include] : [folder];
  return {
    directory: folder,
    argv: [program ?? 'cc', ...rest, ...folders.map((each) => `-I${each}`), '-c', file],
    file,
  };
}

async function usualCompiler(file: string, isC: boolean): Promise<string> {
  const search = process.env.PATH ?? '';
  const text = await readFile(file, 'latin1').catch(() => '');
  const wanted = /^\s*#\s*include\s*[<"]mpi\.h[>"]/m.test(text) ? [isC ? 'mpicc' : 'mpicxx'] : [];
  const candidates = [...wanted, ...(isC ? ['cc', 'gcc', 'clang'] : ['c++', 'g++', 'clang++'])];
  const compiler = candidates.find((name) => findProgram(name, search) !== undefined);
  if (compiler !== undefined) return compiler;
  throw new KymoError(
    'no-compiler',
    `No C${isC ? '' : '++'} compiler was found (looked for ${candidates.join(', ')}). Install one, or name yours in the variable ${isC ? 'CC' : 'CXX'}.`,
    { file },
  );
}

/** Reads a compilation database (clang, "JSON Compilation Database"); several entries of one file and output stay apart. */
export async function readCompileCommands(file: string): Promise<CompileCommand[]> {
  const complain = (what: string): never => {
    throw new KymoError('compile-commands-invalid', `${file} is not a compilation database: ${what}.`, {
      file,
    });
  };
  const entries = parseList(await readFile(file, 'utf8'), complain);
  return entries.map((entry, index) => commandOf(entry, file, (what) => complain(`entry ${index} ${what}`)));
}

function parseList(text: string, complain: (what: string) => never): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return complain(error instanceof Error ? error.message : String(error));
  }
  return Array.isArray(value) ? (value as readonly unknown[]) : complain('it must be a list');
}

function commandOf(entry: unknown, database: string, complain: (what: string) => never): CompileCommand {
  if (typeof entry !== 'object' || entry === null) return complain('is not an object');
  const fields = entry as Readonly<Record<string, unknown>>;
  const given = typeof fields.directory === 'string' ? fields.directory : '.';
  const directory = path.resolve(path.dirname(database), given);
  const words = Array.isArray(fields.arguments)
    ? fields.arguments.filter((word): word is string => typeof word === 'string')
    : typeof fields.command === 'string'
      ? splitResponseText(fields.command)
      : complain('has neither “arguments” nor “command”');
  const [program, ...rest] = words;
  if (program === undefined || typeof fields.file !== 'string')
    return complain('has no command or no “file”');
  const compiler = program.includes('/') ? path.resolve(directory, program) : program;
  return {
    directory,
    argv: [compiler, ...expandResponseFiles(rest)],
    file: path.resolve(directory, fields.file),
  };
}
