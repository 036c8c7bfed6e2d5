/**
 * Zero crossings of the second difference, and how they are linked over scales (specification of performance dynamics, §6.5 and §6.6).
 */
import type { ScaleStack } from './scaleSpace';

/** Zero crossings at one scale. Signs alternate, so the first one says all. */
export interface Crossings {
  readonly count: number;
  /** In samples, by linear interpolation. */
  readonly positions: Float64Array;
  /** First sample after each crossing. */
  readonly samples: Int32Array;
  /** Of the second difference before the first crossing; 0 where it is zero everywhere. */
  readonly startSign: -1 | 0 | 1;
}

export interface TrackedContours {
  /** By scale, finest first. Ends before the first scale without curvature. */
  readonly crossings: readonly Crossings[];
  /** `finer[k][a]`: which crossing of scale k-1 the crossing a of scale k becomes. Of scale 0: empty. */
  readonly finer: readonly Int32Array[];
}

/** Second differences up to this share of the signal's range count as zero, and take the sign of what is beside them. */
const flatShare = 1e-12;

/** Links the crossings of all scales; `range` is that of the unsmoothed signal. */
export function trackContours(stack: ScaleStack, range: number): TrackedContours {
  const crossings: Crossings[] = [];
  const finer: Int32Array[] = [];
  const search = new CrossingSearch(stack.length);
  for (let k = 0; k < stack.sigmas.length; k++) {
    const found = search.find(stack.level(k), flatShare * range);
    if (found.count === 0) break;
    const fine = crossings.at(-1);
    // More crossings than one scale finer would be rounding, not signal: what is coarser is not told apart any more.
    const links = fine === undefined ? new Int32Array(0) : matchCrossings(found, fine, stack.sigmas[k] ?? 1);
    if (links === undefined) break;
    crossings.push(found);
    finer.push(links);
  }
  return { crossings, finer };
}

/** Finds crossings with buffers that serve all scales of one signal. */
export class CrossingSearch {
  private readonly positions: Float64Array;
  private readonly samples: Int32Array;

  constructor(private readonly length: number) {
    this.positions = new Float64Array(length);
    this.samples = new Int32Array(length);
  }

  find(smoothed: Float64Array, tolerance: number): Crossings {
    const { length, positions, samples } = this;
    let count = 0;
    let startSign: -1 | 0 | 1 = 0;
    let last = 0;
    let lastAt = 0;
    let here = smoothed[0] ?? 0;
    let slope = 0;
    for (let i = 0; i < length; i++) {
      const next = i + 1 < length ? (smoothed[i + 1] ?? 0) : here;
      const nextSlope = next - here;
      const curvature = nextSlope - slope;
      slope = nextSlope;
      here = next;
      if (curvature <= tolerance && curvature >= -tolerance) continue;
      if (startSign === 0) startSign = curvature > 0 ? 1 : -1;
      else if (curvature > 0 !== last > 0) {
        // Between two samples by interpolation; a stretch without curvature is halved.
        const position = i - lastAt === 1 ? lastAt + last / (last - curvature) : (lastAt + i) / 2;
        positions[count] = position;
        samples[count++] = Math.floor(position) + 1;
      }
      last = curvature;
      lastAt = i;
    }
    return { count, positions: positions.slice(0, count), samples: samples.slice(0, count), startSign };
  }
}

/**
 * To every coarse crossing one of the next finer scale: in order, of the same polarity, with the smallest sum of distances (dynamic
 * programme). Only fine crossings within a window of some σ are tried, which is wide enough for any contour between two scales; where
 * it is not, it is widened. undefined if there is no such assignment.
 */
export function matchCrossings(coarse: Crossings, fine: Crossings, sigma: number): Int32Array | undefined {
  const parity = coarse.startSign === fine.startSign ? 0 : 1;
  if (fine.count < coarse.count + parity) return undefined;
  if (fine.count === coarse.count) return Int32Array.from({ length: coarse.count }, (_, a) => a);
  for (let window = 8 * sigma + 4; ; window *= 4) {
    const links = matchWithin(coarse, fine, parity, window);
    if (links !== undefined || window > 2 * spanOf(fine, coarse)) return links;
  }
}

function spanOf(...lists: readonly Crossings[]): number {
  return Math.max(1, ...lists.map(({ positions, count }) => positions[count - 1] ?? 0));
}

/** One row of the programme: candidates first, first + 2, … with the best sum up to each, and where in the row that best is. */
interface Row {
  readonly first: number;
  readonly sums: Float64Array;
  readonly best: Int32Array;
}

function matchWithin(
  coarse: Crossings,
  fine: Crossings,
  parity: number,
  window: number,
): Int32Array | undefined {
  const rows: Row[] = [];
  let low = 0;
  let previous: Row = { first: parity - 1, sums: new Float64Array(1), best: new Int32Array(1) };
  for (let a = 0; a < coarse.count; a++) {
    const at = coarse.positions[a] ?? 0;
    while (low < fine.count && (fine.positions[low] ?? 0) < at - window) low++;
    // The previous crossing has to be to the left, and polarity alternates.
    let first = Math.max(low, previous.first + 1);
    if ((first - a - parity) % 2 !== 0) first++;
    const last = lastWithin(fine, at + window, first - 2, fine.count - coarse.count + a);
    if (last < first) return undefined;
    previous = fillRow(previous, first, (last - first) / 2 + 1, fine, at);
    rows.push(previous);
  }
  return backtrack(rows);
}

/** Last of from + 2, from + 4, … up to `limit` that is not right of `right`; `from` if there is none. */
function lastWithin(fine: Crossings, right: number, from: number, limit: number): number {
  let last = from;
  while (last + 2 <= limit && (fine.positions[last + 2] ?? 0) <= right) last += 2;
  return last;
}

function fillRow(previous: Row, first: number, length: number, fine: Crossings, at: number): Row {
  const sums = new Float64Array(length);
  const best = new Int32Array(length);
  let smallest = Infinity;
  let smallestAt = 0;
  for (let n = 0; n < length; n++) {
    const j = first + 2 * n;
    const before = Math.min(previous.sums.length - 1, (j - 1 - previous.first) >> 1);
    const sum = (previous.sums[before] ?? Infinity) + Math.abs((fine.positions[j] ?? 0) - at);
    if (sum <= smallest) {
      smallest = sum;
      smallestAt = n;
    }
    sums[n] = smallest;
    best[n] = smallestAt;
  }
  return { first, sums, best };
}

function backtrack(rows: readonly Row[]): Int32Array {
  const links = new Int32Array(rows.length);
  let limit = Infinity;
  for (let a = rows.length - 1; a >= 0; a--) {
    const row = rows[a];
    if (row === undefined) break;
    const n = Math.min(row.best.length - 1, Math.floor((limit - 1 - row.first) / 2));
    const chosen = row.first + 2 * (row.best[n] ?? 0);
    links[a] = chosen;
    limit = chosen;
  }
  return links;
}
