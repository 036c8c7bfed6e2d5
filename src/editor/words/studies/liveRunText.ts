import { formatCount, formatPercent, formatSeconds } from '../../../core/format';
import { shareOf } from '../../../core/functions/share';
import type { LiveRun } from '../../../workflows/watch/liveFile';
import { cut, escapeIcons } from './statusText';

/** `$(pulse) heat: 1250 iterations` */
export function liveStatus({ target, state, iterations, seconds }: LiveRun): string {
  const icon = state === 'suspended' ? '$(debug-pause)' : '$(pulse)';
  const progress =
    iterations === undefined ? formatSeconds(seconds) : `${formatCount(iterations.count)} iterations`;
  return `${icon} ${escapeIcons(cut(target, 24))}: ${state === 'suspended' ? 'suspended, ' : ''}${progress}`;
}

/** A sentence with the state, and one for each process. */
export function liveDetail(live: LiveRun): readonly string[] {
  const { target, state, seconds, processes, cpuSeconds, recordingSeconds, iterations } = live;
  const share = formatPercent(shareOf(recordingSeconds, { seconds: cpuSeconds }));
  const each =
    iterations?.seconds === undefined
      ? ''
      : `, ${formatSeconds(iterations.seconds)} each by the wall clock at the moment`;
  return [
    `${target} ${state === 'suspended' ? 'is suspended after' : 'has been running for'} ${formatSeconds(seconds)}; ${formatSeconds(cpuSeconds)} of CPU time, ${share} of it for recording (by visits and the calibrated cost of each).`,
    ...(iterations === undefined
      ? []
      : [`${formatCount(iterations.count)} iterations of ${iterations.phase}${each}.`]),
    ...processes.map(
      (own) =>
        `Rank ${own.rank}: process ${own.pid} on ${own.host}, ${own.threads} ${own.threads === 1 ? 'thread' : 'threads'}, ${formatSeconds(own.cpuSeconds)} of CPU time${own.hasEnded ? ', ended' : own.isSuspended ? ', suspended' : ''}`,
    ),
  ];
}
