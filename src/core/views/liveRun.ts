/** A run that is under way, and how it is said. */
import { formatCount, formatPercent, formatSeconds } from '../format';
import { shareOf } from '../functions/share';

/** `live.json` (docs/INTERFACES.md). Times are in seconds since the run began, by the wall clock, except for `cpuSeconds`. */
export interface LiveRun {
  readonly kymoLive: 1;
  readonly target: string;
  readonly study: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** When this was written. */
  readonly seconds: number;
  /** Process that writes it. */
  readonly pid: number;
  readonly host: string;
  readonly state: 'starting' | 'running' | 'suspended' | 'ending';
  readonly processes: readonly LiveProcess[];
  /** Processor time of all processes so far, and the part of it that recording takes, by visits and calibrated cost. */
  readonly cpuSeconds: number;
  readonly recordingSeconds: number;
  readonly iterations?: LiveIterationCount;
  /** `profile.cubex` beside it has the run up to then; 0: it is not there yet. */
  readonly profileSeconds: number;
}

export interface LiveProcess {
  readonly pid: number;
  readonly host: string;
  readonly rank: number;
  readonly threads: number;
  readonly cpuSeconds: number;
  /** Of all phases. */
  readonly iterations: number;
  readonly isSuspended: boolean;
  /** False: it has ended, or its connection was lost. */
  readonly isWatched: boolean;
}

export interface LiveIterationCount {
  readonly phase: string;
  /** Iterations that all processes have. */
  readonly count: number;
  /** Number of them in `iterations.kymo` beside it; 0: it is not there yet. */
  readonly written: number;
  /** Mean time of an iteration since this was written before, in seconds by the wall; absent when there was none. */
  readonly seconds?: number;
}

/** A run that is under way in words, as the command line and the editor say it: a sentence on its times, and one on its iterations. */
export interface LiveWords {
  readonly times: string;
  readonly iterations: string;
}

export function liveWords(live: LiveRun): LiveWords {
  const { target, state, seconds, processes, cpuSeconds, recordingSeconds, iterations } = live;
  const share = formatPercent(shareOf(recordingSeconds, { seconds: cpuSeconds }));
  const count = `${processes.length} ${processes.length === 1 ? 'process' : 'processes'}`;
  const each =
    iterations?.seconds === undefined
      ? ''
      : `, ${formatSeconds(iterations.seconds)} each by the wall clock at the moment`;
  return {
    times: `${target} ${words[state]} ${formatSeconds(seconds)}: ${count}, ${formatSeconds(cpuSeconds)} of CPU time, ${share} of it for recording (by visits and the calibrated cost of each).`,
    iterations:
      iterations === undefined
        ? 'No iterations so far.'
        : `${formatCount(iterations.count)} iterations of ${iterations.phase}${each}.`,
  };
}

const words: Readonly<Record<LiveRun['state'], string>> = {
  starting: 'has been starting for',
  running: 'has been running for',
  suspended: 'is suspended after',
  ending: 'ended after',
};

/** Empty of one that runs. */
export function processState({ isWatched, isSuspended }: LiveProcess): string {
  return !isWatched ? 'no longer watched' : isSuspended ? 'suspended' : '';
}
