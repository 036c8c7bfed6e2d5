import { at, atFloat, atInt, atUint } from '../at';
import { medianOf } from '../compare/significance';
import { tailOfT } from '../compare/studentT';
import { isWaiting } from './waiting';
import type { PairTree, PairValues } from './pairTree';

/** Share of the whole below which values of both views are noise. */
const floorShare = 1e-5;
/** Functions with a smaller share of the time are not compared by it. */
const leastTimeShare = 0.005;
/** Fewer call paths do not show what the noise is. */
const fewestForNoise = 10;
/** Fewer functions do not show what changed anyway. */
const fewestComputing = 4;
/** Standard deviations of the noise that are no change. */
const deviations = 4;
/** Larger changes are named where they are beyond what other functions changed by (logarithm of the ratio). */
const clearChange = Math.log(1.25);
/** Probability that visits of one distribution have such different means. */
const byChance = 1e-3;
/** The median of the absolute values of a normal distribution, in standard deviations. */
const normalMedian = 0.6745;

/** Whether exclusive values of call paths that both views have differ. */
export class Deviation {
  readonly #floors: readonly [number, number];
  /** Standard deviation of the logarithm of one visit. */
  readonly #noise: number;
  /** Median logarithm of the ratio of visits of the functions that compute, and its standard deviation. */
  readonly #others: { readonly median: number; readonly spread: number } | undefined;

  /** @param sensitivity smaller relative deviations are none */
  constructor(
    private readonly tree: PairTree,
    private readonly values: PairValues,
    private readonly sensitivity: number,
  ) {
    const floor = sensitivity === 0 ? 0 : floorShare;
    this.#floors = [floor * values.totals[0], floor * values.totals[1]];
    this.#noise = sensitivity === 0 ? 0 : this.#noiseOfPair();
    this.#others = values.metric === 'time' && sensitivity > 0 ? this.#computing() : undefined;
  }

  /** @param node of both views */
  isChange(node: number): boolean {
    const [before, after] = this.values.exclusive(node);
    // How long is waited varies from run to run.
    if (this.values.metric === 'time' && this.sensitivity > 0 && this.#waits(node)) return false;
    if (this.sensitivity > 0 && before < this.#floors[0] && after < this.#floors[1]) return false;
    if (before === 0 || after === 0) return after > this.#floors[1] || before > this.#floors[0];
    if (Math.abs(after - before) <= this.sensitivity * before) return false;
    if (this.#isNoise(node) && !this.#isClear(node)) return false;
    return (
      this.values.metric !== 'time' || this.sensitivity === 0 || this.#isBeyondVisits(node, before, after)
    );
  }

  /**
   * Where most call paths differ a little, that is the noise of both traces. It is a share of what is measured, and the less of the mean, the more visits there are.
   */
  #noiseOfPair(): number {
    const found: number[] = [];
    for (let node = 0; node < this.tree.size; node++) {
      const [before, after] = this.values.exclusive(node);
      const isSmall = before < this.#floors[0] || after < this.#floors[1];
      const [countA, countB] = this.values.counts(node);
      if (isSmall || before <= 0 || after <= 0 || countA !== countB) continue;
      found.push(Math.abs(Math.log(after / before)) * Math.sqrt(this.#visits(node)));
    }
    return found.length < fewestForNoise ? 0 : medianOf(Float64Array.from(found)) / normalMedian;
  }

  /** What another number of visits explains is no noise. */
  #isNoise(node: number): boolean {
    const [countA, countB] = this.values.counts(node);
    return countA === countB && this.#perVisit(node) <= this.#noiseOf(node);
  }

  /** Whether only the number of visits is another one. */
  isSamePerVisit(node: number): boolean {
    return this.#perVisit(node) <= Math.max(Math.log1p(this.sensitivity), this.#noiseOf(node));
  }

  #perVisit(node: number): number {
    return Math.abs(this.#change(node));
  }

  /** Logarithm of the ratio of the mean visits. */
  #change(node: number): number {
    const [before, after] = this.values.exclusive(node);
    const [countA, countB] = this.values.counts(node);
    return Math.log((after * countA) / (before * countB));
  }

  #noiseOf(node: number): number {
    return (deviations * this.#noise) / Math.sqrt(this.#visits(node));
  }

  /** Of each view, as the difference of their means has them. */
  #visits(node: number): number {
    const [a, b] = this.#raw(node);
    return 1 / (1 / a + 1 / b);
  }

  #raw(node: number): [number, number] {
    const [left, right] = this.tree.traces;
    return [
      Math.max(1, atFloat(left.count, Math.max(0, atInt(this.tree.rows[0], node)))),
      Math.max(1, atFloat(right.count, Math.max(0, atInt(this.tree.rows[1], node)))),
    ];
  }

