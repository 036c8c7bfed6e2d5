import { describe, expect, it } from 'vitest';
import { unguarded } from '../../../../src/core/csv';
import type { MatchedMessage } from '../../../../src/core/messages/matchEnds';
import type { Call } from '../../../../src/core/trace/build/replay';
import { chromeTrace } from '../../../../src/formats/trace-exports/chrome';
import { callsCsv, messagesCsv } from '../../../../src/formats/trace-exports/csv';
import type { ExportedTrace, TraceBatch, TraceItem } from '../../../../src/formats/trace-exports/items';
import { speedscopeTrace } from '../../../../src/formats/trace-exports/speedscope';

const hostile = '__proto__"\\\n\u001b[2J</script><b>\u2028\ud800' + 'x'.repeat(5000);

const trace: ExportedTrace = {
  name: hostile,
  ticksPerSecond: 1_000_000,
  functions: [
    { name: 'main', paradigm: 'compiler', role: 'function', file: 'a.c', firstLine: 3 },
    { name: hostile, paradigm: 'user', role: 'function' },
    { name: '=cmd()', paradigm: 'mpi', role: 'function', file: 'b,"c' },
  ],
  locations: [
    { name: 'Master thread', process: 'MPI Rank 0', rank: 0, thread: 0, isThread: true },
    { name: 'OMP thread 1', process: 'MPI Rank 0', rank: 0, thread: 1, isThread: true },
    { name: 'stream', process: 'GPU', rank: 0, thread: 0, isThread: false },
    { name: 'thread', process: 'daemon', rank: -1, thread: 0, isThread: true },
    { name: 'stream', process: 'GPU of nobody', rank: -1, thread: 0, isThread: false },
  ],
};

const open = (called: number, at: number): TraceItem => ({ kind: 'open', function: called, at });
const close = (
  called: number,
  depth: number,
  begin: number,
  end: number,
  exclusive = end - begin,
): TraceItem => {
  const call: Call = { function: called, depth, begin, end, exclusive, isOutermost: true };
  return { kind: 'close', call };
};
/** main [10, 30] calls 1 [10, 20], which calls 2 [10, 10]. */
const nested = [
  open(0, 10),
  open(1, 10),
  open(2, 10),
  close(2, 2, 10, 10),
  close(1, 1, 10, 20),
  open(2, 25),
  close(2, 1, 25, 30),
  close(0, 0, 10, 30, 5),
];
const batches: readonly TraceBatch[] = [
  { location: 0, items: [] },
  { location: 0, items: nested.slice(0, 4) },
  { location: 0, items: nested.slice(4) },
  { location: 1, items: [] },
  { location: 2, items: [open(1, 0), close(1, 0, 0, 1)] },
  { location: 3, items: [] },
];
const message = { sender: 0, receiver: 1, communicator: 0, tag: 7, bytes: 8 };
const [early, late] = [
  { row: 0, time: 26 },
  { row: 1, time: 30 },
];
const messages: readonly (readonly MatchedMessage[])[] = [
  [{ ...message, send: early }],
  [
    { ...message, send: early, receive: late },
    { ...message, send: late, receive: early },
    { ...message, receive: late },
  ],
];

interface ChromeEvent {
  readonly ph: string;
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts?: number;
  readonly dur?: number;
  readonly id?: number;
  readonly args?: Record<string, unknown>;
}

const text = (pieces: Iterable<string>): string => [...pieces].join('');

