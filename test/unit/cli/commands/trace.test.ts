import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { registerTrace } from '../../../../src/cli/commands/trace';
import type { ProfileJson } from '../../../../src/formats/exports/json';
import { registerProfile } from '../../../../src/cli/commands/profile';
import { writePieces } from '../../../../src/cli/terminal/inputs';
import { convertTrace } from '../../../../src/workflows/trace/convert';
import { Reading } from '../../../../src/workflows/trace/openTrace';
import { silent } from '../../../../src/core/progress';
import { traceReport } from '../../../../src/workflows/trace/report';
import type { EventList } from '../../../../src/workflows/trace/events';
import type { TraceReport } from '../../../../src/workflows/trace/report.types';
import { sharedData } from '../../../shared';
import { smallTrace, undefinedRef, type SmallEvent } from '../../formats/otf2/smallTrace';
import { useCommandFolder } from './commandFolder';

const { inFolder, run } = useCommandFolder('trace');
const shown = async (...words: string[]): Promise<TraceReport> =>
  (await run([registerTrace], ['trace', 'show', ...words])).result as TraceReport;
const printed = async (...words: string[]): Promise<string> =>
  (await run([registerTrace], ['trace', 'show', ...words], false)).text;
const listed = async (...words: string[]): Promise<EventList> =>
  (await run([registerTrace], ['trace', 'show', '--events', ...words])).result as EventList;
const converted = async (name: string, ...words: string[]): Promise<{ text: string; result: unknown }> => {
  const { result } = await run(
    [registerTrace],
    ['trace', 'convert', inFolder('traces.otf2'), '--output', inFolder(name), ...words],
  );
  return { text: readFileSync(inFolder(name), 'utf8'), result };
};

const functions = [
  { name: 'int main()', mangledName: 'main', file: '/src/main.c', line: 10 },
  { name: 'step', file: '/src/step.c', line: 3 },
  { name: 'MPI_Send', file: 'MPI', paradigm: 4 },
  { name: 'MPI_Recv', file: 'MPI', paradigm: 4 },
];

/** main [0, 100] calls step [10, 40], which calls itself [20, 30], and MPI; times of rank 1 are one later. */
function rank(own: number): SmallEvent[] {
  const partner = 1 - own;
  const events: readonly SmallEvent[] = [
    ['PROGRAM_BEGIN', 0, 1, 1, 0],
    ['enter', 0, 0],
    ['enter', 10, 1],
    ['enter', 20, 1],
    ['leave', 30, 1],
    ['METRIC', 35, 0, 1, 4, 1000 * (own + 1)],
    ['leave', 40, 1],
    ['PARAMETER_STRING', 41, 0, 1],
    ['enter', 50, 2 + own],
    own === 0 ? ['send', 51, partner, 7, 64] : ['receive', 51, partner, 7, 64],
    ['leave', 60, 2 + own],
    own === 0 ? ['send', 61, partner, 7, 16] : ['receive', 61, partner, 7, 16],
    ['MPI_COLLECTIVE_BEGIN', 70],
    ['MPI_COLLECTIVE_END', 80, 11, 0, undefinedRef, 8, 24],
    ['RMA_PUT', 81, 0, partner, 100, 1],
    ['RMA_ATOMIC', 82, 0, partner, 5, 1, 2, 2],
    ['IO_OPERATION_BEGIN', 83, 0, 1, 0, 4096, 1],
    ['IO_OPERATION_BEGIN', 84, 0, 1, 0, 2n ** 64n - 1n, 1],
    ['leave', 100, 0],
    ['PROGRAM_END', 100, own === 0 ? 0 : 3],
  ];
  return events.map(([kind, time, ...values]) => [kind, time + own, ...values] as unknown as SmallEvent);
}

