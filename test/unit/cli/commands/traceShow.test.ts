import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { registerTrace } from '../../../../src/cli/commands/trace';
import type { ProfileJson } from '../../../../src/formats/exports/json';
import { registerProfile } from '../../../../src/cli/commands/profile';
import { Reading } from '../../../../src/workflows/trace/openTrace';
import { silent } from '../../../../src/core/progress';
import { sharedData } from '../../../shared';
import { smallTrace, undefinedRef, type SmallEvent } from '../../formats/otf2/smallTrace';
import { functions, useTraceCommands } from './traceCommands';

const { inFolder, run, save, shown, printed } = useTraceCommands('trace-show');

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
    const row = rows.find((line) => line.startsWith('| `trace show INPUT` |')) ?? '';
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
