import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCube } from '../../src/formats/cube4/read';
import { findProgram } from '../../src/measurement/launch/findProgram';
import { measure } from '../../src/workflows/measure';
import { failureOf } from '../processes';
import { cachedProfile } from '../../src/workflows/opened/profileCache';

const program = `#include <kymo.h>
#include <mpi.h>
#include <stdio.h>
double work(int steps) {
  double sum = 0;
  for (int step = 1; step < steps; ++step) sum += 1.0 / step;
  return sum;
}
int main(int count, char **words) {
  int rank, values[100] = {0};
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("%g\\n", work(1000000 + 20000000 * rank));
  for (int message = 0; message < 3; ++message) {
    KYMO_PHASE_BEGIN("message");
    if (rank) MPI_Send(values, 100, MPI_INT, 0, 5, MPI_COMM_WORLD);
    else MPI_Recv(values, 100, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    KYMO_PHASE_END("message");
  }
  MPI_Finalize();
  return 0;
}
`;

const hybrid = `#include <mpi.h>
#include <omp.h>
#include <stdio.h>
double work(int steps) {
  double sum = 0;
  for (int step = 1; step < steps; ++step) sum += 1.0 / step;
  return sum;
}
int main(int count, char **words) {
  int rank, given;
  double sum = 0, all = 0;
  MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel reduction(+ : sum)
  {
    sum += work(1000000 * (omp_get_thread_num() + 1));
#pragma omp barrier
    sum += work(1000);
  }
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%g\\n", all);
  MPI_Finalize();
  return 0;
}
`;

const ready =
  existsSync(path.resolve('dist/wrapper.js')) &&
  (await findProgram('mpicc')) !== undefined &&
  (await findProgram('mpirun')) !== undefined;
const haveBoth =
  ready &&
  (await Promise.all(['mpirun.openmpi', 'mpirun.mpich'].map((name) => findProgram(name)))).every(Boolean);
