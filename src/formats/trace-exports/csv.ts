import { csvText } from '../../core/csv';
import type { ExportedTrace, TraceBatch } from './items';

/** One line for each call, in the order of their ends, location by location. @returns the file in pieces, one for each batch */
export function* callsCsv(trace: ExportedTrace, batches: Iterable<TraceBatch>): Generator<string> {
  yield csvText([
    [
      'rank',
      'thread',
      'location',
      'function',
      'file',
      'line',
      'depth',
      'begin (sec)',
      'end (sec)',
      'exclusive (sec)',
    ],
  ]);
  const { ticksPerSecond, functions, locations } = trace;
  for (const { location, items } of batches) {
    const { rank = -1, thread = 0, name = '' } = locations[location] ?? {};
    const rows: (readonly (string | number)[])[] = [];
    for (const item of items) {
      if (item.kind !== 'close') continue;
      const { call } = item;
      const { name: called = '', file = '', firstLine = '' } = functions[call.function] ?? {};
      const times = [call.begin, call.end, call.exclusive].map((ticks) => ticks / ticksPerSecond);
      rows.push([rank, thread, name, called, file, firstLine, call.depth, ...times]);
    }
    yield csvText(rows);
  }
}

/** A message, or one of its ends where the other one is not in the trace. */
export interface ExportedMessage {
  /** Ranks; undefined: unknown. */
  readonly sender: number | undefined;
  readonly receiver: number | undefined;
  readonly communicator: string;
  readonly tag: number;
  readonly bytes: number;
  /** Seconds since the beginning of the trace. */
  readonly sent?: number;
  readonly received?: number;
}

/** One line for each message. @returns the file in pieces, one for each batch */
export function* messagesCsv(batches: Iterable<readonly ExportedMessage[]>): Generator<string> {
  yield csvText([['sender', 'receiver', 'communicator', 'tag', 'bytes', 'sent (sec)', 'received (sec)']]);
  for (const batch of batches)
    yield csvText(
      batch.map(({ sender = '', receiver = '', communicator, tag, bytes, sent = '', received = '' }) => [
        sender,
        receiver,
        communicator,
        tag,
        bytes,
        sent,
        received,
      ]),
    );
}
