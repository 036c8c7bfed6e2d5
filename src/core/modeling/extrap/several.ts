import { at, atFloat } from '../../at';
import { getOrMake } from '../../getOrMake';
import { combinations, type Form } from '../combinations';
import type { Factor, Formula } from '../formula';
import { termShape } from '../formula';
import { epsilon, leastSquares } from '../leastSquares';
import type { ModelCosts } from '../model';
import { adjusted, Costs, largestShare } from '../costs';
import { constantModel, type SingleModel } from './candidates';
import { defaultTermContribution, type CombinationOptions } from './options';
import { SingleSearch } from './single';
import { slice, type Value } from './slices';

/** A model of several parameters. */
export interface SeveralModel extends ModelCosts {
  readonly formula: Formula;
}

/** The cut-off of a second try, where the first finds fewer independent columns than there are. */
const secondCutoff = epsilon / 2;

/** Extra-P's models of several parameters: a model of each one, and the best form that combines their growths. */
export class CombinationSearch {
  readonly #single: SingleSearch;

  constructor(private readonly options: CombinationOptions = {}) {
    this.#single = new SingleSearch(options.singleOptions, options.single);
  }

  model(values: readonly Value[]): SeveralModel {
    const ys = Float64Array.from(values, ({ y }) => y);
    const factors: Factor[] = [];
    const singles: SingleModel[] = [];
    at(values, 0).point.forEach((_, parameter) => {
      const { xs, ys: averages } = slice(values, parameter, this.options.pointSelection ?? 'all');
      const single = this.#single.whole(xs, averages);
      if (single.growth === undefined) return;
      factors.push({ parameter, ...single.growth });
      singles.push(single);
    });
    if (factors.length === 0) {
      const { constant, smape, rss, rrss, re } = constantModel(ys);
      return { formula: { constant, terms: [] }, smape, rss, rrss, re, ar2: 1 };
    }
    return factors.length === 1
      ? this.#ofOne(at(factors, 0), at(singles, 0), values, ys)
      : this.#combined(factors, values, ys);
  }

  /** One parameter matters: its own model, or its growth with coefficients from all points. */
  #ofOne(
    factor: Factor,
    { constant, coefficient }: SingleModel,
    values: readonly Value[],
    ys: Float64Array,
  ): SeveralModel {
    const columns = columnsOf([[0]], [factor], values);
    const own = costed([[0]], [factor], Float64Array.of(constant, coefficient), columns, ys);
    const fitted = costed([[0]], [factor], fit(columns, ys), columns, ys);
    const better = fitted.smape < own.smape || (this.options.compareWithRss === true && fitted.rss < own.rss);
    return better ? fitted : own;
  }

  #combined(factors: readonly Factor[], values: readonly Value[], ys: Float64Array): SeveralModel {
    let best: SeveralModel | undefined;
    const made = new Map<string, Float64Array>();
    for (const form of combinations(factors.length, this.options.sumsAndProducts)) {
      const columns = columnsOf(form, factors, values, made);
      const coefficients = fit(columns, ys);
      const model = costed(form, factors, coefficients, columns, ys);
      if (best === undefined || (this.#cost(model) < this.#cost(best) && counts(coefficients, columns, ys)))
        best = model;
    }
    if (best === undefined) throw new RangeError('There is no form for these parameters.');
    return best;
  }

  #cost({ smape, rss }: ModelCosts): number {
    return this.options.compareWithRss === true ? rss : smape;
  }
}

/** A column of ones, and one for each term of a form; those that were made for other forms are used again. */
function columnsOf(
  form: Form,
  factors: readonly Factor[],
  values: readonly Value[],
  made = new Map<string, Float64Array>(),
): readonly Float64Array[] {
  return [[], ...form].map((term) =>
    getOrMake(made, term.join(), () =>
      Float64Array.from(values, ({ point }) =>
        termShape({ factors: term.map((factor) => at(factors, factor)) }, point),
      ),
    ),
  );
}

function fit(columns: readonly Float64Array[], ys: Float64Array): Float64Array {
  const { coefficients, rank } = leastSquares(columns, ys);
  return rank === columns.length ? coefficients : leastSquares(columns, ys, secondCutoff).coefficients;
}

/** A form with its coefficients, and its costs at the points that made it. */
function costed(
  form: Form,
  factors: readonly Factor[],
  coefficients: Float64Array,
  columns: readonly Float64Array[],
  ys: Float64Array,
): SeveralModel {
  const costs = new Costs(ys.length);
  const predicted = new Float64Array(ys.length);
  columns.forEach((column, k) => {
    const coefficient = atFloat(coefficients, k);
    for (let i = 0; i < predicted.length; i++)
      predicted[i] = atFloat(predicted, i) + coefficient * atFloat(column, i);
  });
  for (let i = 0; i < ys.length; i++) costs.add(atFloat(predicted, i), atFloat(ys, i));
  const terms = form.map((term, k) => ({
    coefficient: atFloat(coefficients, k + 1),
    factors: term.map((factor) => at(factors, factor)),
  }));
  const { smape, rss, rrss, re } = costs.values();
  const ar2 = adjusted(rss, ys, form.flat().length);
  return { formula: { constant: atFloat(coefficients, 0), terms }, smape, rss, rrss, re, ar2 };
}

/** Whether each term matters at one point at least. */
function counts(coefficients: Float64Array, columns: readonly Float64Array[], ys: Float64Array): boolean {
  return columns.every(
    (column, k) => k === 0 || !(largestShare(atFloat(coefficients, k), column, ys) < defaultTermContribution),
  );
}
