import { formatCount, formatSeconds } from '../../../core/format';
import { liveWords, processState, type LiveRun } from '../../../core/views/liveRun';
import { cut, escapeIcons } from './statusText';

/** `$(pulse) heat: 1250 iterations` */
export function liveStatus({ target, state, iterations, seconds }: LiveRun): string {
  const icon = state === 'suspended' ? '$(debug-pause)' : '$(pulse)';
  const progress =
    iterations === undefined ? formatSeconds(seconds) : `${formatCount(iterations.count)} iterations`;
  return `${icon} ${escapeIcons(cut(target, 24))}: ${state === 'suspended' ? 'suspended, ' : ''}${progress}`;
}

/** Times, iterations, and a line for each process. */
export function liveDetail(live: LiveRun): readonly [times: string, iterations: string, ...string[]] {
  const { times, iterations } = liveWords(live);
  return [
    times,
    iterations,
    ...live.processes.map((own) => {
      const state = processState(own);
      return `Rank ${own.rank}: process ${own.pid} on ${own.host}, ${own.threads} ${own.threads === 1 ? 'thread' : 'threads'}, ${formatSeconds(own.cpuSeconds)} of CPU time${state === '' ? '' : `, ${state}`}`;
    }),
  ];
}
