import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeCube } from '../../../../src/formats/cube4/write';
import { profileFunctions, profileProperties } from '../../../../src/workflows/views/profileInSource';
import { present } from '../../../../src/core/present';
import { sharedData } from '../../../shared';
import { runOf, type Call } from '../../core/problems/runs';

let folder = '';
beforeEach(async () => (folder = await realpath(await mkdtemp(path.join(tmpdir(), 'kymo-in-source-')))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const heat = { file: '/elsewhere/app/src/heat.c' };

/** `step` was measured at line 2, is at line 4 today; `lost` is in a file that is not here. */
async function example(): Promise<string> {
  const profile = runOf(
    {
      region: { name: 'main', ...heat, firstLine: 8, lastLine: 12 },
      seconds: [1],
      calls: [
        { region: { name: 'step', ...heat, firstLine: 2, lastLine: 4 }, seconds: [6], visits: [1_000_000] },
        { region: { name: 'lost', file: '/elsewhere/lib/lost.c', firstLine: 5 }, seconds: [3] },
        { region: { name: 'MPI_Send', paradigm: 'mpi', role: 'point2point', file: 'MPI' }, seconds: [2] },
        {
          region: {
            name: '!$omp parallel @heat.c:9',
            paradigm: 'openmp',
            role: 'parallel',
            ...heat,
            firstLine: 9,
          },
          seconds: [0.5],
        },
        {
          region: { name: '!$omp for @heat.c:9', paradigm: 'openmp', role: 'loop', ...heat, firstLine: 9 },
          seconds: [0.2],
        },
      ],
    },
    1,
  );
  const file = path.join(folder, 'scorep-run', 'profile.cubex');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, writeCube(profile));
  await mkdir(path.join(folder, 'src'));
  await writeFile(
    path.join(folder, 'src', 'heat.c'),
    '// new\n// new\n\nvoid step(double dt)\n{\n}\n\n\n\nint main(void)\n{\n}\n',
  );
  return file;
}

describe('a profile in the source', () => {
  it('finds files by the rules, functions by their names, and tells what is not here', async () => {
    const file = await example();
    const sourcePaths = [{ from: '/elsewhere/app', to: folder }];
    const { title, functions, missing } = await profileFunctions({ file, sourcePaths, folders: [] });
    expect(title).toBe('scorep-run/profile.cubex (Score-P 8.4)');
    expect(missing).toEqual(['/elsewhere/lib/lost.c']);
    const byName = new Map(functions.map((one) => [one.name, one]));
    expect(byName.get('step')).toMatchObject({
      file: path.join(folder, 'src', 'heat.c'),
      line: 4,
      endLine: 6,
      visits: 1_000_000,
      selected: true,
    });
    expect(byName.get('main')).toMatchObject({ line: 10, endLine: 14, inclusiveShare: 1 });
    expect(byName.get('step')?.exclusiveShare).toBeCloseTo(6 / 12.7, 9);
    // 70 ns × 10⁶ visits.
    expect(byName.get('step')?.overheadPercent).toBeCloseTo(7 / 12.7, 6);
    expect(byName.has('MPI_Send')).toBe(false);
    expect([...byName.keys()].filter((name) => name.startsWith('!$omp'))).toEqual([
      '!$omp parallel @heat.c:9',
    ]);
  });

  it('takes files that somebody has found, and places properties alike', async () => {
    const file = await example();
    const located = { '/elsewhere/app/src/heat.c': path.join(folder, 'src', 'heat.c') };
    const { properties } = await profileProperties({ file, sourcePaths: [], folders: [], located });
    expect(properties.find(({ id }) => id.startsWith('hot-spot:step'))?.region).toEqual({
      name: 'step',
      file: path.join(folder, 'src', 'heat.c'),
      line: 4,
    });
    expect(properties.find(({ id }) => id.startsWith('hot-spot:lost'))?.region).toMatchObject({
      file: '/elsewhere/lib/lost.c',
      line: 5,
    });
  });

  it('of some processes is what the hot-spot panel shows of them, and says which', async () => {
    const at = (seconds: number[], visits: number[], name: string, calls: Call[] = []): Call => ({
      region: { name, ...heat, firstLine: 2, paradigm: 'compiler' },
      seconds,
      visits,
      calls,
    });
    const profile = runOf(
      at([1, 2, 3], [1, 1, 1], 'main', [at([2, 4, 0], [10, 20, 0], 'step'), at([0, 0, 9], [0, 0, 5], 'io')]),
      3,
    );
    const file = path.join(folder, 'p.cubex');
    await writeFile(file, writeCube(profile));
    const of = async (processes?: number[]) => {
      const { title, functions } = await profileFunctions({
        file,
        sourcePaths: [],
        folders: [],
        ...present({ processes }),
      });
      return { title, rows: new Map(functions.map((row) => [row.name, row])) };
    };
    const some = await of([0, 1]);
    expect(some.title).toBe(`ranks 0–1 in p.cubex (Score-P 8.4)`);
    expect([...some.rows.keys()]).toEqual(['main', 'step']);
    expect(some.rows.get('step')).toMatchObject({ visits: 30, base: { processes: 'ranks 0–1', seconds: 9 } });
    expect(some.rows.get('step')?.inclusiveShare).toBeCloseTo(6 / 9, 12);
    expect(some.rows.get('main')?.exclusiveShare).toBeCloseTo(3 / 9, 12);
    const last = await of([2, 2]);
    expect([...last.rows.keys()]).toEqual(['main', 'io']);
    expect(last.rows.get('io')).toMatchObject({ visits: 5, exclusiveShare: 0.75 });
    const { title, rows } = await of([0, 2]);
    expect(title).toBe('p.cubex (Score-P 8.4)');
    expect(rows.get('main')?.base?.processes).toBeUndefined();
    await expect(of([0, 3])).rejects.toMatchObject({ reason: 'no-such-process' });
  });

  const tiny = sharedData('scorep/tiny/tiny.256.unfiltered/profile.cubex');
  it.skipIf(tiny === undefined)('reads what a real Score-P wrote', async () => {
    const { title, functions, missing } = await profileFunctions({
      file: tiny!,
      sourcePaths: [],
      folders: [folder],
    });
    expect(title).toBe('tiny.256.unfiltered/profile.cubex (Score-P 8.4)');
    expect(functions.find(({ name }) => name.includes('Heap::less'))).toMatchObject({
      key: '_ZNK4Heap4lessEii',
      line: 4,
    });
    expect(missing.map((name) => path.basename(name))).toContain('heap.cc');
  });
});
