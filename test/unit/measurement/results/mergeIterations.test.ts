import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { foldIterations } from '../../../../src/core/profile/foldIterations';
import type { Profile } from '../../../../src/core/profile/profile';
import { callPathNames } from '../../../../src/core/profile/tree';
import { bytesSource } from '../../../../src/formats/byteSource';
import { readCube } from '../../../../src/formats/cube4/read';
import { writeCube } from '../../../../src/formats/cube4/write';
import { openIterations, type IterationsFile } from '../../../../src/formats/kymo-iterations/read';
import { mergeResults, type MergedResults } from '../../../../src/measurement/results/mergeResults';
import { fn } from '../../core/selection/graphs';
import { buildStream, type StreamRecord } from '../../formats/kymo-iterations/streamBuilder';
import { buildJob, buildWaits } from '../../formats/kymo-result/jobBuilder';
import { buildResult } from '../../formats/kymo-result/resultBuilder';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'kymo-iterations-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const slots = ['main', 'step', 'solve', 'other'];
const graph = {
  functions: slots.map((key, at) =>
    fn(key, { name: key, file: '/src/a.c', line: 10 * at + 1, endLine: 10 * at + 5 }),
  ),
  edges: slots.map(() => []),
};

/** A process with so many iterations of `step` (10 i ticks), which call `solve` i times (4 i ticks); `other` is called outside of them. */
function write(rank: number, iterations: number, phaseSlot = 1): void {
  const sum = (iterations * (iterations + 1)) / 2;
  const name = path.join(directory, `a.${rank}`);
  const nodes = [
    { parent: 0, slot: 0, visits: 1, ticks: 10 * sum + 1000, events: iterations + sum + 1 },
    {
      parent: 1,
      slot: phaseSlot,
      visits: iterations,
      ticks: 10 * sum,
      minimum: 10,
      maximum: 10 * iterations,
      events: sum,
    },
    { parent: 2, slot: 2, visits: sum, ticks: 4 * sum, minimum: 4, maximum: 4 },
    { parent: 1, slot: 3, visits: 1, ticks: 500 },
  ];
  const times = { rank, ranks: 2, pid: rank + 1, ticksPerSecond: 1e6 };
  writeFileSync(`${name}.kymo`, buildResult({ ...times, threads: [{ ticks: 10 * sum + 2000, nodes }] }));
  const records: StreamRecord[] = [
    { phase: { thread: 0, slot: phaseSlot, above: [0] } },
    { node: { thread: 0, parent: 1, slot: 2 } },
  ];
  for (let i = 1; i <= iterations; i++)
    records.push({ values: [1, 1, 10 * i, i] }, { values: [2, i, 4 * i, 0] }, { end: 'whole' });
  writeFileSync(`${name}.iterations`, buildStream(records));
}

/** Two ranks with three iterations of `step`, which call MPI_Recv. Rank 0 waited 10 ticks for late senders: 4, 0 and 2 in its iterations. */
function writeJob(): void {
  const part = (rank: number) => {
    const nodes = [
      { parent: 0, slot: 0, visits: 1, ticks: 1000, events: 7 },
      { parent: 1, slot: 1, visits: 3, ticks: 300, minimum: 100, maximum: 100, events: 3 },
      { parent: 2, slot: 4, visits: 3, ticks: 60, minimum: 20, maximum: 20 },
      ...(rank === 0
        ? [
            { parent: 3, slot: 0xffff_ffe0, visits: 1, ticks: 7 },
            { parent: 3, slot: 0xffff_ffe4, visits: 3, ticks: 10 },
            { parent: 3, slot: 0xffff_ffe6, visits: 1, ticks: 1 },
          ]
        : []),
    ];
    const records: StreamRecord[] = [
      { phase: { thread: 0, slot: 1, above: [0] } },
      { node: { thread: 0, parent: 1, slot: 4 } },
      { node: { thread: 0, parent: 2, slot: 0xffff_ffe0 } },
      { node: { thread: 0, parent: 2, slot: 0xffff_ffe4 } }, // found out in the second iteration
    ];
    for (let i = 0; i < 3; i++)
      records.push(
        { values: [1, 1, 100, 1] },
        { values: [2, 1, 20, 0] },
        ...(i === 1 && rank === 0 ? ([{ values: [3, 1, 7, 0] }, { values: [4, 1, 6, 0] }] as const) : []),
        { end: 'whole' },
      );
    return {
      result: buildResult({
        ...{ rank, ranks: 2, pid: rank + 1, ticksPerSecond: 1e6 },
        regions: [{ kind: 'mpi', name: 'MPI_Recv' }],
        cpuTime: 0,
        threads: [{ ticks: 2000, nodes }],
      }),
      iterations: buildStream(records),
      waits: buildWaits(
        rank === 0
          ? [
              [0, 2, 4, 4],
              [0, 2, 6, 1],
              [1, 0xffff_ffff, 4, 4], // of a node that is not there
              [2, 2, 4, 2],
              [9, 2, 4, 4], // of an iteration that is not there
            ]
          : [],
      ),
    };
  };
  writeFileSync(path.join(directory, 'a.1.job'), buildJob([part(0), part(1)]));
}

