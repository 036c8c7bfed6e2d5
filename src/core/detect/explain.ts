import { at, atFloat } from '../at';
import { present } from '../present';
import { Evidence, type Noise } from './evidence';
import { bestExplanation, modelOf, piecesOf, type Explanation } from './explanations';
import { means, memoryOf, noiseWeights, withNormalNoise, withoutTails } from './noise';
import { isUneven, overTime } from './gaps';
import { costOf, Posterior, type Uncertain } from './uncertainty';
import type { Shape } from './whitened';
import { medianReach, quantileInPlace, runningMedian } from './robust';

/** A longer series is explained by means of this many values at most; places are found in the values afterwards. */
const mostBlocks = 256;
/** As many values show what noise is like. */
const mostValues = 4096;
/** Relative: clocks and printed numbers are rounded. */
const leastDeviation = 1e-5;

/** Thresholds of evidence are those that one of a hundred constant series reaches; chances fall off exponentially with it. */
export const ofHundred = 0.01;

export interface Explained {
  /** Values in each block. */
  readonly width: number;
  /** Absent: the series is constant, as far as can be told. */
  readonly explanation?: Explanation;
  /** How well costs are known, and the place of one rise, by the positions of all values. */
  readonly uncertain?: (positions: readonly number[]) => Uncertain;
  /** Evidence that something changes, by that in one of a hundred constant series. */
  readonly ratio: number;
  /** Autocorrelation of the noise. */
  readonly rho: number;
  /** Comparable between series of one length. */
  readonly score: number;
}

/**
 * Explains a series twice: with noise as it is around a running median first, and then around what was found.
 * @param alarm share of constant series that are not told to be constant
 * @param base running median of the values
 */
export function explain(values: Float64Array, alarm: number, base = runningMedian(values)): Explained {
  if (values.length > mostValues) {
    const part = Math.ceil(values.length / mostValues);
    const { width, explanation, ...rest } = explain(means(withoutTails(values, base), part), alarm);
    const known = explanation === undefined ? {} : told(values, explanation, width * part);
    return { ...rest, ...known, width: width * part };
  }
  const width = values.length <= 2 * mostBlocks ? 1 : Math.ceil(values.length / mostBlocks);
  const { blocks, noise } = prepared(values, base, width);
  const evidence = new Evidence(blocks, noise);
  const { rho, likelihood } = evidence.constant;
  const score = 2 * likelihood - 2 * Math.log(blocks.length);
  const least = Math.log(alarm) / Math.log(ofHundred);
  // Normal scores hide jumps between two levels, to and fro; without tails only, skewed noise looks like changes.
  const scores = evidence.ratio();
  const ratio = scores < least ? scores : Math.min(scores, plainRatio(values, base, width, noise));
  if (ratio < least) return { width, ratio, rho, score };
  const again = prepared(
    values,
    withoutShortLevels(values, bestExplanation(blocks, evidence, noise), width),
    width,
  );
  const explanation = bestExplanation(again.blocks, new Evidence(again.blocks, again.noise), again.noise);
  return {
    ...{ width, ratio, rho: explanation.rho, score: explanation.score },
    ...told(values, explanation, width),
  };
}

function told(
  values: Float64Array,
  explanation: Explanation,
  width: number,
): Pick<Explained, 'explanation' | 'uncertain'> {
  const uncertain = (positions: readonly number[]): Uncertain => {
    const pieces = piecesOf(explanation);
    if (pieces.length !== 1 || pieces[0]?.kind !== 'ramp') {
      const { blocks, noise } = prepared(values, inValues(modelOf(explanation), values.length, width), width);
      return costOf(blocks, explanation, noise, values.length);
    }
    const base = nearest(values, explanation, width);
    // What is within a block is seen in its values only; tails say nothing of it.
    const rough = new Posterior(withoutTails(values, base), noiseOf(values), memoryOf(values, base)).model();
    const { blocks, noise } = prepared(values, rough, 1);
    if (isUneven(positions)) return uncertainOverTime(blocks, noise, positions);
    const found = new Posterior(blocks, noise, memoryOf(blocks, rough)).uncertain();
    const placesOf = ([first, last]: readonly [number, number]): readonly [number, number] => [
      at(positions, first),
      at(positions, last),
    ];
    return { ...found, onset: placesOf(found.onset), end: placesOf(found.end) };
  };
  return { explanation, uncertain };
}

