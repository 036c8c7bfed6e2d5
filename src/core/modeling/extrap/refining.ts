import { at } from '../../at';
import { fraction, equalFractions, mediant, zero, type Fraction } from '../fraction';
import type { Growth } from '../searchSpace';
import type { Candidates, SingleModel } from './candidates';

/** A line through the plane of exponents on which one of them varies. */
interface Slice {
  readonly growth: (varied: Fraction) => Growth;
  readonly coarse: readonly Fraction[];
}

/** The part of a slice that is searched, with the candidate in its middle. */
interface Bracket {
  readonly slice: Slice;
  readonly left: Fraction;
  readonly centre: Fraction;
  readonly right: Fraction;
  readonly best: SingleModel;
}

const maximumRounds = 10;
/** A model has to be better than the constant by this factor. */
const gainOverConstant = 1.3;
/** The factor that a better model must gain, which grows with each round without one. */
const gainPerRound = 1.5;
/** The search goes on while a slice gains this factor in a round. */
const gainToContinue = 2;

/**
 * Extra-P's search that refines exponents (Reisert, Calotoiu, Shudler, Wolf, "Following the blind seer", Euro-Par 2017): the best of a coarse grid,
 * and then mediants around it.
 */
export function refined(
  candidates: Candidates,
  constant: SingleModel,
  ys: Float64Array,
  logTerms: boolean,
): SingleModel {
  const search = { candidates, ys };
  let brackets = slices(logTerms).flatMap((slice) => start(search, slice) ?? []);
  const cost = (model: SingleModel) => candidates.cost(model);
  const better = (one: SingleModel, other: SingleModel) => (cost(other) < cost(one) ? other : one);
  const bestOf = (all: readonly Bracket[]) => all.map(({ best }) => best).reduce(better);
  if (brackets.length === 0) return constant;
  // The best model of all rounds; only one that gained enough replaces the model that is returned.
  let seen = bestOf(brackets);
  let best = seen;
  let threshold = gainPerRound;
  for (let round = 0; round < maximumRounds; round++) {
    const next = brackets.map((bracket) => narrowed(search, bracket));
    const roundBest = bestOf(next);
    if (cost(seen) / cost(roundBest) >= threshold) {
      best = roundBest;
      threshold = gainPerRound;
    } else threshold *= gainPerRound;
    seen = better(seen, roundBest);
    const gain = Math.max(...next.map(({ best }, i) => cost(at(brackets, i).best) / cost(best)));
    brackets = next;
    if (!(gain >= gainToContinue)) break;
  }
  return cost(constant) / cost(best) < gainOverConstant || !candidates.counts(best, ys) ? constant : best;
}

interface Search {
  readonly candidates: Candidates;
  readonly ys: Float64Array;
}

/** The exponent varies without a logarithm, with one and with its square; and the exponent of the logarithm alone. */
function slices(logTerms: boolean): readonly Slice[] {
  const exponents = integers(0, 5);
  const fixed = integers(0, logTerms ? 2 : 0).map((logExponent): Slice => ({
    growth: (exponent) => ({ exponent, logExponent }),
    coarse: exponents,
  }));
  const logarithm: Slice = {
    growth: (logExponent) => ({ exponent: zero, logExponent }),
    coarse: integers(0, 2),
  };
  return logTerms ? [...fixed, logarithm] : fixed;
}

function integers(from: number, to: number): readonly Fraction[] {
  return Array.from({ length: to - from + 1 }, (_, i) => fraction(from + i));
}

/** The best exponent of the coarse grid, between its neighbours. */
function start(search: Search, slice: Slice): Bracket | undefined {
  let found: { readonly position: number; readonly best: SingleModel } | undefined;
  slice.coarse.forEach((exponent, position) => {
    const best = candidateOf(search, slice, exponent);
    if (best === undefined || (found !== undefined && !isBetter(search, best, found.best))) return;
    found = { position, best };
  });
  if (found === undefined) return undefined;
  const { position, best } = found;
  const { coarse } = slice;
  const left = at(coarse, Math.max(0, position - 1));
  const last = at(coarse, Math.min(coarse.length - 1, position + 1));
  const right = equalFractions(left, last)
    ? fraction(last.numerator + last.denominator, last.denominator)
    : last;
  return { slice, left, centre: at(coarse, position), right, best };
}

/** The half of a bracket around the best of its centre and the mediants at both sides. */
function narrowed(search: Search, bracket: Bracket): Bracket {
  const { slice, left, centre, right } = bracket;
  const [lower, upper] = [mediant(left, centre), mediant(centre, right)];
  let next: Bracket = { slice, left: lower, centre, right: upper, best: bracket.best };
  const below = candidateOf(search, slice, lower);
  if (below !== undefined && isBetter(search, below, next.best))
    next = { slice, left, centre: lower, right: centre, best: below };
  const above = candidateOf(search, slice, upper);
  if (above !== undefined && isBetter(search, above, next.best))
    next = { slice, left: centre, centre: upper, right, best: above };
  return next;
}

function isBetter({ candidates }: Search, one: SingleModel, other: SingleModel): boolean {
  return candidates.cost(one) < candidates.cost(other);
}

function candidateOf(
  { candidates, ys }: Search,
  { growth }: Slice,
  varied: Fraction,
): SingleModel | undefined {
  const shape = growth(varied);
  if (equalFractions(shape.exponent, zero) && equalFractions(shape.logExponent, zero)) return undefined;
  const candidate = candidates.candidate(shape, ys);
  return Number.isFinite(candidate.rss) ? candidate : undefined;
}
