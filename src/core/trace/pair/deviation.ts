import { atFloat, atInt } from '../../at';
import { medianOf } from '../../compare/significance';
import type { PairTree, PairValues } from './pairTree';
import { VisitTimes } from './visitTimes';

/** Share of the whole below which values of both views are noise. */
const floorShare = 1e-5;
/** Fewer call paths do not show what the noise is. */
const fewestForNoise = 10;
/** Standard deviations of the noise that are no change. */
const deviations = 4;
/** The median of the absolute values of a normal distribution, in standard deviations. */
const normalMedian = 0.6745;

/** Whether exclusive values of call paths that both views have differ. */
export class Deviation {
  readonly #floors: readonly [number, number];
  /** Undefined: not the times are compared, or any difference is one. */
  readonly #times: VisitTimes | undefined;
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
    this.#times =
      values.metric === 'time' && sensitivity > 0 ? new VisitTimes(tree, values, sensitivity) : undefined;
    this.#noise = sensitivity === 0 || this.#times !== undefined ? 0 : this.#noiseOfPair();
  }

  /** @param node of both views */
  isChange(node: number): boolean {
    const [before, after] = this.values.exclusive(node);
    if (this.#times?.isWaiting(node) === true) return false;
    if (this.sensitivity > 0 && before < this.#floors[0] && after < this.#floors[1]) return false;
    if (before === 0 || after === 0) return after > this.#floors[1] || before > this.#floors[0];
    if (Math.abs(after - before) <= this.sensitivity * before) return false;
    return this.#times?.isChange(node) ?? !this.#isNoise(node);
  }

  /** Whether only the number of visits is another one. */
  isSamePerVisit(node: number): boolean {
    return (
      this.#times?.isSamePerVisit(node) ??
      this.#perVisit(node) <= Math.max(Math.log1p(this.sensitivity), this.#noiseOf(node))
    );
  }

  /**
   * Where most call paths differ a little, that is the noise of both traces. It is a share of what is measured, and the less of the mean, the more visits there are.
   */
  #noiseOfPair(): number {
    const found = new Float64Array(this.tree.size);
    let size = 0;
    for (let node = 0; node < this.tree.size; node++) {
      const [before, after] = this.values.exclusive(node);
      const isSmall = before < this.#floors[0] || after < this.#floors[1];
      const [countA, countB] = this.values.counts(node);
      if (isSmall || before <= 0 || after <= 0 || countA !== countB) continue;
      found[size++] = Math.abs(Math.log(after / before)) * Math.sqrt(this.#visits(node));
    }
    return size < fewestForNoise ? 0 : medianOf(found.subarray(0, size)) / normalMedian;
  }

  /** What another number of visits explains is no noise. */
  #isNoise(node: number): boolean {
    const [countA, countB] = this.values.counts(node);
    return countA === countB && this.#perVisit(node) <= this.#noiseOf(node);
  }

  /** Logarithm of the ratio of the mean visits, without its sign. */
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
    const [a, b] = [this.#raw(node, 0), this.#raw(node, 1)];
    return 1 / (1 / a + 1 / b);
  }

  #raw(node: number, side: 0 | 1): number {
    return Math.max(1, atFloat(this.tree.traces[side].count, Math.max(0, atInt(this.tree.rows[side], node))));
  }
}
