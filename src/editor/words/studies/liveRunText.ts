import * as l10n from '@vscode/l10n';
import { functionsCount } from '../counts';
import { formatBytes, formatCount, formatPercent, formatSeconds } from '../../../core/format';
import {
  changeWords,
  clusterWords,
  liveWords,
  processState,
  type LiveCluster,
  type LiveNode,
  type LiveProcess,
  type LiveRecording,
  type LiveRun,
} from '../../../core/views/liveRun';
import { cut, escapeIcons } from './statusText';

/** `$(pulse) heat: 1250 iterations` */
export function liveStatus({ target, state, iterations, seconds }: LiveRun): string {
  const icon = state === 'suspended' ? '$(debug-pause)' : '$(pulse)';
  const name = escapeIcons(cut(target, 24));
  const progress = iterations === undefined ? formatSeconds(seconds) : iterationsCount(iterations.count);
  return state === 'suspended'
    ? l10n.t`${icon} ${name}: suspended, ${progress}`
    : `${icon} ${name}: ${progress}`;
}

/** Times, iterations, and a line for each process. */
export function liveDetail(live: LiveRun): readonly [times: string, iterations: string, ...string[]] {
  const { times, iterations } = liveWords(live);
  const rows = [...live.processes.map(processText), ...(live.clusters ?? []).map(clusterText)];
  return [times, iterations, ...rows.map(({ tooltip }) => tooltip)];
}

/** A row of a view. */
export interface RowWords {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
}

/** What is recorded now. */
export function recordingText(recording: LiveRecording | undefined): RowWords {
  const { functions = 0, changes = [] } = recording ?? {};
  const description = functionsCount(functions);
  const tooltip = [l10n.t`Recorded: ${description}`, ...changes.map(changeWords)].join('\n');
  return { label: l10n.t('Recorded'), description, tooltip };
}

function iterationsCount(count: number): string {
  return l10n.t('{0} iterations', formatCount(count));
}

/** A process of the program. */
export function processText(own: LiveProcess): RowWords {
  const { rank, pid, host, threads, cpuSeconds, iterations } = own;
  const words = processState(own);
  const state = words === '' ? [] : [words];
  const cpu = l10n.t`${formatSeconds(cpuSeconds)} of CPU time`;
  const counted = iterations === 0 ? [] : [iterationsCount(iterations)];
  const count = threads === 1 ? l10n.t('1 thread') : l10n.t`${threads} threads`;
  return {
    label: l10n.t`Rank ${rank}`,
    description: [...state, cpu, ...counted, host].join(' · '),
    tooltip: [l10n.t`Rank ${rank}: process ${pid} on ${host}`, count, cpu, ...counted, ...state].join(', '),
  };
}

/** Processes of a reduced run that do alike. */
export function clusterText(cluster: LiveCluster): RowWords {
  const ranks = cut(cluster.ranks, 60);
  const { title, done, state } = clusterWords({ ...cluster, ranks });
  const label = `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
  return {
    label,
    description: [...state, ...done].join(' · '),
    tooltip: [label, ...done, ...state].join(', '),
  };
}

/** A process of Kymo that watches the program on a host, or brings together what others see. */
export function nodeText({
  rank,
  role,
  host,
  pid,
  state,
  cpu,
  messagesPerSecond,
  bytesPerSecond,
  memory,
}: LiveNode): RowWords {
  const load = cpu === undefined ? [] : [l10n.t`${formatPercent(cpu)} of a CPU`];
  const messages =
    messagesPerSecond === undefined ? [] : [l10n.t`${formatCount(Math.round(messagesPerSecond))} messages/s`];
  const bytes = bytesPerSecond === undefined ? [] : [`${formatBytes(bytesPerSecond)}/s`];
  const resident = memory === undefined ? [] : [l10n.t`${formatBytes(memory)} of memory`];
  const id = pid === undefined ? '' : `process ${pid} `;
  const shown = state === 'up' ? [] : [nodeStates[state]];
  return {
    label: `${role.charAt(0).toUpperCase()}${role.slice(1)} ${rank}`,
    description: [...shown, host, ...load, ...messages].join(' · '),
    tooltip: [
      `${role} ${rank}: ${id}on ${host}`,
      nodeStates[state],
      ...load,
      ...messages,
      ...bytes,
      ...resident,
    ].join(', '),
  };
}

const nodeStates: Readonly<Record<LiveNode['state'], string>> = {
  up: l10n.t('at work'),
  awaited: l10n.t('has not reported yet'),
  lost: l10n.t('lost'),
  left: l10n.t('has left'),
};
