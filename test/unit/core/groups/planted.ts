import type { TimeVectors } from '../../../../src/core/groups/clusters/timeVectors';
import type { ProcessContext } from '../../../../src/core/groups/context';
import { jaccard, measured } from '../../../../src/core/groups/measures';
import {
  addMember,
  bitSetOf,
  emptySet,
  hasMember,
  type BitSet,
} from '../../../../src/core/groups/sets/bitSet';
import { DistinctSets } from '../../../../src/core/groups/sets/distinctSets';
import { randomNumbers } from '../../../../src/core/randomNumbers';

/** Processes whose groups are known. */
export interface Planted {
  readonly context: ProcessContext;
  /** The group of each process. */
  readonly truth: Int32Array;
  /** Those of attributes. */
  readonly times: TimeVectors;
}

/** A context of sets, one for each process; attributes are functions `f<number>`. */
export function contextOf(sets: readonly BitSet[], attributes: number): ProcessContext {
  const distinct = new DistinctSets();
  const groupOf = Int32Array.from(sets, (set) => distinct.intern(set));
  return {
    kind: 'pairs',
    attributes: Array.from({ length: attributes }, (_, number) => ({ callee: `f${number}` })),
    processes: sets.map((_, rank) => ({ name: `Rank ${rank}`, rank, thread: 0 })),
    sets: distinct.sets(attributes),
    groupOf,
  };
}

/**
 * A program with two to six groups of processes: one that does the work of all; others with much in addition, with other work, threads with a small part of
 * it, a master and a spare rank. Any two differ by 12 % of what they have together, or more. Up to 30 functions are rarely called: on few processes each.
 * @param missing probability that an attribute of a process was not seen
 * @param isUneven whether it differs between attributes, as with functions that are called rarely: `missing` is then the mean of an exponential distribution
 */
export function planted(seed: number, missing: number, largest = 128, isUneven = false): Planted {
  const random = randomNumbers(seed * 7919 + 17);
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  const sizes: number[] = [];
  const groups: number[][] = [];
  let attributes = 0;
  const fresh = (count: number): number[] => Array.from({ length: count }, () => attributes++);
  const some = (from: readonly number[], share: number): number[] => from.filter(() => random() < share);
  const common = fresh(between(15, 150));
  groups.push([...common]);
  sizes.push(between(8, largest));
  const makers: (() => readonly [number[], number])[] = [
    () => [[...common, ...fresh(Math.ceil(common.length * (0.15 + random())))], between(2, largest)],
    () => [[...some(common, 0.7), ...fresh(between(3, 60))], between(2, largest)],
    () => [[...some(common, 0.3).slice(0, 30), ...fresh(between(2, 20))], between(4, 2 * largest)],
    () => [[...common, ...fresh(Math.ceil(common.length * (0.2 + random())))], 1],
    () => [common.slice(0, between(2, 6)), 1],
  ];
  const wanted = between(2, 6);
  while (groups.length < wanted) {
    const [group, size] = makers[between(0, makers.length - 1)]!();
    const sets = [...groups, group].map((members) => bitSetOf(members, attributes));
    if (sets.slice(0, -1).some((set) => measured(jaccard, set, sets.at(-1)!) > 0.88)) continue;
    groups.push(group);
    sizes.push(size);
  }
  const truth = Int32Array.from(sizes.flatMap((size, group) => Array.from({ length: size }, () => group)));
  shuffle(truth, random);
  const rare = fresh(between(0, 30));
  const rates = Array.from({ length: attributes }, () =>
    isUneven ? Math.min(0.5, -missing * Math.log(1 - random())) : missing,
  );
  const sets = Array.from(truth, (group) =>
    bitSetOf(
      groups[group]!.filter((attribute) => random() >= rates[attribute]!),
      attributes,
    ),
  );
  for (const attribute of rare)
    for (let count = between(1, Math.max(2, Math.floor(truth.length / 50))); count > 0; count--)
      addMember(sets[between(0, sets.length - 1)]!, attribute);
  return { context: contextOf(sets, attributes), truth, times: timesOf(sets, attributes, random) };
}

/** Each function takes another time, which varies over processes as waiting does: much. */
function timesOf(sets: readonly BitSet[], attributes: number, random: () => number): TimeVectors {
  const rows: Float64Array[] = [];
  for (let attribute = 0; attribute < attributes; attribute++) {
    const typical = Math.exp(4 * random());
    rows.push(
      Float64Array.from(sets, (set) => (hasMember(set, attribute) ? typical * (0.2 + 1.6 * random()) : 0)),
    );
  }
  return { processes: sets.length, rows };
}

function shuffle(values: Int32Array, random: () => number): void {
  for (let last = values.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [values[last], values[other]] = [values[other]!, values[last]!];
  }
}

/** Hubert and Arabie's adjusted Rand index of two partitions: 1 if they are the same, 0 expected by chance. */
export function adjustedRandIndex(a: Int32Array, b: Int32Array): number {
  const pairs = (counts: Iterable<number>): number => {
    let sum = 0;
    for (const count of counts) sum += (count * (count - 1)) / 2;
    return sum;
  };
  const countsOf = (keys: Iterable<number | string>): Iterable<number> => {
    const counts = new Map<number | string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.values();
  };
  const together = pairs(countsOf(Array.from(a, (group, process) => `${group} ${b[process]}`)));
  const [ofA, ofB] = [pairs(countsOf(a)), pairs(countsOf(b))];
  const all = (a.length * (a.length - 1)) / 2;
  const expected = (ofA * ofB) / all;
  const largest = (ofA + ofB) / 2;
  return largest === expected ? 1 : (together - expected) / (largest - expected);
}

/** Random sets; each attribute with the same probability. */
export function randomSets(seed: number, count: number, attributes: number, share: number): BitSet[] {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () => {
    const set = emptySet(attributes);
    for (let attribute = 0; attribute < attributes; attribute++)
      if (random() < share) addMember(set, attribute);
    return set;
  });
}
