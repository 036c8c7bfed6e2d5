import { isPower, searchSpace, type Growth } from '../searchSpace';
import { totalSquares } from '../costs';
import { Candidates, constantModel, type SingleModel } from './candidates';
import type { SearchOptions, SingleModelerName } from './options';
import { refined } from './refining';
import { segmented, type SegmentedModel } from './segmented';

/** What can be tried at points. */
interface Prepared {
  readonly xs: Float64Array;
  readonly growths: readonly Growth[];
  readonly candidates: Candidates;
}

/**
 * Extra-P's search for models of one parameter: the constant, and all candidates with one term, by the smallest SMAPE of predictions of points that
 * the candidate has not seen. One searcher serves many series: what growths are at equal points is computed once.
 */
export class SingleSearch {
  readonly #growths: readonly Growth[];
  #last: Prepared | undefined;

  constructor(
    readonly options: SearchOptions = {},
    readonly modeler: SingleModelerName = 'default',
  ) {
    this.#growths = searchSpace(options);
  }

  /** The model of values `ys` at `xs`. */
  model(xs: Float64Array, ys: Float64Array): SingleModel | SegmentedModel {
    return this.modeler === 'segmented'
      ? segmented(xs, ys, (partXs, partYs) => this.basic(partXs, partYs))
      : this.whole(xs, ys);
  }

  /** The model of all points. */
  whole(xs: Float64Array, ys: Float64Array): SingleModel {
    return this.modeler === 'refining' ? this.#refining(xs, ys) : this.basic(xs, ys);
  }

  /** The best candidate of the search space. */
  basic(xs: Float64Array, ys: Float64Array): SingleModel {
    let best = constantModel(ys);
    if (totalSquares(ys) === 0) return best;
    const { growths, candidates } = this.#at(xs);
    for (const growth of growths) {
      const candidate = candidates.candidate(growth, ys);
      if (candidates.cost(candidate) < candidates.cost(best) && candidates.counts(candidate, ys))
        best = candidate;
    }
    return best;
  }

  #refining(xs: Float64Array, ys: Float64Array): SingleModel {
    const constant = constantModel(ys);
    if (totalSquares(ys) === 0) return constant;
    const logTerms = this.options.logTerms !== false && canHaveLogarithms(xs, this.options);
    return refined(new Candidates(xs, this.options), constant, ys, logTerms);
  }

  #at(xs: Float64Array): Prepared {
    const last = this.#last;
    if (last?.xs.length === xs.length && last.xs.every((x, i) => x === xs[i])) return last;
    const growths = canHaveLogarithms(xs, this.options) ? this.#growths : this.#growths.filter(isPower);
    return (this.#last = { xs, growths, candidates: new Candidates(xs, this.options) });
  }
}

/** Logarithms below 1 are negative: then no candidate has one. */
export function canHaveLogarithms(xs: Float64Array, { negativeExponents }: SearchOptions): boolean {
  return xs.every((x) => (negativeExponents === true ? x > 1 : x >= 1));
}
