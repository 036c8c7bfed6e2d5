import { createHash } from 'node:crypto';
import { at } from '../../core/at';
import { getOrMake } from '../../core/getOrMake';
import { ServiceError } from './serviceError';

/** Processes whose data are equal: they have the same 64-bit hash value. */
export interface EquivalenceClass {
  readonly value: bigint;
  /** Ranks, ascending. */
  readonly members: readonly number[];
}

/** Classes as three arrays of a packet (`%auld %aud %aud`): members of all classes one after the other, and how many each has. */
export interface ClassArrays {
  readonly values: readonly bigint[];
  readonly counts: readonly number[];
  readonly members: readonly number[];
}

/**
 * The hash value of records whose order does not matter, for example functions with their addresses relative to the module. No records are a
 * class too. SHA-256, shortened: two different lists of 10⁶ classes collide with a probability below 10⁻⁷.
 */
export function hashOfRecords(records: readonly string[]): bigint {
  const hash = createHash('sha256');
  // The length separates records: ["ab", "c"] and ["a", "bc"] differ.
  for (const record of [...records].sort()) hash.update(`${record.length}:${record}`);
  return hash.digest().readBigUInt64BE();
}

/**
 * The classes of several lists together, by value (Roth 2005, section 4.3.1): what a process passes on of a wave. Who comes later is in a later wave, and so
 * classified alone.
 */
export function mergeClasses(lists: Iterable<readonly EquivalenceClass[]>): readonly EquivalenceClass[] {
  const merged = new Map<bigint, number[]>();
  for (const classes of lists)
    for (const { value, members } of classes)
      for (const rank of members) getOrMake(merged, value, () => []).push(rank);
  return [...merged]
    .map(([value, members]) => ({ value, members: members.sort((a, b) => a - b) }))
    .sort((a, b) => (a.value < b.value ? -1 : 1));
}

export function toClassArrays(classes: readonly EquivalenceClass[]): ClassArrays {
  return {
    values: classes.map(({ value }) => value),
    counts: classes.map(({ members }) => members.length),
    members: classes.flatMap(({ members }) => members),
  };
}

/** @throws ServiceError `bad-classes` where the arrays do not belong together */
export function fromClassArrays({ values, counts, members }: ClassArrays): readonly EquivalenceClass[] {
  const sum = counts.reduce((total, count) => total + count, 0);
  if (values.length !== counts.length || sum !== members.length || counts.some((count) => count < 0))
    throw new ServiceError(
      'bad-classes',
      `${values.length} classes with ${counts.length} counts of together ${sum} members came with ${members.length} members.`,
    );
  let next = 0;
  return values.map((value, i) => {
    const first = next;
    next += at(counts, i);
    return { value, members: members.slice(first, next) };
  });
}