const merge = (): Promise<MergedResults> =>
  mergeResults({
    directory,
    selectionId: '00000000000000ab',
    slots,
    graph,
    executable: '/bin/program',
    iterationsInto: directory,
  });

function open(): IterationsFile {
  const file = path.join(directory, 'iterations.kymo');
  return openIterations(bytesSource(readFileSync(file)), file);
}

/** By context, as `rank region`: values of each iteration. */
function series(file: IterationsFile, what: 'visits' | 'seconds' | 'waitSeconds'): Record<string, number[]> {
  const { contexts, regions, locations, iterations } = file.directory;
  const found: Record<string, number[]> = {};
  let iteration = 0;
  for (const sample of file.samples()) {
    for (let at = 0; at < sample.count; at++) {
      const context = contexts[sample.contexts[at] ?? 0];
      const name = `${locations[context?.location ?? -1]?.rank ?? '?'} ${regions[context?.region ?? -1]?.name ?? '?'}`;
      const values = (found[name] ??= Array<number>(iterations).fill(0));
      values[iteration] = sample[what]?.[at] ?? 0;
    }
    iteration++;
  }
  return found;
}

const visitsByPath = (profile: Profile, metric: string): Record<string, number> => {
  const width = profile.locations.length;
  const column = profile.stored.get(metric) ?? [];
  return Object.fromEntries(
    Array.from({ length: profile.callPaths.count }, (_, at) => [
      callPathNames(profile, at).join('/'),
      Array.from({ length: width }, (_, location) => column[at * width + location] ?? 0).reduce(
        (a, b) => a + b,
        0,
      ),
    ]),
  );
};

