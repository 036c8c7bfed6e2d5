import type { FunctionSums } from './functionTimes';

export type DifferenceKind =
  | 'slower'
  | 'faster'
  | 'increased'
  | 'decreased'
  | 'added-work'
  | 'removed-work'
  | 'changed-count'
  | 'renamed';

/** Means over the runs of a side. */
export interface SideValues {
  readonly count: number;
  /** Exclusive computing seconds; of added and removed work, with all that it calls. */
  readonly seconds: number;
  /** The same of the compared metric; of the time, the seconds. */
  readonly value: number;
  readonly instructions?: number;
}

/** What differs between two sides, at a call path. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** Position of the path among `ComparedSides.paths`; of functions that changed over all of their paths, the path of which most of it is. */
  readonly path: number;
  /** Position of the function. */
  readonly function: number;
  readonly sides: readonly [SideValues | undefined, SideValues | undefined];
  /** Seconds, or the unit of the compared metric, that are at stake; differences are ranked by it. */
  readonly stake: number;
  /** Another difference explains it: its caller is new, is gone or is called as often more; or it is called more often. */
  readonly isConsequence: boolean;
  /** Probability of such a difference where nothing changed (`Change`); absent: exact, or no side was repeated. */
  readonly byChance?: number;
}

/** Where nothing changed, one comparison of a hundred says that something did. */
export const certain = 0.01;

/** What a changed number of visits is worth: that of so many visits, which have the mean value of both sides. Their own values differ by noise. */
export function stakeOfCount(counts: readonly [number, number], values: readonly [number, number]): number {
  const visits = counts[0] + counts[1];
  return visits === 0 ? 0 : (Math.abs(counts[1] - counts[0]) * (values[0] + values[1])) / visits;
}

/** Means of both sides. */
export function sidesOf(
  { visits, seconds, values, instructions }: Omit<FunctionSums, 'doubts'>,
  first: number,
): readonly [SideValues, SideValues] {
  const side = (which: 0 | 1): SideValues => {
    const mean = (column: Float64Array): number => meansOf(column, first)[which];
    return {
      ...{ count: mean(visits), seconds: mean(seconds), value: mean(values) },
      ...(instructions === undefined ? {} : { instructions: mean(instructions) }),
    };
  };
  return [side(0), side(1)];
}

/** Of the first runs, and of the others. */
export function meansOf(values: Float64Array, first: number): readonly [number, number] {
  const mean = (own: Float64Array): number => own.reduce((sum, value) => sum + value, 0) / own.length;
  return [mean(values.subarray(0, first)), mean(values.subarray(first))];
}
