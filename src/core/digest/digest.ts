/**
 * What is known of the processes of a run so far, in a size that does not grow with their number: sums over clusters of processes that do alike, for each call
 * path. All values are since the processes began, so that a later digest replaces an earlier one.
 */
export interface Digest extends SlotTree {
  /** The largest number of ranks that a process told of. */
  readonly ranks: number;
  /** Slots from here on are those of `regions`; smaller ones are of the program, which the front end knows. */
  readonly slotCount: number;
  /** Regions that the source names or a layer records. */
  readonly regions: readonly DigestRegion[];
  /** Costs of recording of the process where it was least: other work on the machine can only increase them. Empty: unknown. */
  readonly costs: readonly number[];
  readonly clusters: readonly Cluster[];
  /** Undefined: there are none yet. */
  readonly iterations?: DigestIterations;
}

/** Call paths, parents before their children; 0 is the root, whose parent is -1. */
export interface SlotTree {
  readonly parents: Int32Array;
  /** As processes tell them (`WatchedPath`). */
  readonly slots: Uint32Array;
}

/**
 * The next iterations that all processes have, as sums over them. Directly below the root of the tree are the phase, and `otherThreads` with what those threads do
 * in it.
 */
export interface DigestIterations extends SlotTree {
  /** Slot of the region whose visits are the iterations. */
  readonly phase: number;
  /** From 0, ascending. */
  readonly numbers: Uint32Array;
  /** Of each iteration: how many processes have it, and how long their phases had no processor though they were ready. */
  readonly processes: Float64Array;
  readonly preemptedSeconds: Float64Array;
  /** Phases without the time in MPI, where processes wait for each other: the sum, the largest of any process, and the rank that it is of. */
  readonly computingSeconds: Float64Array;
  readonly mostSeconds: Float64Array;
  readonly mostRank: Uint32Array;
  /** Sums; `[iteration * paths + path]`. */
  readonly visits: Float64Array;
  readonly seconds: Float64Array;
  readonly childEvents: Float64Array;
}

/** The slot of what stands above the call paths of threads that do not run the phase. */
export const otherThreads = 0xffff_fffd;

export interface DigestRegion {
  readonly name: string;
  /** Position in the kinds of result files. */
  readonly kind: number;
  /** Empty: unknown. */
  readonly file: string;
  /** 0: unknown. */
  readonly line: number;
}

/** First and last of neighbouring ranks. */
export type RankRange = readonly [first: number, last: number];

/** Processes that do alike. */
export interface Cluster extends ClusterCounts {
  /** Ascending, apart from each other. */
  readonly ranks: readonly RankRange[];
  /** Sums over processes and their threads by the name of a quantity, one element for each call path. `visits` and `seconds` (inclusive) are always there. */
  readonly amounts: ReadonlyMap<string, Float64Array>;
}

export interface ClusterCounts {
  /** Several may have the same rank. */
  readonly processes: number;
  readonly threads: number;
  readonly cpuSeconds: number;
  /** Of all phases, in the process that has least and in the one that has most. */
  readonly leastIterations: number;
  readonly mostIterations: number;
  /** Processes that have had one. */
  readonly iterating: number;
  /** Processes that wait at the end of an iteration, and those that have ended or were lost. */
  readonly suspended: number;
  readonly ended: number;
}

/** Digests have at most so many clusters. */
export const mostClusters = 16;
/** And at most so many call paths and regions: what is beyond that is left out, and its time stays with its callers. */
export const mostPaths = 2 ** 16;
export const mostRegions = 4096;
/** Iterations have together at most so many values of a kind; what is more comes later. */
export const mostIterationValues = 2 ** 15;

/** As people write it: `0-3,7`. */
export function rangeText(ranks: readonly RankRange[]): string {
  return ranks.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}

/** Ranges of both, neighbours joined. */
export function joinRanges(a: readonly RankRange[], b: readonly RankRange[]): readonly RankRange[] {
  const joined: [number, number][] = [];
  for (const [first, last] of [...a, ...b].sort(([x], [y]) => x - y)) {
    const open = joined.at(-1);
    if (open !== undefined && first <= open[1] + 1) open[1] = Math.max(open[1], last);
    else joined.push([first, last]);
  }
  return joined;
}
