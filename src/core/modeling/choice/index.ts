import { at, atFloat } from '../../at';
import {
  formulaValue,
  equalFactors,
  segmentsValue,
  type Factor,
  type Formula,
  type Segment,
} from '../formula';
import type { Measure, MeasuredPoint } from '../measurements';
import { costsAt, type ModelCosts } from '../model';
import { Design } from './design';
import { observed, type Observed } from './noise';
import { chosenFirst, predictor, probabilities, type Prediction, type Predictor } from './prediction';
import { regimes, type Regimes } from './regimes';
import { ChoiceSearch, type Candidate, type SearchResult } from './search';
import type { Verdict } from '../verdict';

export type { Prediction } from './prediction';

/** A formula with its probability among all that were compared. */
export interface WeighedFormula {
  readonly formula: Formula;
  readonly probability: number;
}

/** A model with what is known of its reliability; costs are those at the points that made it. */
export interface GrowthModel extends ModelCosts {
  readonly formula: Formula;
  /** Two formulas in place of the one, where behaviour changes. */
  readonly segments?: readonly Segment[];
  readonly verdict: Verdict;
  /** Standard deviation of repetitions relative to the value, of all points together; absent without repetitions. */
  readonly noise?: number;
  /** The chosen formula and the most probable others. */
  readonly formulas: readonly WeighedFormula[];
  /** The value at a point, with the range that contains the true one with a probability of 95 %, as far as the search space contains its growth. */
  readonly predict: (point: readonly number[]) => Prediction;
  /** Covariance of the logarithms of the values at two points; absent without a formula. */
  readonly covariance?: Predictor['covariance'];
  /** The probability that the true formula, if the search space contains it, is such a one. */
  readonly probability: (isSuch: (formula: Formula) => boolean) => number;
}

/** The fewest values of each parameter that models are made from, as Extra-P demands. */
export const neededValues = 5;
const reported = 5;
const limits = {
  /** A formula is as good as the best from this share of its probability on … */
  asProbable: 1 / 3,
  /** … or where it misses the points as much as the best, to rounding … */
  sameFit: 1e-9,
  /** … when it predicts something else by this share, at ten times the largest values. */
  otherwise: 0.2,
  /** Misses of the points, on average, that make a formula doubtful. */
  miss: 0.05,
  /** Repetitions that differ by less are no reason for a wide range of predictions. */
  exact: 1e-3,
  /** … and how much more they are than noise makes them. */
  inflation: 2,
};

/** Models by probability: which growth describes what was measured, and how sure that is. One modeler serves many series. */
export class GrowthModeler {
  #design: Design | undefined;

  constructor(readonly measure: Measure = 'mean') {}

