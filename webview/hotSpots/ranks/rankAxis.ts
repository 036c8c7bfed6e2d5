import { atFloat } from '../../../src/core/at';
import type { RankName } from '../../../src/core/views/ranks/rankRows';
import type { Area } from '../../charts/surface';

export const rankOrders = ['rank', 'value'] as const;
export type RankOrder = (typeof rankOrders)[number];

/** The ranks from left to right, which all pictures of ranks share, and the place of the cursor among them. */
export class RankAxis {
  /** Positions of ranks from left to right. */
  private order: readonly number[];
  /** Position of the rank under the cursor. */
  private at: number | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(readonly names: readonly RankName[]) {
    this.order = [...names.keys()];
  }

  get count(): number {
    return this.names.length;
  }

  get cursor(): number | undefined {
    return this.at;
  }

  get ranks(): readonly number[] {
    return this.order;
  }

  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Sorts by descending values, or by rank without any. */
  sort(values: Float64Array | undefined): void {
    const order = [...this.names.keys()];
    if (values !== undefined) order.sort((a, b) => atFloat(values, b) - atFloat(values, a) || a - b);
    this.order = order;
    this.notify();
  }

  setCursor(position: number | undefined): void {
    const next =
      position === undefined ? undefined : Math.min(this.count - 1, Math.max(0, Math.round(position)));
    if (next === this.at) return;
    this.at = next;
    this.notify();
  }

  /** The bins of a picture: each has the same number of neighbouring ranks, one if there are enough pixels. */
  bins(width: number): RankBins {
    return new RankBins(this.order, Math.max(1, Math.ceil(this.count / Math.max(1, Math.floor(width)))));
  }

  /** The rank, or the first of the bin, at a place on the screen. */
  positionAt(x: number, area: Area): number {
    const bins = this.bins(area.width);
    const bin = Math.floor(((x - area.x) / area.width) * bins.count);
    return Math.min(bins.count - 1, Math.max(0, bin)) * bins.perBin;
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

/** The values of a bin. */
export interface BinValue {
  readonly mean: number;
  readonly most: number;
  /** Position in `RankAxis.names` of the rank with the most. */
  readonly mostAt: number;
}

/** Neighbouring ranks that share a column of pixels. */
export class RankBins {
  readonly count: number;

  constructor(
    private readonly order: readonly number[],
    readonly perBin: number,
  ) {
    this.count = Math.ceil(order.length / perBin);
  }

  /** The bin of a place in the order. */
  binOf(position: number): number {
    return Math.floor(position / this.perBin);
  }

  /** Positions in `RankAxis.names`. */
  members(bin: number): readonly number[] {
    return this.order.slice(bin * this.perBin, (bin + 1) * this.perBin);
  }

  value(values: Float64Array, bin: number): BinValue {
    let sum = 0;
    let most = -Infinity;
    let mostAt = 0;
    const members = this.members(bin);
    for (const member of members) {
      const value = atFloat(values, member);
      sum += value;
      if (value > most) [most, mostAt] = [value, member];
    }
    return { mean: sum / Math.max(1, members.length), most, mostAt };
  }

  /** The largest value of each bin; NaN where all are 0, because nothing of the function ran there. */
  largest(values: Float64Array): Float32Array {
    const result = new Float32Array(this.count).fill(NaN);
    this.order.forEach((rank, position) => {
      const bin = this.binOf(position);
      const value = atFloat(values, rank);
      if (value !== 0 && !(value <= (result[bin] ?? NaN))) result[bin] = value;
    });
    return result;
  }
}
