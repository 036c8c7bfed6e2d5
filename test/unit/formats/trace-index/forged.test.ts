import { describe, expect, it, test } from 'vitest';
import { MessageList } from '../../../../src/core/timeline/messages/messageList';
import { ByteCursor } from '../../../../src/formats/trace-index/bytes';
import { putDirectory, readDirectory } from '../../../../src/formats/trace-index/directory';
import type { Directory, RowFacts } from '../../../../src/formats/trace-index/layout';
import {
  MessageTable,
  putMessages,
  readMessages,
  readMessageTable,
} from '../../../../src/formats/trace-index/messageBytes';

const file = { size: 100, modified: 1 };
const place = { offset: 16, length: 8 };
const row: RowFacts = {
  ...{ events: 50, begin: 5, end: 9, eventFile: file, definitionFile: file },
  ...{ table: place, blocks: 1 },
};
const directory: Directory = {
  ...{ anchorFile: file, definitionFile: file, unknown: [], notes: [], depth: 50 },
  ...{ rows: [row], messages: 1, messageTable: place },
};

function stored(changed: Directory): Directory {
  return readDirectory(
    new ByteCursor(putDirectory(changed), (_, message) => {
      throw new Error(message);
    }),
  );
}

describe('a directory with numbers that no index has is refused', () => {
  it.each<[string, Partial<RowFacts>]>([
    ['5 to NaN', { end: NaN }],
    ['NaN to 9', { begin: NaN }],
    ['5 to Infinity', { end: Infinity }],
    ['-1e+308 to 1e+308', { begin: -1e308, end: 1e308 }],
    ['5 to 4', { end: 4 }],
    ['101 events in 100 bytes', { events: 101 }],
    ['50 events in -1 bytes', { eventFile: { size: -1, modified: 0 } }],
    ['50 events in NaN bytes', { eventFile: { size: NaN, modified: 0 } }],
  ])('%s', (message, facts) => {
    expect(stored(directory)).toEqual(directory);
    expect(() => stored({ ...directory, rows: [{ ...row, ...facts }] })).toThrow(message);
  });

  it('a depth of more than all events', () => {
    expect(stored({ ...directory, rows: [row, row], depth: 100 }).depth).toBe(100);
    expect(() => stored({ ...directory, depth: 51 })).toThrow('a depth of 51 with 50 events');
  });
});

test('messages whose times and sizes are no numbers are refused', () => {
  for (const position of [2, 3, 4])
    for (const bad of [NaN, Infinity, -Infinity]) {
      const values: Parameters<MessageList['add']> = [0, 1, 10, 20, 800, 7];
      const list = new MessageList();
      list.add(...values);
      expect(readMessages(putMessages(list), 2)?.count).toBe(1);
      expect(readMessages(putMessages(list), 1)).toBeUndefined();
      list.add(...(values.with(position, bad) as typeof values));
      expect(readMessages(putMessages(list), 2), `${position} ${bad}`).toBeUndefined();
    }
});

test('tables of messages with something that is no number are refused', () => {
  const tableOf = (to: number): Uint8Array => {
    const table = new MessageTable();
    table.add(0, { from: 10, to, count: 1, bytes: 800 }, place, place);
    return table.bytes();
  };
  expect(readMessageTable(tableOf(20), 1)?.node(0, 0)).toMatchObject({ from: 10, to: 20, block: place });
  expect(readMessageTable(tableOf(NaN), 1)).toBeUndefined();
  expect(readMessageTable(tableOf(Infinity), 1)).toBeUndefined();
  expect(readMessageTable(tableOf(20), 2 ** 60)).toBeUndefined();
});
