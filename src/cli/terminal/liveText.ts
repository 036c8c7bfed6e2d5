import path from 'node:path';
import { baseText } from '../../core/functions/base';
import { formatCount, formatPercent, formatSeconds } from '../../core/format';
import type { ProfileFunction } from '../../core/problems/profileFunctions';
import type { RunUpdate } from '../../workflows/watch';
import { liveWords, processState, type LiveRun } from '../../core/views/liveRun';
import { printable, shortened, table } from './table';

/** Rows of functions and of findings that fit beside each other on a screen. */
const most = 8;

/** One report of `kymo watch`. @param folder that places are relative to */
export function liveText({ live, functions, dynamics }: RunUpdate, folder: string): string {
  const { times, iterations } = liveWords(live);
  return [
    printable(`${times} ${iterations}`),
    ...processLines(live),
    ...(functions === undefined ? [] : functionLines(functions, live, folder)),
    ...(dynamics === undefined
      ? []
      : [
          `Over the first ${formatCount(dynamics.iterations)} iterations:`,
          ...(dynamics.properties.length === 0
            ? ['  nothing changes beyond its noise']
            : dynamics.properties
                .slice(0, most)
                .map(
                  ({ title, severity, region }) =>
                    `  ${severity === undefined ? '' : `${formatPercent(severity)}  `}${printable(title)}${region === undefined ? '' : ` · ${printable(region.name)}`}`,
                )),
        ]),
    '',
  ].join('\n');
}

function processLines({ processes }: LiveRun): readonly string[] {
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
    : `${printable(target)} is no longer being watched. What was known last: ${path.join(folder, 'profile.cubex')}`;
}
