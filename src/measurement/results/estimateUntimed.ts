import { atFloat, atInt, atUint } from '../../core/at';
import { remembered } from '../../core/remembered';
import type { MergedTree } from './mergedTree';

/** Here columns are `[location * callPathCount + callPath]`. */
type TimedTree = Omit<MergedTree, 'estimatedSeconds'>;

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
 * @returns what was added, one element per location, of each call path with untimed visits
 */
export function estimateUntimed(
  tree: TimedTree,
  insideSeconds: ReadonlyMap<number, number>,
): ReadonlyMap<number, Float64Array> {
  const { callPaths, locationCount, timedVisits, visits, seconds } = tree;
  if (timedVisits === undefined) return new Map();
  // What untimed visits of a callee take is no part of its caller, which may have untimed visits itself: the estimates of callees come first.
  let estimated: ReadonlyMap<number, Float64Array> = new Map();
  for (let pass = nesting(callPaths, insideSeconds); pass > 0; pass--)
    estimated = estimates({ ...tree, timedVisits }, insideSeconds, estimated);
  for (const [path, row] of estimated)
    for (let location = 0; location < locationCount; location++) {
      const cell = location * callPaths.count + path;
      if (atFloat(visits, cell) <= atFloat(timedVisits, cell)) continue;
      seconds[cell] = atFloat(seconds, cell) + atFloat(row, location);
      if (atFloat(timedVisits, cell) > 0) continue;
      const mean = atFloat(seconds, cell) / atFloat(visits, cell);
      tree.minimumSeconds[cell] = mean;
      tree.maximumSeconds[cell] = mean;
    }
  return estimated;
}

/** Greatest number of call paths with untimed visits that lie above each other, each a callee of the one before. */
function nesting({ parent, region }: TimedTree['callPaths'], sampled: ReadonlyMap<number, number>): number {
  const depths: number[] = [];
  let deepest = 0;
  region.forEach((own, path) => {
    const above = atInt(parent, path);
    depths[path] = sampled.has(own) ? 1 + (depths[above] ?? 0) : 0;
    deepest = Math.max(deepest, depths[path]);
  });
  return deepest;
}

/** @param callees estimates that are no part of the callers' own time */
function estimates(
  tree: TimedTree & { readonly timedVisits: Float64Array },
  insideSeconds: ReadonlyMap<number, number>,
  callees: ReadonlyMap<number, Float64Array>,
): ReadonlyMap<number, Float64Array> {
  const { callPaths, locationCount, timedVisits, visits, seconds } = tree;
  const rows = new Map<number, Float64Array>();
  callPaths.region.forEach((region, path) => {
    if (insideSeconds.has(region)) rows.set(path, new Float64Array(locationCount));
  });
  const belowWith = (location: number): Float64Array => {
    const below = secondsBelow(tree, location);
    for (const [path, row] of callees) {
      const above = atInt(callPaths.parent, path);
      if (above >= 0) below[above] = atFloat(below, above) + atFloat(row, location);
    }
    return below;
  };
  // One location at a time: temporary columns for all locations would double the memory.
  const means = new Means(tree, timedVisits, insideSeconds);
  for (let location = 0; location < locationCount; location++)
    means.add([...rows.keys()], location, belowWith(location));
  for (let location = 0; location < locationCount; location++) {
    const cellOf = (path: number): number => location * callPaths.count + path;
    const [below, recorded] = [belowWith(location), secondsBelow(tree, location)];
    const requested = new Float64Array(callPaths.count);
    for (const [path, row] of rows) {
      const cell = cellOf(path);
      const untimed = atFloat(visits, cell) - atFloat(timedVisits, cell);
      if (untimed > 0) row[location] = untimed * means.of(path, cell, atFloat(below, path));
      const above = atInt(callPaths.parent, path);
      if (above >= 0) requested[above] = atFloat(requested, above) + atFloat(row, location);
    }
    rows.forEach((row, path) => {
      const above = atInt(callPaths.parent, path);
      if (above < 0) return;
      const room = Math.max(0, atFloat(seconds, cellOf(above)) - atFloat(recorded, above));
      const sum = atFloat(requested, above);
      row[location] = atFloat(row, location) * (sum <= 0 ? 1 : Math.min(1, room / sum));
    });
  }
  return rows;
}

/** Seconds of callees and waiting at one location, by call path. */
function secondsBelow({ callPaths, seconds, waitingSeconds }: TimedTree, location: number): Float64Array {
  const sums = new Float64Array(callPaths.count);
  const first = location * callPaths.count;
  for (let path = 1; path < callPaths.count; path++) {
    const above = atInt(callPaths.parent, path);
    if (above >= 0) sums[above] = atFloat(sums, above) + atFloat(seconds, first + path);
  }
  if (waitingSeconds === undefined) return sums;
  return sums.map((sum, path) => sum + atFloat(waitingSeconds, first + path));
}

/** Mean exclusive seconds of a visit, without the cost of timing. */
class Means {
  private readonly byRegion = new Map<number, { timed: number; seconds: number }>();

  constructor(
    private readonly tree: TimedTree,
    private readonly timedVisits: Float64Array,
    private readonly insideSeconds: ReadonlyMap<number, number>,
  ) {}

  /** Adds call paths at a location to the means of their functions. @param below seconds of callees and waiting, by call path */
  add(paths: readonly number[], location: number, below: Float64Array): void {
    for (const path of paths) {
      const region = atUint(this.tree.callPaths.region, path);
      const sum = remembered(this.byRegion, region, () => ({ timed: 0, seconds: 0 }));
      const own = this.typical(location * this.tree.callPaths.count + path, atFloat(below, path));
      sum.timed += own.timed;
      sum.seconds += own.seconds;
    }
  }

  of(path: number, cell: number, below: number): number {
    const region = atUint(this.tree.callPaths.region, path);
    const own = this.typical(cell, below);
    const { timed, seconds } = own.timed >= enoughVisits ? own : (this.byRegion.get(region) ?? own);
    return timed === 0 ? 0 : Math.max(0, seconds / timed - (this.insideSeconds.get(region) ?? 0));
  }

  /** Timed visits, without an interrupted one if there are enough. */
  private typical(cell: number, below: number): { readonly timed: number; readonly seconds: number } {
    const timed = atFloat(this.timedVisits, cell);
    const inclusive = atFloat(this.tree.seconds, cell);
    const seconds = inclusive - below;
    if (timed <= enoughVisits || seconds <= 0) return { timed, seconds };
    // The longest visit includes its callees and its waiting.
    const { waitingSeconds, maximumSeconds } = this.tree;
    const waited = waitingSeconds === undefined ? 0 : atFloat(waitingSeconds, cell);
    const longest = (seconds / (inclusive - waited)) * Math.max(0, atFloat(maximumSeconds, cell) - waited);
    if (longest < interruptedSeconds) return { timed, seconds };
    return { timed: timed - 1, seconds: Math.max(0, seconds - longest) };
  }
}