function save(): void {
  smallTrace({
    functions,
    ranks: [rank(0), rank(1)],
    define: (writer) => {
      const text = writer.string('counter');
      writer.define('METRIC_MEMBER', {
        id: 0,
        name: text,
        description: text,
        type: 0,
        mode: 1,
        valueType: 4,
        base: 1,
        exponent: 1,
        unit: writer.string('#'),
      });
      writer.define('METRIC_CLASS', { id: 0, members: [0], occurrence: 1, recorderKind: 2 });
      writer.define('PARAMETER', { id: 0, name: writer.string('size'), type: 0 });
    },
    options: { machineName: 'cluster', properties: new Map([['__proto__', 'x']]), traceId: 77n },
  }).save(inFolder());
}

describe('kymo trace show', () => {
  it('gives functions, messages and everything else that is in a trace', async () => {
    save();
    const report = await shown(inFolder('traces.otf2'));
    expect(report).toMatchObject({
      archive: {
        creator: 'Kymo',
        machine: 'cluster',
        traceId: '77',
        properties: [{ name: '__proto__', value: 'x' }],
      },
      clock: { ticksPerSecond: 1000, globalOffset: '0', seconds: 0.001, begin: '2023-11-14T22:13:20.000Z' },
      commands: [{ command: 'int main() ', count: 2 }],
      exitStatuses: [
        { status: '0', count: 1 },
        { status: '3', count: 1 },
      ],
      firstSeconds: 0,
      lastSeconds: 0.101,
      messages: {
        sent: { count: 2, bytes: 80 },
        received: { count: 2, bytes: 80 },
        unmatchedSends: 0,
        unmatchedReceives: 0,
      },
      collectives: [{ operation: 'ALLREDUCE', calls: 2, sentBytes: 16, receivedBytes: 48 }],
      oneSided: [
        { operation: 'put', count: 2, bytes: 200 },
        { operation: 'atomic', count: 2, bytes: 6 },
      ],
      files: [{ operation: 'write', count: 4, bytes: 8192 }],
      metrics: [
        { name: 'counter', unit: '#', mode: 'ABSOLUTE_START', values: 2, least: 10_000, greatest: 20_000 },
      ],
      parameters: [{ name: 'size', type: 'STRING', count: 2, values: [{ value: 'int main()', count: 2 }] }],
      missingLeaves: 0,
      unmatchedLeaves: 0,
      notes: [],
    });
    expect(report.functions).toEqual([
      {
        name: 'int main()',
        mangledName: 'main',
        file: '/src/main.c',
        line: 10,
        endLine: 10,
        role: 'function',
        paradigm: 'compiler',
        visits: 2,
        exclusiveSeconds: 0.12,
        inclusiveSeconds: 0.2,
      },
      expect.objectContaining({ name: 'step', visits: 4, exclusiveSeconds: 0.06, inclusiveSeconds: 0.06 }),
      {
        name: 'MPI_Send',
        role: 'function',
        paradigm: 'mpi',
        visits: 1,
        exclusiveSeconds: 0.01,
        inclusiveSeconds: 0.01,
      },
      {
        name: 'MPI_Recv',
        role: 'function',
        paradigm: 'mpi',
        visits: 1,
        exclusiveSeconds: 0.01,
        inclusiveSeconds: 0.01,
      },
    ]);
    expect(report.locations[1]).toEqual({
      id: '1',
      name: 'Master thread',
      type: 'CPU_THREAD',
      rank: 1,
      thread: 0,
      process: 'MPI Rank 1',
      node: 'node 7',
      events: 20,
      calls: 4,
      depth: 3,
      firstSeconds: 0.001,
      lastSeconds: 0.101,
      callSeconds: 0.1,
    });
    expect(report.events.slice(0, 3)).toEqual([
      { kind: 'ENTER', count: 8 },
      { kind: 'LEAVE', count: 8 },
      { kind: 'IO_OPERATION_BEGIN', count: 4 },
    ]);
  });

  it('has only fields that are documented', async () => {
    save();
    const file = path.resolve(import.meta.dirname, '../../../../docs/INTERFACES.md');
    const rows = readFileSync(file, 'utf8').split('\n');
    const row = rows.find((line) => line.startsWith('| `trace show FILE` |')) ?? '';
    const undocumented = (value: unknown): readonly string[] =>
      typeof value !== 'object' || value === null
        ? []
        : Object.entries(value).flatMap(([key, inner]) => [
            ...(Array.isArray(value) || new RegExp(`[{ ]${key}\\??[:,}]`).test(row) ? [] : [key]),
            ...undocumented(inner),
          ]);
    expect(undocumented(await shown(inFolder()))).toEqual([]);
  });

  it('takes the folder of a trace, and some of its ranks', async () => {
    save();
    const report = await shown(inFolder(), '--ranks', '1-4');
    expect(report.locations.map((location) => location.rank)).toEqual([1]);
    expect(report.functions.map(({ name, visits }) => [name, visits])).toEqual([
      ['int main()', 1],
      ['step', 2],
      ['MPI_Recv', 1],
    ]);
    // The other ends were not read.
    expect(report.messages).toEqual({ sent: { count: 0, bytes: 0 }, received: { count: 2, bytes: 80 } });
    await expect(shown(inFolder(), '--ranks', '2-4')).rejects.toMatchObject({
      reason: 'no-such-rank',
      message: expect.stringContaining('Its ranks are 0 to 1.') as string,
    });
    for (const wrong of ['x', '3-1', '', '1,', '-1', '0-99999999999999999999'])
      await expect(shown(inFolder(), '--ranks', wrong)).rejects.toMatchObject({
        code: 'commander.invalidArgument',
      });
  });

  it('prints tables of a limited length', async () => {
    save();
    const text = await printed(inFolder('traces.otf2'), '--top', '1');
    expect(text).toContain('traces.otf2: 40 events of 2 locations in 101 ms');
    expect(text).toContain('1 more location: --top, --json');
    expect(text).toContain('3 more functions: --top, --json');
    expect(text).toMatch(/120 ms +60\.0 % +200 ms +2 {2}int main\(\) {2}\/src\/main\.c:10/);
    expect(text).toContain('messages: 2 sent (80 B), 2 received (80 B)');
    expect(text).toContain('collective ALLREDUCE: 2 calls of processes, 16 B sent, 48 B received');
    expect(text).toContain('exit status 3: 1 process');
    expect(text).toContain('metric counter: 2 values from 10000 # to 20000 #');
    expect(text).not.toContain('parameter size');
    expect(text).toContain('1 more metric or parameter');
  });

  it('counts messages without their other end, between the same processes', async () => {
    smallTrace({
      ranks: [
        [
          ['send', 1, 1, 0, 8],
          ['send', 2, 2, 0, 8],
          ['receive', 3, 1, 0, 8],
        ],
        [['receive', 4, 2, 0, 8]],
        [],
      ],
    }).save(inFolder('unmatched'));
    const { messages } = await shown(inFolder('unmatched'));
    expect(messages).toMatchObject({ unmatchedSends: 2, unmatchedReceives: 2 });
    expect(await printed(inFolder('unmatched'))).toContain('without their other end: 2 sent, 2 received');
  });

  it('finds the other end in communicators of any kind', async () => {
    // 1: rank 0 alone; 2: the first member is rank 1; 3: members are ranks; 9 is not defined.
    const message = (kind: string, partner: number, comm: number): SmallEvent =>
      [kind, 1, partner, comm, 0, 8] as unknown as SmallEvent;
    smallTrace({
      ranks: [
        [message('MPI_SEND', 0, 1), message('MPI_RECV', 0, 1), message('MPI_SEND', 0, 2)],
        [message('MPI_RECV', 1, 2), message('MPI_SEND', 0, 3), message('MPI_SEND', 0, 9)],
        [message('MPI_RECV', 1, 9)],
      ],
      define: (writer) => {
        const name = writer.string('');
        const group = (id: number, type: number, members: number[], flags: number): void => {
          writer.define('GROUP', { id: id + 10, name, members, type, paradigm: 4, flags });
          writer.define('COMM', { id, name, group: id + 10, parent: undefinedRef, flags: 0 });
        };
        group(1, 6, [], 0);
        group(2, 5, [1, 0], 0);
        group(3, 5, [2, 1], 1);
      },
    }).save(inFolder('communicators'));
    const { messages } = await shown(inFolder('communicators'));
    expect(messages).toMatchObject({ unmatchedSends: 1, unmatchedReceives: 0 });
    const output = inFolder('communicators.csv');
    const words = ['--to', 'csv', '--what', 'messages', '--output', output];
    await run([registerTrace], ['trace', 'convert', inFolder('communicators'), ...words]);
    const lines = readFileSync(output, 'utf8').split('\r\n').slice(1, -1);
    expect(lines.map((line) => line.split(',').slice(0, 3).join()).sort()).toEqual([
      ',2,communicator 9',
      '0,0,communicator 1',
      '0,1,communicator 2',
      '1,,communicator 9',
      '1,0,communicator 3',
    ]);
  });

  it('holds some distinct values, and no status that was not recorded', async () => {
    const values = Array.from({ length: 30 }, (_, value): SmallEvent => [
      'PARAMETER_INT64',
      value,
      0,
      -value,
    ]);
    smallTrace({
      ranks: [[...values, ['PARAMETER_INT64', 30, 0, 0], ['PROGRAM_END', 31, -(2n ** 63n)]]],
    }).save(inFolder('values'));
    const { parameters, exitStatuses } = await shown(inFolder('values'));
    expect(parameters).toMatchObject([{ name: 'parameter 0', type: 'UNKNOWN', count: 31 }]);
    expect(parameters[0]!.values).toHaveLength(20);
    expect(parameters[0]!.values[0]).toEqual({ value: '0', count: 2 });
    expect(parameters[0]!.values[1]).toEqual({ value: '-1', count: 1 });
    expect(exitStatuses).toEqual([{ status: 'unknown', count: 1 }]);
    expect(await printed(inFolder('values'))).not.toContain('exit status');
  });

  it('counts calls and samples of calling contexts', async () => {
    smallTrace({
      functions,
      ranks: [
        [
          ['CALLING_CONTEXT_ENTER', 1, 5, 2],
          ['CALLING_CONTEXT_SAMPLE', 2, 6, 1, 0],
          ['CALLING_CONTEXT_SAMPLE', 3, 9, 1, 0],
          ['CALLING_CONTEXT_LEAVE', 4, 5],
          ['enter', 5, 17],
          ['leave', 6, 17],
        ],
      ],
      define: (writer) => {
        for (const [id, region] of [
          [5, 0],
          [6, 1],
        ] as const)
          writer.define('CALLING_CONTEXT', {
            id,
            region,
            sourceCodeLocation: undefinedRef,
            parent: undefinedRef,
          });
      },
    }).save(inFolder('sampled'));
    const report = await shown(inFolder('sampled'));
    expect(report.functions.map(({ name, visits, samples }) => [name, visits, samples])).toEqual([
      ['int main()', 1, undefined],
      ['region 17', 1, undefined],
      ['step', 0, 1],
      ['calling context 9', 0, 1],
    ]);
    expect(await printed(inFolder('sampled'))).toMatch(/visits {2}samples {2}function/);
  });

  it('notes that the recording wrote its buffers during the run', async () => {
    smallTrace({ ranks: [[['BUFFER_FLUSH', 1000, 3000]]] }).save(inFolder('flushed'));
    expect((await shown(inFolder('flushed'))).notes).toEqual([
      expect.stringMatching(/wrote full buffers to disk once during the run, which took 2 s/),
    ]);
  });
});

