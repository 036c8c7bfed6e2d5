import { at, atFloat } from '../../at';
import type { Factor } from '../formula';
import type { Design, Shape } from './design';
import { formsOf, mostMonomials, type SearchForm } from './forms';
import { Gram, type Negative } from './gram';
import { relativeSquares, weightsFor, type Observed } from './noise';

/** A formula with its coefficients, and how well it describes what was observed. */
export interface Candidate {
  /** Products of factors; the empty product is the constant. */
  readonly terms: readonly (readonly Factor[])[];
  /** For each term, for its shape relative to `sizes`. */
  readonly coefficients: Float64Array;
  /** For each term, the size that its shape is relative to. */
  readonly sizes: readonly number[];
  /** Inverse of the products of weighted columns, row after row. */
  readonly inverse: Float64Array;
  /** Σ of weighted squares of what the formula misses. */
  readonly squares: number;
  /** Logarithm of the marginal likelihood times the prior probability. */
  readonly score: number;
}

export interface SearchResult {
  /** Candidates that matter, the most probable first. */
  readonly candidates: readonly Candidate[];
  /** The number of independent observations. */
  readonly observations: number;
  /** Squares of the repetitions in the measure of `Candidate.squares`. */
  readonly within: number;
  /** How much more points miss than repetitions show: 1 when noise explains it. */
  readonly inflation: number;
}

/** Candidates that are less probable than the best by this logarithm do not matter. */
const scoreRange = 8;
/** The smallest relative deviation that numbers in a file show. */
const resolution = 1e-12;
/** How many growths of each parameter are combined with those of others, by the number of parameters; of one parameter all are tried. */
const combinedGrowths = [0, Infinity, 5, 3, 1];
/** Misses up to this multiple of what repetitions show are taken for noise of the repetitions. */
const explainedByRepetitions = 2;
/** Squares below this share of those of the values are lost to rounding in products, and are computed from the points. */
const exactShare = 1e-7;

/** The fewest points from which sums of two growths are tried. */
const pointsForTwoTerms = 6;
/** Relative misses of one growth below this need no second one. */
const exactMiss = 1e-6;

/** The noise that candidates are judged by. */
interface NoiseLevel {
  readonly weights: Float64Array;
  /** Σ of relative squares of repetitions. */
  readonly squares: number;
  readonly observations: number;
}

/** A sum of products of shapes. */
interface Sum {
  readonly columns: readonly Float64Array[];
  readonly chosen: readonly number[];
}

/**
 * Which formulas describe a series, and how probable each one is: the Bayesian choice (MacKay, Neural Computation 4, 1992) between all of the search
 * space, for noise in proportion to the values, whose level is unknown but shown by the repetitions. Coefficients are not negative unless values are;
 * equally probable before anything is measured are the number of parameters that matter, then which, then how they are combined, then their growths.
 */
export class ChoiceSearch {
  readonly #shapes: readonly (readonly Shape[])[];
  readonly #negative: Negative;
  #gram: Gram;
  readonly #largest: number;
  readonly #ones: Float64Array;
  readonly #products: Float64Array[] = [];

