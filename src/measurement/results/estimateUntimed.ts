import { atFloat, atInt, atUint } from '../../core/at';
import type { MergedTree } from './mergedTree';

/** Number of timed visits that suffices for the mean of a call path; with fewer, the mean of the function applies. */
const enoughVisits = 30;
/**
 * A longer visit was probably interrupted. Preempted time is already excluded; interruptions by a
 * hypervisor last for milliseconds. (The few long visits of a function may be most of its time: `dgemm` of small and large matrices.)
 */
const interruptedSeconds = 1e-3;

/**
 * Adds the time of untimed visits, estimated from timed visits of the same call path on the same thread, or, if
 * these are few, of the function. The estimate is the visit's own time: without the cost of timing (`insideSeconds`, by region), and without
 * recorded callees, which are children of the untimed visit's caller. The longest visit of a call path is excluded from the mean if it seems
 * to have been interrupted. The estimates of callees never exceed the time of their caller. Estimates are computing time: waiting times
 * remain as recorded.
 */
export function estimateUntimed(tree: MergedTree, insideSeconds: ReadonlyMap<number, number>): void {
  const { callPaths, locationCount } = tree;
  const waiting = tree.waitingSeconds ?? new Float64Array(tree.seconds.length);
  const below = sumOfChildren(tree).map((seconds, cell) => seconds + atFloat(waiting, cell));
  const means = new Means(tree, below, waiting, insideSeconds);
  const room = tree.seconds.map((seconds, cell) => Math.max(0, seconds - atFloat(below, cell)));
  const requested = new Float64Array(room.length);
  const own = new Float64Array(room.length);
  eachUntimed(tree, insideSeconds, (path, cell, untimed) => {
    own[cell] = untimed * means.of(path, cell);
    const above = atInt(callPaths.parent, path);
    if (above < 0) return;
    const up = above * locationCount + (cell % locationCount);
    requested[up] = atFloat(requested, up) + atFloat(own, cell);
  });
  eachUntimed(tree, insideSeconds, (path, cell) => {
    const above = atInt(callPaths.parent, path);
    const up = above * locationCount + (cell % locationCount);
    const fits =
      above < 0 || atFloat(requested, up) <= 0 ? 1 : Math.min(1, atFloat(room, up) / atFloat(requested, up));
    tree.estimatedSeconds[cell] = atFloat(own, cell) * fits;
    tree.seconds[cell] = atFloat(tree.seconds, cell) + atFloat(own, cell) * fits;
    if (atFloat(tree.timedVisits, cell) > 0) return;
    const mean = atFloat(tree.seconds, cell) / atFloat(tree.visits, cell);
    tree.minimumSeconds[cell] = mean;
    tree.maximumSeconds[cell] = mean;
  });
}

function eachUntimed(
  tree: MergedTree,
  sampled: ReadonlyMap<number, number>,
  visit: (path: number, cell: number, untimed: number) => void,
): void {
  for (let path = 0; path < tree.callPaths.count; path++) {
    if (!sampled.has(atUint(tree.callPaths.region, path))) continue;
    for (let location = 0; location < tree.locationCount; location++) {
      const cell = path * tree.locationCount + location;
      const untimed = atFloat(tree.visits, cell) - atFloat(tree.timedVisits, cell);
      if (untimed > 0) visit(path, cell, untimed);
    }
  }
}

/** Mean exclusive seconds of a visit, without the cost of timing. */
class Means {
  private readonly byRegion = new Map<number, { timed: number; seconds: number }>();

  constructor(
    private readonly tree: MergedTree,
    /** Time of callees and waiting, by cell. */
    private readonly below: Float64Array,
    private readonly waiting: Float64Array,
    private readonly insideSeconds: ReadonlyMap<number, number>,
  ) {
    tree.callPaths.region.forEach((region, path) => {
      if (!insideSeconds.has(region)) return;
      const sum = this.byRegion.get(region) ?? { timed: 0, seconds: 0 };
      this.byRegion.set(region, sum);
      for (let location = 0; location < tree.locationCount; location++) {
        const own = this.typical(path * tree.locationCount + location);
        sum.timed += own.timed;
        sum.seconds += own.seconds;
      }
    });
  }

  of(path: number, cell: number): number {
    const region = atUint(this.tree.callPaths.region, path);
    const own = this.typical(cell);
    const { timed, seconds } = own.timed >= enoughVisits ? own : (this.byRegion.get(region) ?? own);
    return timed === 0 ? 0 : Math.max(0, seconds / timed - (this.insideSeconds.get(region) ?? 0));
  }

  /** Timed visits, without an interrupted one if there are enough. */
  private typical(cell: number): { readonly timed: number; readonly seconds: number } {
    const timed = atFloat(this.tree.timedVisits, cell);
    const seconds = atFloat(this.tree.seconds, cell) - atFloat(this.below, cell);
    if (timed <= enoughVisits || seconds <= 0) return { timed, seconds };
    // The longest visit includes its callees and its waiting.
    const waited = atFloat(this.waiting, cell);
    const own = seconds / (atFloat(this.tree.seconds, cell) - waited);
    const longest = own * Math.max(0, atFloat(this.tree.maximumSeconds, cell) - waited);
    if (longest < interruptedSeconds) return { timed, seconds };
    return { timed: timed - 1, seconds: Math.max(0, seconds - longest) };
  }
}

function sumOfChildren({ callPaths, locationCount, seconds }: MergedTree): Float64Array {
  const sums = new Float64Array(seconds.length);
  for (let path = 1; path < callPaths.count; path++) {
    const above = atInt(callPaths.parent, path);
    if (above < 0) continue;
    for (let location = 0; location < locationCount; location++) {
      const up = above * locationCount + location;
      sums[up] = atFloat(sums, up) + atFloat(seconds, path * locationCount + location);
    }
  }
  return sums;
}