describe('Chrome’s format', () => {
  const { traceEvents, displayTimeUnit } = JSON.parse(text(chromeTrace(trace, batches, messages))) as {
    traceEvents: ChromeEvent[];
    displayTimeUnit: string;
  };
  const of = (kind: string): ChromeEvent[] => traceEvents.filter(({ ph }) => ph === kind);

  it('has a complete event for each call, callers first where they begin at the same time', () => {
    expect(displayTimeUnit).toBe('ns');
    expect(of('X').map(({ name, pid, tid, ts, dur }) => [name, pid, tid, ts, dur])).toEqual([
      ['=cmd()', 0, 0, 25, 5],
      ['main', 0, 0, 10, 20],
      [hostile, 0, 0, 10, 10],
      ['=cmd()', 0, 0, 10, 0],
      [hostile, 0, expect.any(Number), 0, 1],
    ]);
    expect(of('X')[1]).toMatchObject({ cat: 'compiler', args: { source: 'a.c:3' } });
  });

  it('keeps the order of calls that begin and end at the same time', () => {
    const items = [
      open(0, 5),
      ...[open(1, 5), close(1, 1, 5, 5), open(2, 5), close(2, 1, 5, 5)],
      close(0, 0, 5, 9),
    ];
    const { traceEvents: events } = JSON.parse(text(chromeTrace(trace, [{ location: 0, items }]))) as {
      traceEvents: ChromeEvent[];
    };
    const complete = events.filter(({ ph }) => ph === 'X');
    expect(complete.map(({ name }) => name)).toEqual(['main', hostile, '=cmd()']);
  });

  it('names processes and threads, each with numbers of its own', () => {
    const named = of('M').filter(({ name }) => name === 'thread_name');
    expect(named.map(({ args }) => args?.name)).toEqual([
      'Master thread',
      'OMP thread 1',
      'GPU stream',
      'thread',
      'GPU of nobody stream',
    ]);
    expect(named.slice(0, 2).map(({ pid, tid }) => [pid, tid])).toEqual([
      [0, 0],
      [0, 1],
    ]);
    expect(new Set(named.map(({ pid, tid }) => `${pid} ${tid}`)).size).toBe(5);
    const processes = of('M').filter(({ name }) => name === 'process_name');
    expect(processes.map(({ pid, args }) => [pid, args?.name])).toEqual([
      [0, 'rank 0'],
      [0, 'rank 0'],
      [1, 'daemon'],
      [2, 'GPU of nobody'],
    ]);
  });

  it('connects the ends of messages', () => {
    const args = { bytes: 8, tag: 7 };
    expect([...of('s'), ...of('f')].map(({ id, tid, ts, args: own }) => [id, tid, ts, own])).toEqual([
      [1, 0, 26, args],
      [2, 1, 30, args],
      [1, 1, 30, args],
      [2, 0, 26, args],
    ]);
    expect(of('f')[0]).toMatchObject({ bp: 'e' });
  });

  it('does not hold back more than some calls', () => {
    const many = Array.from({ length: 20_001 }, () => [open(1, 5), close(1, 1, 5, 5)]).flat();
    const items = [open(0, 5), ...many];
    const pieces = [...chromeTrace(trace, [{ location: 0, items }])];
    expect(pieces.join('').split('"ph":"X"')).toHaveLength(10_002);
    const all = JSON.parse(
      text(chromeTrace(trace, [{ location: 0, items: [...items, close(0, 0, 5, 6)] }])),
    ) as { traceEvents: ChromeEvent[] };
    expect(all.traceEvents.filter(({ ph }) => ph === 'X')).toHaveLength(20_002);
  });

  it('is valid without locations', () => {
    expect(JSON.parse(text(chromeTrace({ ...trace, locations: [] }, [])))).toMatchObject({ traceEvents: [] });
  });

  it('nests times that are rounded to nanoseconds', () => {
    const fine = { ...trace, ticksPerSecond: 3e9 };
    const items = [open(0, 1), open(2, 2), close(2, 1, 2, 4), close(0, 0, 1, 4)];
    const { traceEvents: events } = JSON.parse(text(chromeTrace(fine, [{ location: 0, items }]))) as {
      traceEvents: ChromeEvent[];
    };
    const [inner, outer] = events.filter(({ ph }) => ph === 'X');
    expect(inner).toMatchObject({ ts: 0.001, dur: 0 });
    expect(outer).toMatchObject({ ts: 0, dur: 0.001 });
  });
});

