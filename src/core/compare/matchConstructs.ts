import { at } from '../at';
import { getOrMake } from '../getOrMake';
import { openmpConstruct, type OpenmpConstruct } from '../names/openmpConstruct';

/** A function or an OpenMP construct on one side. */
interface Known {
  /** Unique on its side. */
  readonly key: string;
  readonly name: string;
  /** Keys of what calls it, the first one first. */
  readonly callers: ReadonlySet<string>;
}

interface Construct extends OpenmpConstruct {
  readonly key: string;
  /** Which one of its kind it is in its function, from 0. */
  ordinal: number;
}

/** More candidates in a function, each of which is compared with each, are matched by their order alone. */
const mostCandidates = 4000;

/**
 * Which OpenMP constructs of two versions of a program are the same. Their names are their lines, which move with every edit; so those of one function (the
 * first that executes them) are matched by kind and order. Where a kind has more of them on one side, those are left over without which
 * the fewest lines were inserted or deleted.
 * @param match functions that are the same, by key of the second side; constructs in it are matched already
 * @returns pairs of keys of the first and the second side
 */
export function matchConstructs(
  first: readonly Known[],
  second: readonly Known[],
  match: ReadonlyMap<string, string>,
): readonly (readonly [string, string])[] {
  const taken = new Set(match.values());
  const before = constructsByFunction(first, (key) => key, taken);
  const after = constructsByFunction(second, (key) => match.get(key), new Set(match.keys()));
  return [...after].flatMap(([place, own]) => aligned(before.get(place) ?? [], own));
}

/**
 * In the order of their lines, by file and function.
 * @param keyOf what a function is known by; undefined: constructs in it have no counterparts
 */
function constructsByFunction(
  all: readonly Known[],
  keyOf: (key: string) => string | undefined,
  without: ReadonlySet<string>,
): ReadonlyMap<string, readonly Construct[]> {
  const known = new Map(all.map((one) => [one.key, one]));
  const groups = new Map<string, Construct[]>();
  for (const { key, name } of all) {
    const construct = openmpConstruct(name);
    const around = construct === undefined ? undefined : functionAround(key, known);
    // What no function calls is the same for both.
    const owner = around === '' ? around : around === undefined ? undefined : keyOf(around);
    if (construct === undefined || owner === undefined || without.has(key)) continue;
    getOrMake(groups, `${construct.file}\0${owner}`, () => []).push({ ...construct, key, ordinal: 0 });
  }
  for (const group of groups.values()) {
    group.sort((a, b) => a.line - b.line || (a.kind < b.kind ? -1 : 1));
    const seen = new Map<string, number>();
    for (const one of group) {
      one.ordinal = seen.get(one.kind) ?? 0;
      seen.set(one.kind, one.ordinal + 1);
    }
  }
  return groups;
}

/** Constructs are in constructs: the function around all of them; empty: there is none. */
function functionAround(key: string, known: ReadonlyMap<string, Known>): string {
  const seen = new Set<string>();
  for (let own = key; ;) {
    seen.add(own);
    const [caller] = known.get(own)?.callers ?? [];
    if (caller === undefined || seen.has(caller)) return '';
    const name = known.get(caller)?.name;
    if (name === undefined || openmpConstruct(name) === undefined) return caller;
    own = caller;
  }
}

/** A pair that may be, and the best of those that end with it. */
interface Candidate {
  readonly first: number;
  readonly second: number;
  readonly shift: number;
  pairs: number;
  /** Lines that were inserted and deleted between the pairs. */
  lines: number;
  previous: Candidate | undefined;
}

/** As many pairs of one kind as there are in one order, with the fewest inserted and deleted lines. */
function aligned(
  first: readonly Construct[],
  second: readonly Construct[],
): readonly (readonly [string, string])[] {
  const all = candidates(first, second);
  const keys = ({ first: a, second: b }: Candidate): readonly [string, string] => [
    at(first, a).key,
    at(second, b).key,
  ];
  if (all.length > mostCandidates)
    return all.filter((one) => at(first, one.first).ordinal === at(second, one.second).ordinal).map(keys);
  let best: Candidate | undefined;
  for (const [position, own] of all.entries()) {
    for (let other = 0; other < position; other++) {
      const before = at(all, other);
      if (before.first >= own.first || before.second >= own.second) continue;
      const lines = before.lines + Math.abs(own.shift - before.shift);
      if (!isBetter({ pairs: before.pairs + 1, lines }, own)) continue;
      own.pairs = before.pairs + 1;
      own.lines = lines;
      own.previous = before;
    }
    if (best === undefined || isBetter(own, best)) best = own;
  }
  const chosen: Candidate[] = [];
  for (let own = best; own !== undefined; own = own.previous) chosen.push(own);
  return chosen.map(keys);
}

/** Pairs of one kind between which no more of it are left over than there must be. */
function candidates(first: readonly Construct[], second: readonly Construct[]): Candidate[] {
  const numbers = (group: readonly Construct[]): Map<string, number> =>
    new Map(group.map(({ kind, ordinal }) => [kind, ordinal + 1]));
  const [before, after] = [numbers(first), numbers(second)];
  return first.flatMap((a, i) =>
    second.flatMap((b, j): Candidate[] => {
      const further = (after.get(a.kind) ?? 0) - (before.get(a.kind) ?? 0);
      const later = b.ordinal - a.ordinal;
      if (a.kind !== b.kind || later < Math.min(0, further) || later > Math.max(0, further)) return [];
      const shift = b.line - a.line;
      return [{ first: i, second: j, shift, pairs: 1, lines: Math.abs(shift), previous: undefined }];
    }),
  );
}

function isBetter(
  one: Pick<Candidate, 'pairs' | 'lines'>,
  other: Pick<Candidate, 'pairs' | 'lines'>,
): boolean {
  return one.pairs > other.pairs || (one.pairs === other.pairs && one.lines < other.lines);
}
