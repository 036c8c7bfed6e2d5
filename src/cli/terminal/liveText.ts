import path from 'node:path';
import { baseText } from '../../core/functions/base';
import { shareOf } from '../../core/functions/share';
import { formatCount, formatPercent, formatSeconds } from '../../core/format';
import type { ProfileFunction } from '../../core/problems/profileFunctions';
import type { RunUpdate } from '../../workflows/watch';
import type { LiveProcess, LiveRun } from '../../workflows/watch/liveFile';
import { printable, shortened, table } from './table';

/** Rows of functions and of findings that fit beside each other on a screen. */
const most = 8;

/** One report of `kymo watch`. @param folder that places are relative to */
export function liveText({ live, functions, dynamics }: RunUpdate, folder: string): string {
  return [
    headLine(live),
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

/** `heat runs for 12.3 s: 2 processes, 23.9 s of CPU time, 0.8 % of it for recording` */
function headLine({
  target,
  state,
  seconds,
  processes,
  cpuSeconds,
  recordingSeconds,
  iterations,
}: LiveRun): string {
  const share =
    cpuSeconds > 0
      ? `, ${formatPercent(shareOf(recordingSeconds, { seconds: cpuSeconds }))} of it for recording (by visits and the calibrated cost of each)`
      : '';
  const own = `${printable(target)} ${words[state]} ${formatSeconds(seconds)}: ${processes.length} ${processes.length === 1 ? 'process' : 'processes'}, ${formatSeconds(cpuSeconds)} of CPU time${share}`;
  if (iterations === undefined) return `${own}; no iterations so far.`;
  const each =
    iterations.seconds === undefined
      ? ''
      : `, ${formatSeconds(iterations.seconds)} each by the wall clock at the moment`;
  return `${own}; ${formatCount(iterations.count)} iterations of ${printable(iterations.phase)}${each}.`;
}

const words: Readonly<Record<LiveRun['state'], string>> = {
  starting: 'has been starting for',
  running: 'has been running for',
  suspended: 'is suspended after',
  ending: 'ended after',
};

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
      stateOf(own),
    ]);
  const left = processes.length - cells.length;
  return [
    table(['rank', 'process', 'threads', 'CPU time', 'iterations', ''], cells, 0),
    ...(left > 0 ? [`… and ${left} more processes (--json has all)`] : []),
  ];
}

function stateOf({ hasEnded, isSuspended }: LiveProcess): string {
  return hasEnded ? 'ended' : isSuspended ? 'suspended' : '';
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
