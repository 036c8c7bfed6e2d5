import { formatSeconds } from '../../src/core/format';
import type { TraceReport } from '../../src/workflows/trace/report.types';
import { sameNumber } from './numbers';
import { differs, tableAfter } from './texts';

/** Where the same trace is seen. */
export interface TraceElsewhere {
  /** `kymo trace show --top` all */
  readonly text: string;
  /** `kymo trace show --ranks` of each rank */
  readonly ofRanks: readonly TraceReport[];
}

/** What is in a trace against itself, its ranks and what is printed. */
export function traceContradictions(
  report: TraceReport,
  { text, ofRanks }: TraceElsewhere,
): readonly string[] {
  return [
    ...[report, ...ofRanks].flatMap((each) => [
      ...ofCalls(each),
      ...ofTimes(each),
      ...ofCommunication(each),
      ...ofLocations(each),
    ]),
    ...ofParts(report, ofRanks),
    ...ofText(report, text),
  ];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function countOf({ events }: TraceReport, ...kinds: readonly string[]): number {
  return sum(events.map(({ kind, count }) => (kinds.includes(kind) ? count : 0)));
}

function ofCalls(report: TraceReport): readonly string[] {
  const { functions, locations, missingLeaves, unmatchedLeaves } = report;
  const visits = sum(functions.map((own) => own.visits));
  return [
    ...sameNumber('visits and enters', visits, countOf(report, 'ENTER', 'CALLING_CONTEXT_ENTER')),
    ...sameNumber(
      'visits and leaves',
      visits - missingLeaves + unmatchedLeaves,
      countOf(report, 'LEAVE', 'CALLING_CONTEXT_LEAVE'),
    ),
    ...sameNumber('visits and calls of locations', visits, sum(locations.map(({ calls }) => calls))),
    ...sameNumber(
      'samples',
      sum(functions.map(({ samples = 0 }) => samples)),
      countOf(report, 'CALLING_CONTEXT_SAMPLE'),
    ),
  ];
}

function ofTimes({ functions, locations }: TraceReport): readonly string[] {
  const inCalls = sum(locations.map(({ callSeconds }) => callSeconds));
  return [
    ...sameNumber(
      'exclusive times and the time of the outermost calls',
      sum(functions.map(({ exclusiveSeconds }) => exclusiveSeconds)),
      inCalls,
    ),
    ...functions.flatMap(({ name, exclusiveSeconds, inclusiveSeconds }) =>
      exclusiveSeconds >= 0 &&
      exclusiveSeconds <= inclusiveSeconds * (1 + 1e-9) + 1e-9 &&
      inclusiveSeconds <= inCalls * (1 + 1e-9) + 1e-9
        ? []
        : [`${name} has ${exclusiveSeconds} s of ${inclusiveSeconds} s, of ${inCalls} s in all`],
    ),
  ];
}

function ofCommunication(report: TraceReport): readonly string[] {
  const { sent, received, unmatchedSends, unmatchedReceives } = report.messages;
  return [
    ...sameNumber('messages sent', sent.count, countOf(report, 'MPI_SEND', 'MPI_ISEND')),
    ...sameNumber('messages received', received.count, countOf(report, 'MPI_RECV', 'MPI_IRECV')),
    ...(unmatchedSends === undefined || unmatchedReceives === undefined
      ? []
      : sameNumber(
          'messages with both ends',
          sent.count - unmatchedSends,
          received.count - unmatchedReceives,
        )),
    ...(unmatchedSends === 0 && unmatchedReceives === 0
      ? sameNumber('bytes sent and received', sent.bytes, received.bytes)
      : []),
    ...sameNumber(
      'collective operations',
      sum(report.collectives.map(({ calls }) => calls)),
      countOf(report, 'MPI_COLLECTIVE_END', 'NON_BLOCKING_COLLECTIVE_COMPLETE'),
    ),
    ...sameNumber(
      'one-sided operations',
      sum(report.oneSided.map(({ count }) => count)),
      countOf(report, 'RMA_PUT', 'RMA_GET', 'RMA_ATOMIC'),
    ),
    ...sameNumber(
      'operations on files',
      sum(report.files.map(({ count }) => count)),
      countOf(report, 'IO_OPERATION_BEGIN'),
    ),
  ];
}

function ofLocations({ locations, events, firstSeconds, lastSeconds }: TraceReport): readonly string[] {
  const times = locations.filter((own) => own.events > 0);
  return [
    ...sameNumber(
      'events of locations and of kinds',
      sum(locations.map((own) => own.events)),
      sum(events.map(({ count }) => count)),
    ),
    ...sameNumber(
      'first event',
      firstSeconds,
      extreme(
        Math.min,
        times.map((own) => own.firstSeconds ?? NaN),
      ),
    ),
    ...sameNumber(
      'last event',
      lastSeconds,
      extreme(
        Math.max,
        times.map((own) => own.lastSeconds ?? NaN),
      ),
    ),
    ...times.flatMap(({ id, callSeconds, depth, calls, firstSeconds: first = 0, lastSeconds: last = 0 }) => [
      ...(callSeconds <= (last - first) * (1 + 1e-9) + 1e-9
        ? []
        : [`location ${id} is ${callSeconds} s in calls, and has events in ${last - first} s`]),
      ...(depth > 0 === calls > 0 && depth <= calls
        ? []
        : [`location ${id} has ${calls} calls of depth ${depth}`]),
    ]),
  ];
}

function extreme(of: (a: number, b: number) => number, values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((a, b) => of(a, b));
}

function ofParts({ functions, messages }: TraceReport, ofRanks: readonly TraceReport[]): readonly string[] {
  const keyOf = ({ name, file = '', line = 0, mangledName = '' }: TraceReport['functions'][number]): string =>
    [name, file, line, mangledName].join('\0');
  const parts = ofRanks.map((part) => new Map(part.functions.map((own) => [keyOf(own), own])));
  const isUnique = new Set(functions.map(keyOf)).size === functions.length;
  return [
    ...(isUnique ? functions : []).flatMap((own) =>
      (['visits', 'exclusiveSeconds', 'inclusiveSeconds'] as const).flatMap((field) =>
        sameNumber(
          `${own.name}: ${field} of all ranks and of each`,
          own[field],
          sum(parts.map((part) => part.get(keyOf(own))?.[field] ?? 0)),
        ),
      ),
    ),
    ...(['sent', 'received'] as const).flatMap((end) =>
      sameNumber(
        `bytes ${end} of all ranks and of each`,
        messages[end].bytes,
        sum(ofRanks.map((part) => part.messages[end].bytes)),
      ),
    ),
  ];
}

function ofText(report: TraceReport, text: string): readonly string[] {
  const { functions, events, locations, notes } = report;
  const rows = tableAfter(text, /^ *exclusive +share/);
  const kinds = tableAfter(text, /^ *events +kind/);
  const places = tableAfter(text, /^ *rank +thread/);
  return [
    ...differs('trace: rows of functions', String(rows.length), String(functions.length)),
    ...rows.flatMap((row, at) => {
      const { name = '', visits = 0, exclusiveSeconds = 0, inclusiveSeconds = 0 } = functions[at] ?? {};
      return [
        ...differs(`trace: visits of ${name}`, row.visits, String(visits)),
        ...differs(`trace: exclusive time of ${name}`, row.exclusive, formatSeconds(exclusiveSeconds)),
        ...differs(`trace: inclusive time of ${name}`, row.inclusive, formatSeconds(inclusiveSeconds)),
      ];
    }),
    ...kinds.flatMap((row, at) => differs(`trace: ${row.kind}`, row.events, String(events[at]?.count))),
    ...places.flatMap((row, at) =>
      differs(`trace: events of location ${at}`, row.events, String(locations[at]?.events)),
    ),
    ...notes.flatMap((note) => (text.includes(note) ? [] : [`trace show does not print “${note}”`])),
  ];
}
