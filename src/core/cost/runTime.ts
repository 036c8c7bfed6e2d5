import type { RankTime } from '../profile/experiment';
import { median } from './overhead';

/** How long a run of the program took. */
export interface RunTime {
  readonly wallSeconds: number;
  /** User and system time of all its processes; undefined if unknown, as on remote nodes. */
  readonly cpuSeconds?: number | undefined;
  /** Of several ranks with recorded MPI calls. */
  readonly slowestRank?: RankTime | undefined;
  /** A part of a run, whose time with nothing recorded follows from what recording costs. */
  readonly isWindow?: true | undefined;
}

/**
 * The clock that decides about overheads. Recording adds CPU time, which other programs that keep the processors busy do not change,
 * while they stretch wall time; wall time decides only where CPU time is unknown. `rank`: the computing time of the rank that computes
 * most, which the others wait for. Ranks that wait use up CPU time, too, and more of it the busier the machine is.
 */
export type DecisionClock = 'rank' | 'cpu' | 'wall';

/** 100 % of a cost. */
export interface CostBase {
  readonly clock: DecisionClock;
  /** Time of a run with nothing recorded, by that clock. */
  readonly seconds: number;
}

/** In shorter runs the kernel and the loader take most of the time, and single scheduler ticks matter. */
const leastCpuSeconds = 1e-3;

/** The first clock in this order that each of the runs has: the slowest rank's, CPU time, wall time. */
export function decisionClock(runs: readonly RunTime[]): DecisionClock {
  if (runs.every(({ slowestRank }) => (slowestRank?.seconds ?? 0) >= leastCpuSeconds)) return 'rank';
  return runs.every(({ cpuSeconds = 0 }) => cpuSeconds >= leastCpuSeconds) ? 'cpu' : 'wall';
}

export function secondsBy(clock: DecisionClock, { wallSeconds, cpuSeconds, slowestRank }: RunTime): number {
  switch (clock) {
    case 'rank':
      return slowestRank?.seconds ?? wallSeconds;
    case 'cpu':
      return cpuSeconds ?? wallSeconds;
    case 'wall':
      return wallSeconds;
  }
}

/** `CPU time`: what the seconds of a clock are. */
export function clockWords(clock: DecisionClock): string {
  switch (clock) {
    case 'rank':
      return 'computation of the slowest rank';
    case 'cpu':
      return 'CPU time';
    case 'wall':
      return 'wall time';
  }
}

/** @param runs with nothing recorded */
export function costBase(runs: readonly RunTime[], clock: DecisionClock = decisionClock(runs)): CostBase {
  return { clock, seconds: median(runs.map((run) => secondsBy(clock, run))) };
}
