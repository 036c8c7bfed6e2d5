import { atFloat, atInt, atUint } from '../../at';
import type { CallTrace } from '../callTrace';
import { entryClasses, type ComparedPairFacts, type EntryClass } from '../comparisonPieces';
import type { Alignment } from './alignTraces';

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

/** Share of the total below which values of both sides are noise. */
const floorShare = 1e-5;

export const classNumbers = Object.fromEntries(
  entryClasses.map((name, position) => [name, position]),
) as Readonly<Record<EntryClass, number>>;

/**
 * Classes of the rows of two aligned traces. A matched row has changed if it was called more or less often, if its messages have other sizes or types, or if its exclusive
 * value of the metric deviates more than the sensitivity from the left one.
 */
export function classify(
  left: CallTrace,
  right: CallTrace,
  alignment: Alignment,
  tolerance: Tolerance,
): PairClasses {
  const { equal, changed, added, deleted } = classNumbers;
  const classes = {
    left: new Uint8Array(left.size).fill(deleted),
    right: new Uint8Array(right.size).fill(added),
  };
  const [values, others] = [metricValues(left, tolerance.metric), metricValues(right, tolerance.metric)];
  const deviates = deviation(values, others, tolerance.sensitivity);
  const hasSameUnit = left.sizeUnit === right.sizeUnit;
  for (let row = 0; row < left.size; row++) {
    const other = atInt(alignment.right, row);
    if (other < 0) continue;
    const differs =
      atFloat(left.count, row) !== atFloat(right.count, other) ||
      (hasSameUnit && sizesDiffer(left, row, right, other)) ||
      typesDiffer(left, row, right, other) ||
      deviates(row, other);
    const own = differs ? changed : equal;
    classes.left[row] = own;
    classes.right[other] = own;
  }
  return classes;
}

/** Exclusive values of a metric by row; undefined: the trace does not have it. */
export function metricValues(trace: CallTrace, metric: string): Float64Array | undefined {
  return metric === 'time' ? trace.seconds : trace.counters.get(metric);
}

function sizesDiffer(left: CallTrace, row: number, right: CallTrace, other: number): boolean {
  return (
    atFloat(left.bytes, row) !== atFloat(right.bytes, other) ||
    atFloat(left.leastBytes, row) !== atFloat(right.leastBytes, other) ||
    atFloat(left.mostBytes, row) !== atFloat(right.mostBytes, other)
  );
}

function typesDiffer({ types }: CallTrace, row: number, right: CallTrace, other: number): boolean {
  return types !== undefined && right.types !== undefined && types[row] !== right.types[other];
}

function deviation(
  left: Float64Array | undefined,
  right: Float64Array | undefined,
  sensitivity: number,
): (row: number, other: number) => boolean {
  if (left === undefined || right === undefined) return () => false;
  const [floor, otherFloor] = [floorOf(left, sensitivity), floorOf(right, sensitivity)];
  return (row, other) => {
    const [value, compared] = [atFloat(left, row), atFloat(right, other)];
    if (value < floor && compared < otherFloor) return false;
    return value === 0 ? compared > otherFloor : Math.abs(compared - value) > sensitivity * value;
  };
}

/** Values below are too small to be compared. */
function floorOf(values: Float64Array, sensitivity: number): number {
  if (sensitivity === 0) return 0;
  let total = 0;
  for (const value of values) total += value;
  return floorShare * total;
}

/** Inclusive values by row. */
export function inclusiveValues({ end, size }: CallTrace, exclusive: Float64Array): Float64Array {
  const inclusive = Float64Array.from(exclusive);
  for (let row = size - 1; row >= 0; row--) {
    const last = atUint(end, row);
    let sum = atFloat(inclusive, row);
    for (let child = row + 1; child < last; child = atUint(end, child)) sum += atFloat(inclusive, child);
    inclusive[row] = sum;
  }
  return inclusive;
}

/** The rows of each class of a pair. */
export function pairFacts({ left, right }: PairClasses): ComparedPairFacts {
  const counts = { equal: 0, changed: 0, added: 0, deleted: 0 };
  for (const own of left) counts[nameOf(own)]++;
  for (const own of right) if (own === classNumbers.added) counts.added++;
  const { equal, changed, added, deleted } = counts;
  return { matched: equal + changed, added, deleted, changed, unchanged: equal };
}

export function nameOf(number: number): EntryClass {
  return entryClasses[number] ?? 'equal';
}