  constructor(
    private readonly design: Design,
    private readonly data: Observed,
    negative?: Negative,
  ) {
    const parameters = Array.from({ length: design.parameters }, (_, parameter) => parameter);
    const falling = parameters.map((parameter) => this.#falls(parameter));
    this.#shapes = parameters.map((parameter) => design.shapes(parameter, at(falling, parameter)));
    // What falls along its only parameter may do so with a falling term, or as a constant without a rising one.
    const terms = falling.length === 1 && at(falling, 0);
    this.#negative = negative ?? (data.ys.some((y) => y < 0) ? 'all' : terms ? 'terms' : 'none');
    this.#gram = new Gram(mostMonomials(design.parameters));
    this.#ones = new Float64Array(data.ys.length).fill(1);
    this.#largest = data.ys.reduce((most, y) => Math.max(most, Math.abs(y)), 0);
  }

  /** Undefined when values are so small or so different that nothing can be computed. */
  search(): SearchResult | undefined {
    const { data } = this;
    const points = data.ys.length;
    const total = data.repetitions.reduce((sum, count) => sum + count, 0);
    const growths = combinedGrowths[this.#shapes.length] ?? 1;
    // The values are the first guess of sizes, and the best formula of them the second: noise in the values does not draw the formula then.
    const guess = {
      weights: weightsFor(data, data.ys),
      squares: relativeSquares(data, data.ys),
      observations: total,
    };
    const combined = this.#shapes.map((shapes, parameter) =>
      this.#probable(shapes, parameter, growths, guess.weights),
    );
    const [first] = this.#ranked(
      guess,
      Number.isFinite(growths) ? combined.map((shapes) => shapes.slice(0, 1)) : combined,
    );
    if (first === undefined) return undefined;
    const sizes = bounded(this.#valuesOf(first), data.ys);
    const within = relativeSquares(data, sizes);
    const freedom = points - first.terms.length;
    const shown = total > points && freedom > 0 && within > total * resolution ** 2;
    const excess = shown ? first.squares / freedom / (within / (total - points)) : 1;
    const inflation = Math.max(1, excess / explainedByRepetitions);
    const observations = points + (total - points) / inflation;
    const noise = { weights: weightsFor(data, sizes), squares: within / inflation, observations };
    const unexplained = inflation > 1 || (!shown && first.squares > total * exactMiss ** 2);
    const candidates = this.#ranked(noise, combined, unexplained && points >= pointsForTwoTerms);
    return candidates.length === 0
      ? undefined
      : { candidates, observations, within: noise.squares, inflation };
  }

  /** Candidates made of some shapes of each parameter. */
  #ranked(
    noise: NoiseLevel,
    combined: readonly (readonly Shape[])[],
    twoTerms = false,
  ): readonly Candidate[] {
    const keeper = new Keeper();
    for (const form of formsOf(combined.length)) {
      const prior = this.#prior(form);
      for (const shapes of choices(form.parameters, combined))
        this.#fitForm(form, shapes, prior, noise, keeper);
    }
    if (combined.length > 1) this.#varied(combined, noise, keeper);
    else if (twoTerms) this.#fitPairs(at(this.#shapes, 0), noise, keeper);
    return keeper.ranked();
  }

