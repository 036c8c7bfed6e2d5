import { at, atFloat, atInt, atUint } from '../../at';
import { betweenVariance, type Shift } from '../../compare/between';
import { chanceOf, medianOf } from '../../compare/significance';
import type { PairTree, PairValues } from './pairTree';
import { isWaiting } from '../waiting';

/** Functions with a smaller share of the time are not compared by it. */
const leastTimeShare = 0.005;
/** Fewer other functions do not show by how much runs differ anyway. */
const fewestOthers = 3;
/** Where nothing shows that, times differ clearly that are this many times as long (a logarithm): single runs of the same program have differed by 2.2. */
const clearChange = Math.log(3);
/** Standard deviations of a single visit that a typical one changes by, at least: of visits that differ more, runs have other ones. */
const visitDeviations = 2;
/** Probability that a typical visit changes so much where nothing changed. */
const byChance = 1e-3;

/** Of the logarithm of a visit: no clock is better than 0.1 ‰, and rounding is less. */
const leastVariance = 1e-8;

interface VisitChange {
  /** Of the mean logarithms of visits, which are those of typical ones. */
  readonly shift: Shift;
  /** Standard deviation of one visit. */
  readonly deviation: number;
}

/**
 * Whether functions take another time in one run than in another one. Both their mean and their typical visit are to change, the latter beyond what
 * chance makes of so many visits, and beyond what the other functions changed by: a run has its machine, which makes all functions slower, and each a little differently.
 */
export class VisitTimes {
  readonly #changes = new Map<number, VisitChange>();

  /** @param values of the time @param sensitivity smaller relative changes are none */
  constructor(
    private readonly tree: PairTree,
    private readonly values: PairValues,
    private readonly sensitivity: number,
  ) {
    for (let node = 0; node < tree.size; node++) {
      const change = this.#hasShare(node) && !this.isWaiting(node) ? this.#changeOf(node) : undefined;
      if (change !== undefined) this.#changes.set(node, change);
    }
  }

  /** Its time depends on others, and varies from run to run. */
  isWaiting(node: number): boolean {
    return isWaiting(at(this.tree.table.keys, atUint(this.tree.key, node)));
  }

  /** @param node of both views, whose times differ */
  isChange(node: number): boolean {
    if (!this.#hasShare(node)) return false;
    const [countA, countB] = this.values.counts(node);
    if (countA === 0 || countB === 0) return false;
    // Of another number of visits, time changes with it.
    return countA !== countB || !this.isSamePerVisit(node);
  }

  isSamePerVisit(node: number): boolean {
    const mean = this.#meanChange(node);
    const own = this.#changes.get(node);
    // Of traces that have nothing but single visits, the sensitivity decides; else they are not judged.
    if (own === undefined) return this.#changes.size > 0 || Math.abs(mean) < Math.log1p(this.sensitivity);
    const { shift, deviation } = own;
    const typical = Math.abs(shift.difference);
    if (shift.difference * mean <= 0 || typical < Math.log1p(this.sensitivity)) return true;
    const others = this.shifts(node);
    const isKnown = others.length >= fewestOthers;
    if (!isKnown && Math.min(typical, Math.abs(mean)) < clearChange) return true;
    const common = isKnown ? medianOf(Float64Array.from(others, ({ difference }) => difference)) : 0;
    // What the others changed by makes no change larger.
    const beyond = Math.min(typical, Math.abs(shift.difference - common));
    if (beyond <= visitDeviations * deviation) return true;
    const shifts = others.map((other) => ({ ...other, difference: other.difference - common }));
    const chance = chanceOf(
      { ...shift, difference: beyond },
      isKnown ? betweenVariance(shifts, nothing) : nothing,
    );
    return (chance ?? 1) > byChance;
  }

  /** What typical visits changed by, of all functions that have several in both runs. @param without a node that is left out */
  shifts(without = -1): readonly Shift[] {
    return [...this.#changes].flatMap(([node, { shift }]) => (node === without ? [] : [shift]));
  }

  /** Logarithm of the ratio of the mean visits. */
  #meanChange(node: number): number {
    const [before, after] = this.values.exclusive(node);
    const [countA, countB] = this.values.counts(node);
    return Math.log((after * countA) / (before * countB));
  }

  /** Undefined: it has a single visit in one of the runs. */
  #changeOf(node: number): VisitChange | undefined {
    const [a, b] = [this.#visits(node, 0), this.#visits(node, 1)];
    if (a === undefined || b === undefined) return undefined;
    const [errorA, errorB] = [a.variance / a.count, b.variance / b.count];
    const variance = errorA + errorB;
    const spread = errorA ** 2 / (a.count - 1) + errorB ** 2 / (b.count - 1);
    return {
      shift: {
        difference: b.mean - a.mean,
        variance,
        freedom: variance ** 2 / spread,
        doubt: 0,
      },
      deviation: Math.sqrt((a.variance + b.variance) / 2),
    };
  }

  /** Logarithms of the visits of a view, by the mean and the squares of their times: as of a log-normal distribution, which times are near. */
  #visits(
    node: number,
    side: 0 | 1,
  ): { readonly count: number; readonly mean: number; readonly variance: number } | undefined {
    const { seconds, squares, count: counts } = this.tree.traces[side];
    const row = atInt(this.tree.rows[side], node);
    if (row < 0 || squares === undefined) return undefined;
    const [count, sum] = [atFloat(counts, row), atFloat(seconds, row)];
    if (count < 2 || sum === 0) return undefined;
    const variance = Math.max(leastVariance, Math.log((count * atFloat(squares, row)) / sum ** 2));
    return { count, mean: Math.log(sum / count) - variance / 2, variance };
  }

  /** Whether it has enough of the time of one of the views. */
  #hasShare(node: number): boolean {
    const { totals } = this.values;
    const [before, after] = this.values.exclusive(node);
    return before >= leastTimeShare * totals[0] || after >= leastTimeShare * totals[1];
  }
}

/**
 * What the typical visits of functions changed by.
 * @returns the median of the ratios; undefined: too few functions have several visits in both runs
 */
export function commonChange(
  tree: PairTree,
  values: PairValues,
): { readonly ratio: number; readonly functions: number } | undefined {
  const shifts = new VisitTimes(tree, values, 0).shifts();
  if (shifts.length < fewestOthers) return undefined;
  return {
    ratio: Math.exp(medianOf(Float64Array.from(shifts, ({ difference }) => difference))),
    functions: shifts.length,
  };
}

const nothing = { variance: 0, freedom: 0 };