describe('kymo trace show --events', () => {
  it('lists events in the order of their times, with names', async () => {
    save();
    const { events, hasMore } = await listed(inFolder(), '--from', '0.035', '--until', '0.051');
    expect(hasMore).toBe(false);
    expect(events.map(({ seconds, rank: own, kind }) => [seconds, own, kind])).toEqual([
      [0.035, 0, 'METRIC'],
      [0.036, 1, 'METRIC'],
      [0.04, 0, 'LEAVE'],
      [0.041, 0, 'PARAMETER_STRING'],
      [0.041, 1, 'LEAVE'],
      [0.042, 1, 'PARAMETER_STRING'],
      [0.05, 0, 'ENTER'],
      [0.051, 0, 'MPI_SEND'],
      [0.051, 1, 'ENTER'],
    ]);
    expect(events[0]!.fields).toEqual([
      { name: 'metric', value: 'counter' },
      { name: 'counter', value: 1000 },
    ]);
    expect(events[3]!.fields).toEqual([
      { name: 'parameter', value: 'size' },
      { name: 'string', value: 'int main()' },
    ]);
    expect(events[7]!.fields).toEqual([
      { name: 'receiver', value: 1 },
      { name: 'comm', value: 'MPI_COMM_WORLD' },
      { name: 'tag', value: 7 },
      { name: 'bytes', value: 64 },
    ]);
  });

  it('lists at most some, of some ranks', async () => {
    save();
    const { events, hasMore } = await listed(inFolder(), '--most', '3', '--ranks', '1');
    expect(hasMore).toBe(true);
    expect(events.map(({ kind }) => kind)).toEqual(['PROGRAM_BEGIN', 'ENTER', 'ENTER']);
    const text = await printed(inFolder(), '--events', '--most', '2');
    expect(text).toBe(
      [
        '0.000000000  0:0  PROGRAM_BEGIN  name=int main()  argument=',
        '0.000000000  0:0  ENTER  region=int main()',
        '',
        'These are the first 2 events: --most lists more.',
      ].join('\n'),
    );
    expect((await listed(inFolder(), '--most', '40')).hasMore).toBe(false);
    expect((await listed(inFolder(), '--most', '39')).hasMore).toBe(true);
    expect(await printed(inFolder(), '--events', '--from', '5')).toContain('There are no events');
  });

  it('refuses what has no effect, and an empty range', async () => {
    save();
    await expect(shown(inFolder(), '--most', '3')).rejects.toMatchObject({ reason: 'usage' });
    await expect(shown(inFolder(), '--to', '3')).rejects.toMatchObject({ reason: 'usage' });
    await expect(listed(inFolder(), '--from', '3', '--to', '2')).rejects.toMatchObject({ reason: 'usage' });
    expect((await listed(inFolder(), '--to', '0')).events).toHaveLength(2);
  });
});