let workspace: string;
beforeAll(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo mpi ü '));
  writeFileSync(path.join(workspace, 'ranks.c'), program);
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

describe.skipIf(!ready)('a program for MPI', () => {
  it.each([
    ['is the compiler', 'KYMO_CC=mpicc ${cc} -g -O2 -o ranks ranks.c'],
    ['calls the compiler', "OMPI_CC='${cc}' MPICH_CC='${cc}' mpicc -g -O2 -o ranks ranks.c"],
  ])('is measured on each rank when mpicc %s', async (_, command) => {
    const target = {
      name: 'ranks',
      build: { command, clean: 'rm -f ranks' },
      executable: './ranks',
      run: { launcher: { kind: 'mpirun', ranks: 2 } },
      repetitions: 1,
    };
    writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
    const { profile, ranks } = await measure({ workspace, signal: new AbortController().signal });
    expect(ranks).toBe(2);
    const { locations, regions } = readCube(readFileSync(profile), profile);
    expect(locations.map(({ rank }) => rank)).toEqual([0, 1]);
    expect(regions.map(({ name }) => name)).toContain('work');
    const { communication, profile: folded } = await cachedProfile(profile);
    expect(communication).toMatchObject({
      ranks: 2,
      from: new Uint32Array([1]),
      to: new Uint32Array([0]),
      messages: new Float64Array([3]),
      bytes: new Float64Array([1200]),
    });
    const waited = communication?.seconds?.[0] ?? 0;
    expect(waited).toBeGreaterThan(0); // Rank 0 has less to compute.
    const sum = (metric: string): number => [...(folded.stored.get(metric) ?? [])].reduce((a, b) => a + b, 0);
    expect(sum('mpi_latesender')).toBeCloseTo(waited, 6); // also in iterations
    expect(sum('bytes_sent')).toBe(1200);
    expect(sum('bytes_received')).toBe(1200);
  });

  it('and OpenMP: the calls and constructs of each rank and thread are regions, side by side', async () => {
    writeFileSync(path.join(workspace, 'hybrid.c'), hybrid);
    const target = {
      name: 'hybrid',
      build: { command: 'KYMO_CC=mpicc ${cc} -g -O2 -fopenmp -o hybrid hybrid.c', clean: 'rm -f hybrid' },
      executable: './hybrid',
      run: { launcher: { kind: 'mpirun', ranks: 2 }, environment: { OMP_NUM_THREADS: '2' } },
      repetitions: 1,
    };
    writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
    const { profile } = await measure({ workspace, signal: new AbortController().signal });
    const cube = readCube(readFileSync(profile), profile);
    expect(cube.locations.map(({ rank, thread }) => `${rank}.${thread}`)).toEqual([
      '0.0',
      '0.1',
      '1.0',
      '1.1',
    ]);
    const line = (of: string): number => hybrid.split('\n').findIndex((text) => text.includes(of)) + 1;
    const named = new Map(cube.regions.map(({ name, paradigm, role }) => [name, `${paradigm}, ${role}`]));
    expect(named.get('MPI_Allreduce')).toBe('mpi, all2all');
    expect(named.get(`!$omp parallel @hybrid.c:${line('omp parallel')}`)).toBe('openmp, parallel');
    expect(named.get(`!$omp barrier @hybrid.c:${line('omp barrier')}`)).toBe('openmp, barrier');
  });

  const asRoot = ['--allow-run-as-root', '--oversubscribe'];
  const started = async (mpi: string, starter: string, ranks: number, count: string): Promise<string[]> => {
    const words = starter === 'openmpi' ? asRoot : [];
    const command = [`mpirun.${starter}`, ...words, '-n', count, '${program}'];
    const built = {
      name: `with ${mpi}`,
      build: {
        command: `KYMO_CC=mpicc.${mpi} \${cc} -g -O2 -fopenmp -o alone alone.c`,
        clean: 'rm -f alone',
      },
      executable: './alone',
      run: { launcher: { kind: 'template', ranks, command } },
      repetitions: 1,
    };
    writeFileSync(path.join(workspace, 'alone.c'), hybrid);
    writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [built] }));
    const { notes } = await measure({ workspace, signal: new AbortController().signal });
    return [...notes];
  };

  it.skipIf(!haveBoth).each([
    ['openmpi', 'mpich'],
    ['mpich', 'openmpi'],
  ])('of %s that the mpirun of %s starts is not shown as one job', async (mpi, starter) => {
    const { reason, message } = await failureOf(started(mpi, starter, 2, '2'));
    expect(reason).toBe('launcher-mismatch');
    expect(message).toMatch(/2 processes .* each believes to be the only one .* 2 were asked for/);
    const titles = mpi === 'mpich' ? /with MPICH .*OpenRTE/ : /with Open MPI .*Hydra/;
    expect(message).toMatch(titles);
    expect(message).toContain('{"kind": "mpirun", "ranks": 2}');
  });

  it.skipIf(!haveBoth)('with another number of ranks than was asked for is reported', async () => {
    const sentence = (ranks: number): string => `ran with ${ranks === 1 ? '1 rank,' : `${ranks} ranks,`}`;
    for (const ranks of [1, 2])
      expect((await started('openmpi', 'openmpi', 4, String(ranks))).join()).toContain(sentence(ranks));
    expect((await started('openmpi', 'openmpi', 2, '2')).join()).not.toContain('ran with');
  });

  const target = (words: readonly string[]) => ({
    name: 'ranks',
    build: { command: 'KYMO_CC=mpicc ${cc} -g -O2 -o ranks ranks.c', clean: 'rm -f ranks' },
    executable: './ranks',
    run: { arguments: words, launcher: { kind: 'mpirun', ranks: 2 } },
    repetitions: 1,
  });
  const configure = (words: readonly string[] = []): void =>
    writeFileSync(
      path.join(workspace, 'kymo.json'),
      JSON.stringify({ version: 1, targets: [target(words)] }),
    );
  const { signal } = new AbortController();

  it('runs with the number of ranks of the command line, and is judged by the slowest of them', async () => {
    configure();
    const measured = await measure({ workspace, ranks: 3, signal });
    const {
      profile,
      directory,
      ranks,
      clock,
      slowestRank,
      rankSeconds = 0,
      baselineRankSeconds = 0,
    } = measured;
    expect({ ranks, clock }).toEqual({ ranks: 3, clock: 'rank' });
    expect([0, 1, 2]).toContain(slowestRank);
    expect(rankSeconds).toBeGreaterThan(0);
    expect(measured.overheadPercent).toBeCloseTo(100 * (rankSeconds / baselineRankSeconds - 1), 6);
    const { locations } = readCube(readFileSync(profile), profile);
    expect(locations.map(({ rank }) => rank)).toEqual([0, 1, 2]);
    // Baseline runs record the entry function and MPI calls, and are no measurements.
    const baseline = readdirSync(path.join(directory, 'i0')).filter((name) => name.startsWith('baseline'));
    expect(baseline).toEqual(['baseline.p3.r1']);
    expect(existsSync(path.join(directory, 'i0', 'baseline.p3.r1', 'profile.cubex'))).toBe(false);
    expect(existsSync(path.join(directory, 'i0', 'baseline.p3.r1', 'results'))).toBe(false);
  });

  it('is refused beside another program, before it is built', async () => {
    configure([':', '-n', '1', './other']);
    await expect(measure({ workspace, signal })).rejects.toMatchObject({ reason: 'several-programs' });
  });
});