  /** The model of a series with one point at least. */
  model(points: readonly MeasuredPoint[]): GrowthModel {
    const data = observed(points, this.measure);
    const lacking = lackOf(data);
    if (lacking !== undefined) return withoutFormula(data, lacking);
    const [first = 0] = data.ys;
    if (data.ys.every((y) => y === first)) return constant(data, first, { kind: 'clear' });
    if (this.#design?.serves(data.points) !== true) this.#design = new Design(data.points);
    const result = new ChoiceSearch(this.#design, data).search();
    return result === undefined
      ? withoutFormula(data, { kind: 'unusable', problem: 'values' })
      : describe(data, result);
  }
}

/** Why no formula can be made of points, or none that is reliable; undefined: nothing is wrong with them. */
export function dataVerdict(points: readonly MeasuredPoint[], measure: Measure): Verdict | undefined {
  return lackOf(observed(points, measure));
}

function lackOf(data: Observed): Verdict | undefined {
  const problem = problemOf(data);
  return problem === undefined ? scarcity(data.points) : { kind: 'unusable', problem };
}

function describe(data: Observed, found: SearchResult): GrowthModel {
  const result = chosenFirst(found, farPoint(data.points, 10));
  const best = at(result.candidates, 0);
  const shares = probabilities(result);
  const formula = formulaOf(best);
  const noise = noiseOf(data);
  // Where noise explains what the formula misses, there is nothing to look for.
  const unexplained = result.inflation > 1 || noise === undefined || noise === 0;
  const changed = unexplained ? regimes(data, best) : undefined;
  const segments = changed === undefined ? undefined : segmentsOf(changed);
  const negative = data.ys.some((y) => y < 0);
  const predicted = predictor(result, shares, negative);
  const { predict, covariance } = changed === undefined ? predicted : alongRegimes(changed, negative);
  const value = (point: readonly number[]) =>
    segments === undefined ? formulaValue(formula, point) : segmentsValue(segments, point);
  return {
    formula,
    ...(segments === undefined ? {} : { segments }),
    ...costsAt(data.points.map(value), data.ys, formula.terms.flatMap(({ factors }) => factors).length),
    verdict: verdictOf(data, result, shares, changed, predicted.predict),
    ...(noise === undefined ? {} : { noise }),
    formulas: result.candidates
      .slice(0, reported)
      .map((candidate, i) => ({ formula: formulaOf(candidate), probability: atFloat(shares, i) })),
    predict,
    covariance,
    // How large values grow is what the second part shows.
    probability: probabilityIn(changed?.second ?? result),
  };
}

/** Each part predicts its own range, and nothing is known between them. */
function alongRegimes({ first, until, second, from }: Regimes, negative: boolean): Predictor {
  const [before, after] = [first, second].map((part) => predictor(part, probabilities(part), negative));
  const partAt = (point: readonly number[]): Predictor | undefined => {
    const x = at(point, 0);
    return x <= until ? before : x >= from ? after : undefined;
  };
  return {
    predict: (point) => partAt(point)?.predict(point) ?? { value: NaN, low: NaN, high: NaN },
    // What happens before the change says nothing about what happens behind it.
    covariance: (one, other) => {
      const part = partAt(one);
      return part !== undefined && part === partAt(other) ? part.covariance(one, other) : 0;
    },
  };
}

function probabilityIn(result: SearchResult): GrowthModel['probability'] {
  return (isSuch) => {
    const shares = probabilities(result);
    return result.candidates.reduce(
      (sum, candidate, i) => (isSuch(formulaOf(candidate)) ? sum + atFloat(shares, i) : sum),
      0,
    );
  };
}

function verdictOf(
  data: Observed,
  result: SearchResult,
  shares: Float64Array,
  changed: Regimes | undefined,
  predicted: (point: readonly number[]) => Prediction,
): Verdict {
  if (changed !== undefined) return { kind: 'two-regimes', from: changed.from };
  const best = at(result.candidates, 0);
  const miss = Math.sqrt(
    data.points.reduce((sum, point, i) => {
      const y = atFloat(data.ys, i);
      return sum + ((formulaValue(formulaOf(best), point) - y) / Math.max(Math.abs(y), data.floor)) ** 2;
    }, 0) / data.points.length,
  );
  if (result.inflation > limits.inflation && miss > limits.miss) return { kind: 'does-not-fit', miss };
  const near = predicted(farPoint(data.points, 2));
  if (near.high - near.low > Math.abs(near.value)) return wideRange(noiseOf(data), miss);
  const other = runnerUp(data, result, shares);
  return other === undefined ? { kind: 'clear' } : { kind: 'ambiguous', ...other };
}

/** Why predictions have a wide range: counts whose repetitions agree, and that lie on no formula, have no noise. */
function wideRange(noise: number | undefined, miss: number): Verdict {
  if (noise !== undefined && noise <= limits.exact && miss > 2 * noise)
    return { kind: 'does-not-fit', miss, isExact: true };
  return { kind: 'noise-too-large', noise: noise ?? miss };
}

/** The most probable formula that predicts something else than the best one. */
function runnerUp(
  data: Observed,
  { candidates, within }: SearchResult,
  shares: Float64Array,
): { readonly growth: readonly (readonly Factor[])[]; readonly probability: number } | undefined {
  const point = farPoint(data.points, 10);
  const chosen = at(candidates, 0);
  const best = formulaValue(formulaOf(chosen), point);
  const growth = growing(chosen);
  // On points where at most one parameter leaves its first value, sums and products are the same: what is more probable is a matter of the prior.
  const sameFit = ({ squares, terms }: Candidate) =>
    terms.length === chosen.terms.length &&
    Math.abs(squares - chosen.squares) <= limits.sameFit * (within + chosen.squares);
  const position = candidates.findIndex(
    (candidate, i) =>
      (atFloat(shares, i) >= limits.asProbable * atFloat(shares, 0) || sameFit(candidate)) &&
      !equalGrowth(growing(candidate), growth) &&
      Math.abs(formulaValue(formulaOf(candidate), point) - best) > limits.otherwise * Math.abs(best),
  );
  return position < 0
    ? undefined
    : { growth: growing(at(candidates, position)), probability: atFloat(shares, position) };
}

/** The terms of a candidate without the constant. */
function growing({ terms }: Candidate): readonly (readonly Factor[])[] {
  return terms.filter((factors) => factors.length > 0);
}

function equalGrowth(one: readonly (readonly Factor[])[], other: readonly (readonly Factor[])[]): boolean {
  const equalTerms = (factors: readonly Factor[], others: readonly Factor[]) =>
    factors.length === others.length &&
    factors.every((factor) => others.some((another) => equalFactors(factor, another)));
  return (
    one.length === other.length && one.every((factors) => other.some((others) => equalTerms(factors, others)))
  );
}

/** The largest value of each parameter, times a factor. */
export function farPoint(points: readonly (readonly number[])[], times: number): readonly number[] {
  return at(points, 0).map(
    (_, parameter) => times * points.reduce((most, point) => Math.max(most, at(point, parameter)), 0),
  );
}

function formulaOf({ terms, coefficients, sizes }: Candidate): Formula {
  let constantTerm = 0;
  const others = terms.flatMap((factors, k) => {
    const coefficient = atFloat(coefficients, k) / at(sizes, k);
    if (factors.length > 0) return [{ coefficient, factors }];
    constantTerm = coefficient;
    return [];
  });
  return { constant: constantTerm, terms: others };
}

function segmentsOf({ first, until, second, from }: Regimes): readonly Segment[] {
  return [
    { to: until, formula: formulaOf(at(first.candidates, 0)) },
    { from, formula: formulaOf(at(second.candidates, 0)) },
  ];
}

function problemOf({ points, ys }: Observed): 'coordinates' | 'values' | undefined {
  if (points.some((point) => point.some((value) => !(value >= 0 && Number.isFinite(value)))))
    return 'coordinates';
  return ys.every((y) => Number.isFinite(y)) ? undefined : 'values';
}

/** What there is too little of: different values of a parameter, or points, of which lines along all parameters have that many. */
function scarcity(points: readonly (readonly number[])[]): Verdict | undefined {
  const counts = at(points, 0).map(
    (_, parameter) => new Set(points.map((point) => at(point, parameter))).size,
  );
  const values = Math.min(...counts);
  if (values < neededValues)
    return { kind: 'not-enough-data', parameter: counts.indexOf(values), values, needed: neededValues };
  const needed = counts.length * (neededValues - 1) + 1;
  return points.length < needed ? { kind: 'not-enough-data', values: points.length, needed } : undefined;
}

/** Where no formula is reliable, the mean of the points stands for one. */
function withoutFormula(data: Observed, verdict: Verdict): GrowthModel {
  const mean = data.ys.reduce((sum, y) => sum + y, 0) / data.ys.length;
  return constant(data, mean, verdict);
}

function constant(data: Observed, value: number, verdict: Verdict): GrowthModel {
  const formula = { constant: value, terms: [] };
  const noise = noiseOf(data);
  return {
    formula,
    ...costsAt(
      data.points.map(() => value),
      data.ys,
      0,
    ),
    verdict,
    ...(noise === undefined ? {} : { noise }),
    formulas: [{ formula, probability: 1 }],
    probability: (isSuch) => (verdict.kind === 'clear' && isSuch(formula) ? 1 : 0),
    ...(verdict.kind === 'clear' ? { covariance: () => 0 } : {}),
    predict: () =>
      verdict.kind === 'clear'
        ? { value, low: value, high: value }
        : { value, low: -Infinity, high: Infinity },
  };
}

function noiseOf({ repetitions, squares, ys, floor }: Observed): number | undefined {
  const freedom = repetitions.reduce((sum, count) => sum + count - 1, 0);
  if (freedom <= 0) return undefined;
  const sum = squares.reduce(
    (total, square, i) => total + square / Math.max(Math.abs(atFloat(ys, i)), floor) ** 2,
    0,
  );
  const noise = Math.sqrt(sum / freedom);
  return Number.isFinite(noise) ? noise : 0;
}
