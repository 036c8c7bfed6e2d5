import { bytesOf } from './bytes';

/**
 * POSIX fnmatch(3) with flags 0, as Score-P calls it: `*` (also across `/`), `?`, `[…]`, `\x` for a literal x; the whole string must
 * match. Compares bytes, as in the C locale, in which programs run. Patterns come from any file, so backtracking goes to the last star only:
 * O(pattern × name), never exponential.
 */
export function fnmatch(pattern: string, name: string): boolean {
  return matchParts(compilePattern(bytesOf(pattern)), bytesOf(name));
}

/** One step of a compiled pattern. */
export type PatternPart =
  | { readonly kind: 'star' }
  | { readonly kind: 'any' }
  | { readonly kind: 'literal'; readonly character: string; readonly code: number }
  | { readonly kind: 'set'; readonly accepts: (code: number) => boolean }
  /** A pattern that fnmatch refuses (a `\\` at its end, an unknown character class) matches nothing. */
  | { readonly kind: 'never' };

/** Patterns are compiled once per rule: a filter may be matched against 10⁵ names. */
export function compilePattern(pattern: string): readonly PatternPart[] {
  const characters = Array.from(pattern);
  const parts: PatternPart[] = [];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] ?? '';
    if (character === '*') {
      if (parts.at(-1)?.kind !== 'star') parts.push({ kind: 'star' });
    } else if (character === '?') {
      parts.push({ kind: 'any' });
    } else if (character === '\\') {
      const escaped = characters[++index];
      parts.push(escaped === undefined ? { kind: 'never' } : literal(escaped));
    } else if (character === '[') {
      const set = readSet(characters, index);
      parts.push(set?.part ?? literal(character));
      index = set?.end ?? index;
    } else {
      parts.push(literal(character));
    }
  }
  return parts;
}

function literal(character: string): PatternPart {
  return { kind: 'literal', character, code: character.codePointAt(0) ?? -1 };
}

export function matchParts(parts: readonly PatternPart[], name: string): boolean {
  let part = 0;
  let index = 0;
  let star = -1;
  let resume = 0;
  while (index < name.length) {
    const current = parts[part];
    if (current?.kind === 'star') {
      star = part++;
      resume = index;
      continue;
    }
    const code = name.codePointAt(index) ?? -1;
    if (current !== undefined && accepts(current, code)) {
      part++;
      index += widthOf(code);
    } else if (star >= 0) {
      part = star + 1;
      resume += widthOf(name.codePointAt(resume) ?? -1);
      index = resume;
    } else {
      return false;
    }
  }
  while (parts[part]?.kind === 'star') part++;
  return part === parts.length;
}

/** UTF-16 units of a character. */
function widthOf(code: number): number {
  return code > 0xffff ? 2 : 1;
}

/** The only string that a pattern without wildcards matches; undefined for other patterns. */
export function literalOf(parts: readonly PatternPart[]): string | undefined {
  let text = '';
  for (const part of parts) {
    if (part.kind !== 'literal') return undefined;
    text += part.character;
  }
  return text;
}

/** True for patterns that match all names, such as `*`, `**` or `?*`. */
export function matchesEverything(parts: readonly PatternPart[]): boolean {
  return (
    parts.some((part) => part.kind === 'star') &&
    parts.every((part) => part.kind === 'star' || part.kind === 'any') &&
    parts.filter((part) => part.kind === 'any').length <= 1
  );
}

function accepts(part: PatternPart, code: number): boolean {
  switch (part.kind) {
    case 'any':
      return true;
    case 'literal':
      return part.code === code;
    case 'set':
      return part.accepts(code);
    case 'star':
    case 'never':
      return false;
  }
}

type Test = (character: string) => boolean;

const classes: ReadonlyMap<string, RegExp> = new Map([
  ['alpha', /[A-Za-z]/],
  ['digit', /[0-9]/],
  ['alnum', /[A-Za-z0-9]/],
  ['upper', /[A-Z]/],
  ['lower', /[a-z]/],
  ['space', /[ \t-\r]/],
  ['blank', /[ \t]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['xdigit', /[0-9A-Fa-f]/],
  ['cntrl', /[^ -~\u0080-\uffff]/],
  ['graph', /[!-~]/],
  ['print', /[ -~]/],
]);

/** Reads a bracket expression from `start`; undefined if it is not closed, so that `[` is literal. */
function readSet(
  characters: readonly string[],
  start: number,
): { readonly part: PatternPart; readonly end: number } | undefined {
  let index = start + 1;
  const negated = characters[index] === '!' || characters[index] === '^';
  if (negated) index++;
  const tests: Test[] = [];
  let refused = false;
  for (let first = true; index < characters.length; first = false) {
    if (characters[index] === ']' && !first) {
      return {
        part: refused ? { kind: 'never' } : { kind: 'set', accepts: acceptor(tests, negated) },
        end: index,
      };
    }
    const item = readClass(characters, index) ?? readRange(characters, index);
    if (item.test === undefined) refused = true;
    else tests.push(item.test);
    index = item.next;
  }
  return undefined;
}

/** Uses a table for ASCII, since a set is applied to each character of each name. */
function acceptor(tests: readonly Test[], negated: boolean): (code: number) => boolean {
  const decide = (code: number): boolean => {
    const character = String.fromCodePoint(code);
    return tests.some((test) => test(character)) !== negated;
  };
  const ascii = Array.from({ length: 128 }, (_, code) => decide(code));
  return (code) => ascii[code] ?? decide(code);
}

interface SetItem {
  /** Undefined if fnmatch does not support the class or element, so that the pattern matches nothing. */
  readonly test: Test | undefined;
  readonly next: number;
}

/** `[:digit:]`, and for a single character `[=a=]` and `[.a.]`, as in the C locale. */
function readClass(characters: readonly string[], index: number): SetItem | undefined {
  const mark = characters[index + 1];
  if (characters[index] !== '[' || (mark !== ':' && mark !== '=' && mark !== '.')) return undefined;
  const end = characters.indexOf(mark, index + 3);
  if (end < 0 || characters[end + 1] !== ']') return undefined;
  const name = characters.slice(index + 2, end);
  if (mark === '=' && name.length !== 1) return undefined;
  const next = end + 2;
  if (mark !== ':') return { test: name.length === 1 ? (c) => c === name[0] : undefined, next };
  const expression = classes.get(name.join(''));
  return { test: expression === undefined ? undefined : (c) => expression.test(c), next };
}

function readRange(characters: readonly string[], start: number): SetItem {
  const low = readOne(characters, start);
  if (characters[low.next] !== '-' || characters[low.next + 1] === ']' || low.next + 1 >= characters.length) {
    return { test: (c) => c === low.character, next: low.next };
  }
  const high = readOne(characters, low.next + 1);
  const code = (character: string): number => character.codePointAt(0) ?? -1;
  return {
    test: (c) => code(low.character) <= code(c) && code(c) <= code(high.character),
    next: high.next,
  };
}

function readOne(characters: readonly string[], index: number): { character: string; next: number } {
  const escaped = characters[index] === '\\' && index + 1 < characters.length;
  return { character: characters[escaped ? index + 1 : index] ?? '', next: escaped ? index + 2 : index + 1 };
}
