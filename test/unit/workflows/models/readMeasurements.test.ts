import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Experiment } from '../../../../src/core/profile/experiment';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import { silent } from '../../../../src/core/progress';
import { writeCube } from '../../../../src/formats/cube4/write';
import { readMeasurements, type ReadMeasurements } from '../../../../src/workflows/models/readMeasurements';
import { ProfileBuilder } from '../../../profileBuilder';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kymo-models-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const inFolder = (...names: readonly string[]): string => path.join(folder, ...names);

async function write(name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(inFolder(name)), { recursive: true });
  await writeFile(inFolder(name), content);
}

/** A profile of `main`, and of iterations in which it was visited once more each. */
function profile(visits: number, iterations = 0): Uint8Array {
  const builder = new ProfileBuilder().metric(standardMetrics.visits);
  const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
  builder.location({ name: 't', rank: 0, thread: 0, process, kind: 'thread' });
  const region = (name: string): number => builder.region({ name, paradigm: 'compiler', role: 'function' });
  const main = builder.callPath(undefined, region('main'));
  builder.set('visits', main, 0, visits);
  const phase = iterations === 0 ? main : builder.callPath(main, region('phase'));
  for (let iteration = 1; iteration <= iterations; iteration++) {
    const instance = builder.callPath(phase, region(`instance=${iteration}`));
    builder.set('visits', instance, 0, 1);
    builder.set('visits', builder.callPath(instance, region('f')), 0, 3);
  }
  return writeCube(builder.build());
}

async function read(...names: readonly string[]): Promise<ReadMeasurements> {
  return readAs('subtracted', ...names);
}

/** `main` with 2 s of its own, and `f`, which it visits, with 1 s. */
function timed(visits: number): Uint8Array {
  const builder = new ProfileBuilder().metric(standardMetrics.time).metric(standardMetrics.visits);
  const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
  builder.location({ name: 't', rank: 0, thread: 0, process, kind: 'thread' });
  const region = (name: string): number => builder.region({ name, paradigm: 'compiler', role: 'function' });
  const main = builder.callPath(undefined, region('main'));
  const f = builder.callPath(main, region('f'));
  builder.set('time', main, 0, 3);
  builder.set('time', f, 0, 1);
  builder.set('visits', main, 0, 1);
  builder.set('visits', f, 0, visits);
  return writeCube(builder.build());
}

function readAs(
  recordingCost: 'kept' | 'subtracted',
  ...names: readonly string[]
): Promise<ReadMeasurements> {
  const paths = names.map((name) => inFolder(name));
  return readMeasurements({ paths, scaling: 'weak', recordingCost, progress: silent });
}

/** Points with the values of visits, by call path. */
async function visitsIn(...names: readonly string[]): Promise<Record<string, unknown>> {
  const { measurements } = await read(...names);
  return Object.fromEntries(
    measurements.series.map(({ callPath, points }) => [
      callPath,
      points.map(({ point, values }) => [...point, values]),
    ]),
  );
}

