import { present } from '../present';

/**
 * The iteration axis of the Profile: one value per iteration for each static context (specification of performance dynamics, §2 and §4).
 * Arrays count iterations from 0; whatever a user sees counts from 1.
 */

export interface SourcePlace {
  readonly file: string;
  /** First and last line, from 1. */
  readonly line?: number;
  readonly endLine?: number;
}

/** A region as series know it. */
export interface SeriesRegion {
  readonly name: string;
  /** As recorded; absolute where the compiler says so. */
  readonly file?: string;
  /** First and last line, from 1. */
  readonly line?: number;
  readonly endLine?: number;
  /** The function that calls it, where it has no source itself: of a library such as MPI. No part of what tells regions apart. */
  readonly calledFrom?: SourcePlace;
  readonly kind: 'phase' | 'function' | 'loop' | 'call' | 'mpi' | 'openmp' | 'io' | 'user';
}

/** Where a series comes from: with the metric, exactly one series (static context, §2). Equal by value, see `contextKey`. */
export interface SeriesContext {
  readonly region: SeriesRegion;
  /** Regions from the phase's child down to `region`, both included; absent in a flat series (all call paths of the region together). */
  readonly callPath?: readonly SeriesRegion[];
  /** `time` (seconds unless the source says otherwise), `visits`, `wait`, … Larger is worse. */
  readonly metric: string;
  readonly rank: number;
  readonly thread: number;
}

/**
 * Metric of inclusive times without MPI and without waiting for threads, beside `time`: it says which ranks are slow, and is analysed in no other
 * way.
 */
export const computingMetric = 'computing';

/** Of a phase: time in which its thread was ready to run, and had no processor. Times of Kymo do not contain it; those of other clocks may. */
export const preemptedMetric = 'preempted';
/** Of a phase: time by a clock on the wall, of which `preempted` is a part. */
export const elapsedMetric = 'elapsed';
/** Of a phase: time by the clock of the thread's processor, from which a file of series may let `preempted` follow. */
export const processorMetric = 'processor';

/** Values of one context for consecutive iterations; NaN where nothing was measured. */
export interface Series {
  readonly context: SeriesContext;
  readonly values: Float64Array;
}

/** Consecutive iterations that are analysed together (chunk). */
export interface Burst {
  /** First iteration, from 0. */
  readonly first: number;
  readonly length: number;
  /** Each of `length` values. A context that is new, or not there in this burst, may come and go. */
  readonly series: readonly Series[];
  /** Of repetitions that are analysed together: time of the phase in each of them, mean over the processes. */
  readonly repetitions?: readonly Float64Array[];
}

/**
 * The interface of all sources of series: series files, profiles with iterations, experiments of Kymo. The phase's own time has the
 * region kind `phase` and the metric `time`, per rank (thread 0 stands for the process).
 */
export interface SeriesSource {
  /** Unit of metric `time`, normally `s`. */
  readonly unit: string;
  /** Name of the phase, if the source has one. */
  readonly phase?: string;
  /** Known before the end only for some sources. */
  readonly iterations?: number;
  /** Bursts in order, each but the last of exactly `length` iterations; a burst may be forgotten when the next is asked for. */
  bursts(length: number): AsyncIterable<Burst>;
}

/** Iterations, from 0, in which somebody switched what is recorded while the program ran: ascending ranges, both ends inclusive. */
export type SwitchedIterations = readonly (readonly [first: number, last: number])[];

/** Whether it is the time of the iteration as a whole. */
export function isPhaseTime({ region, metric }: SeriesContext): boolean {
  return region.kind === 'phase' && metric === 'time';
}

/** The same text exactly for equal contexts: no two that differ in rank, thread, metric, call path or place of a region collide. */
export function contextKey(context: SeriesContext): string {
  const { region, callPath, metric, rank, thread } = context;
  return JSON.stringify([
    metric,
    rank,
    thread,
    regionParts(region),
    ...(callPath === undefined ? [] : [callPath.map(regionParts)]),
  ]);
}

/** Where one looks at a region: at its source, or where it is called. */
export function placeToLookAt({ file, line, endLine, calledFrom }: SeriesRegion): Partial<SourcePlace> {
  if (file === undefined && calledFrom !== undefined) return calledFrom;
  return {
    ...present({ file, line, endLine }),
  };
}

/** The same text exactly for equal regions. */
export function seriesRegionKey(region: SeriesRegion): string {
  return JSON.stringify(regionParts(region));
}

function regionParts({ name, file, line, kind }: SeriesRegion): readonly unknown[] {
  return [name, kind, file ?? '', line ?? 0];
}
