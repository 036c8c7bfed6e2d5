import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import { MessagesByTime } from '../../../../src/core/messages/byTime';
import { MessageMatcher } from '../../../../src/core/messages/matchEnds';
import { countMessages, messagesOf } from '../../../../src/core/timeline/answers/messages';
import { namedBytes } from '../../../../src/formats/byteSource';
import { TraceIndex } from '../../../../src/formats/trace-index/read';
import { TraceIndexWriter } from '../../../../src/formats/trace-index/write';
import { ScratchFile } from '../../../../src/workflows/messages/scratchFile';

const rows = 20;
const count = 80_000;
const turn = (): Promise<void> => Promise.resolve();
const absent = { size: -1, modified: 0 };

interface Message {
  readonly sender: number;
  readonly receiver: number;
  readonly sent: number;
  readonly received: number;
  readonly bytes: number;
  readonly tag: number;
}

function randomMessages(): Message[] {
  const random = randomNumbers(9);
  const last = new Map<string, number>();
  return Array.from({ length: count }, (_, at) => {
    const sender = Math.floor(random() * rows);
    const receiver = Math.floor(random() * rows);
    const sent = at * 10;
    const tag = random() < 0.5 ? 4_000_000_000 : 3;
    // In the order of the sends; some are very long.
    const key = `${sender} ${receiver} ${tag}`;
    const wanted = sent + Math.floor(random() * 1000) * (random() < 0.001 ? 100 : 1);
    const received = Math.max(wanted, (last.get(key) ?? 0) + 1);
    last.set(key, received);
    return { sender, receiver, sent, received, bytes: at % 1000, tag: tag | 0 };
  });
}

/** The index of messages, whose ends come row by row. */
async function indexOf(
  messages: readonly Message[],
  most?: number,
): Promise<{ index: TraceIndex; alone: number }> {
  const scratch = await ScratchFile.make();
  try {
    const ends = new MessageMatcher(scratch, most);
    for (let row = 0; row < rows; row++) {
      const own = messages.flatMap((message) => [
        ...(message.sender === row ? [{ message, isSend: true, time: message.sent }] : []),
        ...(message.receiver === row ? [{ message, isSend: false, time: message.received }] : []),
      ]);
      own.sort((one, other) => one.time - other.time);
      for (const [sequence, { message, isSend, time }] of own.entries()) {
        const { sender, receiver, bytes, tag } = message;
        const channel = { sender, receiver, communicator: 5, tag: tag >>> 0 };
        ends.add({ ...channel, isSend, row, time, bytes, posted: time, sequence });
      }
    }
    const parts: Uint8Array[] = [];
    const writer = new TraceIndexWriter((bytes) => parts.push(bytes.slice()));
    const sorted = new MessagesByTime(scratch, most);
    let alone = 0;
    for (const message of ends.messages())
      if (message.send !== undefined && message.receive !== undefined) sorted.add(message);
      else alone++;
    for (const { send, receive, bytes, tag } of sorted.messages())
      writer.messages.add(send!.row, receive!.row, send!.time, receive!.time, bytes, tag);
    const row = { events: 0, begin: 0, end: 0, eventFile: absent, definitionFile: absent };
    for (let at = 0; at < rows; at++) writer.endRow(row);
    writer.finish({ anchorFile: absent, definitionFile: absent, unknown: [], depth: 0, notes: [] });
    const bytes = new Uint8Array(Buffer.concat(parts));
    const index = new TraceIndex(namedBytes('index', bytes), 0, () => {
      throw new Error('no events');
    });
    return { index, alone };
  } finally {
    scratch.remove();
  }
}

const messages = randomMessages();
const end = Math.max(...messages.map(({ received }) => received));
const trace = {
  scale: { origin: 0, ticksPerSecond: 1 },
  slots: 1,
  end,
  rowCount: rows,
  row: () => undefined,
};

describe('the messages of a large trace', () => {
  it.each([
    ['in memory', undefined],
    ['in a file as long as they wait for the other end', 100_000],
  ])('are found in any window: %s', async (_, most) => {
    const { index, alone } = await indexOf(messages, most);
    expect(alone).toBe(0);
    expect(index.directory.messages).toBe(count);
    expect(index.messages.levels).toBe(3);
    const random = randomNumbers(4);
    for (let at = 0; at < 30; at++) {
      const length = at === 0 ? end : end * 10 ** (-random() * 4);
      const from = at === 0 ? 0 : random() * (end - length);
      const isAll = at % 2 === 0;
      const range = { firstRow: isAll ? 0 : 3, rowCount: isAll ? rows : 5, from, to: from + length };
      const last = range.to >= end ? Infinity : range.to;
      const has = (row: number, time: number): boolean =>
        row >= range.firstRow && row < range.firstRow + range.rowCount && time >= from && time < last;
      const naive = messages.filter(
        ({ sender, receiver, sent, received }) => has(sender, sent) || has(receiver, received),
      );
      expect(await countMessages(trace, index.messages, range, turn)).toEqual({
        count: naive.length,
        bytes: naive.reduce((sum, { bytes }) => sum + bytes, 0),
      });
      const all = await messagesOf(trace, index.messages, { ...range, most: count }, turn);
      expect(all.sent.length).toBe(naive.length);
      for (const [place, message] of naive.entries())
        expect({
          sender: all.sender[place],
          receiver: all.receiver[place],
          sent: all.sent[place],
          received: all.received[place],
          bytes: all.bytes[place],
          tag: all.tag[place],
        }).toEqual(message);
      const few = await messagesOf(trace, index.messages, { ...range, most: 64 }, turn);
      expect(few.total).toBe(naive.length);
      expect(few.sent.length).toBe(Math.min(64, naive.length));
      if (naive.length <= 64) continue;
      // The longest of all is there, and each part of the time has one where all rows are shown.
      const durations = Array.from(few.sent, (sent, place) => (few.received[place] ?? 0) - sent);
      const longest = naive.filter(({ sent }) => sent >= from && sent < last);
      expect(Math.max(...durations)).toBeGreaterThanOrEqual(
        Math.max(...longest.map(({ sent, received }) => received - sent)),
      );
      const parts = new Set(Array.from(few.sent, (sent) => Math.floor(((sent - from) / length) * 64)));
      if (naive.length > 2000) expect(parts.size).toBeGreaterThan(32);
    }
  });
});
