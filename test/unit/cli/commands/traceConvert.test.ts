import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registerTrace } from '../../../../src/cli/commands/trace';
import { writePieces } from '../../../../src/cli/arguments/inputs';
import { convertTrace } from '../../../../src/workflows/trace/convert';
import { traceReport } from '../../../../src/workflows/trace/report';
import { smallTrace, type SmallEvent } from '../../formats/otf2/smallTrace';
import { useTraceCommands } from './traceCommands';

const { inFolder, run, save, converted } = useTraceCommands('trace-convert');

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

  it('matches receives in the order in which they were posted', async () => {
    smallTrace({
      ranks: [
        [
          ['send', 10, 1, 0, 1],
          ['send', 20, 1, 0, 2],
          ['send', 50, 1, 0, 3],
        ],
        [
          ['MPI_IRECV_REQUEST', 1, 71],
          ['MPI_IRECV_REQUEST', 2, 72],
          // The second one is complete before the first one.
          ['MPI_IRECV', 30, 0, 0, 0, 2, 72],
          ['MPI_IRECV', 40, 0, 0, 0, 1, 71],
          // Its communicator is not defined.
          ['MPI_RECV', 45, 0, 99, 0, 8],
          ['receive', 60, 0, 0, 3],
        ],
      ],
    }).save(inFolder());
    const csv = await converted('m.csv', '--to', 'csv', '--what', 'messages');
    expect(csv.text.split('\r\n').slice(1, -1)).toEqual([
      ',1,communicator 99,0,8,,0.045',
      '0,1,MPI_COMM_WORLD,0,1,0.01,0.04',
      '0,1,MPI_COMM_WORLD,0,2,0.02,0.03',
      '0,1,MPI_COMM_WORLD,0,3,0.05,0.06',
    ]);
    const flows = async (...words: string[]): Promise<unknown> =>
      chrome((await converted('m.json', '--to', 'chrome', ...words)).text)
        .filter(({ ph }) => ph === 's' || ph === 'f')
        .map(({ id, pid, ts }) => [id, pid, ts]);
    const first = [
      [1, 0, 10_000],
      [1, 1, 40_000],
    ];
    expect(await flows()).toEqual([...first, [2, 0, 20_000], [2, 1, 30_000], [3, 0, 50_000], [3, 1, 60_000]]);
    // The end of the first one is behind the range; it is not taken for that of the second one.
    expect(await flows('--until', '0.035')).toEqual([
      [1, 0, 20_000],
      [1, 1, 30_000],
    ]);
    expect(await flows('--ranks', '1')).toEqual([]);
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
