import { defaultCallpathDepth, mostTotalMemoryBytes, profileMemory } from './versions';

export interface MeasurementOptions {
  /** Absolute; Score-P makes it, and no parent of it. */
  readonly results: string;
  /** Filter of the run; absolute. */
  readonly filter?: string | undefined;
  /** Per process; below 4 GB. */
  readonly totalMemoryBytes: number;
  /** Longest recorded chain of calls; default Score-P's own, 100. */
  readonly callpathDepth?: number;
  /** The program throws, and this Score-P links libunwind. */
  readonly slowExceptions?: boolean;
  /** `LD_PRELOAD` of the program, if any. */
  readonly preload?: string | undefined;
  /** The target's variables, which override the others. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The variables of a measured run: a Cube 4 profile without trace, in a new folder. Clustering is off: it would merge the instances of
 * dynamic regions, which are the iterations.
 */
export function measurementEnvironment(options: MeasurementOptions): Readonly<Record<string, string>> {
  const { results, filter, totalMemoryBytes, callpathDepth = defaultCallpathDepth, environment } = options;
  return {
    SCOREP_ENABLE_PROFILING: 'true',
    SCOREP_ENABLE_TRACING: 'false',
    SCOREP_PROFILING_FORMAT: 'cube4',
    SCOREP_PROFILING_BASE_NAME: 'profile',
    SCOREP_PROFILING_ENABLE_CLUSTERING: 'false',
    SCOREP_OVERWRITE_EXPERIMENT_DIRECTORY: 'true',
    SCOREP_TOTAL_MEMORY: String(totalMemoryBytes),
    ...(callpathDepth === defaultCallpathDepth
      ? {}
      : { SCOREP_PROFILING_MAX_CALLPATH_DEPTH: String(callpathDepth) }),
    ...(options.slowExceptions === true ? { LD_PRELOAD: withUnwinder(options.preload) } : {}),
    // A filter in the environment of Kymo itself must not apply.
    SCOREP_FILTERING_FILE: filter ?? '',
    ...environment,
    // Kymo reads the results there.
    SCOREP_EXPERIMENT_DIRECTORY: results,
  };
}

/**
 * Score-P's libraries load libunwind, which defines the unwinder's names before gcc's library: a throw took 13.2 µs instead of 0.7 µs
 * (Score-P 8.4, libunwind 1.6). With gcc's library in front, exceptions cost what they cost without Score-P.
 */
function withUnwinder(preload: string | undefined): string {
  return [...(preload === undefined || preload === '' ? [] : [preload]), 'libgcc_s.so.1'].join(':');
}

/** Size of a profile in memory. */
export interface ProfileSize {
  readonly callPaths: number;
  /** Number of threads of the process with the most threads. */
  readonly locationsPerProcess: number;
  /** Number of metrics besides time and visits: hardware counters, resource usage. */
  readonly metrics: number;
}

/** The reserve costs address space only, because only touched pages use memory. */
const leastReserveBytes = 256_000_000;
const margin = 4;

/** SCOREP_TOTAL_MEMORY for a profile of about this size, or of unknown size: bytes per process. */
export function totalMemoryBytes(size?: ProfileSize): number {
  if (size === undefined) return leastReserveBytes;
  const { atRest, perLocation, perCallPath, perMetric } = profileMemory;
  const perThread = perLocation + size.callPaths * (perCallPath + size.metrics * perMetric);
  const needed = atRest + size.locationsPerProcess * perThread;
  return Math.min(mostTotalMemoryBytes, Math.max(leastReserveBytes, Math.ceil(margin * needed)));
}

/** SCOREP_TOTAL_MEMORY after a run that ran out of memory; undefined when Score-P accepts no more. */
export function moreMemoryBytes(before: number): number | undefined {
  return before >= mostTotalMemoryBytes ? undefined : Math.min(mostTotalMemoryBytes, before * margin);
}
