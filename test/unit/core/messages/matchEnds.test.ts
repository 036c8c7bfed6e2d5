import { describe, expect, it } from 'vitest';
import { MessagesByTime } from '../../../../src/core/messages/byTime';
import { MessageMatcher, type MessageEnd } from '../../../../src/core/messages/matchEnds';
import type { Scratch, ScratchPlace } from '../../../../src/core/messages/sortedRecords';

/** A file that is an array. */
class Memory implements Scratch {
  readonly written: Uint8Array[] = [];
  #size = 0;

  write(bytes: Uint8Array): ScratchPlace {
    this.written.push(bytes.slice());
    this.#size += bytes.length;
    return { offset: this.#size - bytes.length, length: bytes.length };
  }

  read({ offset, length }: ScratchPlace): Uint8Array {
    return new Uint8Array(Buffer.concat(this.written).subarray(offset, offset + length));
  }
}

const usual = { sender: 0, receiver: 1, communicator: 0, tag: 0, row: 0, bytes: 1 };
const send = (posted: number, others: Partial<MessageEnd> = {}): MessageEnd => ({
  ...{ ...usual, isSend: true, time: posted, posted, sequence: posted },
  ...others,
});
const receive = (posted: number, time: number, others: Partial<MessageEnd> = {}): MessageEnd => ({
  ...{ ...usual, row: 1, isSend: false, time, posted, sequence: posted },
  ...others,
});

function matched(ends: readonly MessageEnd[], most?: number): readonly (readonly unknown[])[] {
  const matcher = new MessageMatcher(new Memory(), most);
  for (const end of ends) matcher.add(end);
  expect(matcher.ends).toBe(ends.length);
  return [...matcher.messages()].map((message) => [message.send?.time, message.receive?.time]);
}

describe('ends of messages', () => {
  it('match in the order in which receives were posted, not in that in which they were complete', () => {
    expect(matched([receive(2, 20), receive(1, 30), send(5), send(6)])).toEqual([
      [5, 30],
      [6, 20],
    ]);
    // As events of a row where they were posted at the same time.
    const second = receive(1, 20, { sequence: 8 });
    expect(matched([second, receive(1, 30), send(5), send(6)])).toEqual([
      [5, 30],
      [6, 20],
    ]);
  });

  it.each(['sender', 'receiver', 'communicator', 'tag'] as const)('have the same %s', (which) => {
    expect(matched([send(5, { [which]: 3 }), send(6), receive(1, 9)])).toContainEqual([6, 9]);
    const alone = matched([send(5, { [which]: 3 }), receive(1, 9)]);
    expect(alone).toHaveLength(2);
    expect(alone).toEqual(
      expect.arrayContaining([
        [5, undefined],
        [undefined, 9],
      ]),
    );
  });

  it('stay alone behind the last one of the other side', () => {
    expect(matched([send(1), send(2), send(3), receive(0, 9)])).toEqual([
      [1, 9],
      [2, undefined],
      [3, undefined],
    ]);
    expect(matched([receive(1, 8), receive(2, 9)])).toEqual([
      [undefined, 8],
      [undefined, 9],
    ]);
    expect(matched([])).toEqual([]);
  });

  it('keep what they are, with any tag and thread', () => {
    const ends = { sender: 2 ** 26 - 1, receiver: 70_000, communicator: 2 ** 20 - 1, tag: 2 ** 32 - 1 };
    const matcher = new MessageMatcher(new Memory());
    matcher.add(send(3, { ...ends, row: 4, bytes: 99 }));
    matcher.add(receive(3, 7, { ...ends, row: 5, bytes: 98 }));
    const both = { ...ends, bytes: 99, send: { row: 4, time: 3 }, receive: { row: 5, time: 7 } };
    const messages = [...matcher.messages()];
    expect(messages).toEqual([both]);
    const sorted = new MessagesByTime(new Memory());
    const { receive: late, ...sent } = both;
    const { send: early, ...received } = both;
    for (const message of [both, { ...sent, send: { ...early, time: 2 } }, received]) sorted.add(message);
    expect(sorted.count).toBe(3);
    expect([...sorted.messages()]).toEqual([{ ...sent, send: { row: 4, time: 2 } }, both, received]);
    expect(late).toEqual({ row: 5, time: 7 });
  });

  it('are the same in memory and in a file, of which a bounded part is in memory', () => {
    const pairs = [...Array(2000).keys()];
    const ends = pairs.flatMap((at) => {
      const channel = { sender: at % 7, tag: at % 3 };
      // Complete in another order than posted.
      return [receive(at, 9000 - at, channel), ...(at % 100 === 0 ? [] : [send(5000 - at, channel)])];
    });
    const all = matched(ends);
    expect(all.filter(([sent]) => sent === undefined).length).toBe(20);
    expect(matched(ends, 70)).toEqual(all);
    const scratch = new Memory();
    const matcher = new MessageMatcher(scratch, 700);
    for (const end of ends) matcher.add(end);
    expect(Math.max(...scratch.written.map(({ length }) => length))).toBe(700 * 8);
    expect(scratch.written.length).toBe(38);
  });
});
