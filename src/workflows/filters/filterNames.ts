import path from 'node:path';
import { escapePattern } from '../../formats/scorep-filter/syntax/escapePattern';
import { turn, type Cancellable } from '../running/turn';
import { knownFunctions, type FilterFunction, type FunctionSource } from './knownFunctions';

/** The name that the user is typing. */
export interface NameQuery {
  readonly block: 'file' | 'region';
  /** The name follows MANGLED. */
  readonly mangled: boolean;
  /** The typed text, with its escapes. */
  readonly typed: string;
}

/** A pattern that the editor offers. */
export interface NamedPattern {
  /** The pattern with its escapes. */
  readonly pattern: string;
  /** The pattern is for mangled names. */
  readonly mangled: boolean;
  /** The shortened demangled name. */
  readonly name: string;
  readonly file?: string;
}

const mostPatterns = 200;
const longestName = 200;

/** Patterns for the known functions (or their files) whose name contains the typed text, the heaviest functions first. */
export async function filterNames(
  { block, mangled, typed }: NameQuery,
  source: FunctionSource,
  context: Cancellable = {},
): Promise<readonly NamedPattern[]> {
  const { functions } = await knownFunctions(source);
  await turn(context);
  const wanted = typed
    .replace(/\\(.)/g, '$1')
    .replace(/^\*+\/?/, '')
    .toLowerCase();
  const patterns =
    block === 'file' ? filePatterns(functions, wanted) : regionPatterns(functions, wanted, mangled);
  return patterns.slice(0, mostPatterns);
}

function regionPatterns(
  functions: readonly FilterFunction[],
  wanted: string,
  mangled: boolean,
): readonly NamedPattern[] {
  return [...functions]
    .filter(({ name, mangledName = '' }) => contains(name, wanted) || contains(mangledName, wanted))
    .sort((a, b) => (b.exclusiveShare ?? -1) - (a.exclusiveShare ?? -1) || (a.name < b.name ? -1 : 1))
    .slice(0, mostPatterns)
    .map((candidate) => {
      const { name, file, mangledName } = candidate;
      // C functions have no mangled name.
      const byMangled = mangledName !== undefined && (mangled || !isPlain(name));
      return {
        pattern: byMangled ? escapePattern(mangledName) : demangledPattern(candidate),
        mangled: byMangled,
        name: name.length <= longestName ? name : `${name.slice(0, longestName - 1)}…`,
        ...(file === undefined ? {} : { file: path.basename(file) }),
      };
    });
}

/** A pattern for the demangled name. Score-P's names begin with a return type that only its own profiles have. */
function demangledPattern({ name, exactName = false }: FilterFunction): string {
  return exactName || isPlain(name) ? escapePattern(name) : `*${escapePattern(name)}`;
}

function isPlain(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

/** A pattern for each file, and for each folder with several files. */
function filePatterns(functions: readonly FilterFunction[], wanted: string): readonly NamedPattern[] {
  const files = new Set(functions.flatMap(({ file }) => file ?? []));
  const folders = new Map<string, number>();
  for (const file of files) {
    const folder = path.basename(path.dirname(file));
    if (folder !== '') folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  const names = [...new Set([...files].map((file) => path.basename(file)))].sort();
  const shared = [...folders].filter(([, count]) => count > 1).map(([folder]) => folder);
  return [
    ...names
      .filter((name) => contains(name, wanted))
      .map((name) => ({ pattern: `*/${escapePattern(name)}`, mangled: false, name })),
    ...shared
      .sort()
      .filter((name) => contains(name, wanted))
      .map((name) => ({
        pattern: `*/${escapePattern(name)}/*`,
        mangled: false,
        name: `all files in ${name}`,
      })),
  ];
}

function contains(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted);
}
