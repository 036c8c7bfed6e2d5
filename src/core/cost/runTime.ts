import { median } from './overhead';

/** How long a run of the program took. */
export interface RunTime {
  readonly wallSeconds: number;
  /** User and system time of all its processes; undefined if unknown, as on remote nodes. */
  readonly cpuSeconds?: number | undefined;
}

/**
 * The clock that decides about overheads. Recording adds CPU time, which other programs that keep the processors busy do not change,
 * while they stretch wall time; wall time decides only where CPU time is unknown.
 */
export type DecisionClock = 'cpu' | 'wall';

/** 100 % of a cost. */
export interface CostBase {
  readonly clock: DecisionClock;
  /** Time of a run with nothing recorded, by that clock. */
  readonly seconds: number;
}

/** In shorter runs the kernel and the loader take most of the time, and single scheduler ticks matter. */
const leastCpuSeconds = 1e-3;

/** CPU time when each of the runs has it. */
export function decisionClock(runs: readonly RunTime[]): DecisionClock {
  return runs.every(({ cpuSeconds = 0 }) => cpuSeconds >= leastCpuSeconds) ? 'cpu' : 'wall';
}

export function secondsBy(clock: DecisionClock, { wallSeconds, cpuSeconds }: RunTime): number {
  return clock === 'cpu' ? (cpuSeconds ?? wallSeconds) : wallSeconds;
}

/** @param runs with nothing recorded */
export function costBase(runs: readonly RunTime[], clock: DecisionClock = decisionClock(runs)): CostBase {
  return { clock, seconds: median(runs.map((run) => secondsBy(clock, run))) };
}
