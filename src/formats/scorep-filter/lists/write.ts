import { escapePattern } from '../syntax/escapePattern';
import { symbolVariants } from '../effects/structors';

/** A function to be instrumented or not, and why. */
export interface FilterEntry {
  readonly name: string;
  readonly mangledName?: string;
  /** One sentence; becomes a comment. */
  readonly reason?: string;
}

/**
 * The whitelist form for any Score-P, at compile time and at run time: everything is excluded, then each function included by its
 * mangled name, with its reason above it. An entry without a mangled name is matched by its name with any return type and parameters.
 * Declared inline or not, a function that is named is instrumented.
 *
 * @param userRegions names of `SCOREP_USER_REGION`s (a phase): at run time, `EXCLUDE *` would take them out, too
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
 * The blacklist form: what is not named stays in, as far as the compiler instruments it by itself. `included` are functions that it
 * would leave out because they are declared inline.
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

/** Far below the 1,023 bytes at which Score-P joins lines (`readLines.ts`), whatever characters they have. */
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
  // With a return type before it, or none as for a constructor.
  const escaped = escapePattern(name);
  const pattern = name.includes('(') ? escaped : `${escaped}(*`;
  return `${pattern} *\\ ${pattern}`;
}

/** MANGLED and the names of one function. */
function mangledPatterns(mangledName: string): string {
  return `MANGLED ${symbolVariants(mangledName).map(escapePattern).join(' ')}`;
}

/** Names come from any source: nothing in them may end the comment. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}
