import type { SeriesRegion } from '../../core/series/series';

/** Definitions for the numbers of an `iterations.kymo`; all positions count from 0. */
export interface IterationsDirectory {
  /** Name of the region whose visits are the iterations. */
  readonly phase: string;
  readonly iterations: number;
  readonly regions: readonly SeriesRegion[];
  readonly locations: readonly IterationLocation[];
  /** Parents precede their children. The phase itself is a context of each process. */
  readonly contexts: readonly IterationContext[];
  /** Limitations of the data, as whole sentences. */
  readonly notes: readonly string[];
}

export interface IterationLocation {
  readonly rank: number;
  /** 0 is the thread that runs the phase. */
  readonly thread: number;
}

/** A call path below the phase at one location. On threads other than 0, call paths begin at the thread's own root. */
export interface IterationContext {
  /** Position in `regions`. */
  readonly region: number;
  /** Position in `contexts`; undefined for the phase itself, and for an outermost context on another thread. */
  readonly parent?: number;
  /** Position in `locations`. */
  readonly location: number;
}

/** The values of one iteration, for each context visited in it at any location. The arrays may be reused for the next one. */
export interface IterationSample {
  readonly count: number;
  /** Ascending positions in `contexts`. */
  readonly contexts: Uint32Array;
  readonly visits: Float64Array;
  /** Inclusive time. */
  readonly seconds: Float64Array;
  /** Enter+exit pairs that were recorded in its subtree. */
  readonly childEvents: Float64Array;
  /** Time in which its own visits, of MPI, waited for other processes; undefined in files that do not know it. */
  readonly waitSeconds?: Float64Array | undefined;
}

export type IterationsFileErrorReason = 'not-iterations' | 'invalid-iterations';

export const iterationsFileName = 'iterations.kymo';

/** With waits, each value is one number longer. */
const magics = { plain: 'KYMOITS1', waits: 'KYMOITS2' } as const;
export const magicOf = (hasWaits: boolean): string => (hasWaits ? magics.waits : magics.plain);

/** Whether a file that begins so has waits; undefined when it does not hold iterations. */
export function hasWaitsAt(beginning: Uint8Array): boolean | undefined {
  const name = Buffer.from(beginning.subarray(0, 8)).toString('latin1');
  return name === magics.waits ? true : name === magics.plain ? false : undefined;
}
export const headerBytes = 64;
/** The file stores times as whole ticks. */
export const ticksPerSecond = 1e9;
/** The directory has the file offset of each iteration whose number is a multiple of this. */
export const iterationsPerMark = 1024;