/** So many standard deviations of an autocorrelation are none. */
const noMemory = 2;

function uncertainOverTime(values: Float64Array, noise: Noise, positions: readonly number[]): Uncertain {
  const rough = overTime(values, noise, positions, false);
  const model = new Posterior(rough.values, rough.noise, 0, rough.isValue).model();
  const first = at(positions, 0);
  const base = Float64Array.from(positions, (position) => atFloat(model, position - first));
  const rho = memoryOf(values, base);
  const hasMemory = rho > noMemory / Math.sqrt(values.length);
  const { isValue, ...series } = overTime(values, noise, positions, hasMemory);
  const found = new Posterior(series.values, series.noise, hasMemory ? rho : 0, isValue).uncertain();
  const placesOf = ([from, to]: readonly [number, number]): readonly [number, number] => [
    first + from,
    first + to,
  ];
  return { ...found, onset: placesOf(found.onset), end: placesOf(found.end) };
}

/**
 * The series without noise; a level between two steps in the same direction that is nearer than the running median reaches is its work, and goes to the levels beside it,
 * up to where values are nearest to them.
 */
function withoutShortLevels(values: Float64Array, explanation: Explanation, width: number): Float64Array {
  const base = inValues(modelOf(explanation), values.length, width);
  const shapes = [...explanation.shapes].sort((a, b) => a.from - b.from);
  const signOf = (shape: Shape): number =>
    Math.sign(atFloat(explanation.fit.coefficients, explanation.shapes.indexOf(shape) + 1));
  shapes.slice(1).forEach((next, i) => {
    const shape = at(shapes, i);
    const isShort = next.to - shape.from <= medianReach(values.length) / width;
    if (!isShort || signOf(next) !== signOf(shape) || shape.kind === 'box') return;
    const [from, to] = [shape.from * width, Math.min(values.length - 1, next.to * width)];
    const [before, after] = [atFloat(base, from), atFloat(base, to)];
    let [sum, least, last] = [0, 0, from];
    for (let t = from + 1; t < to; t++) {
      const value = atFloat(values, t);
      sum += Math.min(Math.abs(after - before), Math.abs(value - before));
      sum -= Math.min(Math.abs(after - before), Math.abs(value - after));
      if (sum < least) [least, last] = [sum, t];
    }
    base.fill(before, from, last + 1).fill(after, last + 1, to);
  });
  return base;
}

/** The series without noise, where a step within a block leaves values the level of one block beside it. */
function nearest(values: Float64Array, explanation: Explanation, width: number): Float64Array {
  const model = modelOf(explanation);
  const result = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const [value, block] = [atFloat(values, i), Math.min(model.length - 1, Math.floor(i / width))];
    let best = atFloat(model, Math.max(0, block - 1));
    for (let k = block; k <= Math.min(block + 1, model.length - 1); k++)
      if (Math.abs(atFloat(model, k) - value) < Math.abs(best - value)) best = atFloat(model, k);
    result[i] = best;
  }
  return result;
}

/** Of blocks, at each value. */
function inValues(model: Float64Array, length: number, width: number): Float64Array {
  const result = new Float64Array(length);
  for (let i = 0; i < length; i++)
    result[i] = atFloat(model, Math.min(model.length - 1, Math.floor(i / width)));
  return result;
}

function prepared(
  values: Float64Array,
  base: Float64Array,
  width: number,
): { readonly blocks: Float64Array; readonly noise: Noise } {
  const blocks = means(withNormalNoise(values, base), width);
  const weights = noiseWeights(blocks, means(base, width));
  return { blocks, noise: { ...noiseOf(blocks), ...present({ weights }) } };
}

function noiseOf(values: Float64Array): Noise {
  const usual = Math.abs(quantileInPlace(values.slice(), 0.5));
  return { leastVariance: Math.max((leastDeviation * usual) ** 2, 1e-300) };
}

function plainRatio(
  values: Float64Array,
  base: Float64Array,
  width: number,
  { leastVariance }: Noise,
): number {
  return new Evidence(means(withoutTails(values, base), width), { leastVariance }).ratio();
}