describe('reading measurements', () => {
  it('of folders with profiles, by the names of the folders', async () => {
    await write('d/mm.x4y1.r1/profile.cubex', profile(4));
    await write('d/mm.x2y1.r1/profile.cubex', profile(2));
    await write('d/mm.x2y1.r2/a.cubex', profile(3));
    await write('d/mm.x2y1.r2/.b.cubex', 'no profile');
    await write('d/mm.x2y1.r2/scorep.cfg', '');
    await write('d/notes.txt', '');
    await write('d/empty/notes.txt', '');
    await symlink(inFolder('nowhere'), inFolder('d/dangling'));
    expect(await visitsIn('d')).toEqual({
      main: [
        [2, [2, 3]],
        [4, [4]],
      ],
    });
    expect((await read('d')).constants).toEqual(new Map([['y', 1]]));
    expect((await read('d')).measurements.parameters).toEqual(['x']);
  });

  it('of folders and profiles that are given one by one', async () => {
    await write('a.p1/profile.cubex', profile(1));
    await write('a.p2/profile.cubex', profile(2));
    expect(await visitsIn('a.p1', 'a.p2/profile.cubex')).toEqual({
      main: [
        [1, [1]],
        [2, [2]],
      ],
    });
  });

  it('of PIRA: the last iteration, or the given one, without what was measured before', async () => {
    for (const [iteration, factor] of [
      ['i2', 1],
      ['i10', 2],
    ] as const)
      for (const res of [1, 2])
        await write(`pira/${iteration}/gol.res${res}.pofi.r1/profile.cubex`, profile(factor * res));
    await write('pira/i10/gol.res1.pofi.r1_Xy7/profile.cubex', profile(100));
    await write('pira/i11/gol.res1.pofi.r1/scorep.cfg', '');
    const points = (factor: number): object => ({
      main: [
        [1, [factor]],
        [2, [2 * factor]],
      ],
    });
    expect(await visitsIn('pira')).toEqual(points(2));
    expect(await visitsIn('pira/i2')).toEqual(points(1));
    expect((await read('pira')).measurements.parameters).toEqual(['res']);
  });

  it('has one call path for all iterations', async () => {
    await write('d/a.p1/profile.cubex', profile(1, 2));
    await write('d/a.p2/profile.cubex', profile(1, 3));
    expect(await visitsIn('d')).toMatchObject({
      'main->phase->f': [
        [1, [6]],
        [2, [9]],
      ],
    });
  });

  it('of files, also together with profiles', async () => {
    await write('one.jsonl', '{"params": {"p": 1}, "value": 1, "callpath": "main", "metric": "visits"}');
    await write(
      'two.json',
      '{"parameters": ["p"], "measurements": {"main": {"visits": [{"point": 2, "values": [4]}]}}}',
    );
    await write('d/a.p1/profile.cubex', profile(2));
    await write('d/a.p4/profile.cubex', profile(8));
    expect(await visitsIn('one.jsonl', 'two.json', 'd')).toEqual({
      main: [
        [1, [1, 2]],
        [2, [4]],
        [4, [8]],
      ],
    });
  });

  const experiment: Experiment = {
    kymoExperiment: 1,
    target: 't',
    study: 's',
    iteration: 1,
    repetition: 1,
    variant: 'measured',
    parameters: { n: '100', solver: 'cg' },
    ranks: 1,
    command: ['a'],
    host: 'h',
    compiler: 'c',
    buildId: 'b',
    startedAt: '2026-11-21T12:00:00Z',
    wallSeconds: 1,
    exitStatus: 0,
    instrumented: 1,
  };
  const run = async (name: string, visits: number, change: Partial<Experiment>): Promise<void> => {
    await write(`s/${name}/profile.cubex`, profile(visits));
    await write(`s/${name}/experiment.json`, JSON.stringify({ ...experiment, ...change }));
  };

  it('of a study: the last measured round, with the parameters of the experiments', async () => {
    await run('i0/measured.r1', 1000, { iteration: 0 });
    await run('i1/measured_1.r1', 100, {});
    await run('i1/measured_1.r2', 102, { repetition: 2 });
    await run('i1/measured_2.r1', 200, { parameters: { n: '2e2', solver: 'cg' } });
    await run('i1/baseline.r1', 0, { variant: 'baseline' });
    expect(await visitsIn('s')).toEqual({
      main: [
        [100, [100, 102]],
        [200, [200]],
      ],
    });
    expect((await read('s')).constants).toEqual(new Map([['solver', 'cg']]));
  });

  it('of runs whose recording cost is known, with times that do not have it', async () => {
    const cost = { pairSeconds: 0.003, spreadSeconds: 0, insideSeconds: 0.001, outsideSeconds: 0.002 };
    const calibration = { probe: cost, entry: cost };
    for (const [n, visits] of [['100', 10] as const, ['200', 20] as const]) {
      await run(`i1/n${n}`, 1, { calibration, parameters: { n } });
      await write(`s/i1/n${n}/profile.cubex`, timed(visits));
    }
    const timesOf = async (recordingCost: 'kept' | 'subtracted'): Promise<Record<string, unknown>> => {
      const { measurements, recorded } = await readAs(recordingCost, 's');
      // What the recording costs is seen in the times as they are.
      expect(recorded?.runs[0]?.functions.get('f')?.visits.cpu).toBe(10);
      const times = measurements.series.filter(({ metric }) => metric === 'time');
      return Object.fromEntries(
        times.map(({ callPath, points }) => [callPath, points.map(({ mean }) => Number(mean.toFixed(6)))]),
      );
    };
    expect(await timesOf('kept')).toEqual({ main: [2, 2], 'main->f': [1, 1] });
    // One visit of main has 0.001 s of its own in it.
    expect(await timesOf('subtracted')).toEqual({ main: [1.979, 1.959], 'main->f': [0.99, 0.98] });
  });

  it('of a study with an input file for each size, which is no parameter of models', async () => {
    await run('i1/one.r1', 1, { parameters: { n: '100', file: 'a.in' } });
    await run('i1/two.r1', 2, { parameters: { n: '200', file: 'b.in' } });
    expect((await read('s')).measurements.parameters).toEqual(['n']);
    expect((await read('s')).constants).toEqual(new Map());
    await run('i1/three.r1', 3, { parameters: { n: '200', file: 'c.in' } });
    await expect(read('s')).rejects.toThrow(/a number was expected as file.*“[abc].in”/);
  });

  it('of a study on several numbers of ranks, which are the parameter p', async () => {
    await run('i1/one.r1', 1, {});
    await run('i1/four.r1', 4, { ranks: 4 });
    expect((await read('s')).measurements.parameters).toEqual(['p']);
    expect(await visitsIn('s')).toEqual({
      main: [
        [1, [1]],
        [4, [4]],
      ],
    });
    await run('i1/four.r1', 4, { ranks: 4, parameters: { p: '40', n: '100', solver: 'cg' } });
    await run('i1/one.r1', 1, { ranks: 2, parameters: { p: '10', n: '100', solver: 'cg' } });
    expect(await visitsIn('s')).toEqual({
      main: [
        [10, [1]],
        [40, [4]],
      ],
    });
  });

  it('explains what cannot be read', async () => {
    await write('d/notes.txt', 'x');
    await write('e/mm/profile.cubex', profile(1));
    await write('f/mm.x1/profile.cubex', 'x');
    await write('f/mm.x2/profile.cubex', profile(1));
    await expect(read('d')).rejects.toMatchObject({ reason: 'no-profile', where: { file: inFolder('d') } });
    await expect(read('e')).rejects.toMatchObject({
      reason: 'measurements-invalid',
      message: expect.stringContaining('but “mm” was found') as string,
    });
    await expect(read('f')).rejects.toMatchObject({ where: { file: inFolder('f/mm.x1/profile.cubex') } });
    await expect(read('missing')).rejects.toMatchObject({ reason: 'file-missing' });
    await expect(read('d/notes.txt')).rejects.toMatchObject({
      reason: 'measurements-invalid',
      where: { line: 1, column: 1 },
    });
    await expect(read()).rejects.toMatchObject({ reason: 'usage' });
    await expect(
      readMeasurements({ paths: ['/dev/null'], scaling: 'weak', recordingCost: 'kept', progress: silent }),
    ).rejects.toMatchObject({ reason: 'file-unusable' });
  });

  it('reports what it reads, and can be cancelled between profiles', async () => {
    await write('d/a.p1/profile.cubex', profile(1));
    await write('d/a.p2/profile.cubex', profile(2));
    const controller = new AbortController();
    const steps: (number | undefined)[] = [];
    const input = (stopAt: number): Parameters<typeof readMeasurements>[0] => ({
      paths: [inFolder('d')],
      scaling: 'weak',
      recordingCost: 'kept',
      signal: controller.signal,
      progress: {
        report: ({ fraction }) => {
          steps.push(fraction);
          if (fraction === stopAt) controller.abort();
        },
        log: () => undefined,
      },
    });
    await readMeasurements(input(1));
    expect(steps.splice(0)).toEqual([0, 0.5]);
    await expect(readMeasurements(input(0))).rejects.toThrow(/abort/i);
    expect(steps).toEqual([0]);
  });
});
