import { atFloat, atInt } from '../at';
import { medianOf } from '../compare/significance';
import type { PairTree, PairValues } from './pairTree';

/** Share of the whole below which values of both views are noise. */
const floorShare = 1e-5;
/** Functions with a smaller share of the time are not compared by it. */
const leastTimeShare = 0.005;
/** Fewer call paths do not show what the noise is. */
const fewestForNoise = 10;
/** Standard deviations of the noise that are no change. */
const deviations = 4;
/** The median of the absolute values of a normal distribution, in standard deviations. */
const normalMedian = 0.6745;

/** Whether exclusive values of call paths that both views have differ. */
export class Deviation {
  readonly #floors: readonly [number, number];
  /** Standard deviation of the logarithm of one visit. */
  readonly #noise: number;

  /** @param sensitivity smaller relative deviations are none */
  constructor(
    private readonly tree: PairTree,
    private readonly values: PairValues,
    private readonly sensitivity: number,
  ) {
    const floor = sensitivity === 0 ? 0 : floorShare;
    this.#floors = [floor * values.totals[0], floor * values.totals[1]];
    this.#noise = sensitivity === 0 ? 0 : this.#noiseOfPair();
  }

  /** @param node of both views */
  isChange(node: number): boolean {
    const [before, after] = this.values.exclusive(node);
    if (this.sensitivity > 0 && before < this.#floors[0] && after < this.#floors[1]) return false;
    if (before === 0 || after === 0) return after > this.#floors[1] || before > this.#floors[0];
    if (Math.abs(after - before) <= this.sensitivity * before) return false;
    if (this.#isNoise(node)) return false;
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
    const [before, after] = this.values.exclusive(node);
    const [countA, countB] = this.values.counts(node);
    return Math.abs(Math.log((after * countA) / (before * countB)));
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
    const [visits, others] = this.#raw(node);
    const spread = Math.max(this.#spread(node, 0, visits), this.#spread(node, 1, others));
    return Math.abs(Math.log(after / before)) > spread;
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
