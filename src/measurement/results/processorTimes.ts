import type { KymoResult } from '../../formats/kymo-result/resultFile';

/** What the processors were used for in a run, in seconds over all its processes. */
export interface ProcessorTimes {
  /** CPU time of the processes, user and system. */
  readonly cpuSeconds: number;
  /** Of these, of the threads that were recorded, while they were. The others are threads without a recorded function, and what ran before the first one. */
  readonly recordedCpuSeconds: number;
  /** In which recorded threads were ready to run and did not; in no time of the profile. */
  readonly preemptedSeconds: number;
}

/** Undefined when a process is of a library that did not know. */
export function processorTimes(results: readonly KymoResult[]): ProcessorTimes | undefined {
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

export function processorAttributes(
  times: ProcessorTimes | undefined,
): readonly (readonly [string, string])[] {
  if (times === undefined) return [];
  const { cpuSeconds, recordedCpuSeconds, preemptedSeconds } = times;
  return Object.entries({ cpuSeconds, recordedCpuSeconds, preemptedSeconds }).map(
    ([name, seconds]) => [`kymo::${name}`, seconds.toFixed(6)] as const,
  );
}
