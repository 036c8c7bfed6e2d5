import { counted, formatBytes, formatPercent, formatSeconds, formatValue } from '../../../core/format';
import type { ReportedLocation, TraceReport } from '../../../workflows/trace/report.types';
import { printable, shortened, table } from '../table';
import { notesText } from './notes';

/** @param top rows of each table */
export function traceText(report: TraceReport, top: number): string {
  const sections = [
    heading(report),
    locationsTable(report, top),
    functionsTable(report, top),
    communication(report),
    values(report, top),
    eventsTable(report),
  ];
  return [
    sections
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n'),
    ...notesText(report.notes),
  ].join('\n');
}

function heading({
  file,
  archive,
  clock,
  commands,
  exitStatuses,
  locations,
  events,
  ...times
}: TraceReport): readonly string[] {
  const { firstSeconds = 0, lastSeconds = 0 } = times;
  const total = events.reduce((sum, { count }) => sum + count, 0);
  const failed = exitStatuses.filter(({ status }) => status !== '0' && status !== 'unknown');
  return [
    `${file}: ${counted(total, 'event')} of ${counted(locations.length, 'location')} in ${formatSeconds(lastSeconds - firstSeconds)}`,
    ...commands.map(
      ({ command, count }) =>
        `program: ${shortened(command, 200)} (${counted(count, 'process', 'processes')})`,
    ),
    ...failed.map(({ status, count }) => `exit status ${status}: ${counted(count, 'process', 'processes')}`),
    `recorded by ${archive.creator === '' ? 'an unknown program' : shortened(archive.creator)}${archive.machine === '' ? '' : ` on ${shortened(archive.machine)}`}, OTF2 ${archive.version}${clock.begin === undefined ? '' : `, ${clock.begin}`}`,
    `clock: ${clock.ticksPerSecond} ticks per second`,
  ].map(printable);
}

function locationsTable({ locations }: TraceReport, top: number): readonly string[] {
  return limited(
    table(
      ['rank', 'thread', 'events', 'calls', 'depth', 'time in calls', 'location', 'node'],
      locations
        .slice(0, top)
        .map((location) => [
          location.rank < 0 ? '–' : String(location.rank),
          String(location.thread),
          String(location.events),
          String(location.calls),
          String(location.depth),
          formatSeconds(location.callSeconds),
          nameOf(location),
          location.node ?? '',
        ]),
      6,
    ),
    locations.length - top,
    'location',
  );
}

function nameOf({ name, process, type }: ReportedLocation): string {
  const whole = `${process} ${name}`.trim();
  return shortened(type === 'CPU_THREAD' ? whole : `${whole} (${type})`);
}

function functionsTable({ functions, locations }: TraceReport, top: number): readonly string[] {
  // Shares are of the time in calls of all locations.
  const whole = locations.reduce((sum, { callSeconds }) => sum + callSeconds, 0);
  const isSampled = functions.some(({ samples = 0 }) => samples > 0);
  return limited(
    table(
      ['exclusive', 'share', 'inclusive', 'visits', ...(isSampled ? ['samples'] : []), 'function', 'place'],
      functions
        .slice(0, top)
        .map(({ name, file, line, exclusiveSeconds, inclusiveSeconds, visits, samples = 0 }) => [
          formatSeconds(exclusiveSeconds),
          whole === 0 ? '–' : formatPercent(exclusiveSeconds / whole),
          formatSeconds(inclusiveSeconds),
          String(visits),
          ...(isSampled ? [String(samples)] : []),
          shortened(name),
          file === undefined ? '' : shortened(`${file}${line === undefined ? '' : `:${line}`}`, 100),
        ]),
      isSampled ? 5 : 4,
    ),
    functions.length - top,
    'function',
  );
}

function communication({ messages, collectives, oneSided, files }: TraceReport): readonly string[] {
  const { sent, received, unmatchedSends = 0, unmatchedReceives = 0 } = messages;
  return [
    ...(sent.count + received.count === 0
      ? []
      : [
          `messages: ${sent.count} sent (${formatBytes(sent.bytes)}), ${received.count} received (${formatBytes(received.bytes)})`,
        ]),
    ...(unmatchedSends + unmatchedReceives === 0
      ? []
      : [`without their other end: ${unmatchedSends} sent, ${unmatchedReceives} received`]),
    ...collectives.map(
      ({ operation, calls, sentBytes, receivedBytes }) =>
        `collective ${operation}: ${calls} calls of processes, ${formatBytes(sentBytes)} sent, ${formatBytes(receivedBytes)} received`,
    ),
    ...oneSided.map(
      ({ operation, count, bytes }) => `one-sided ${operation}: ${count} (${formatBytes(bytes)})`,
    ),
    ...files.map(
      ({ operation, count, bytes }) => `file ${operation}: ${count} (${formatBytes(bytes)} requested)`,
    ),
  ];
}

function values({ metrics, parameters }: TraceReport, top: number): readonly string[] {
  const lines = [
    ...metrics.map(
      ({ name, unit, values: count, least, greatest }) =>
        `metric ${shortened(name)}: ${counted(count, 'value')} from ${formatValue(least, unit)} to ${formatValue(greatest, unit)}`,
    ),
    ...parameters.map(
      ({ name, count, values: distinct }) =>
        `parameter ${shortened(name)}: ${counted(count, 'value')}: ${distinct
          .slice(0, 5)
          .map(({ value, count: own }) => `${shortened(value)} (${own})`)
          .join(', ')}`,
    ),
  ].map(printable);
  return limited(
    lines.slice(0, top).join('\n'),
    lines.length - top,
    'metric or parameter',
    'metrics or parameters',
  );
}

function eventsTable({ events }: TraceReport): readonly string[] {
  const text = table(
    ['events', 'kind'],
    events.map(({ kind, count }) => [String(count), kind]),
    1,
  );
  return text === '' ? [] : [text];
}

function limited(text: string, omitted: number, what: string, several?: string): readonly string[] {
  if (text === '') return [];
  return omitted > 0
    ? [text, `${counted(omitted, `more ${what}`, `more ${several ?? `${what}s`}`)}: --top, --json`]
    : [text];
}