describe('speedscope’s format', () => {
  const file = JSON.parse(text(speedscopeTrace(trace, batches))) as {
    $schema: string;
    activeProfileIndex: number;
    name: string;
    shared: { frames: { name: string; file?: string; line?: number }[] };
    profiles: {
      type: string;
      unit: string;
      name: string;
      startValue: number;
      endValue: number;
      events: { type: 'O' | 'C'; frame: number; at: number }[];
    }[];
  };

  it('has what the schema asks for', () => {
    expect(file.$schema).toBe('https://www.speedscope.app/file-format-schema.json');
    expect(file.name).toBe(hostile);
    expect(file.shared.frames).toEqual([
      { name: 'main', file: 'a.c', line: 3 },
      { name: hostile },
      { name: '=cmd()', file: 'b,"c' },
    ]);
    for (const { type, unit, startValue, endValue } of file.profiles) {
      expect([type, unit]).toEqual(['evented', 'microseconds']);
      expect(endValue).toBeGreaterThanOrEqual(startValue);
    }
  });

  it('has a profile for each location, whose events nest in the order of their times', () => {
    expect(file.profiles.map(({ name }) => name)).toEqual([
      'rank 0, thread 0 (Master thread)',
      'rank 0, thread 1 (OMP thread 1)',
      'GPU stream',
      'daemon thread',
    ]);
    expect(file.profiles.map(({ events }) => events.length)).toEqual([8, 0, 2, 0]);
    expect(file.profiles[0]).toMatchObject({ startValue: 10, endValue: 30 });
    expect(file.profiles[0]!.events.slice(0, 4)).toEqual([
      { type: 'O', frame: 0, at: 10 },
      { type: 'O', frame: 1, at: 10 },
      { type: 'O', frame: 2, at: 10 },
      { type: 'C', frame: 2, at: 10 },
    ]);
    for (const { events } of file.profiles) {
      const stack: number[] = [];
      let last = 0;
      for (const { type, frame, at } of events) {
        expect(at).toBeGreaterThanOrEqual(last);
        last = at;
        if (type === 'O') stack.push(frame);
        else expect(stack.pop()).toBe(frame);
      }
      expect(stack).toEqual([]);
    }
  });

  it('is valid without locations', () => {
    expect(JSON.parse(text(speedscopeTrace({ ...trace, locations: [], functions: [] }, [])))).toMatchObject({
      profiles: [],
      shared: { frames: [] },
    });
  });
});

/** Rows of cells. */
function parsed(csv: string): readonly (readonly string[])[] {
  const cells = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/gy;
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of csv.matchAll(cells)) {
    rows.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  return rows.slice(0, -1);
}

describe('CSV', () => {
  it('has a line for each call', () => {
    const [head, ...rows] = parsed(text(callsCsv(trace, batches)));
    expect(head).toEqual([
      ...['rank', 'thread', 'location', 'function', 'file', 'line', 'depth'],
      ...['begin (sec)', 'end (sec)', 'exclusive (sec)'],
    ]);
    expect(rows).toHaveLength(5);
    expect(rows[3]).toEqual([
      '0',
      '0',
      'Master thread',
      'main',
      'a.c',
      '3',
      '0',
      '0.00001',
      '0.00003',
      '0.000005',
    ]);
    expect(rows[1]![3]).toBe(hostile);
    // Spreadsheets would compute this name.
    expect(rows[0]![3]).toBe("'=cmd()");
    expect(unguarded(rows[0]![3]!)).toBe('=cmd()');
    expect(rows[0]![4]).toBe('b,"c');
    expect(rows[4]!.slice(0, 3)).toEqual(['0', '0', 'stream']);
  });

  it('has a line for each message', () => {
    const messages = [
      { sender: 0, receiver: 1, communicator: '@x', tag: 3, bytes: 8, sent: 0.5, received: 1 },
      { sender: undefined, receiver: 1, communicator: 'c', tag: 3, bytes: 8, received: 1 },
    ];
    expect(parsed(text(messagesCsv([messages, []])))).toEqual([
      ['sender', 'receiver', 'communicator', 'tag', 'bytes', 'sent (sec)', 'received (sec)'],
      ['0', '1', "'@x", '3', '8', '0.5', '1'],
      ['', '1', 'c', '3', '8', '', '1'],
    ]);
  });
});
