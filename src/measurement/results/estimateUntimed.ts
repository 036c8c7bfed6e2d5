import type { MergedTree } from './mergedTree';

/** So many timed visits of a call path tell its mean well enough; with fewer, all of the function's are taken together. */
const enoughVisits = 30;
/**
 * A visit of so many seconds was most probably interrupted. What the scheduler gives to others is known and left out already; what a
 * hypervisor takes lasts for milliseconds. (The few long visits of a function may be most of its time: `dgemm` of small and large matrices.)
 */
const interruptedSeconds = 1e-3;

/**
 * Adds the time of visits that were counted and not timed, estimated from those that were: of the same call path on the same thread, or,
 * where these are few, of the function. Estimated is the time of the visit itself: without what timing it took (`insideSeconds`, by region), and
 * without recorded callees, which of a visit that is not timed hang under its caller. The longest visit of a call path stands for itself alone
 * if it seems to have been interrupted, which must not be multiplied. What callees are estimated
 * to take is never more than their caller has. All of this is of computing time: waiting stays where it was seen.
 */
export function estimateUntimed(tree: MergedTree, insideSeconds: ReadonlyMap<number, number>): void {
  const { callPaths, locationCount } = tree;
  const waiting = tree.waitingSeconds ?? new Float64Array(tree.seconds.length);
  const below = sumOfChildren(tree).map((seconds, cell) => seconds + at(waiting, cell));
  const means = new Means(tree, below, waiting, insideSeconds);
  const room = tree.seconds.map((seconds, cell) => Math.max(0, seconds - at(below, cell)));
  const wanted = new Float64Array(room.length);
  const own = new Float64Array(room.length);
  eachUntimed(tree, insideSeconds, (path, cell, untimed) => {
    own[cell] = untimed * means.of(path, cell);
    const above = callPaths.parent[path] ?? -1;
    if (above < 0) return;
    const up = above * locationCount + (cell % locationCount);
    wanted[up] = at(wanted, up) + at(own, cell);
  });
  eachUntimed(tree, insideSeconds, (path, cell) => {
    const above = callPaths.parent[path] ?? -1;
    const up = above * locationCount + (cell % locationCount);
    const fits = above < 0 || at(wanted, up) <= 0 ? 1 : Math.min(1, at(room, up) / at(wanted, up));
    tree.estimatedSeconds[cell] = at(own, cell) * fits;
    tree.seconds[cell] = at(tree.seconds, cell) + at(own, cell) * fits;
    if (at(tree.timedVisits, cell) > 0) return;
    const mean = at(tree.seconds, cell) / at(tree.visits, cell);
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
    if (!sampled.has(tree.callPaths.region[path] ?? -1)) continue;
    for (let location = 0; location < tree.locationCount; location++) {
      const cell = path * tree.locationCount + location;
      const untimed = at(tree.visits, cell) - at(tree.timedVisits, cell);
      if (untimed > 0) visit(path, cell, untimed);
    }
  }
}

/** Mean seconds of a visit in itself, without the cost of timing it. */
class Means {
  private readonly byRegion = new Map<number, { timed: number; seconds: number }>();

  constructor(
    private readonly tree: MergedTree,
    /** What is not a cell's own computing: callees and waiting. */
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
    const region = this.tree.callPaths.region[path] ?? -1;
    const own = this.typical(cell);
    const { timed, seconds } = own.timed >= enoughVisits ? own : (this.byRegion.get(region) ?? own);
    return timed === 0 ? 0 : Math.max(0, seconds / timed - (this.insideSeconds.get(region) ?? 0));
  }

  /** Timed visits without one that was interrupted, where there are enough. */
  private typical(cell: number): { readonly timed: number; readonly seconds: number } {
    const timed = at(this.tree.timedVisits, cell);
    const seconds = at(this.tree.seconds, cell) - at(this.below, cell);
    if (timed <= enoughVisits || seconds <= 0) return { timed, seconds };
    // The longest is known with its callees, and has waited.
    const waited = at(this.waiting, cell);
    const own = seconds / (at(this.tree.seconds, cell) - waited);
    const longest = own * Math.max(0, at(this.tree.maximumSeconds, cell) - waited);
    if (longest < interruptedSeconds) return { timed, seconds };
    return { timed: timed - 1, seconds: Math.max(0, seconds - longest) };
  }
}

function sumOfChildren({ callPaths, locationCount, seconds }: MergedTree): Float64Array {
  const sums = new Float64Array(seconds.length);
  for (let path = 1; path < callPaths.count; path++) {
    const above = callPaths.parent[path] ?? -1;
    if (above < 0) continue;
    for (let location = 0; location < locationCount; location++) {
      const up = above * locationCount + location;
      sums[up] = at(sums, up) + at(seconds, path * locationCount + location);
    }
  }
  return sums;
}

function at(column: Float64Array, index: number): number {
  return column[index] ?? 0;
}