interface ChromeEvent {
  readonly ph: string;
  readonly name: string;
  readonly pid: number;
  readonly ts: number;
  readonly dur: number;
  readonly id: number;
}

const chrome = (text: string): readonly ChromeEvent[] =>
  (JSON.parse(text) as { traceEvents: readonly ChromeEvent[] }).traceEvents;

describe('kymo trace convert', () => {
  it('writes calls and messages for Chrome and Perfetto', async () => {
    save();
    const { text, result } = await converted('c.json', '--to', 'chrome');
    expect(result).toEqual({
      in: inFolder('traces.otf2'),
      out: inFolder('c.json'),
      format: 'chrome',
      calls: 8,
      bytes: Buffer.byteLength(text),
      notes: [],
    });
    const events = chrome(text);
    const complete = events.filter(({ ph }) => ph === 'X');
    expect(complete.filter(({ pid }) => pid === 1).map(({ name, ts, dur }) => [name, ts, dur])).toEqual([
      ['step', 21_000, 10_000],
      ['step', 11_000, 30_000],
      ['MPI_Recv', 51_000, 10_000],
      ['int main()', 1000, 100_000],
    ]);
    const ids = (ph: string): number[] => events.filter((event) => event.ph === ph).map(({ id }) => id);
    expect(ids('s')).toEqual(ids('f'));
    expect(new Set(ids('s')).size).toBe(2);
    expect(readdirSync(inFolder()).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('gives each message an id of its own, the same at both ends', async () => {
    const count = 60;
    const others = (own: number): number[] => [...Array(count).keys()].filter((other) => other !== own);
    const sends = (own: number): SmallEvent[] =>
      others(own).flatMap((other) => [0, 1, 2].map((tag): SmallEvent => ['send', 1, other, tag, 1]));
    const receives = (own: number): SmallEvent[] =>
      others(own).flatMap((other) => [2, 1, 0].map((tag): SmallEvent => ['receive', 2, other, tag, 1]));
    const ranks = Array.from({ length: count }, (_, own) => [...sends(own), ...receives(own)]);
    smallTrace({ ranks }).save(inFolder('many'));
    await run(
      [registerTrace],
      ['trace', 'convert', inFolder('many'), '--to', 'chrome', '--output', inFolder('many.json')],
    );
    const events = chrome(readFileSync(inFolder('many.json'), 'utf8'));
    const ids = (ph: string): Set<number> =>
      new Set(events.filter((event) => event.ph === ph).map(({ id }) => id));
    expect(ids('s').size).toBe(count * (count - 1) * 3);
    expect(ids('f')).toEqual(ids('s'));
  });

  it('cuts calls to a range of time', async () => {
    save();
    const cut = ['--from', '0.025', '--until', '0.055', '--ranks', '0'];
    const calls = chrome((await converted('c.json', '--to', 'chrome', ...cut)).text);
    expect(calls.filter(({ ph }) => ph === 'X').map(({ name, ts, dur }) => [name, ts, dur])).toEqual([
      // The inner one begins where the outer ones are cut, and follows them.
      ['MPI_Send', 50_000, 5000],
      ['int main()', 25_000, 30_000],
      ['step', 25_000, 15_000],
      ['step', 25_000, 5000],
    ]);
    // The other end is on a rank that is left out.
    expect(calls.filter(({ ph }) => ph === 's')).toEqual([]);
    const { profiles } = JSON.parse((await converted('s.json', '--to', 'speedscope', ...cut)).text) as {
      profiles: { events: { type: string; at: number }[] }[];
    };
    expect(profiles).toHaveLength(1);
    expect(profiles[0]!.events.map(({ type, at }) => `${type}${at}`)).toEqual([
      ...['O25000', 'O25000', 'O25000', 'C30000', 'C40000', 'O50000', 'C55000', 'C55000'],
    ]);
    const { text, result } = await converted('c.csv', '--to', 'csv', ...cut);
    expect(result).toMatchObject({ calls: 4, notes: [] });
    expect(text.split('\r\n').map((line) => line.split(',').slice(6).join())).toEqual([
      'depth,begin (sec),end (sec),exclusive (sec)',
      '2,0.025,0.03,0.005',
      '1,0.025,0.04,0.01',
      '1,0.05,0.055,0.005',
      '0,0.025,0.055,0.01',
      '',
    ]);
  });

  it('has calls that span a range without events, and none behind the last event', async () => {
    save();
    const between = ['--from', '0.0875', '--until', '0.09'];
    const { text } = await converted('c.csv', '--to', 'csv', ...between, '--ranks', '0');
    expect(
      text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',').slice(7).join()),
    ).toEqual(['0.0875,0.09,0.0025']);
    const { result } = await converted('c.csv', '--to', 'csv', '--from', '7', '--until', '8');
    const note = `Nothing of ${inFolder('traces.otf2')} is from 7 s to 8 s: the trace is 1 ms long.`;
    expect(result).toMatchObject({ calls: 0, notes: [note] });
    expect((await converted('c.csv', '--to', 'csv', ...between)).result).toMatchObject({ notes: [] });
  });

  it('writes messages as CSV, of ranks and times at either end', async () => {
    save();
    const words = ['--to', 'csv', '--what', 'messages'];
    const { text, result } = await converted('m.csv', ...words);
    expect(result).toMatchObject({ messages: 2 });
    expect(text.split('\r\n').slice(1)).toEqual([
      '0,1,MPI_COMM_WORLD,7,64,0.051,0.052',
      '0,1,MPI_COMM_WORLD,7,16,0.061,0.062',
      '',
    ]);
    expect((await converted('m.csv', ...words, '--ranks', '1', '--from', '0.062')).text).toMatch(
      /sec\)\r\n0,1,MPI_COMM_WORLD,7,16,0.061,0.062\r\n$/,
    );
    expect((await converted('m.csv', ...words, '--until', '0.05')).result).toMatchObject({ messages: 0 });
  });

  it('matches messages of a tag in their order, also where clocks are wrong, and keeps single ends', async () => {
    smallTrace({
      ranks: [
        [
          ['send', 10, 1, 0, 1],
          ['send', 20, 1, 5, 2],
          ['send', 30, 1, 0, 3],
          ['send', 90, 1, 0, 4],
        ],
        [
          ['receive', 5, 0, 0, 1],
          ['receive', 25, 0, 5, 2],
          ['receive', 40, 0, 0, 3],
          ['receive', 50, 0, 9, 5],
        ],
      ],
    }).save(inFolder('order'));
    await run(
      [registerTrace],
      [
        ...['trace', 'convert', inFolder('order', 'traces.otf2'), '--to', 'csv', '--what', 'messages'],
        ...['--output', inFolder('order.csv')],
      ],
    );
    expect(readFileSync(inFolder('order.csv'), 'utf8').split('\r\n').slice(1)).toEqual([
      '0,1,MPI_COMM_WORLD,0,1,0.01,0.005',
      '0,1,MPI_COMM_WORLD,5,2,0.02,0.025',
      '0,1,MPI_COMM_WORLD,0,3,0.03,0.04',
      '0,1,MPI_COMM_WORLD,9,5,,0.05',
      '0,1,MPI_COMM_WORLD,0,4,0.09,',
      '',
    ]);
  });

  it('is cancelled without leaving anything', async () => {
    save();
    const abort = new AbortController();
    let pieces = 0;
    const cancelled = convertTrace(
      inFolder(),
      { format: 'csv' },
      (given, between) =>
        writePieces(inFolder('cancelled.csv'), given, async () => {
          pieces++;
          if (pieces === 3) abort.abort();
          await between();
        }).then(() => undefined),
      { signal: abort.signal },
    );
    await expect(cancelled).rejects.toThrow(/abort/);
    expect(readdirSync(inFolder()).filter((name) => name.startsWith('cancelled'))).toEqual([]);
    await expect(traceReport(inFolder(), {}, { signal: abort.signal })).rejects.toThrow(/abort/);
  });

  it('has messages at the ends of a range', async () => {
    save();
    const cut = ['--from', '0.051', '--until', '0.052'];
    const events = chrome((await converted('c.json', '--to', 'chrome', ...cut)).text);
    expect(events.filter(({ ph }) => ph === 's' || ph === 'f').map(({ ph, ts }) => [ph, ts])).toEqual([
      ['s', 51_000],
      ['f', 52_000],
    ]);
  });

  it('matches thousands of messages that are under way', async () => {
    const ends = (kind: 'send' | 'receive', partner: number, from: number): SmallEvent[] =>
      Array.from({ length: 3000 }, (_, at): SmallEvent => [kind, 10 * at + from, partner, 0, at]);
    smallTrace({ ranks: [ends('send', 1, 0), ends('receive', 0, 25)] }).save(inFolder('lag'));
    const words = ['--to', 'csv', '--what', 'messages', '--output', inFolder('lag.csv')];
    await run([registerTrace], ['trace', 'convert', inFolder('lag'), ...words]);
    const lines = readFileSync(inFolder('lag.csv'), 'utf8').split('\r\n').slice(1, -1);
    expect(lines).toEqual(
      Array.from(
        { length: 3000 },
        (_, at) => `0,1,MPI_COMM_WORLD,0,${at},${(10 * at) / 1000},${(10 * at + 25) / 1000}`,
      ),
    );
  });

  it('refuses to overwrite the trace, options without effect, and traces without events', async () => {
    save();
    for (const name of ['traces.otf2', 'traces.def', 'traces/0.evt'])
      await expect(converted(name, '--to', 'csv')).rejects.toMatchObject({ reason: 'usage' });
    await expect(converted('x', '--to', 'chrome', '--what', 'calls')).rejects.toMatchObject({
      reason: 'usage',
    });
    smallTrace({ ranks: [[]] }).save(inFolder('empty'));
    const output = inFolder('empty.csv');
    await expect(
      run([registerTrace], ['trace', 'convert', inFolder('empty'), '--to', 'csv', '--output', output]),
    ).rejects.toMatchObject({ reason: 'no-events' });
    expect(existsSync(output)).toBe(false);
    expect(readdirSync(inFolder()).filter((name) => name.includes('.tmp'))).toEqual([]);
  });
});

