import { at, atFloat } from '../../at';
import { factorValue } from '../formula';
import { LineFit } from '../leastSquares';
import { adjusted, Costs, largestShare, mean } from '../costs';
import type { ModelCosts } from '../model';
import type { Growth } from '../searchSpace';
import { defaultTermContribution, type SearchOptions } from './options';

/** A model of one parameter: constant + coefficient · growth; without a growth, the constant alone. */
export interface SingleModel extends ModelCosts {
  readonly constant: number;
  readonly coefficient: number;
  readonly growth?: Growth;
  /** Root of the residual sum of squares over the mean, which finds changes of behaviour (`segmented.ts`). */
  readonly nrss: number;
}

/** The largest constant that counts as 0, relative to the smallest value: when a point is left out, and for models of all points. */
const negligible = { fold: 0.0005, all: 0.001 };

/** Values of one parameter's growths at the points of a series, and the costs of the candidates that they make. */
export class Candidates {
  readonly #line: LineFit;
  readonly #shapes = new Map<Growth, Float64Array>();

  constructor(
    private readonly xs: Float64Array,
    private readonly options: SearchOptions,
  ) {
    this.#line = new LineFit(xs.length);
  }

  /** The values of a growth at the points. */
  shape(growth: Growth): Float64Array {
    const known = this.#shapes.get(growth);
    if (known !== undefined) return known;
    const shape = this.xs.map((x) => factorValue(growth, x));
    this.#shapes.set(growth, shape);
    return shape;
  }

  /** The candidate of a growth. */
  candidate(growth: Growth, ys: Float64Array): SingleModel {
    const shape = this.shape(growth);
    const costs =
      this.options.crossValidation === false ? this.#costsOfAll(shape, ys) : this.#costsOfFolds(shape, ys);
    return { ...costs, growth, ar2: adjusted(costs.rss, ys) };
  }

  /** Whether a candidate has a cost, and its term matters at one point at least. */
  counts({ rss, coefficient, growth }: SingleModel, ys: Float64Array): boolean {
    if (!Number.isFinite(rss) || growth === undefined || coefficient === 0) return false;
    const shape = this.shape(growth);
    return !(
      largestShare(coefficient, shape, ys) < (this.options.minimumTermContribution ?? defaultTermContribution)
    );
  }

  /** The cost that decides. */
  cost({ smape, rss }: ModelCosts): number {
    return this.options.compareWithRss === true ? rss : smape;
  }

  /** Each point is compared with the model of the others; the coefficients are those of all points. */
  #costsOfFolds(shape: Float64Array, ys: Float64Array): Omit<SingleModel, 'growth' | 'ar2'> {
    const costs = new Costs(ys.length);
    const line = this.#line;
    const total = ys.reduce((sum, y) => sum + y, 0);
    for (let k = 0; k < ys.length; k++) {
      line.fit(shape, ys, k);
      const constant = cleaned(line.constant, smallestBut(ys, k), negligible.fold);
      const y = atFloat(ys, k);
      costs.add(constant + line.coefficient * atFloat(shape, k), y);
      costs.nrss += Math.sqrt(costs.rss) / ((total - y) / (ys.length - 1)) / ys.length;
    }
    line.fit(shape, ys, -1);
    const { constant, coefficient } = line;
    return { constant, coefficient, ...costs.values() };
  }

  #costsOfAll(shape: Float64Array, ys: Float64Array): Omit<SingleModel, 'growth' | 'ar2'> {
    const costs = new Costs(ys.length);
    const line = this.#line;
    line.fit(shape, ys, -1);
    const constant = cleaned(line.constant, smallestBut(ys, -1), negligible.all);
    const { coefficient } = line;
    for (let k = 0; k < ys.length; k++) costs.add(constant + coefficient * atFloat(shape, k), atFloat(ys, k));
    costs.nrss = Math.sqrt(costs.rss) / mean(ys);
    return { constant, coefficient, ...costs.values() };
  }
}

/** The value of a model at a value of its parameter. */
export function singleValue({ constant, coefficient, growth }: SingleModel, x: number): number {
  return growth === undefined ? constant : constant + coefficient * factorValue(growth, x);
}

/** The constant model, the mean of the values, with its costs at the points that made it. */
export function constantModel(ys: Float64Array): SingleModel {
  const constant = mean(ys);
  const costs = new Costs(ys.length);
  for (const y of ys) costs.add(constant, y);
  costs.nrss = Math.sqrt(costs.rss) / constant;
  const last = at(ys, ys.length - 1);
  // The relative error of Extra-P's constant models is that of the last point.
  return { constant, coefficient: 0, ...costs.values(), re: Math.abs((constant - last) / last), ar2: 1 };
}

/** 0 in place of a constant that rounding made. */
function cleaned(constant: number, smallest: number, limit: number): number {
  return Math.abs(smallest === 0 ? constant : constant / smallest) < limit ? 0 : constant;
}

function smallestBut(ys: Float64Array, omitted: number): number {
  let smallest = Infinity;
  for (let i = 0; i < ys.length; i++) if (i !== omitted) smallest = Math.min(smallest, atFloat(ys, i));
  return smallest;
}
