/** The same problem on many ranks: what is stored of each of them to compare them. */
import { at, atFloat, atUint } from '../../at';
import { present } from '../../present';
import type { SeriesAnalysis } from '../../signal/signal';

/** The analysis of one of many series. Its model, as large as the series, is made anew each time. */
export interface RankAnalysis extends Omit<SeriesAnalysis, 'model'> {
  readonly model?: () => Float64Array;
}

/** A problem in one place on one rank. Patterns count values from 0. */
export interface RankSeries {
  /** The same for the same problem in the same place on all ranks. */
  readonly place: string;
  readonly values: Float64Array;
  readonly analysis: RankAnalysis;
  readonly residuals: Residuals;
  /** Stretches without peaks: the first position of each, and the one after its last. */
  readonly calm: Uint32Array;
}

/** What its own explanation leaves of a series without its peaks. */
interface Residuals {
  readonly squares: number;
  /** Sum of the products of neighbours. */
  readonly products: number;
  /** Where the explanation begins, without a sign. */
  readonly usual: number;
}

/** What a shape is of a series, by least squares. */
export interface Part {
  readonly level: number;
  readonly height: number;
  readonly deviation: number;
  /** Mean of the shape, where the series has its own mean at any height. */
  readonly middle: number;
  /** Squares that it leaves. */
  readonly rss: number;
}

/** @param again analyses the series once more, for its model */
export function rankSeries(
  place: string,
  values: Float64Array,
  { model, ...analysis }: SeriesAnalysis,
  again: () => SeriesAnalysis,
): RankSeries {
  const calm = withoutPeaks(analysis, values.length);
  const drawn = model && ((): Float64Array => again().model ?? new Float64Array(0));
  const residuals = residualsOf(values, model ?? values, calm);
  return { place, values, analysis: { ...analysis, ...present({ model: drawn }) }, residuals, calm };
}

/** Patterns are in order. */
function withoutPeaks({ patterns }: Pick<SeriesAnalysis, 'patterns'>, length: number): Uint32Array {
  const borders: number[] = [];
  let next = 0;
  for (const { type, from, to } of patterns) {
    if (type !== 'peak') continue;
    if (from > next) borders.push(next, from);
    next = Math.max(next, to + 1);
  }
  if (length > next) borders.push(next, length);
  return Uint32Array.from(borders);
}

function residualsOf(values: Float64Array, model: Float64Array, calm: Uint32Array): Residuals {
  let [squares, products] = [0, 0];
  for (let k = 0; k < calm.length; k += 2) {
    const end = atUint(calm, k + 1);
    let before = 0;
    for (let i = atUint(calm, k); i < end; i++) {
      const left = leftOf(values, model, i);
      squares += left * left;
      products += left * before;
      before = left;
    }
  }
  return { squares, products, usual: Math.abs(model[0] ?? 0) };
}

function leftOf(values: Float64Array, model: Float64Array, i: number): number {
  const left = atFloat(values, i) - atFloat(model, i);
  return Number.isNaN(left) ? 0 : left;
}

/** Values that say as much as one without memory. */
export function repeats({ squares, products }: Residuals): number {
  const memory = Math.min(0.95, Math.max(0, squares > 0 ? products / squares : 0));
  return (1 + memory) / (1 - memory);
}

/** What a model is of a series without its peaks. @param model NaN: not known */
export function partOf({ values, calm }: RankSeries, model: Float64Array): Part {
  let count = 0;
  let sumX = 0;
  let sumY = 0;
  for (let k = 0; k < calm.length; k += 2) {
    const end = atUint(calm, k + 1);
    for (let i = atUint(calm, k); i < end; i++) {
      const x = atFloat(model, i);
      if (Number.isNaN(x)) continue;
      count++;
      sumX += x;
      sumY += atFloat(values, i);
    }
  }
  const meanX = sumX / count;
  const meanY = sumY / count;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let k = 0; k < calm.length; k += 2) {
    const end = atUint(calm, k + 1);
    for (let i = atUint(calm, k); i < end; i++) {
      const x = atFloat(model, i) - meanX;
      if (Number.isNaN(x)) continue;
      const y = atFloat(values, i) - meanY;
      xx += x * x;
      xy += x * y;
      yy += y * y;
    }
  }
  const height = xx > 0 ? xy / xx : 0;
  const rss = Math.max(0, yy - height * xy);
  const deviation = Math.sqrt(rss / Math.max(1, count - 2) / xx);
  return { level: meanY - height * meanX, height, deviation, middle: meanX, rss };
}

/** Of what is no peak. */
export function meanOf(all: readonly RankSeries[]): Float64Array {
  const { length } = at(all, 0).values;
  const sums = new Float64Array(length);
  const counts = new Float64Array(length);
  for (const { values, calm } of all)
    for (let k = 0; k < calm.length; k += 2)
      for (let i = atUint(calm, k); i < atUint(calm, k + 1); i++) {
        sums[i] = atFloat(sums, i) + atFloat(values, i);
        counts[i] = atFloat(counts, i) + 1;
      }
  return sums.map((sum, i) => sum / atFloat(counts, i));
}

/** Sum of what is no peak between two positions, both inclusive. */
export function calmSum({ values, calm }: RankSeries, from: number, to: number): number {
  let sum = 0;
  for (let k = 0; k < calm.length; k += 2) {
    const end = Math.min(to + 1, atUint(calm, k + 1));
    for (let i = Math.max(from, atUint(calm, k)); i < end; i++) sum += atFloat(values, i);
  }
  return sum;
}
