import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseConfig } from '../../../src/measurement/config/parseConfig';
import { findProgram } from '../../../src/measurement/launch/findProgram';
import { launchRun, type RunOutcome } from '../../../src/measurement/launch/runs/launchRun';
import { failureOf, isAlive } from '../../processes';

const compiler = (await findProgram('gcc')) ?? (await findProgram('cc'));
const mpicc = (await findProgram('mpirun')) === undefined ? undefined : await findProgram('mpicc');

let workspace: string;
beforeAll(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo run ü '));
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

function compile(cc: string, name: string, text: string): string {
  const source = path.join(workspace, `${name}.c`);
  const program = path.join(workspace, name);
  writeFileSync(source, text);
  execFileSync(cc, ['-O1', '-o', program, source]);
  return program;
}
function run(
  executable: string,
  settings: object,
  ranks?: number,
  signal = new AbortController().signal,
): Promise<RunOutcome> {
  const text = JSON.stringify({
    version: 1,
    targets: [{ name: 'it', build: { command: '${cc}' }, executable: 'x', run: settings }],
  });
  return launchRun({
    target: parseConfig(text, path.join(workspace, 'kymo.json')).config.targets[0]!,
    workspace,
    executable,
    parameters: {},
    ...(ranks === undefined ? {} : { ranks }),
    environment: { KYMO_TEST: 'handed on' },
    outputFile: path.join(workspace, 'out'),
    signal,
  });
}

describe.skipIf(compiler === undefined)('a compiled program', () => {
  it('that divides by zero or aborts is a crash with the name of its signal', async () => {
    const program = compile(
      compiler!,
      'crash',
      '#include <stdio.h>\n#include <stdlib.h>\nint main(int n, char **a) { fprintf(stderr, "step 7\\n"); if (n > 1) abort(); volatile int *p = 0; return *p; }',
    );
    const fault = await failureOf(run(program, {}));
    expect(fault.reason).toBe('program-crashed');
    expect(fault.message).toMatch(/SIGSEGV[\s\S]*step 7/);
    expect((await failureOf(run(program, { arguments: ['x'] }))).message).toContain('SIGABRT');
  });
});

describe.skipIf(mpicc === undefined)('mpirun', () => {
  const program = (): string =>
    compile(
      mpicc!,
      'ranks',
      `#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int main(int n, char **a) {
  MPI_Init(&n, &a);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  printf("rank %d of %d pid %d %s\\n", rank, size, (int)getpid(), getenv("KYMO_TEST"));
  fflush(stdout);
  if (n > 1 && rank == 1) { if (!strcmp(a[1], "crash")) abort(); if (!strcmp(a[1], "fail")) exit(5); sleep(60); }
  while (n == 1 && clock() < CLOCKS_PER_SEC / 10) {}
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}`,
    );
  const launcher = { kind: 'mpirun', ranks: [2, 3] };

  it('starts the ranks with the environment, even when they outnumber the cores', async () => {
    const executable = program();
    for (const ranks of [2, 5]) {
      const outcome = await run(executable, { launcher }, ranks);
      const lines =
        readFileSync(path.join(workspace, 'out'), 'utf8').match(/rank \d of \d pid \d+ handed on/g) ?? [];
      expect(lines.map((line) => line.slice(0, 11)).sort()).toEqual(
        Array.from({ length: ranks }, (_, rank) => `rank ${rank} of ${ranks}`),
      );
      expect(outcome.exitStatus).toBe(0);
      expect(outcome.leftBehind).toBeUndefined();
      // Each rank computes until its CPU time is 0.1 s.
      expect(outcome.cpuSeconds).toBeGreaterThanOrEqual(0.1 * ranks);
    }
  });
  it('reports the crash and the failure of one rank', async () => {
    const executable = program();
    const crash = await failureOf(run(executable, { launcher, arguments: ['crash'] }, 2));
    expect(crash.reason).toBe('program-crashed');
    expect(crash.message).toContain('SIGABRT');
    const failed = await failureOf(run(executable, { launcher, arguments: ['fail'] }, 2));
    expect(failed).toMatchObject({
      reason: 'program-failed',
      message: expect.stringContaining('status 5') as string,
    });
  });
  it('leaves no rank behind after a time-out or an abort', async () => {
    const executable = program();
    const output = path.join(workspace, 'out');
    const ranksOf = (): number[] =>
      existsSync(output)
        ? [...readFileSync(output, 'utf8').matchAll(/pid (\d+)/g)].map((match) => Number(match[1]))
        : [];
    // This is long enough for both ranks to begin on a busy machine.
    const late = await failureOf(run(executable, { launcher, arguments: ['hang'], timeoutSeconds: 10 }, 2));
    expect(late.reason).toBe('program-timeout');
    expect(ranksOf()).toHaveLength(2);
    expect(ranksOf().some(isAlive)).toBe(false);

    // `npm run bench launch` shows how long this takes.
    rmSync(output);
    const stop = new AbortController();
    const running = failureOf(run(executable, { launcher, arguments: ['hang'] }, 2, stop.signal));
    while (ranksOf().length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    expect((await running).reason).toBe('cancelled');
    await vi.waitFor(() => expect(ranksOf().some(isAlive)).toBe(false), { timeout: 120_000 });
  });
});
