import path from 'node:path';
import { KymoError } from '../../core/errors';
import { formatSeconds } from '../../core/format';
import { MessageMatcher, type MatchedMessage } from '../../core/messages/matchEnds';
import type { Scratch } from '../../core/messages/sortedRecords';
import { callNotes } from '../../core/trace/build/replay';
import { TraceFunctions } from '../../formats/otf2/functions';
import type { Location } from '../../formats/otf2/definitions/model';
import { Partners } from '../../formats/otf2/messages';
import { chromeTrace } from '../../formats/trace-exports/chrome';
import { callsCsv, messagesCsv, type ExportedMessage } from '../../formats/trace-exports/csv';
import type { ExportedLocation, ExportedTrace } from '../../formats/trace-exports/items';
import { speedscopeTrace } from '../../formats/trace-exports/speedscope';
import { MessageEvents } from '../messages/messageEvents';
import { ScratchFile } from '../messages/scratchFile';
import { traceBatches, type BatchCounts, type BatchSource, type TickRange } from './batches';
import { inBatches, messageBatches } from './messages';
import {
  rankFilter,
  Reading,
  withTrace,
  type OpenedTrace,
  type TraceContext,
  type TracePart,
} from './openTrace';

export const traceFormats = ['chrome', 'speedscope', 'csv'] as const;
export type TraceFormat = (typeof traceFormats)[number];
export type CsvRows = 'calls' | 'messages';

export interface ConvertOptions extends TracePart {
  readonly format: TraceFormat;
  /** Rows of CSV; default: calls. */
  readonly what?: CsvRows;
}

export interface ConvertedTrace {
  readonly in: string;
  readonly format: TraceFormat;
  /** Lines of CSV, and calls of the other formats. */
  readonly calls?: number;
  readonly messages?: number;
  readonly notes: readonly string[];
}

/** Takes pieces of text, and awaits `between` after each, where work is cancelled. */
export type PieceWriter = (pieces: Iterable<string>, between: () => Promise<void>) => Promise<void>;

/**
 * Reads a trace and gives it to the writer in another format, piece by piece.
 * @throws KymoError of `withTrace`, and `no-events` where there is nothing to write
 */
export function convertTrace(
  given: string,
  options: ConvertOptions,
  write: PieceWriter,
  context: TraceContext = {},
): Promise<ConvertedTrace> {
  const { format, what = 'calls' } = options;
  // Messages of some ranks have ends on others.
  const isOfMessages = format === 'csv' && what === 'messages';
  return withTrace(given, options.ranks, async (trace) => {
    const counts = { calls: 0, events: 0, messages: 0, missingLeaves: 0, unmatchedLeaves: 0 };
    const scratch = await ScratchFile.make();
    const pieces = isOfMessages
      ? messagePieces(trace, options, counts, scratch)
      : callPieces(trace, options, counts, scratch);
    const read = isOfMessages ? trace.archive.definitions.locations : trace.locations;
    const reading = new Reading(`Converting ${trace.file}`, read, context);
    let passed = 0;
    try {
      await write(requireEvents(pieces, trace, counts), async () => {
        await reading.passed(counts.events - passed);
        passed = counts.events;
      });
    } finally {
      scratch.remove();
    }
    const notes = trace.archive.notes().map(({ message }) => message);
    return {
      in: trace.file,
      format,
      ...(isOfMessages ? { messages: counts.messages } : { calls: counts.calls }),
      notes: [...notes, ...callNotes(counts), ...emptyNotes(trace, options, counts)],
    };
  });
}

function emptyNotes(
  { archive, file }: OpenedTrace,
  { from = 0, to = Infinity }: ConvertOptions,
  { calls, messages }: { readonly calls: number; readonly messages: number },
): readonly string[] {
  if (calls + messages > 0 || (from <= 0 && to === Infinity)) return [];
  const { length, ticksPerSecond } = archive.definitions.clock;
  const until = to === Infinity ? 'on' : `to ${formatSeconds(to)}`;
  return [
    `Nothing of ${file} is from ${formatSeconds(from)} ${until}: the trace is ${formatSeconds(length / ticksPerSecond)} long.`,
  ];
}

/** Throws at the end, before the file gets its name. */
function* requireEvents(
  pieces: Iterable<string>,
  { file, archive }: OpenedTrace,
  counts: { readonly events: number },
): Generator<string> {
  yield* pieces;
  if (counts.events > 0) return;
  const reasons = archive.notes().map(({ message }) => message);
  throw new KymoError(
    'no-events',
    [`${file} has no events that can be read: there is nothing to convert.`, ...reasons.slice(0, 3)].join(
      ' ',
    ),
    { file },
  );
}

function messagePieces(
  { archive }: OpenedTrace,
  { ranks, from = -Infinity, to = Infinity }: ConvertOptions,
  counts: { events: number; messages: number },
  scratch: Scratch,
): Iterable<string> {
  const isChosen = ranks === undefined ? () => true : rankFilter(ranks);
  const isWithin = (time = NaN): boolean => time >= from && time <= to;
  const isWanted = ({ sender = -1, receiver = -1, sent, received }: ExportedMessage): boolean =>
    (isChosen(sender) || isChosen(receiver)) && (isWithin(sent) || isWithin(received));
  return messagesCsv(messageBatches({ archive, scratch, isWanted }, counts));
}

function callPieces(
  { file, archive, locations }: OpenedTrace,
  { format, from = -Infinity, to = Infinity }: ConvertOptions,
  counts: BatchCounts,
  scratch: Scratch,
): Iterable<string> {
  const { definitions } = archive;
  const { ticksPerSecond } = definitions.clock;
  const functions = new TraceFunctions(definitions);
  const trace: ExportedTrace = {
    name: path.basename(path.dirname(path.resolve(file))),
    ticksPerSecond,
    functions: functions.list,
    locations: locations.map(exportedLocation),
  };
  const range = { from: from * ticksPerSecond, to: to * ticksPerSecond };
  const source = { archive, locations, functions, range };
  if (format === 'chrome') return chromePieces(trace, source, counts, scratch);
  const writer = format === 'csv' ? callsCsv : speedscopeTrace;
  return writer(trace, traceBatches(source, counts));
}

function chromePieces(
  trace: ExportedTrace,
  source: BatchSource,
  counts: BatchCounts,
  scratch: Scratch,
): Iterable<string> {
  const { archive, range } = source;
  const partners = new Partners(archive.definitions);
  const matcher = new MessageMatcher(scratch);
  const visitor: BatchSource['visitor'] = (location, row) => {
    const events = new MessageEvents(location.rank, row, partners, matcher, () => undefined);
    return (chunk) => events.visit(chunk);
  };
  return chromeTrace(trace, traceBatches({ ...source, visitor }, counts), messagesIn(matcher, range));
}

/** Messages with both ends in the range. */
function* messagesIn(matcher: MessageMatcher, { from, to }: TickRange): Generator<readonly MatchedMessage[]> {
  const isIn = (time = NaN): boolean => time >= from && time <= to;
  for (const some of inBatches(matcher.messages()))
    yield some.filter(({ send, receive }) => isIn(send?.time) && isIn(receive?.time));
}

function exportedLocation({ name, group, rank, thread, type }: Location): ExportedLocation {
  return { name, process: group?.name ?? '', rank, thread, isThread: type === 'CPU_THREAD' };
}
