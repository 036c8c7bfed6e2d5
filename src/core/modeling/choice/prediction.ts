import { at, atFloat } from '../../at';
import { termShape } from '../formula';
import { studentBelow } from './distributions';
import type { Candidate, SearchResult } from './search';

/** A predicted value with the range that contains the true one with a probability of 95 %, in the unit of the metric. */
export interface Prediction {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** What is predicted of one series. */
export interface Predictor {
  readonly predict: (point: readonly number[]) => Prediction;
  /**
   * Covariance of the logarithms of the values at two points, over all formulas and their coefficients: how much a measurement of one point
   * would say about the other.
   */
  readonly covariance: (one: readonly number[], other: readonly number[]) => number;
}

/** A candidate's value at a point, which has Student's distribution. */
interface Component {
  readonly share: number;
  readonly value: number;
  readonly deviation: number;
  readonly degrees: number;
}

const outside = 0.025;
const steps = 60;

/** The value of a candidate at a point. */
export function candidateValue({ terms, coefficients, sizes }: Candidate, point: readonly number[]): number {
  return terms.reduce(
    (sum, factors, k) => sum + (atFloat(coefficients, k) * termShape({ factors }, point)) / at(sizes, k),
    0,
  );
}

/** The probability of each candidate. */
export function probabilities({ candidates }: SearchResult): Float64Array {
  const best = candidates.reduce((most, { score }) => Math.max(most, score), -Infinity);
  const shares = Float64Array.from(candidates, ({ score }) => Math.exp(score - best));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}

/** What predictions need of one candidate. */
interface Remembered {
  readonly terms: Candidate['terms'];
  /** Position of its numbers: share, degrees of freedom, variance, and for each term coefficient and size; then the inverse. */
  readonly first: number;
}

/**
 * The value of the first formula at a point, and a range from all formulas by their probability (Hoeting et al., "Bayesian model averaging",
 * Statistical Science 14, 1999): it is wide where formulas that describe what was measured differ. Thousands of models are kept to predict
 * other points, and a search has hundreds of candidates: this keeps the numbers that matter and nothing else of the search.
 * @param negative whether values may be: the range of others ends at 0
 */
export function predictor(
  { candidates, within, observations }: SearchResult,
  shares: Float64Array,
  negative: boolean,
): Predictor {
  const remembered: Remembered[] = [];
  const numbers: number[] = [];
  candidates.forEach(({ terms, coefficients, sizes, inverse, squares }, i) => {
    const share = atFloat(shares, i);
    if (share < 1e-4) return;
    const degrees = Math.max(1, observations - terms.length);
    remembered.push({ terms, first: numbers.length });
    numbers.push(share, degrees, (within + squares) / degrees, ...coefficients, ...sizes, ...inverse);
  });
  const all = Float64Array.from(numbers);
  return {
    predict: predictFrom(remembered, all, negative),
    covariance: covarianceFrom(remembered, all),
  };
}

/** Apart from `predictor`, so that the function that it returns does not keep the search in memory. */
function predictFrom(
  remembered: readonly Remembered[],
  numbers: Float64Array,
  negative: boolean,
): (point: readonly number[]) => Prediction {
  return (point) => {
    const components = remembered.map((one) => componentOf(one, numbers, point));
    const value = at(components, 0).value;
    const low = quantile(components, outside);
    return {
      value,
      low: Math.min(value, negative ? low : Math.max(0, low)),
      high: Math.max(value, quantile(components, 1 - outside)),
    };
  };
}

/** Apart for the same reason. Logarithms are those of the first formula's value and at most `mostLoss` away from it. */
function covarianceFrom(remembered: readonly Remembered[], numbers: Float64Array): Predictor['covariance'] {
  return (one, other) => {
    const shares = remembered.map(({ first }) => atFloat(numbers, first));
    const total = shares.reduce((sum, share) => sum + share, 0);
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, value, i) => sum + at(shares, i) * value, 0) / total;
    const [here, there] = [one, other].map((point) =>
      remembered.map((each) => shapesOf(each, numbers, point)),
    );
    if (here === undefined || there === undefined) return 0;
    const [left, right] = [here, there].map((all) => logarithms(all.map(({ value }) => value)));
    if (left === undefined || right === undefined) return 0;
    const within = remembered.map((each, i) => {
      const [a, b] = [at(here, i), at(there, i)];
      const relative = covarianceOf(each, numbers, a.shapes, b.shapes) / (a.value * b.value);
      return Number.isFinite(relative) ? Math.min(mostLoss ** 2, relative) : 0;
    });
    const between = mean(left.map((value, i) => value * at(right, i))) - mean(left) * mean(right);
    return between + mean(within);
  };
}

