import { getOrMake } from '../getOrMake';
import { foldTemplates } from '../names/foldTemplates';
import { openmpConstruct } from '../names/openmpConstruct';
import { unqualifiedName } from '../names/unqualifiedName';
import { matchConstructs } from './matchConstructs';

/** What a function is known by on one side. */
export interface KnownFunction {
  /** Unique on its side. */
  readonly key: string;
  readonly name: string;
  readonly mangledName?: string;
  readonly file?: string;
  readonly line?: number;
  /** Keys of the functions that it calls, and of those that call it. */
  readonly callees: ReadonlySet<string>;
  readonly callers: ReadonlySet<string>;
}

/** By key of the second side: the key of the first side. Functions without a counterpart are not in it. */
export type FunctionMatch = ReadonlyMap<string, string>;

/** Least likeness (0…1) of a function and its renamed or moved counterpart. */
const leastLikeness = 0.6;
/** More functions without a counterpart on both sides are not compared each with each. */
const mostCandidates = 1000;

/**
 * Which functions of two versions of a program are the same: those of the same name, else of the same name in the same file, else the pairs that are most alike
 * by name, place, callees and callers, each only once. Lines move with every edit, and are not what a function is known by; OpenMP constructs, which have no other name, are matched by
 * their functions (`matchConstructs`).
 * @param isSameProgram both are of one build: lines did not move
 */
export function matchFunctions(
  allOfFirst: readonly KnownFunction[],
  allOfSecond: readonly KnownFunction[],
  isSameProgram = false,
): FunctionMatch {
  const isFunction = ({ name }: KnownFunction): boolean =>
    isSameProgram || openmpConstruct(name) === undefined;
  const [first, second] = [allOfFirst.filter(isFunction), allOfSecond.filter(isFunction)];
  const match = new Map<string, string>();
  const taken = new Set<string>();
  const pair = (a: KnownFunction, b: KnownFunction): void => {
    match.set(b.key, a.key);
    taken.add(a.key);
  };
  for (const nameOf of [({ key }: KnownFunction) => key, ownName, nameInFile]) {
    const free = uniqueBy(
      first.filter(({ key }) => !taken.has(key)),
      nameOf,
    );
    for (const [name, b] of uniqueBy(
      second.filter(({ key }) => !match.has(key)),
      nameOf,
    )) {
      const a = free.get(name);
      if (a !== undefined) pair(a, b);
    }
  }
  const pairConstructs = (): void => {
    for (const [a, b] of matchConstructs(allOfFirst, allOfSecond, match)) {
      match.set(b, a);
      taken.add(a);
    }
  };
  pairConstructs();
  for (const { a, b } of alike(
    first.filter(({ key }) => !taken.has(key)),
    second.filter(({ key }) => !match.has(key)),
    match,
  ))
    if (!taken.has(a.key) && !match.has(b.key)) pair(a, b);
  pairConstructs();
  return match;
}

function ownName({ name, mangledName }: KnownFunction): string {
  return mangledName ?? name;
}

function nameInFile({ name, file }: KnownFunction): string {
  return `${foldTemplates(name)}@${baseName(file) ?? ''}`;
}

function baseName(file: string | undefined): string | undefined {
  return file?.slice(file.lastIndexOf('/') + 1);
}

/** Those whose name no other one has. */
function uniqueBy(
  functions: readonly KnownFunction[],
  nameOf: (function_: KnownFunction) => string,
): ReadonlyMap<string, KnownFunction> {
  const all = new Map<string, KnownFunction[]>();
  for (const one of functions) getOrMake(all, nameOf(one), () => []).push(one);
  return new Map(
    [...all].flatMap(([name, [only, ...others]]) =>
      only !== undefined && others.length === 0 ? [[name, only] as const] : [],
    ),
  );
}

interface Pair {
  readonly a: KnownFunction;
  readonly b: KnownFunction;
  readonly likeness: number;
}

/** Those that are alike enough, the most alike first. */
function alike(
  first: readonly KnownFunction[],
  second: readonly KnownFunction[],
  match: FunctionMatch,
): readonly Pair[] {
  if (first.length > mostCandidates || second.length > mostCandidates) return [];
  const bigrams = new Map<string, ReadonlySet<string>>();
  const bigramsOf = (one: KnownFunction): ReadonlySet<string> => {
    const name = unqualifiedName(foldTemplates(one.name));
    return getOrMake(bigrams, name, () => pairsOfLetters(name));
  };
  const pairs: Pair[] = [];
  for (const a of first)
    for (const b of second) {
      const likeness = likenessOf(a, b, dice(bigramsOf(a), bigramsOf(b)), match);
      if (likeness >= leastLikeness) pairs.push({ a, b, likeness });
    }
  return pairs.sort((x, y) => y.likeness - x.likeness || (x.b.key < y.b.key ? -1 : 1));
}

function likenessOf(a: KnownFunction, b: KnownFunction, names: number, match: FunctionMatch): number {
  const isSameFile = a.file !== undefined && baseName(a.file) === baseName(b.file);
  const near =
    isSameFile && a.line !== undefined && b.line !== undefined ? 1 / (1 + Math.abs(a.line - b.line) / 50) : 0;
  return (
    0.4 * names +
    (isSameFile ? 0.1 + 0.1 * near : 0) +
    0.2 * overlap(a.callees, b.callees, match) +
    0.2 * overlap(a.callers, b.callers, match)
  );
}

/** Jaccard similarity of the sets, with names of the second side as on the first. Functions that call nothing are alike in it. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>, match: FunctionMatch): number {
  if (a.size === 0 && b.size === 0) return 1;
  let common = 0;
  for (const key of b) if (a.has(match.get(key) ?? '')) common++;
  return common / (a.size + b.size - common);
}

function pairsOfLetters(name: string): ReadonlySet<string> {
  const letters = name.toLowerCase().slice(0, 200);
  return new Set(Array.from({ length: Math.max(0, letters.length - 1) }, (_, i) => letters.slice(i, i + 2)));
}

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0;
  let common = 0;
  for (const pair of b) if (a.has(pair)) common++;
  return (2 * common) / (a.size + b.size);
}
