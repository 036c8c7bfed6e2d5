import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  exclusive,
  exclusivePerLocation,
  inclusive,
  inclusivePerLocation,
} from '../../../../src/core/profile/values';
import { readCube } from '../../../../src/formats/cube4/read';
import {
  cubeCallPaths,
  cubeIsSame,
  cubeLocations,
  cubeRegions,
  cubeSystem,
  cubeTotal,
  cubeValues,
  openCubeView,
} from '../../../../src/workflows/views/cube/cubeView';
import { sharedData } from '../../../shared';

const folder = mkdtempSync(path.join(tmpdir(), 'kymo-cube-view-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isHere = sharedData('scorep') !== undefined;

describe.skipIf(!isHere)('a Cube profile, piece by piece', () => {
  const file = (name: string): string => {
    const found = sharedData(`scorep/${name}`);
    if (found === undefined) throw new Error(`${name} is not here`);
    return found;
  };
  const files = [
    'lulesh-mpi/lulesh.p8.s5/profile.cubex',
    'lulesh-tuple/lulesh.s10.tuple/profile.cubex',
    'lulesh-omp/lulesh.p1.t3.s6/profile.cubex',
  ];

  it.each(files)('%s: columns and rows are those of the whole', async (name) => {
    const profile = readCube(readFileSync(file(name)), name);
    const { id, metrics, callPaths } = await openCubeView(file(name));
    expect(callPaths).toBe(profile.callPaths.count);
    const cube = { file: file(name), id };
    const width = profile.locations.length;
    for (const [metric, { name: title, expression }] of metrics.entries()) {
      if (expression !== undefined) continue;
      const values = await cubeValues({ ...cube, metric, first: 0, count: callPaths });
      for (const [found, whole] of [
        [values.inclusive, inclusive(profile, title)],
        [values.exclusive, exclusive(profile, title)],
      ] as const)
        found.forEach((value, at) => expect(value, title).toBeCloseTo(whole[at] ?? NaN, 9));
      const all = inclusivePerLocation(profile, title);
      const own = exclusivePerLocation(profile, title);
      for (const callPath of [0, 1, callPaths >> 1, callPaths - 1])
        for (const [isOwn, whole] of [
          [false, all],
          [true, own],
        ] as const) {
          const selected = [{ callPath, exclusive: isOwn }];
          const { values: row } = await cubeLocations({ ...cube, metric, minus: [], selected });
          const expected = whole.slice(callPath * width, (callPath + 1) * width);
          row.forEach((value, at) =>
            expect(value, `${title} ${callPath}`).toBeCloseTo(expected[at] ?? NaN, 9),
          );
        }
    }
  });

  it('tells names, parameters and the system tree', async () => {
    const dynamic = file('lulesh-dynamic/lulesh.s10.i250.dynamic/profile.cubex');
    const { id, callPaths } = await openCubeView(dynamic);
    const { parent, region, parameters } = await cubeCallPaths({
      file: dynamic,
      id,
      first: 0,
      count: callPaths,
    });
    expect([parent.length, region.length]).toEqual([6703, 6703]);
    expect(parameters).toEqual([]);
    const mpi = file(files[0] ?? '');
    const opened = await openCubeView(mpi);
    const system = await cubeSystem({ file: mpi, id: opened.id, first: 0, count: opened.systemNodes });
    expect(system.kinds.filter((kind) => kind === 'process')).toHaveLength(8);
    expect([...system.location].filter((location) => location >= 0)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const regions = await cubeRegions({ file: mpi, id: opened.id, first: 0, count: opened.regions });
    expect(regions.find(({ name }) => name === 'MPI_Allreduce')).toMatchObject({ paradigm: 'mpi' });
  });

  it('a total is the same however it is read, and children of metrics are taken off', async () => {
    const blast = file('foreign/blast.p64.r1/profile.cubex');
    const { id, metrics, callPaths } = await openCubeView(blast);
    const profile = readCube(readFileSync(blast), blast);
    for (const [metric, { name, expression, combine }] of metrics.entries()) {
      if (expression !== undefined || combine !== 'sum') continue;
      const { total } = await cubeTotal({ file: blast, id, metric });
      const values = inclusive(profile, name);
      let sum = 0;
      profile.callPaths.parent.forEach((above, at) => (sum += above < 0 ? (values[at] ?? 0) : 0));
      expect(total / sum || 1, name).toBeCloseTo(1, 9);
    }
    const time = metrics.findIndex(({ name }) => name === 'time');
    const selected = Array.from({ length: 120 }, (_, callPath) => ({ callPath, exclusive: true }));
    const question = { file: blast, id, metric: time, selected: selected.slice(0, callPaths) };
    const { values } = await cubeLocations({ ...question, minus: [] });
    expect(values.some((value) => value > 0)).toBe(true);
    const none = await cubeLocations({ ...question, minus: [time] });
    expect([...none.values].every((value) => value === 0)).toBe(true);
  });

  it('every sample opens, with values for each metric that has some', { timeout: 60_000 }, async () => {
    const found = readdirSync(file('.'), { recursive: true, encoding: 'utf8' });
    const samples = found.filter((name) => name.endsWith('.cubex'));
    expect(samples.length).toBeGreaterThan(20);
    for (const sample of samples) {
      const { id, metrics, callPaths, systemNodes } = await openCubeView(file(sample));
      const cube = { file: file(sample), id };
      const nodes = await cubeSystem({ ...cube, first: 0, count: systemNodes });
      nodes.parent.forEach((above, node) => expect(above).toBeLessThan(node));
      for (const [metric, { expression, name }] of metrics.entries()) {
        if (expression !== undefined) continue;
        const { total } = await cubeTotal({ ...cube, metric });
        const { inclusive: values } = await cubeValues({ ...cube, metric, first: 0, count: callPaths });
        expect(Number.isFinite(total), `${sample} ${name}`).toBe(true);
        expect(values.every(Number.isFinite), `${sample} ${name}`).toBe(true);
      }
    }
  });

  it('says what is wrong with a file, and that it has changed', async () => {
    const copy = path.join(folder, 'copy.cubex');
    const source = readFileSync(file(files[0] ?? ''));
    writeFileSync(copy, source);
    const { id } = await openCubeView(copy);
    expect(await cubeIsSame({ file: copy, id })).toEqual({ same: true });
    truncateSync(copy, 5000);
    expect(await cubeIsSame({ file: copy, id })).toEqual({ same: false });
    await expect(cubeTotal({ file: copy, id, metric: 0 })).rejects.toMatchObject({
      reason: 'profile-changed',
    });
    await expect(openCubeView(copy)).rejects.toMatchObject({ reason: 'cube-damaged' });
    rmSync(copy);
    expect(await cubeIsSame({ file: copy, id })).toEqual({ same: false });
    await expect(openCubeView(copy)).rejects.toMatchObject({ reason: 'profile-missing' });
    await expect(openCubeView(folder)).rejects.toMatchObject({ reason: 'file-unusable' });
  });

  it('metrics that are derived have an expression and no values', async () => {
    const derived = file('foreign/call_tree_test/call_tree_test.cubex');
    const { id, metrics } = await openCubeView(derived);
    const at = metrics.findIndex(({ expression }) => expression !== undefined);
    if (at < 0) return;
    await expect(cubeValues({ file: derived, id, metric: at, first: 0, count: 1 })).rejects.toMatchObject({
      reason: 'derived-metric',
    });
  });
});
