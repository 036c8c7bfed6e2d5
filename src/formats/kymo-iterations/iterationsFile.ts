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
  /** Calibrated cost of recording a visit, seconds; absent in files that do not know it. */
  readonly pairSeconds?: number | undefined;
  /** Positions of regions that were recorded in a part of the run only; absent: none. */
  readonly partlyRecorded?: readonly number[];
  /** Iterations, from 0, in which somebody switched what is recorded, both ends inclusive; absent: none. */
  readonly switches?: readonly (readonly [first: number, last: number])[];
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
  /** Phases whose thread was pre-empted in the iteration, by ascending context; undefined in files that do not know it. */
  readonly preempted?: readonly PreemptedPhase[] | undefined;
}

export interface PreemptedPhase {
  readonly context: number;
  /** No part of the times. */
  readonly seconds: number;
}

export type IterationsFileErrorReason = 'not-iterations' | 'invalid-iterations';

export const iterationsFileName = 'iterations.kymo';

/** What a file knows of each iteration beside its times. */
export interface IterationsLayout {
  readonly hasWaits: boolean;
  readonly hasPreempted: boolean;
}

/** The first bytes of a file. Earlier versions did not know when threads were pre-empted. */
const layouts: ReadonlyMap<string, IterationsLayout> = new Map([
  ['KYMOITS1', { hasWaits: false, hasPreempted: false }],
  ['KYMOITS2', { hasWaits: true, hasPreempted: false }],
  ['KYMOITS3', { hasWaits: false, hasPreempted: true }],
  ['KYMOITS4', { hasWaits: true, hasPreempted: true }],
]);

export function magicOf(hasWaits: boolean): string {
  return hasWaits ? 'KYMOITS4' : 'KYMOITS3';
}

/** Undefined when a file that begins so does not hold iterations. */
export function layoutAt(beginning: Uint8Array): IterationsLayout | undefined {
  return layouts.get(Buffer.from(beginning.subarray(0, 8)).toString('latin1'));
}
export const headerBytes = 64;
/** The file stores times as whole ticks. */
export const ticksPerSecond = 1e9;
/** The directory has the file offset of each iteration whose number is a multiple of this. */
export const iterationsPerMark = 1024;
