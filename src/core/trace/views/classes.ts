import { entryClasses, type ComparedPairFacts, type EntryClass } from '../comparisonPieces';

/** What is compared, and how much of it may differ. */
export interface Tolerance {
  /** `time`, or the name of a counter. */
  readonly metric: string;
  /** Smaller relative deviations are none (0.05: 5 %); 0: every deviation is one. */
  readonly sensitivity: number;
}

/** Positions in `entryClasses` by row of each trace. */
export interface PairClasses {
  readonly left: Uint8Array;
  readonly right: Uint8Array;
}

export const classNumbers = Object.fromEntries(
  entryClasses.map((name, position) => [name, position]),
) as Readonly<Record<EntryClass, number>>;

/** The rows of each class of a pair. */
export function pairFacts({ left, right }: PairClasses): ComparedPairFacts {
  const counts = { equal: 0, changed: 0, added: 0, deleted: 0 };
  for (const own of left) counts[className(own)]++;
  for (const own of right) if (own === classNumbers.added) counts.added++;
  const { equal, changed, added, deleted } = counts;
  return { matched: equal + changed, added, deleted, changed, unchanged: equal };
}

export function className(number: number): EntryClass {
  return entryClasses[number] ?? 'equal';
}
