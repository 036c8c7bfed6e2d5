import { escapePattern } from '../syntax/escapePattern';
import { symbolVariants } from '../effects/structors';

/** A function to include or exclude, and why. */
export interface FilterEntry {
  readonly name: string;
  readonly mangledName?: string;
  /** One sentence, which becomes a comment. */
  readonly reason?: string;
}

/**
 * The whitelist form for any Score-P, at compile time and at run time: excludes everything, then includes each function by its
 * mangled name, with its reason before it. A function without a mangled name is matched by its name with any return type and parameters.
 * Naming a function instruments it also if it is declared inline.
 *
 * @param userRegions names of `SCOREP_USER_REGION`s (a phase), which `EXCLUDE *` would exclude at run time
 */
export function writeFilter(
  entries: readonly FilterEntry[],
  title?: string,
  userRegions: readonly string[] = [],
): string {
  return block(title, [
    '  EXCLUDE *',
    ...userRegions.map((name) => `  INCLUDE ${escapePattern(name)}`),
    ...entries.flatMap((entry) => ruleLines('INCLUDE', entry)),
  ]);
}

/**
 * The blacklist form: functions that are not named stay included, if the compiler instruments them by default. `included` are functions that it
 * does not instrument otherwise because they are declared inline.
 */
export function writeExclusions(
  excluded: readonly FilterEntry[],
  included: readonly FilterEntry[] = [],
  title?: string,
): string {
  return block(title, [
    ...included.flatMap((entry) => ruleLines('INCLUDE', entry)),
    ...excluded.flatMap((entry) => ruleLines('EXCLUDE', entry)),
  ]);
}

function block(title: string | undefined, lines: readonly string[]): string {
  const head = title === undefined ? [] : commentLines(oneLine(title), '');
  return [...head, 'SCOREP_REGION_NAMES_BEGIN', ...lines, 'SCOREP_REGION_NAMES_END', ''].join('\n');
}

function ruleLines(action: 'INCLUDE' | 'EXCLUDE', entry: FilterEntry): readonly string[] {
  const shown = entry.name === entry.mangledName || entry.mangledName === undefined ? '' : `${entry.name}: `;
  const comment = oneLine(`${shown}${entry.reason ?? ''}`).replace(/:$/, '');
  return [...(comment === '' ? [] : commentLines(comment, '  ')), `  ${action} ${patternsFor(entry)}`];
}

/** Characters per line: far below the 1,023 bytes at which Score-P joins lines (`readLines.ts`). */
const longestComment = 300;

function commentLines(text: string, margin: string): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > longestComment) {
    const blank = rest.lastIndexOf(' ', longestComment);
    const end = blank > 0 ? blank : longestComment;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest].map((line) => `${margin}# ${line}`);
}

function patternsFor({ name, mangledName }: FilterEntry): string {
  if (mangledName !== undefined) return mangledPatterns(mangledName);
  // A plain identifier is its own mangled name (C).
  if (/^[A-Za-z_]\w*$/.test(name)) return `MANGLED ${escapePattern(name)}`;
  // A return type precedes the name, but not for a constructor.
  const escaped = escapePattern(name);
  const pattern = name.includes('(') ? escaped : `${escaped}(*`;
  return `${pattern} *\\ ${pattern}`;
}

/** MANGLED and all symbols of one function. */
function mangledPatterns(mangledName: string): string {
  return `MANGLED ${symbolVariants(mangledName).map(escapePattern).join(' ')}`;
}

/** Removes control characters, which could end the comment: names may come from any source. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}