describe('progress', () => {
  const reported = async (announced: number): Promise<(number | undefined)[]> => {
    const fractions: (number | undefined)[] = [];
    const progress = { ...silent, report: ({ fraction }: { fraction?: number }) => fractions.push(fraction) };
    const location = { id: 0, name: '', type: '', events: announced, rank: 0, thread: 0 };
    const reading = new Reading('Reading', [location, location], { progress });
    for (let part = 0; part < 10; part++) await reading.passed(announced / 4);
    return fractions;
  };

  it('is reported of long traces, also where there are more events than announced', async () => {
    expect(await reported(2_400_000)).toEqual([]);
    expect(await reported(4_000_000)).toEqual([0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1]);
  });
});

describe('a trace of Score-P', () => {
  const folder = sharedData('scorep/lulesh-mpi-trace/lulesh.p8.s4.i20.trace');

  it.skipIf(folder === undefined)('has the visits and times of its profile', async () => {
    const { functions: found, messages, notes, unmatchedLeaves, missingLeaves } = await shown(folder!);
    const { result } = await run([registerProfile], ['profile', 'show', path.join(folder!, 'profile.cubex')]);
    const { regions, callTree, values } = result as ProfileJson;
    const visits = new Map<string, number>();
    const seconds = new Map<string, number>();
    const add = (sums: Map<string, number>, name: string, value: unknown): unknown =>
      sums.set(name, (sums.get(name) ?? 0) + Number(value));
    for (const [position, { region }] of callTree.entries()) {
      add(visits, regions[region]!.name, values.visits!.exclusive[position]);
      add(seconds, regions[region]!.name, values.time!.exclusive[position]);
    }
    // The program itself is no function of the trace.
    expect([...visits.keys()].filter((name) => !found.some((each) => each.name === name))).toEqual([
      'lulesh_mpi_ic',
    ]);
    for (const { name, visits: own, exclusiveSeconds } of found) {
      expect([name, own]).toEqual([name, visits.get(name)]);
      // Times of the trace are corrected by the clocks' drift: up to 7·10⁻⁵ here.
      expect(Math.abs(exclusiveSeconds - seconds.get(name)!)).toBeLessThan(1e-4 * seconds.get(name)! + 1e-9);
    }
    expect(messages).toEqual({
      sent: { count: 2216, bytes: 889_024 },
      received: { count: 2216, bytes: 889_024 },
      unmatchedSends: 0,
      unmatchedReceives: 0,
    });
    expect([notes, unmatchedLeaves, missingLeaves]).toEqual([[], 0, 0]);
  });
});