  /** Sums of two growths of the only parameter. */
  #fitPairs(shapes: readonly Shape[], noise: NoiseLevel, keeper: Keeper): void {
    const sums = shapes.flatMap((_, i) => Array.from({ length: i }, (__, k) => [0, k + 1, i + 1]));
    const monomials = [[], ...shapes.map((_, i) => [i])];
    const form = { parameters: [0], monomials, sums, logPrior: -Math.log(2 * sums.length) };
    this.#gram = new Gram(monomials.length);
    this.#fitForm(form, shapes, form.logPrior, noise, keeper);
  }

  /** Logarithm of the probability of a form with certain growths, before anything is measured. */
  #prior(form: SearchForm): number {
    return form.parameters.reduce(
      (sum, parameter) => sum - Math.log(at(this.#shapes, parameter).length),
      form.logPrior,
    );
  }

  /** Fits all sums of products of some shapes. */
  #fitForm(
    form: SearchForm,
    shapes: readonly Shape[],
    prior: number,
    noise: NoiseLevel,
    keeper: Keeper,
  ): void {
    const columns = form.monomials.map((members, i) => this.#product(members, shapes, i));
    this.#gram.load(columns, this.data.ys, noise.weights);
    for (const chosen of form.sums) this.#fitSum({ columns, chosen }, form, shapes, prior, noise, keeper);
  }

  #fitSum(
    sum: Sum,
    { monomials }: SearchForm,
    shapes: readonly Shape[],
    prior: number,
    noise: NoiseLevel,
    keeper: Keeper,
  ): void {
    const gram = this.#gram;
    const { chosen } = sum;
    if (!gram.fit(chosen, this.#negative)) return;
    const squares =
      gram.squares > gram.ySquares * exactShare ? gram.squares : this.#missed(sum, noise.weights);
    const score = prior + this.#evidence(squares, chosen.length, noise);
    if (!keeper.keeps(score)) return;
    const members = chosen.map((column) => at(monomials, column).map((member) => at(shapes, member)));
    keeper.add({
      terms: members.map((term) => term.map(({ factor }) => factor)),
      coefficients: gram.coefficients.slice(0, chosen.length),
      sizes: members.map((term) => term.reduce((product, { size }) => product * size, 1)),
      inverse: gram.inverse(chosen.length),
      squares,
      score,
    });
  }

  /** Logarithm of the marginal likelihood, by Laplace's method; each term may be anything up to the largest value. */
  #evidence(squares: number, terms: number, { squares: within, observations }: NoiseLevel): number {
    const all = within + squares + observations * resolution ** 2;
    const volume = (terms / 2) * Math.log((2 * Math.PI * all) / observations) - this.#gram.logDeterminant / 2;
    return (-observations / 2) * Math.log(all) + volume - terms * Math.log(this.#largest);
  }

  /** The weighted squares of what the last fit misses, from the points. */
  #missed({ columns, chosen }: Sum, weights: Float64Array): number {
    const values = new Float64Array(this.data.ys.length);
    chosen.forEach((column, k) => {
      addScaled(values, at(columns, column), atFloat(this.#gram.coefficients, k));
    });
    return this.data.ys.reduce((sum, y, i) => sum + atFloat(weights, i) * (y - atFloat(values, i)) ** 2, 0);
  }

  /** Replaces the growths of the best formulas of several parameters by all others, one parameter after the other. */
  #varied(combined: readonly (readonly Shape[])[], noise: NoiseLevel, keeper: Keeper): void {
    for (let parameter = 0; parameter < this.#shapes.length; parameter++) {
      const [best] = keeper.ranked();
      if (best === undefined) return;
      const known = shapesOf(best, this.#shapes);
      const position = known.findIndex(({ factor }) => factor.parameter === parameter);
      if (position < 0) continue;
      const form = formsOf(this.#shapes.length).find(
        ({ parameters }) => parameters.join() === known.map(({ factor }) => factor.parameter).join(),
      );
      if (form === undefined) continue;
      const members = best.terms.map((term) =>
        term.map((factor) => known.findIndex((shape) => shape.factor === factor)),
      );
      const single = { ...form, monomials: members, sums: [members.map((_, i) => i)] };
      for (const shape of at(this.#shapes, parameter)) {
        const varied = known.with(position, shape);
        const isFitted = varied.every((one) => at(combined, one.factor.parameter).includes(one));
        if (!isFitted && shape !== known[position])
          this.#fitForm(single, varied, this.#prior(form), noise, keeper);
      }
    }
  }

  #valuesOf(candidate: Candidate): Float64Array {
    const shapes = shapesOf(candidate, this.#shapes);
    const values = new Float64Array(this.data.ys.length);
    candidate.terms.forEach((factors, k) => {
      const members = factors.map((factor) => shapes.findIndex((shape) => shape.factor === factor));
      addScaled(values, this.#product(members, shapes, k), atFloat(candidate.coefficients, k));
    });
    return values;
  }

  /** The values of a product of some shapes; they hold until the next product of the same position is made. */
  #product(members: readonly number[], shapes: readonly Shape[], position: number): Float64Array {
    const [first, ...others] = members;
    if (first === undefined) return this.#ones;
    const { column } = at(shapes, first);
    if (others.length === 0) return column;
    const product = (this.#products[position] ??= new Float64Array(column.length));
    product.set(column);
    for (const member of others) multiply(product, at(shapes, member).column);
    return product;
  }

  /** The growths that describe best what changes along a parameter, on lines on which no other one changes. */
  #probable(
    shapes: readonly Shape[],
    parameter: number,
    most: number,
    weights: Float64Array,
  ): readonly Shape[] {
    if (most >= shapes.length) return shapes;
    const lines = this.design.lines(parameter);
    const missed = (shape: Shape) =>
      lines.reduce((sum, line) => sum + this.#missedOnLine(line, shape.column, weights), 0);
    return shapes
      .map((shape) => ({ shape, squares: missed(shape) }))
      .sort((a, b) => a.squares - b.squares)
      .slice(0, most)
      .map(({ shape }) => shape);
  }

  /** What constant + coefficient · column misses on a line, both as they fit it best. */
  #missedOnLine(line: readonly number[], column: Float64Array, weights: Float64Array): number {
    let [w, wx, wxx, wy, wxy, wyy] = [0, 0, 0, 0, 0, 0];
    for (const i of line) {
      const [weight, x, y] = [atFloat(weights, i), atFloat(column, i), atFloat(this.data.ys, i)];
      w += weight;
      wx += weight * x;
      wxx += weight * x * x;
      wy += weight * y;
      wxy += weight * x * y;
      wyy += weight * y * y;
    }
    const constant = wyy - (wy * wy) / w;
    const slope = wxy - (wx * wy) / w;
    const spread = wxx - (wx * wx) / w;
    if (!(spread > wxx * 1e-14)) return constant;
    if (this.#negative !== 'none') return constant - (slope * slope) / spread;
    // At the border of what is allowed: the constant alone, or the term alone.
    if (slope <= 0) return constant;
    return wy - (slope / spread) * wx < 0 ? wyy - (wxy * wxy) / wxx : constant - (slope * slope) / spread;
  }

  /** Whether values fall with a parameter, on most of its lines. */
  #falls(parameter: number): boolean {
    const { points } = this.design;
    const x = (i: number) => at(at(points, i), parameter);
    const rising = this.design.lines(parameter).reduce(
      (sum, line) =>
        sum +
        direction(
          line.map(x),
          line.map((i) => atFloat(this.data.ys, i)),
        ),
      0,
    );
    return rising < 0;
  }
}

function multiply(product: Float64Array, column: Float64Array): void {
  for (let i = 0; i < product.length; i++) product[i] = atFloat(product, i) * atFloat(column, i);
}

function addScaled(values: Float64Array, column: Float64Array, coefficient: number): void {
  for (let i = 0; i < values.length; i++) values[i] = atFloat(values, i) + coefficient * atFloat(column, i);
}

/** Collects candidates near the best one. */
class Keeper {
  #candidates: Candidate[] = [];
  #best = -Infinity;

  keeps(score: number): boolean {
    return score > this.#best - scoreRange;
  }

  add(candidate: Candidate): void {
    this.#best = Math.max(this.#best, candidate.score);
    this.#candidates.push(candidate);
  }

  /** The candidates that matter, the best one first. */
  ranked(): readonly Candidate[] {
    return this.#candidates.filter(({ score }) => this.keeps(score)).sort((a, b) => b.score - a.score);
  }
}

/** Kendall's τ of values over positions: from −1, all fall, to 1. */
function direction(xs: readonly number[], ys: readonly number[]): number {
  let [concordant, pairs] = [0, 0];
  for (let i = 0; i < xs.length; i++)
    for (let k = 0; k < i; k++) {
      concordant += Math.sign(at(xs, i) - at(xs, k)) * Math.sign(at(ys, i) - at(ys, k));
      pairs += 1;
    }
  return pairs === 0 ? 0 : concordant / pairs;
}

/** The shapes of a candidate's factors, by parameter. */
function shapesOf({ terms }: Candidate, shapes: readonly (readonly Shape[])[]): readonly Shape[] {
  const factors = new Set(terms.flat());
  return shapes.flatMap((all) => all.filter(({ factor }) => factors.has(factor)));
}

/** All choices of a shape for each of some parameters. */
function choices(
  parameters: readonly number[],
  shapes: readonly (readonly Shape[])[],
): readonly (readonly Shape[])[] {
  return parameters.reduce<readonly (readonly Shape[])[]>(
    (before, parameter) =>
      before.flatMap((chosen) => at(shapes, parameter).map((shape) => [...chosen, shape])),
    [[]],
  );
}

/** Sizes that are not further from the values than a factor of two. */
function bounded(sizes: Float64Array, ys: Float64Array): Float64Array {
  return sizes.map((size, i) => {
    const y = Math.abs(atFloat(ys, i));
    return Math.min(Math.max(Math.abs(size), y / 2), 2 * y);
  });
}
