import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readCube } from '../../src/formats/cube4/read';
import { findProgram } from '../../src/measurement/launch/findProgram';
import type { RefineResult } from '../../src/workflows/studies/refine.types';
import { startSlurm } from '../slurm';

const program = `#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
double work(int steps) {
  double sum = 0;
  for (int step = 1; step < steps; ++step) sum += 1.0 / step;
  return sum;
}
int main(int count, char **words) {
  int rank;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    FILE *runs = fopen("runs", "a");
    fprintf(runs, "%s\\n", getenv("SLURM_JOB_ID"));
    fclose(runs);
  }
  const char *selection = getenv("KYMO_SELECTION"); // Baseline runs record the entry function and MPI.
  while (selection && !strstr(selection, "/ranks.kymo") && access("hold", F_OK) == 0) usleep(10000);
  double sum = 0;
  for (int round = 0; round < 20; ++round) sum += work(1000000);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%g\\n", sum);
  MPI_Finalize();
  return 0;
}
`;

const cli = path.resolve('dist/cli.js');
const mpicc = (await findProgram('mpicc.openmpi')) ?? (await findProgram('mpicc'));
const slurm = existsSync(cli) && mpicc !== undefined ? await startSlurm() : undefined;
let workspace: string;
beforeAll(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo slurm ü '));
  writeFileSync(path.join(workspace, 'ranks.c'), program);
  const target = {
    name: 'ranks',
    build: { command: `KYMO_CC='${mpicc ?? ''}' \${cc} -g -O2 -o ranks ranks.c` },
    executable: './ranks',
    run: { launcher: { kind: 'slurm', ranks: 2, arguments: ['--time=5'] } },
    repetitions: 1,
    refinement: { maximumIterations: 2 },
  };
  writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
});
afterAll(async () => {
  await slurm?.stop();
  rmSync(workspace, { recursive: true, force: true });
});

interface Command {
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly end: Promise<{ readonly status: number | null; readonly stdout: string }>;
  readonly shown: () => string;
}

/** The command line as a user starts it, without the environment of this test's own programs. */
function kymo(...words: readonly string[]): Command {
  const child = spawn(process.execPath, [cli, ...words, '--workspace', workspace, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const end = new Promise<{ status: number | null; stdout: string }>((resolve) => {
    child.on('close', (status) => resolve({ status, stdout }));
  });
  return { kill: (signal) => void child.kill(signal), end, shown: () => stderr };
}

const linesOf = (name: string): readonly string[] => {
  const file = path.join(workspace, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};

describe.skipIf(slurm === undefined)('a refinement in a job of Slurm', () => {
  it.each(['SIGKILL', 'SIGHUP'] as const)(
    'that %s ended goes on in the same job, and takes over the run that went on without it',
    async (signal) => {
      rmSync(path.join(workspace, '.kymo'), { recursive: true, force: true });
      rmSync(path.join(workspace, 'runs'), { force: true });
      const before = slurm?.jobs().length ?? 0;
      writeFileSync(path.join(workspace, 'hold'), '');
      const first = kymo('refine');
      // A baseline and the first measured run, which waits.
      await vi.waitFor(() => expect(linesOf('runs')).toHaveLength(2), { timeout: 120_000, interval: 50 });
      first.kill(signal);
      await first.end;
      expect(first.shown()).toMatch(/Job \d+ runs on/);
      expect(slurm?.jobs().at(-1)).toMatch(/RUNNING$/);
      rmSync(path.join(workspace, 'hold'));

      const second = kymo('refine');
      const { status, stdout } = await second.end;
      expect(status, second.shown()).toBe(0);
      const result = JSON.parse(stdout) as RefineResult;
      expect(second.shown()).toMatch(/Found job \d+/);
      const experiments = readdirSync(result.directory, { recursive: true })
        .map(String)
        .filter((name) => path.basename(name) === 'experiment.json');
      // Each run once, all in one job.
      expect(linesOf('runs')).toHaveLength(experiments.length);
      expect(new Set(linesOf('runs')).size).toBe(1);
      expect(slurm?.jobs().length).toBe(before + 1);
      expect(result.hotFunctions.map(({ name }) => name)).toContain('work');
      // Times of other nodes are wall times: nobody knows the processor time there.
      expect(result.iterations.map(({ clock }) => clock)).not.toContain('cpu');
    },
  );

  it('that the user cancels cancels the job', async () => {
    writeFileSync(path.join(workspace, 'hold'), '');
    rmSync(path.join(workspace, 'runs'), { force: true });
    const command = kymo('measure');
    await vi.waitFor(() => expect(linesOf('runs')).toHaveLength(2), { timeout: 120_000, interval: 50 });
    command.kill('SIGINT');
    expect((await command.end).status).toBe(130);
    await vi.waitFor(() => expect(slurm?.jobs().at(-1)).toMatch(/CANCELLED$/), { timeout: 30_000 });
    rmSync(path.join(workspace, 'hold'));
  });

  it('serves all runs of a study in one job, whatever their numbers of ranks', async () => {
    rmSync(path.join(workspace, 'runs'), { force: true });
    const before = slurm?.jobs().length ?? 0;
    const command = kymo('study', '--ranks', '1,2', '--repetitions', '2');
    const { status, stdout } = await command.end;
    expect(status, command.shown()).toBe(0);
    const { done, directory } = JSON.parse(stdout) as { readonly done: number; readonly directory: string };
    expect(done, stdout).toBe(2);
    expect(new Set(linesOf('runs')).size).toBe(1);
    expect(linesOf('runs')).toHaveLength(4);
    expect(slurm?.jobs().length).toBe(before + 1);
    const ranksOf = (folder: string): number => {
      const file = path.join(directory, folder, 'profile.cubex');
      return readCube(readFileSync(file), file).locations.length;
    };
    expect([ranksOf('measured.p1.r1'), ranksOf('measured.p2.r2')]).toEqual([1, 2]);
  });

  it('that Slurm rejects fails with its reason', async () => {
    const file = path.join(workspace, 'kymo.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('--time=5', '--partition=none'));
    const { status, stdout } = await kymo('measure').end;
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        reason: 'job-rejected',
        message: expect.stringContaining('Invalid partition name specified') as string,
      },
    });
  });
});
