/**
 * Zero crossings of the second difference, and how they are linked over scales (specification of performance dynamics, §6.5 and §6.6).
 */
import { atFloat } from '../at';
import { CrossingMatcher } from './matchCrossings';
import type { ScaleStack } from './scaleSpace';

/** Zero crossings at one scale. Signs alternate, so that the first one determines all. */
export interface Crossings {
  readonly count: number;
  /** In samples, by linear interpolation. */
  readonly positions: Float64Array;
  /** First sample after each crossing. */
  readonly samples: Int32Array;
  /** Sign of the second difference before the first crossing; 0 where it is zero everywhere. */
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
  const matcher = new CrossingMatcher();
  for (let k = 0; k < stack.sigmas.length; k++) {
    const found = search.find(stack.level(k), flatShare * range);
    if (found.count === 0) break;
    const fine = crossings.at(-1);
    // More crossings than at the finer scale would be rounding errors: coarser scales add nothing.
    const links =
      fine === undefined ? new Int32Array(0) : matcher.match(found, fine, atFloat(stack.sigmas, k));
    if (links === undefined) break;
    crossings.push(found);
    finer.push(links);
  }
  return { crossings, finer };
}

/** Finds crossings with buffers that serve all scales of one signal. */
class CrossingSearch {
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
    let here = atFloat(smoothed, 0);
    let slope = 0;
    for (let i = 0; i < length; i++) {
      const next = i + 1 < length ? atFloat(smoothed, i + 1) : here;
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
