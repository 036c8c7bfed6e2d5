/**
 * Which crossing of the finer of two neighbouring scales each crossing of the coarser one becomes (specification of performance dynamics,
 * §6.6): in order, of the same polarity, with the smallest sum of distances.
 */
import { atFloat, atInt } from '../at';
import type { Crossings } from './contours';

/**
 * The dynamic programme. Only fine crossings within a window of some σ are tried, which is wide enough for any contour between two
 * scales; where it is not, it is widened. The next pair of scales reuses the table.
 */
export class CrossingMatcher {
  /** Smallest sum up to each candidate of each row, and which candidate of the row that is. */
  private sums = new Float64Array(1024);
  private best = new Int32Array(1024);
  /** By row (coarse crossing): where it starts in the table, and its first candidate; candidates are first, first + 2, … */
  private starts = new Int32Array(128);
  private firsts = new Int32Array(128);

  /** undefined if there is no such assignment. */
  match(coarse: Crossings, fine: Crossings, sigma: number): Int32Array | undefined {
    const parity = coarse.startSign === fine.startSign ? 0 : 1;
    if (fine.count < coarse.count + parity) return undefined;
    if (fine.count === coarse.count) return identity(coarse.count);
    this.reserveRows(coarse.count + 1);
    const span = Math.max(1, lastOf(coarse), lastOf(fine));
    for (let window = 6 * sigma + 3; ; window *= 4) {
      const links = this.matchWithin(coarse, fine, parity, window);
      if (links !== undefined || window > 2 * span) return links;
    }
  }

  private matchWithin(
    coarse: Crossings,
    fine: Crossings,
    parity: number,
    window: number,
  ): Int32Array | undefined {
    let low = 0;
    let start = 0;
    for (let a = 0; a < coarse.count; a++) {
      const at = atFloat(coarse.positions, a);
      while (low < fine.count && atFloat(fine.positions, low) < at - window) low++;
      // The previous crossing has to be to the left, and polarity alternates.
      let first = Math.max(low, a === 0 ? parity : atInt(this.firsts, a - 1) + 1);
      if ((first - a - parity) % 2 !== 0) first++;
      const last = lastWithin(fine, at + window, first - 2, fine.count - coarse.count + a);
      if (last < first) return undefined;
      const length = (last - first) / 2 + 1;
      this.reserveCells(start + length);
      this.starts[a] = start;
      this.firsts[a] = first;
      this.fillRow(a, length, fine.positions, at);
      start += length;
    }
    this.starts[coarse.count] = start;
    return this.backtrack(coarse.count);
  }

  private fillRow(a: number, length: number, positions: Float64Array, at: number): void {
    const { sums, best } = this;
    const start = atInt(this.starts, a);
    const first = atInt(this.firsts, a);
    const before = a === 0 ? -1 : atInt(this.starts, a - 1);
    // In the row before, candidates up to first - 1, first + 1, … are to the left.
    const offset = a === 0 ? 0 : (first - 1 - atInt(this.firsts, a - 1)) >> 1;
    let smallest = Infinity;
    let smallestAt = 0;
    for (let n = 0; n < length; n++) {
      const sumBefore = before < 0 ? 0 : atFloat(sums, Math.min(start - 1, before + offset + n));
      const sum = sumBefore + Math.abs(atFloat(positions, first + 2 * n) - at);
      if (sum <= smallest) {
        smallest = sum;
        smallestAt = n;
      }
      sums[start + n] = smallest;
      best[start + n] = smallestAt;
    }
  }

  private backtrack(count: number): Int32Array {
    const links = new Int32Array(count);
    let limit = Infinity;
    for (let a = count - 1; a >= 0; a--) {
      const start = atInt(this.starts, a);
      const first = atInt(this.firsts, a);
      const n = Math.min(atInt(this.starts, a + 1) - start - 1, Math.floor((limit - 1 - first) / 2));
      limit = first + 2 * atInt(this.best, start + n);
      links[a] = limit;
    }
    return links;
  }

  private reserveRows(rows: number): void {
    if (rows <= this.starts.length) return;
    this.starts = new Int32Array(2 * rows);
    this.firsts = new Int32Array(2 * rows);
  }

  private reserveCells(cells: number): void {
    if (cells <= this.sums.length) return;
    const [sums, best] = [this.sums, this.best];
    this.sums = new Float64Array(2 * cells);
    this.best = new Int32Array(2 * cells);
    this.sums.set(sums);
    this.best.set(best);
  }
}

function identity(count: number): Int32Array {
  const links = new Int32Array(count);
  for (let a = 0; a < count; a++) links[a] = a;
  return links;
}

function lastOf({ positions, count }: Crossings): number {
  return atFloat(positions, count - 1);
}

/** Last of from + 2, from + 4, … up to `limit` that is not right of `right`; `from` if there is none. */
function lastWithin(fine: Crossings, right: number, from: number, limit: number): number {
  let last = from;
  while (last + 2 <= limit && atFloat(fine.positions, last + 2) <= right) last += 2;
  return last;
}
