import { mkdirSync, mkdtempSync, rmSync, writeFileSync, truncateSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOf } from '../../core/problems/runs';
import { ProfileBuilder } from '../../../profileBuilder';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import { present } from '../../../../src/core/present';
import { writeCube } from '../../../../src/formats/cube4/write';
import { writeExperiment } from '../../../../src/measurement/experiments/experimentFile';
import { convertProfile } from '../../../../src/workflows/views/convertProfile';
import {
  openProfile,
  profileLocations,
  profileRegions,
  profileRows,
} from '../../../../src/workflows/views/profileView';

const folder = mkdtempSync(path.join(tmpdir(), 'kymo-profile-view-'));
const file = path.join(folder, 'one.cubex');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(to: string, nameOf: (region: number) => string): void {
  const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
  for (let i = 0; i < 100; i++)
    builder.region({ name: nameOf(i), paradigm: 'compiler', role: 'function', file: '/a.c', firstLine: i });
  const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
  builder.location({ name: 'a', rank: 0, thread: 0, process, kind: 'thread' });
  builder.location({ name: 'b', rank: 0, thread: 1, process, kind: 'thread' });
  let above: number | undefined;
  for (let i = 0; i < 100; i++) {
    above = builder.callPath(i % 10 === 0 ? undefined : above, i);
    builder
      .set('time', above, 0, 100 - (i % 10))
      .set('time', above, 1, 1)
      .set('visits', above, 0, i + 1);
  }
  writeFileSync(to, writeCube(builder.build()));
}

