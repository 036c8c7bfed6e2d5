import path from 'node:path';
import { baseText } from '../../core/functions/base';
import { formatCount, formatPercent, formatSeconds } from '../../core/format';
import type { Property } from '../../core/properties/property';
import type { ProfileFunction } from '../../core/problems/profileFunctions';
import type { RunUpdate } from '../../workflows/watch';
import { changeWords, clusterWords, liveWords, processState, type LiveRun } from '../../core/views/liveRun';
import { partSentence } from './partSentence';
import { printable, shortened, table } from './table';

/** Rows of functions and of findings that fit beside each other on a screen. */
const most = 8;

/** One report of `kymo watch`. @param folder that places are relative to */
export function liveText({ live, functions, dynamics }: RunUpdate, folder: string): string {
  const { times, iterations } = liveWords(live);
  return [
    printable(`${times} ${iterations}`),
    ...processLines(live),
    ...networkLines(live),
    ...changeLines(live),
    ...(functions === undefined ? [] : functionLines(functions, live, folder)),
    ...(dynamics === undefined
      ? []
      : [
          `Over the first ${formatCount(dynamics.iterations)} iterations:`,
          ...(dynamics.properties.length === 0
            ? ['  nothing changes beyond its noise']
            : dynamics.properties.slice(0, most).map((found) => findingLine(found, folder, live))),
        ]),
    '',
  ].join('\n');
}

/** Its title names the region; what tells it from others of the same region are ranks. */
function findingLine(
  { title, severity, ranks, region }: Property,
  folder: string,
  { clusters }: LiveRun,
): string {
  const place = region?.file === undefined ? '' : `${path.relative(folder, region.file)}:${region.line ?? 1}`;
  const where = [
    ...(ranks === undefined ? [] : [clusters === undefined ? rankWords(ranks) : 'sum of all processes']),
    ...(place === '' ? [] : [place]),
  ];
  const share = severity === undefined ? '' : `${formatPercent(severity)}  `;
  return `  ${share}${[title, ...where].map((words) => printable(words)).join(' · ')}`;
}

function rankWords(ranks: string): string {
  return `${/^\d+$/.test(ranks) ? 'rank' : 'ranks'} ${ranks}`;
}

function processLines({ processes, clusters = [] }: LiveRun): readonly string[] {
  if (clusters.length > 0) return clusterLines(clusters);
  if (processes.length < 2) return [];
  const cells = processes
    .slice(0, most)
    .map((own) => [
      String(own.rank),
      `${printable(own.host)}:${own.pid}`,
      String(own.threads),
      formatSeconds(own.cpuSeconds),
      formatCount(own.iterations),
      processState(own),
    ]);
  const left = processes.length - cells.length;
  return [
    table(['rank', 'process', 'threads', 'CPU time', 'iterations', ''], cells, 0),
    ...(left > 0 ? [`… and ${left} more processes (--json has all)`] : []),
  ];
}

function clusterLines(clusters: NonNullable<LiveRun['clusters']>): readonly string[] {
  return clusters.map((cluster) => {
    const { title, done, state } = clusterWords({ ...cluster, ranks: shortened(cluster.ranks) });
    return `  ${[title, ...done, ...state].map((words) => printable(words)).join(' · ')}`;
  });
}

/** The processes of Kymo that watch the run. */
function networkLines({ network }: LiveRun): readonly string[] {
  if (network === undefined) return [];
  const { nodes, notListed = 0, failures } = network;
  const cells = nodes
    .slice(0, most)
    .map((node) => [
      `${node.role} ${node.rank}`,
      node.parent === undefined ? '' : String(node.parent),
      `${printable(node.host)}${node.pid === undefined ? '' : `:${node.pid}`}`,
      node.state,
      node.cpu === undefined ? '' : formatPercent(node.cpu),
      node.messagesPerSecond === undefined ? '' : formatCount(Math.round(node.messagesPerSecond)),
    ]);
  const left = nodes.length + notListed - cells.length;
  const all = notListed === 0 ? ' (--json has all)' : '';
  return [
    table(['watched by', 'parent', 'process', 'state', 'CPU', 'messages/s'], cells, 0),
    ...(left > 0 ? [`… and ${left} more processes that watch it${all}`] : []),
    ...failures.slice(-2).map((sentence) => printable(sentence)),
  ];
}

/** What watchers switched last. */
function changeLines({ recording }: LiveRun): readonly string[] {
  return (recording?.changes ?? []).slice(-mostChanges).map((change) => printable(changeWords(change)));
}

const mostChanges = 3;

function functionLines(
  { base, rows }: NonNullable<RunUpdate['functions']>,
  { profileSeconds }: LiveRun,
  folder: string,
): readonly string[] {
  return [
    `Up to ${formatSeconds(profileSeconds)}, shares of ${printable(baseText(base))}:`,
    table(
      ['exclusive', 'inclusive', 'visits', 'region', 'place'],
      rows.slice(0, most).map((row) => cells(row, folder)),
      3,
    ),
    ...rows
      .slice(0, most)
      .flatMap(({ name, recordedPart }) =>
        recordedPart === undefined ? [] : [partSentence(name, recordedPart)],
      ),
  ];
}

function cells(
  { exclusiveShare, inclusiveShare, visits, name, file, line }: ProfileFunction,
  folder: string,
): readonly string[] {
  const place = file === undefined ? '' : `${path.relative(folder, file)}:${line ?? 1}`;
  return [
    formatPercent(exclusiveShare),
    formatPercent(inclusiveShare),
    formatCount(visits),
    shortened(printable(name)),
    printable(place),
  ];
}

/** What is printed when the run is over. */
export function endSentence(folder: string, { target }: LiveRun, isComplete: boolean): string {
  return isComplete
    ? `${printable(target)} has ended. Its profile: ${path.join(folder, 'profile.cubex')}`
    : `${printable(target)} is no longer being watched. Last known state: ${path.join(folder, 'profile.cubex')}`;
}