  /** Times of one run each: a change is larger than the visits differ among themselves, and of a function that matters. */
  #isBeyondVisits(node: number, before: number, after: number): boolean {
    const { totals } = this.values;
    if (before < leastTimeShare * totals[0] && after < leastTimeShare * totals[1]) return false;
    const [countA, countB] = this.values.counts(node);
    if (countA === 0 || countB === 0) return false;
    // Of another number of visits, time changes with it.
    if (countA !== countB) return true;
    const common = deviations * (this.#others?.spread ?? 0);
    return Math.abs(this.#change(node)) > common && this.#isBeyondSpread(node, before, after);
  }

  /** Whether the means of the visits' times differ (Welch's t); of single visits, by more than the others differ among themselves. */
  #isBeyondSpread(node: number, before: number, after: number): boolean {
    const [a, b] = this.#raw(node);
    const [spreadA, spreadB] = [this.#spread(node, 0, a), this.#spread(node, 1, b)];
    if (a < 2 || b < 2) return Math.abs(Math.log(after / before)) > Math.max(spreadA, spreadB);
    const [countA, countB] = this.values.counts(node);
    const [meanA, meanB] = [before / countA, after / countB];
    const [errorA, errorB] = [(spreadA * meanA) ** 2 / a, (spreadB * meanB) ** 2 / b];
    if (errorA + errorB === 0) return meanA !== meanB;
    const freedom = (errorA + errorB) ** 2 / (errorA ** 2 / (a - 1) + errorB ** 2 / (b - 1));
    return tailOfT((meanB - meanA) / Math.sqrt(errorA + errorB), freedom) <= byChance;
  }

  /** A large change, beyond what the functions that compute changed by: it is named where few visits elsewhere make the noise look larger. */
  #isClear(node: number): boolean {
    if (this.#others === undefined || this.#share(node) < leastTimeShare) return false;
    const change = this.#change(node);
    const { median, spread } = this.#others;
    return Math.abs(change) >= clearChange && Math.abs(change - median) > deviations * spread;
  }

  #computing(): { readonly median: number; readonly spread: number } | undefined {
    const found: number[] = [];
    for (let node = 0; node < this.tree.size; node++)
      if (this.#share(node) >= leastTimeShare && !this.#waits(node) && this.#hasBoth(node))
        found.push(this.#change(node));
    if (found.length < fewestComputing) return undefined;
    const median = medianOf(Float64Array.from(found));
    const spread = medianOf(Float64Array.from(found, (one) => Math.abs(one - median))) / normalMedian;
    return { median, spread };
  }

  #hasBoth(node: number): boolean {
    const [before, after] = this.values.exclusive(node);
    return before > 0 && after > 0 && this.values.count(node, 0) > 0 && this.values.count(node, 1) > 0;
  }

  /** Largest share of the time of both views. */
  #share(node: number): number {
    const { totals } = this.values;
    return Math.max(
      ...this.values
        .exclusive(node)
        .map((value, side) => (value === 0 ? 0 : value / (totals[side] ?? value))),
    );
  }

  #waits(node: number): boolean {
    return isWaiting(at(this.tree.table.keys, atUint(this.tree.key, node)));
  }

  /** Standard deviation of the times of the visits, as a share of their mean; 0 of one visit. */
  #spread(node: number, side: 0 | 1, visits: number): number {
    const trace = this.tree.traces[side];
    const row = atInt(this.tree.rows[side], node);
    if (trace.squares === undefined || visits < 2) return 0;
    const mean = atFloat(trace.seconds, row) / visits;
    const variance = (atFloat(trace.squares, row) / visits - mean * mean) * (visits / (visits - 1));
    return mean > 0 ? Math.sqrt(Math.max(0, variance)) / mean : 0;
  }
}
