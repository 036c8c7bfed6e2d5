import path from 'node:path';
import { compilerOf } from '../sources/compilers';
import { commandsOf, type Command } from './shellCommands';

/** A command of the build with the folder (absolute) that it would run in. */
export interface PlacedCommand {
  readonly folder: string;
  readonly words: Command;
}

/** The output of `make -n -w`, with or without `-p`; both streams combined. */
export interface MakeOutput {
  readonly commands: readonly PlacedCommand[];
  /** Absolute paths of missing files that no rule makes. */
  readonly missing: readonly string[];
  /** Unexpanded variables of all makes; a makefile's own values precede those of make. */
  readonly variables: ReadonlyMap<string, string>;
  readonly targets: ReadonlySet<string>;
  /** Base names of the prerequisites of source files: programs among them are helpers of the build. */
  readonly makeSources: ReadonlySet<string>;
  /** A make could not build its own makefiles and stopped. */
  readonly isBroken: boolean;
}

/** @param folder where make ran; absolute */
export function readMakeOutput(output: string, folder: string): MakeOutput {
  const commands: PlacedCommand[] = [];
  const missing: string[] = [];
  const database = new Database();
  const folders = [folder];
  let isBroken = false;
  for (const line of output.replace(/\\\r?\n/g, ' ').split('\n')) {
    if (database.takes(line) || line.length > 1 << 20 || line.startsWith('#')) continue;
    const here = folders.at(-1) ?? folder;
    const message = /^\S*make(?:\[\d+\])?: (.*)$/.exec(line)?.[1];
    if (message === undefined) commands.push(...placed(line, here));
    else {
      const entered = /^Entering directory [`'](.*)'$/.exec(message)?.[1];
      const absent = /No rule to make target [`'](.*?)'/.exec(message)?.[1];
      if (entered !== undefined) folders.push(entered);
      else if (message.startsWith('Leaving directory')) folders.pop();
      else if (message.startsWith('Failed to remake makefile')) isBroken = true;
      else if (absent !== undefined) missing.push(path.resolve(here, absent));
    }
  }
  const { variables, targets, makeSources } = database;
  return { commands, missing, variables, targets, makeSources, isBroken };
}

/** The parts of the output that `make -p` prints: the variables and rules of one make after the other. */
class Database {
  readonly variables = new Map<string, string>();
  readonly targets = new Set<string>();
  readonly makeSources = new Set<string>();
  private readonly fromMakefile = new Set<string>();
  private isOpen = false;
  private origin = '';

  /** Whether the line belongs to such a part. */
  takes(line: string): boolean {
    if (line.startsWith('# Make data base, printed on')) this.isOpen = true;
    if (!this.isOpen) return false;
    if (line.startsWith('# Finished Make data base')) this.isOpen = false;
    this.read(line);
    return true;
  }

  private read(line: string): void {
    if (line.startsWith('#')) {
      this.origin = /^# (makefile|default|environment)\b/.exec(line)?.[1] ?? '';
      return;
    }
    this.readVariable(line);
    this.readRule(line);
    this.origin = '';
  }

  private readVariable(line: string): void {
    const [, name, value = ''] = /^([A-Za-z_][\w.-]*) (?::{0,3}|\?|\+|!)= ?(.*)$/.exec(line) ?? [];
    const isOwn = this.origin === 'makefile';
    if (name === undefined || this.origin === '' || (!isOwn && this.fromMakefile.has(name))) return;
    this.variables.set(name, value);
    if (isOwn) this.fromMakefile.add(name);
  }

  private readRule(line: string): void {
    const [, target, prerequisites = ''] = /^([^\s:=#%.][^\s:=#%]*):(?!=)(.*)$/.exec(line) ?? [];
    if (target === undefined) return;
    this.targets.add(target);
    if (!/\.(c|h|cc|cpp|cxx|hpp|f|f90|F90|inc|def)$/.test(target)) return;
    for (const file of prerequisites.trim().split(/\s+/)) this.makeSources.add(path.posix.basename(file));
  }
}

function placed(line: string, folder: string): readonly PlacedCommand[] {
  let here = folder;
  const result: PlacedCommand[] = [];
  for (const words of commandsOf(line)) {
    if (words[0] === 'cd' && words[1] !== undefined) here = path.resolve(here, words[1]);
    else result.push({ folder: here, words });
  }
  return result;
}

/** A command that compiles or links: the word for the compiler, and its arguments. */
export interface Compilation {
  readonly compiler: string;
  readonly arguments: readonly string[];
}

/** Programs that start another program named in their arguments. */
const starter = /(^|\/)(sh|bash|env|ccache|distcc|libtool|depcomp|time|nice|missing)$/;
const assignment = /^[A-Za-z_]\w*=/;
/** Prefix of the markers that identify variables (`makeVariables.ts`). */
export const markerPrefix = 'kymo-ask-';

export function compilationOf(words: Command): Compilation | undefined {
  let isStarted = false;
  for (const [index, word] of words.entries()) {
    if (word.startsWith(markerPrefix) || compilerOf(word) !== undefined)
      return { compiler: word, arguments: words.slice(index + 1) };
    isStarted ||= starter.test(word);
    if (!starter.test(word) && !assignment.test(word) && !(isStarted && word.startsWith('-')))
      return undefined;
  }
  return undefined;
}

const noProgram = /^-(c|E|S|M|MM|r|shared|dynamiclib|qmkshrobj|v|V|-version|dump.*|print-.*)$/;
const part =
  /\.(o|lo|obj|a|la|so|dylib|dll|res|mod|d|h|i|s|S|c|cc|cpp|cxx|C|f|f90|F90|pcm|gch)$|\.so\.[\d.]*$/;

/** The file that the command links as a program. */
export function linkedProgram({ arguments: words }: Compilation): string | undefined {
  if (words.some((word) => noProgram.test(word))) return undefined;
  if (!words.some((word) => !word.startsWith('-'))) return undefined;
  const position = words.findIndex((word) => word.startsWith('-o'));
  if (position < 0) return 'a.out';
  const name = words[position] === '-o' ? words[position + 1] : words[position]?.slice(2);
  return name === undefined || part.test(name) || /[$`]|^\/dev\//.test(name) ? undefined : name;
}
