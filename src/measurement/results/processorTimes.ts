import type { ResultHead } from '../../formats/kymo-result/resultFile';

/** Use of the processors in a run, in seconds over all its processes. */
export interface ProcessorTimes {
  /** CPU time of the processes, user and system. */
  readonly cpuSeconds: number;
  /** CPU time of recorded threads from their first recorded function on. */
  readonly recordedCpuSeconds: number;
  /** Time in which recorded threads were ready but did not run; the times of the profile exclude it. */
  readonly preemptedSeconds: number;
}

/** Undefined when an older library wrote one of the results. */
export function processorTimes(results: readonly ResultHead[]): ProcessorTimes | undefined {
  const times = { cpuSeconds: 0, recordedCpuSeconds: 0, preemptedSeconds: 0 };
  for (const { cpuSeconds, threads } of results) {
    if (cpuSeconds === undefined) return undefined;
    times.cpuSeconds += cpuSeconds;
    for (const thread of threads) {
      times.recordedCpuSeconds += thread.cpuSeconds;
      times.preemptedSeconds += thread.preemptedSeconds;
    }
  }
  return times;
}

/** CPU time of the processes of each rank, seconds; undefined when an older library wrote one of the results. */
export function rankCpuSeconds(
  results: readonly Pick<ResultHead, 'rank' | 'cpuSeconds'>[],
): ReadonlyMap<number, number> | undefined {
  const seconds = new Map<number, number>();
  for (const { rank, cpuSeconds } of results) {
    if (cpuSeconds === undefined) return undefined;
    seconds.set(rank, (seconds.get(rank) ?? 0) + cpuSeconds);
  }
  return seconds;
}

export function processorAttributes(
  times: ProcessorTimes | undefined,
): readonly (readonly [string, string])[] {
  if (times === undefined) return [];
  const { cpuSeconds, recordedCpuSeconds, preemptedSeconds } = times;
  return Object.entries({ cpuSeconds, recordedCpuSeconds, preemptedSeconds }).map(
    ([name, seconds]) => [`kymo::${name}`, seconds.toFixed(6)] as const,
  );
}