function logarithms(values: readonly number[]): readonly number[] {
  const first = at(values, 0);
  return values.map((value) => {
    const logarithm = Math.log(value / first);
    return Number.isNaN(logarithm) ? 0 : Math.min(mostLoss, Math.max(-mostLoss, logarithm));
  });
}

function componentOf(each: Remembered, numbers: Float64Array, point: readonly number[]): Component {
  const { shapes, value } = shapesOf(each, numbers, point);
  return {
    share: atFloat(numbers, each.first),
    value,
    deviation: Math.sqrt(covarianceOf(each, numbers, shapes, shapes)),
    degrees: atFloat(numbers, each.first + 1),
  };
}

interface Shapes {
  /** Of the terms, each by its size. */
  readonly shapes: readonly number[];
  readonly value: number;
}

function shapesOf({ terms, first }: Remembered, numbers: Float64Array, point: readonly number[]): Shapes {
  const coefficients = first + 3;
  const shapes = terms.map(
    (factors, k) => termShape({ factors }, point) / atFloat(numbers, coefficients + terms.length + k),
  );
  return {
    shapes,
    value: shapes.reduce((sum, shape, i) => sum + atFloat(numbers, coefficients + i) * shape, 0),
  };
}

/** Of a candidate's values at two points. */
function covarianceOf(
  { terms, first }: Remembered,
  numbers: Float64Array,
  one: readonly number[],
  other: readonly number[],
): number {
  const count = terms.length;
  const inverse = first + 3 + 2 * count;
  let sum = 0;
  for (let i = 0; i < count; i++)
    for (let k = 0; k < count; k++)
      sum += at(one, i) * at(other, k) * atFloat(numbers, inverse + i * count + k);
  return sum * atFloat(numbers, first + 2);
}

/** Values are shown with three digits. */
const precision = 1e-6;

/** The value that is not exceeded with a probability. */
function quantile(components: readonly Component[], probability: number): number {
  let low = Infinity;
  let high = -Infinity;
  for (const { value, deviation } of components) {
    low = Math.min(low, value - 20 * deviation);
    high = Math.max(high, value + 20 * deviation);
  }
  for (
    let step = 0;
    step < steps && high - low > precision * Math.max(Math.abs(low), Math.abs(high));
    step++
  ) {
    const middle = (low + high) / 2;
    let below = 0;
    for (const { share, value, deviation, degrees } of components)
      below +=
        share *
        (deviation === 0 ? Number(value <= middle) : studentBelow((middle - value) / deviation, degrees));
    if (below < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Of formulas that are as probable as the best, up to this share, the one that predicts most like all others is chosen. */
const asProbable = 0.7;
/** Predictions that differ by more than this logarithm are equally wrong. */
const mostLoss = 2;

/** The candidates with the chosen one first: of those that are about equally probable, the one whose prediction is the least risk. */
export function chosenFirst(result: SearchResult, point: readonly number[]): SearchResult {
  const { candidates } = result;
  const shares = probabilities(result);
  const logarithms = candidates.map((candidate) =>
    Math.log(Math.max(candidateValue(candidate, point), Number.MIN_VALUE)),
  );
  const loss = (position: number) =>
    logarithms.reduce(
      (sum, other, i) =>
        sum + atFloat(shares, i) * Math.min(mostLoss, Math.abs(at(logarithms, position) - other)),
      0,
    );
  let best = { position: 0, loss: loss(0) };
  for (
    let position = 1;
    position < candidates.length && atFloat(shares, position) >= asProbable * atFloat(shares, 0);
    position++
  ) {
    const risk = loss(position);
    if (risk < best.loss) best = { position, loss: risk };
  }
  const chosen = at(candidates, best.position);
  return { ...result, candidates: [chosen, ...candidates.filter((candidate) => candidate !== chosen)] };
}