describe('a profile for viewers', () => {
  beforeAll(() => write(file, (i) => `f${i}`));

  it('comes piece by piece, as copies of their own', async () => {
    const { id, callPaths, regions, metrics, locations, title } = (await openProfile({ file })).header;
    expect({ callPaths, regions, title }).toEqual({ callPaths: 100, regions: 100, title: 'one.cubex' });
    expect(metrics.map(({ name }) => name)).toEqual(['visits', 'time']);
    expect(locations).toHaveLength(2);
    const rows = await profileRows({ file, id, first: 90, count: 50 });
    expect([...rows.parent]).toEqual([-1, 90, 91, 92, 93, 94, 95, 96, 97, 98]);
    expect(rows.inclusive[1]?.[0]).toBe(101);
    expect(rows.inclusive[1]?.buffer.byteLength).toBe(80);
    const at = await profileLocations({ file, id, callPath: 90, metric: 1 });
    expect([...at.inclusive]).toEqual([100, 1]);
    expect([...at.exclusive]).toEqual([1, 0]);
    const [one, none] = await profileRegions({ file, id, first: 99, count: 10 });
    expect(one).toEqual({ name: 'f99', file: '/a.c', line: 99, group: 'a.c' });
    expect(rows.line).toBeUndefined();
    expect(none).toBeUndefined();
  });

  it('F8 F14 has the lines of calls where the file has them, and the group of each function', async () => {
    const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
    for (const [name, paradigm] of [
      ['main', 'compiler'],
      ['MPI_Send', 'mpi'],
    ] as const)
      builder.region({ name, paradigm, role: 'function', file: `/src/${name}.c` });
    const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
    builder.location({ name: 'a', rank: 0, thread: 0, process, kind: 'thread' });
    const main = builder.callPath(undefined, 0);
    for (const path of [main, builder.callPath(main, 1), builder.callPath(main, 1)])
      builder.set('time', path, 0, 3).set('visits', path, 0, 1);
    const profile = builder.build();
    const callSites = new Map([
      [1, { file: '/src/main.c', line: 12 }],
      [2, { line: 17 }],
    ]);
    const sites = path.join(folder, 'sites.cubex');
    writeFileSync(sites, writeCube({ ...profile, callPaths: { ...profile.callPaths, callSites } }));
    const { id } = (await openProfile({ file: sites })).header;
    const { line } = await profileRows({ file: sites, id, first: 1, count: 10 });
    expect([...(line ?? [])]).toEqual([12, 17]);
    expect(line?.buffer.byteLength).toBe(8);
    const regions = await profileRegions({ file: sites, id, first: 0, count: 10 });
    expect(regions.map(({ group }) => group)).toEqual(['main.c', 'MPI']);
  });

  it('has how well processes are used, of the run and of each function', async () => {
    const parallel = path.join(folder, 'parallel.cubex');
    const barrier = { name: 'MPI_Barrier', paradigm: 'mpi', role: 'barrier' };
    const calls = [
      {
        region: { name: 'solve', firstLine: 3 },
        seconds: [3, 1],
        calls: [{ region: barrier, seconds: [0, 2] }],
      },
    ];
    const run = runOf({ region: { name: 'main', firstLine: 1 }, seconds: [1, 1], calls }, 2);
    writeFileSync(parallel, writeCube(run));
    const { id, efficiency } = (await openProfile({ file: parallel })).header;
    expect(efficiency).toMatchObject({ processes: 2, locations: 2, runSeconds: 4 });
    expect(efficiency?.terms.map(({ label, run: share }) => [label, share])).toEqual([
      ['Parallel efficiency', 0.75],
      ['Load balance', 0.75],
      ['Communication efficiency', 1],
    ]);
    const regions = await profileRegions({ file: parallel, id, first: 0, count: 3 });
    expect(regions.map((region) => [region.name, region.efficiency])).toEqual([
      ['main', { parallel: 0.75, loadBalance: 0.75, communication: 1, runSeconds: 4 }],
      ['solve', { parallel: 2 / 3, loadBalance: 2 / 3, communication: 1, runSeconds: 3 }],
      ['MPI_Barrier', undefined],
    ]);
    expect((await openProfile({ file })).header).not.toHaveProperty('efficiency');
  });

  it('refuses call paths that do not exist, and files that changed, are gone or half-written, in words', async () => {
    const { id } = (await openProfile({ file })).header;
    await expect(profileLocations({ file, id, callPath: 100, metric: 0 })).rejects.toMatchObject({
      reason: 'no-such-call-path',
    });
    await expect(profileRows({ file, id: 'old', first: 0, count: 1 })).rejects.toMatchObject({
      reason: 'profile-changed',
    });
    await expect(openProfile({ file: `${file}.gone` })).rejects.toThrow(/deleted or moved/);
    const half = path.join(folder, 'half.cubex');
    writeFileSync(half, readFileSync(file));
    truncateSync(half, 2000);
    await expect(openProfile({ file: half })).rejects.toThrow(/half\.cubex/);
    const other = path.join(folder, 'other.cubex');
    writeFileSync(other, 'int main() {}');
    await expect(openProfile({ file: other })).rejects.toThrow(/other\.cubex/);
  });

  it('knows what recording each function costs: by the kind of its site, as it was calibrated', async () => {
    const study = path.join(folder, '.kymo/tiny/s1');
    const experiment = path.join(study, 'i1/measured.r1');
    mkdirSync(experiment, { recursive: true });
    writeFileSync(path.join(experiment, 'profile.cubex'), readFileSync(file));
    const cost = (pairSeconds: number) => ({
      pairSeconds,
      spreadSeconds: 0,
      insideSeconds: pairSeconds / 2,
      outsideSeconds: pairSeconds / 2,
    });
    await writeExperiment(experiment, {
      kymoExperiment: 1,
      target: 'tiny',
      study: 's1',
      iteration: 1,
      repetition: 1,
      variant: 'measured',
      parameters: {},
      ranks: 1,
      command: ['./tiny'],
      host: 'node1',
      compiler: 'gcc',
      buildId: 'ab12',
      startedAt: '2026-01-01T00:00:00.000Z',
      wallSeconds: 1,
      exitStatus: 0,
      instrumented: 2,
      calibration: { probe: cost(1e-8), entry: cost(3e-8) },
    });
    const known = { file: '/a.c', selected: true, reason: 'in', hasSite: true };
    const functions = [
      { ...known, key: 'f1', name: 'f1', line: 1, site: 'probe' },
      { ...known, key: 'f2', name: 'f2', line: 2, site: 'entry' },
      { ...known, key: 'f3', name: 'f3', line: 3 },
    ];
    writeFileSync(path.join(study, 'functions.json'), JSON.stringify({ kymoFunctions: 1, functions }));
    const measured = path.join(experiment, 'profile.cubex');
    const { header, studyDirectory } = await openProfile({ file: measured });
    expect(studyDirectory).toBe(study);
    expect(header).toMatchObject({
      title: 'tiny · round 1 · run 1',
      pairSeconds: 3e-8,
      pairAssumed: false,
    });
    const regions = await profileRegions({ file: measured, id: header.id, first: 1, count: 3 });
    const destination = path.join(folder, 'costs.csv');
    await convertProfile({ file: measured, id: header.id, format: 'csv', destination });
    const lines = readFileSync(destination, 'utf8').trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/,"overhead \(sec, calibrated cost\)"$/);
    expect(lines.slice(2, 4).map((line) => Number(line.split(',').at(-1)))).toEqual([2 * 1e-8, 3 * 3e-8]);
    await convertProfile({ file: measured, id: header.id, format: 'json', destination });
    const json = JSON.parse(readFileSync(destination, 'utf8')) as {
      overhead: { cost: string; values: number[] };
    };
    expect(json.overhead.cost).toBe('calibrated');
    expect(json.overhead.values.slice(1, 3)).toEqual([2 * 1e-8, 3 * 3e-8]);
    expect(regions.map(({ key, visitSeconds }) => [key, visitSeconds ?? header.pairSeconds])).toEqual([
      ['f1', 1e-8],
      ['f2', 3e-8],
      ['f3', 3e-8],
    ]);
  });

  it('keeps answers small when names are long', async () => {
    const long = path.join(folder, 'long.cubex');
    write(long, (i) => `${'n'.repeat(300_000)}${i}`);
    const { id } = (await openProfile({ file: long })).header;
    const answer = await profileRegions({ file: long, id, first: 0, count: 100 });
    expect(answer).toHaveLength(1);
    expect(await profileRegions({ file: long, id, first: 1, count: 100 })).toHaveLength(1);
  });

  it('is saved of the chosen processes only', async () => {
    const measured = path.join(folder, 'ranks.cubex');
    const run = runOf({ region: { name: 'main' }, seconds: [1, 2, 4, 8], visits: [1, 1, 1, 3] }, 4);
    writeFileSync(measured, writeCube(run));
    const { id } = (await openProfile({ file: measured })).header;
    const destination = path.join(folder, 'ranks.csv');
    const written = async (processes?: number[]): Promise<number[]> => {
      await convertProfile({ file: measured, id, format: 'csv', destination, ...present({ processes }) });
      const line = readFileSync(destination, 'utf8').split('\r\n')[1] ?? '';
      return line.split(',').slice(8, 12).map(Number);
    };
    expect(await written()).toEqual([6, 6, 15, 15]);
    expect(await written([0, 0, 3, 3])).toEqual([4, 4, 9, 9]);
    await expect(written([4, 4])).rejects.toMatchObject({ reason: 'no-such-process' });
  });

  it('is saved in other formats', async () => {
    const { id } = (await openProfile({ file })).header;
    const destination = path.join(folder, 'out.csv');
    await convertProfile({ file, id, format: 'csv', destination });
    expect(readFileSync(destination, 'utf8').split('\r\n')).toHaveLength(102);
    await convertProfile({ file, id, format: 'speedscope', destination });
    expect(JSON.parse(readFileSync(destination, 'utf8'))).toMatchObject({ exporter: 'kymo' });
    await convertProfile({ file, id, format: 'json', destination });
    expect(JSON.parse(readFileSync(destination, 'utf8'))).toHaveProperty('callTree.length', 100);
  });
});
