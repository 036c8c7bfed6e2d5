import { createHash } from 'node:crypto';
import { at } from '../../core/at';
import { getOrMake } from '../../core/getOrMake';
import { ServiceError, stateOf } from './serviceError';

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
 * The equivalence classes below one process, for one stream (Roth 2005, section 4.3.1). All children have to report once; after that, each
 * process that joins is passed on by itself. A process is classified once: what a child sends again, for example after it changed
 * its parent, is dropped.
 */
export class EquivalenceClasses {
  private readonly waiting: Set<number>;
  private readonly children: Map<number, true>;
  private readonly classified = new Set<number>();
  private readonly members = new Map<bigint, number[]>();
  private passedOn = false;

  constructor(children: readonly number[]) {
    this.waiting = new Set(children);
    this.children = new Map(children.map((child) => [child, true]));
  }

  /** Classes to pass on to the parent, by value; undefined while children are missing or nothing is new. */
  push(child: number, classes: readonly EquivalenceClass[]): readonly EquivalenceClass[] | undefined {
    stateOf(this.children, child);
    this.waiting.delete(child);
    const added = new Map<bigint, number[]>();
    for (const { value, members } of classes)
      for (const rank of members) {
        if (this.classified.has(rank)) continue;
        this.classified.add(rank);
        getOrMake(added, value, () => []).push(rank);
        getOrMake(this.members, value, () => []).push(rank);
      }
    return this.passOn(added);
  }

  join(child: number): void {
    this.children.set(child, true);
  }

  /** A child that is gone is no longer waited for; the classes that it sent stay. */
  leave(child: number): readonly EquivalenceClass[] | undefined {
    this.children.delete(child);
    return this.waiting.delete(child) ? this.passOn(new Map()) : undefined;
  }

  /** Everything that was classified below this process: what a new parent has to know. */
  classes(): readonly EquivalenceClass[] {
    return sorted(this.members);
  }

  private passOn(added: ReadonlyMap<bigint, number[]>): readonly EquivalenceClass[] | undefined {
    if (this.waiting.size > 0) return undefined;
    const classes = this.passedOn ? sorted(added) : this.classes();
    this.passedOn = true;
    return classes.length === 0 ? undefined : classes;
  }
}

function sorted(classes: ReadonlyMap<bigint, readonly number[]>): readonly EquivalenceClass[] {
  return [...classes]
    .map(([value, members]) => ({ value, members: [...members].sort((a, b) => a - b) }))
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
