/** What all ranks show together, and each of them too weakly to be told alone. */
import { at, atFloat } from '../../at';
import { remembered } from '../../remembered';
import { medianInPlace } from '../../transforms/median';
import type { RecordedDynamics } from '../bursts/impactRecord';
import { lengthOf, overlaps, stretched } from '../bursts/extent';
import type { Pattern, SeriesAnalysis } from '../../signal/signal';

/** A problem in one place on one rank. */
export interface RankSeries {
  /** The same for the same problem in the same place on all ranks. */
  readonly place: string;
  readonly values: Float64Array;
  readonly valueLength: number;
  readonly iterations: number;
  readonly dynamics: RecordedDynamics;
}

/** Fewer ranks say little more than one. */
const fewestRanks = 3;
/** A rank takes part in a change with this share of the height that the others have. */
const leastPart = 0.5;

/**
 * The patterns of each series, with those that only the mean over the ranks shows: on ranks where the height is nearer to that of the others than to nothing, and on all where that
 * cannot be told.
 */
export function withPooled(
  all: readonly RankSeries[],
  analyse: (values: Float64Array) => SeriesAnalysis,
): readonly (readonly Pattern[])[] {
  const places = new Map<string, number[]>();
  all.forEach(({ place }, i) => remembered(places, place, (): number[] => []).push(i));
  const found = all.map(({ dynamics }) => dynamics.patterns);
  for (const members of places.values()) {
    const [first] = members.map((i) => at(all, i));
    const isComparable = members.every(
      (i) => at(all, i).values.length === first?.values.length && at(all, i).valueLength === first.valueLength,
    );
    if (first === undefined || members.length < fewestRanks || !isComparable) continue;
    const mean = meanOf(members.map((i) => at(all, i).values));
    for (const pattern of analyse(mean).patterns)
      if (pattern.type !== 'peak' && pattern.improvement !== true) share(pattern, members, all, found);
  }
  return found;
}

/** Adds a pattern of the mean where it is missing. */
function share(
  pattern: Pattern,
  members: readonly number[],
  all: readonly RankSeries[],
  found: (readonly Pattern[])[],
): void {
  const { valueLength, iterations } = at(all, at(members, 0));
  const wide = stretched(pattern, valueLength, iterations);
  const heights = members.flatMap((i) => {
    const own = at(found, i).find((one) => isSame(one, wide));
    return own === undefined ? [] : [own.levels[1] - own.levels[0]];
  });
  const usual = heights.length > 0 ? medianInPlace(Float64Array.from(heights)) : pattern.levels[1] - pattern.levels[0];
  const parts = members
    .filter((i) => !at(found, i).some((one) => isSame(one, wide) || (one.type !== 'peak' && overlaps(one, wide))))
    .map((i) => ({ i, ...heightOf(at(all, i).values, pattern) }));
  const isTold = parts.filter(({ deviation }) => deviation < (leastPart * usual) / 2).length > parts.length / 2;
  for (const { i, height, level } of parts) {
    if (isTold ? height < leastPart * usual : heights.length > 0) continue;
    found[i] = [...at(found, i), ownPattern(at(all, i), pattern, level, Math.max(0, height))].sort(
      (a, b) => a.from - b.from || a.to - b.to,
    );
  }
}

function isSame(a: Pattern, b: Pattern): boolean {
  if (a.type === 'peak' || a.improvement === true) return false;
  return overlaps(a, b) && 2 * Math.min(a.to, b.to) - 2 * Math.max(a.from, b.from) + 2 >= lengthOf(b);
}

function meanOf(all: readonly Float64Array[]): Float64Array {
  const mean = new Float64Array(at(all, 0).length);
  for (const values of all)
    for (let i = 0; i < mean.length; i++) mean[i] = atFloat(mean, i) + atFloat(values, i) / all.length;
  return mean;
}

/** Least squares of the pattern's rise in other values: its height and its standard deviation, with the memory of what is left. */
function heightOf(
  values: Float64Array,
  { from, to }: Pattern,
): { readonly height: number; readonly level: number; readonly deviation: number } {
  const { length } = values;
  const shape = (i: number): number => Math.min(1, Math.max(0, (i - from) / Math.max(1, to - from)));
  let [sumX, sumY] = [0, 0];
  for (let i = 0; i < length; i++) [sumX, sumY] = [sumX + shape(i), sumY + atFloat(values, i)];
  const [meanX, meanY] = [sumX / length, sumY / length];
  let [xx, xy] = [0, 0];
  for (let i = 0; i < length; i++) {
    xx += (shape(i) - meanX) ** 2;
    xy += (shape(i) - meanX) * (atFloat(values, i) - meanY);
  }
  const height = xx > 0 ? xy / xx : 0;
  const level = meanY - height * meanX;
  let [squares, products, before] = [0, 0, 0];
  for (let i = 0; i < length; i++) {
    const left = atFloat(values, i) - level - height * shape(i);
    squares += left * left;
    products += left * before;
    before = left;
  }
  const memory = Math.min(0.95, Math.max(0, squares > 0 ? products / squares : 0));
  const variance = (squares / Math.max(1, length - 2)) * ((1 + memory) / (1 - memory));
  return { height, level, deviation: xx > 0 ? Math.sqrt(variance / xx) : Infinity };
}

function ownPattern({ values, valueLength, iterations }: RankSeries, shared: Pattern, level: number, height: number): Pattern {
  const { from, to, costDeviation: _, ...rest } = shared;
  const length = to - from + 1;
  const own: Pattern = {
    ...rest,
    ...{ from, to, levels: [level, level + height] },
    sum: values.subarray(from, to + 1).reduce((sum, value) => sum + value, 0),
    excess: (height * length) / 2,
    aftermath: height * (values.length - 1 - to),
  };
  return stretched(own, valueLength, iterations);
}
