import { formatCount, formatPercent, formatSeconds } from '../../core/format';
import { shareOf } from '../../core/functions/share';
import type { LiveProcess, LiveRun } from './liveFile';

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