describe('merging the iterations of a run', () => {
  it('gives the series of each process, also where these have different lengths', async () => {
    write(0, 3);
    write(1, 5);
    const { iterations, messages } = await merge();
    expect(iterations).toMatchObject({ phase: 'step', iterations: 5 });
    expect(messages).toEqual([]);
    expect(series(open(), 'visits')).toEqual({
      '0 step': [1, 1, 1, 0, 0],
      '0 solve': [1, 2, 3, 0, 0],
      '1 step': [1, 1, 1, 1, 1],
      '1 solve': [1, 2, 3, 4, 5],
    });
    expect(series(open(), 'seconds')['1 solve']).toEqual([4e-6, 8e-6, 12e-6, 16e-6, 20e-6]);
    expect(open().directory.regions).toEqual([
      { name: 'step', kind: 'phase', file: '/src/a.c', line: 11, endLine: 15 },
      { name: 'solve', kind: 'function', file: '/src/a.c', line: 21, endLine: 25 },
    ]);
  });

  it('puts few iterations into the profile, which folds back to what it is without them', async () => {
    write(0, 3);
    write(1, 2);
    const { profile, iterations } = await merge();
    const grown = iterations?.withInstances;
    if (grown === undefined) throw new Error('no instances');
    expect(Object.keys(visitsByPath(grown, 'visits'))).toEqual([
      'program',
      'program/main',
      'program/main/step',
      'program/main/step/instance=1',
      'program/main/step/instance=1/solve',
      'program/main/step/instance=2',
      'program/main/step/instance=2/solve',
      'program/main/step/instance=3',
      'program/main/step/instance=3/solve',
      'program/main/other',
    ]);
    const again = foldIterations(readCube(writeCube(grown), 'grown.cubex'));
    for (const metric of ['visits', 'kymo_child_events'])
      expect(visitsByPath(again, metric)).toEqual(visitsByPath(profile, metric));
    for (const metric of ['time', 'min_time', 'max_time']) {
      const folded = visitsByPath(again, metric);
      for (const [name, seconds] of Object.entries(visitsByPath(profile, metric)))
        expect(folded[name]).toBeCloseTo(seconds, 12);
    }
  });

  it('adds what ranks waited, which is known when they end, to their iterations; sums are the profile’s', async () => {
    writeJob();
    const { profile, iterations } = await merge();
    expect(series(open(), 'waitSeconds')).toEqual({
      '0 step': [0, 0, 0],
      '0 MPI_Recv': [5e-6, 0, 2e-6],
      '1 step': [0, 0, 0],
      '1 MPI_Recv': [0, 0, 0],
    });
    const grown = iterations?.withInstances;
    if (grown === undefined) throw new Error('no instances');
    const senders = visitsByPath(grown, 'mpi_latesender');
    expect(Object.keys(senders).filter((name) => (senders[name] ?? 0) > 1e-9)).toEqual([
      'program/main/step/MPI_Recv', // not in an iteration
      'program/main/step/instance=1/MPI_Recv',
      'program/main/step/instance=3/MPI_Recv',
    ]);
    expect(visitsByPath(grown, 'bytes_sent')['program/main/step/instance=2/MPI_Recv']).toBe(7);
    expect(senders['program/main/step/instance=1/MPI_Recv']).toBeCloseTo(4e-6, 12);
    const again = visitsByPath(foldIterations(readCube(writeCube(grown), 'grown.cubex')), 'mpi_latesender');
    for (const [name, seconds] of Object.entries(visitsByPath(profile, 'mpi_latesender')))
      expect(again[name] ?? 0).toBeCloseTo(seconds, 12);
  });

  it('estimates visits that were only counted within what their callers took in the same iteration; sums are the profile’s', async () => {
    // Each timed visit of `solve` took 9 ticks, and all of them were in the second iteration.
    const counted = 2 + 0x8000_0000;
    const nodes = [
      { parent: 0, slot: 0, visits: 1, ticks: 1200, events: 42 },
      { parent: 1, slot: 1, visits: 2, ticks: 1000, minimum: 100, maximum: 900, events: 40 },
      { parent: 2, slot: 2, visits: 40, ticks: 360, minimum: 9, maximum: 9 },
      { parent: 2, slot: counted, visits: 50, ticks: 0 },
    ];
    const name = path.join(directory, 'a.0');
    const times = { rank: 0, ranks: 1, pid: 1, ticksPerSecond: 1e6 };
    writeFileSync(`${name}.kymo`, buildResult({ ...times, threads: [{ ticks: 2000, nodes }] }));
    const records: StreamRecord[] = [
      { phase: { thread: 0, slot: 1, above: [0] } },
      { node: { thread: 0, parent: 1, slot: 2 } },
      { node: { thread: 0, parent: 1, slot: counted } },
      { values: [1, 1, 100, 0] },
      { values: [3, 30, 0, 0] },
      { end: 'whole' },
      { values: [1, 1, 900, 40] },
      { values: [2, 40, 360, 0] },
      { values: [3, 20, 0, 0] },
      { end: 'whole' },
    ];
    writeFileSync(`${name}.iterations`, buildStream(records));
    const { profile, iterations } = await merge();
    const seconds = series(open(), 'seconds');
    // Of the 270 ticks of the first iteration, 170 have no place there: they are those of the second one, where `step` has some left.
    expect(seconds['0 solve']?.map((own) => Math.round(own * 1e6))).toEqual([100, 360 + 180 + 170]);
    expect(seconds['0 step']?.map((own) => Math.round(own * 1e6))).toEqual([100, 900]);
    const folded = visitsByPath(foldIterations(iterations?.withInstances ?? profile), 'time');
    expect(folded['program/main/step/solve']).toBeCloseTo(810e-6, 12);
    expect(visitsByPath(profile, 'time')['program/main/step/solve']).toBeCloseTo(810e-6, 12);
  });

  it('leaves too many of them out of the profile', async () => {
    write(0, 32_769);
    const { iterations } = await merge();
    expect(iterations?.iterations).toBe(32_769);
    expect(iterations?.withInstances).toBeUndefined();
    expect(series(open(), 'visits')['0 solve']?.at(-1)).toBe(32_769);
  });

  it('takes the phase that took the most time, and says which it did not take', async () => {
    write(0, 3, 3);
    write(1, 5, 1);
    const { iterations, messages } = await merge();
    expect(iterations?.phase).toBe('step');
    expect(messages).toEqual([
      expect.stringContaining('those of “step”, which took the most time, and not of “other”'),
    ]);
    expect(Object.keys(series(open(), 'visits'))).toEqual(['1 step', '1 solve']);
  });

  it('leaves no file when no phase was visited', async () => {
    write(0, 0);
    rmSync(path.join(directory, 'a.0.iterations'));
    const { iterations } = await merge();
    expect(iterations).toBeUndefined();
    expect(existsSync(path.join(directory, 'iterations.kymo'))).toBe(false);
  });

  it('goes without iterations where a file of them is damaged, says so, and leaves nothing half written', async () => {
    write(0, 3);
    const file = path.join(directory, 'a.0.iterations');
    const bytes = readFileSync(file);
    bytes[16] = 99; // values of a node that nobody has named
    writeFileSync(file, bytes);
    const { profile, iterations, messages } = await merge();
    expect(visitsByPath(profile, 'visits')['program/main/step']).toBe(3);
    expect(iterations).toBeUndefined();
    expect(messages).toEqual([
      expect.stringMatching(/^1 of 2 ranks left no result and are missing from the profile \(1\)/),
      expect.stringMatching(
        /^The profile lacks the iterations of this run: .*byte \d+: node 94 is not known/,
      ),
    ]);
    expect(existsSync(path.join(directory, 'iterations.kymo'))).toBe(false);
  });
});
