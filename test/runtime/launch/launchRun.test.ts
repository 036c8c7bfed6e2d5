import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseConfig } from '../../../src/measurement/config/parseConfig';
import { fittingMpirun } from '../../../src/measurement/launch/mpirun/fittingMpirun';
import { linkedMpi } from '../../../src/measurement/launch/mpirun/linkedMpi';
import { findProgram } from '../../../src/measurement/launch/findProgram';
import { allowedProcessors } from '../../../src/measurement/launch/processors';
import { launchRun, type RunOutcome } from '../../../src/measurement/launch/runs/launchRun';
import { failureOf, isAlive } from '../../processes';

const compiler = (await findProgram('gcc')) ?? (await findProgram('cc'));
const mpicc = (await findProgram('mpirun')) === undefined ? undefined : await findProgram('mpicc');

let workspace: string;
let notes: string[];
beforeEach(() => {
  notes = [];
});
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
    note: (sentence) => void notes.push(sentence),
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

const ranksProgram = `#include <mpi.h>
#include <signal.h>
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
  if (n > 1 && rank == 1) { if (!strcmp(a[1], "crash")) raise(SIGFPE); if (!strcmp(a[1], "fail")) exit(5); sleep(60); }
  while (n == 1 && clock() < CLOCKS_PER_SEC / 10) {}
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}`;
const ranksPrinted = (): readonly string[] =>
  (readFileSync(path.join(workspace, 'out'), 'utf8').match(/rank \d of \d pid \d+ handed on/g) ?? [])
    .map((line) => line.slice(0, 11))
    .sort();
const ranksOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, rank) => `rank ${rank} of ${count}`);
const launcher = { kind: 'mpirun', ranks: [2, 3] };

const implementations = [
  ['Open MPI', await findProgram('mpicc.openmpi'), /openmpi|orterun|mpirun$|mpiexec$/],
  ['MPICH', await findProgram('mpicc.mpich'), /mpich|hydra|mpirun$|mpiexec$/],
] as const;
const both = implementations.filter(([, cc]) => cc !== undefined);

describe.skipIf(both.length < 2)('mpirun of two MPI libraries', () => {
  describe.each(both)('with a program of %s', (name, cc, mpirun) => {
    const program = (): string => compile(cc ?? '', 'ranks', ranksProgram);

    it('is the one of the library that the program is linked with', async () => {
      const executable = program();
      for (const ranks of [2, 5]) {
        const outcome = await run(executable, { launcher }, ranks);
        expect(ranksPrinted()).toEqual(ranksOf(ranks));
        expect(path.basename(outcome.command[0] ?? '')).toMatch(mpirun);
        expect(outcome.cpuSeconds).toBeGreaterThanOrEqual(0.1 * ranks);
      }
    });
    it('says that times mean little where ranks share processors, and only there', async () => {
      const executable = program();
      const processors = allowedProcessors().length;
      await run(executable, { launcher }, processors);
      expect(notes).toEqual([]);
      await run(executable, { launcher }, processors + 1);
      expect(notes).toEqual([
        expect.stringContaining(`Ranks share processors where there are more than ${processors}:`) as string,
      ]);
    });
    it('reports crash and failure of one rank', async () => {
      const executable = program();
      const crash = await failureOf(run(executable, { launcher, arguments: ['crash'] }, 2));
      expect(crash.reason).toBe('program-crashed');
      expect(crash.message).toContain('SIGFPE');
      const failed = await failureOf(run(executable, { launcher, arguments: ['fail'] }, 2));
      expect(failed.reason).toBe('program-failed');
      expect(failed.message).toContain('status 5');
    });
    it('refuses the mpirun of another library, with what to do', async () => {
      const other = both.find(([title]) => title !== name);
      const executable = program();
      // A machine with the other one only: this library's own lies in /usr/bin, which is not beside a copy of it.
      const folder = path.join(workspace, `without ${name}`);
      mkdirSync(folder, { recursive: true });
      const word = other?.[0] === 'MPICH' ? 'mpirun.mpich' : 'mpirun.openmpi';
      symlinkSync((await findProgram(word)) ?? '', path.join(folder, 'mpirun'));
      const library = await linkedMpi(executable, process.env);
      expect(library).toMatchObject({ family: name === 'MPICH' ? 'hydra' : 'open-mpi' });
      if (typeof library !== 'object') return;
      const error = await failureOf(
        fittingMpirun({ ...library, library: path.basename(library.library) }, folder),
      );
      rmSync(folder, { recursive: true });
      expect(error.reason).toBe('launcher-mismatch');
      expect(error.message).toMatch(/each process would believe to be the only one.*apt install/);
      expect(error.message).toContain(folder);
    });
  });

  it('finds the library also where the program reaches it through another one, or contains it', async () => {
    const [, cc] = both[1] ?? [];
    const source = path.join(workspace, 'inner.c');
    writeFileSync(source, '#include <mpi.h>\nvoid inner(void) { MPI_Init(0, 0); }\n');
    execFileSync(cc ?? '', ['-shared', '-fPIC', '-o', path.join(workspace, 'libinner.so'), source]);
    const outer = path.join(workspace, 'outer.c');
    writeFileSync(outer, 'void inner(void);\nint main(void) { inner(); }\n');
    const program = path.join(workspace, 'outer');
    execFileSync('gcc', ['-o', program, outer, `-L${workspace}`, '-linner', '-Wl,--allow-shlib-undefined']);
    expect(await linkedMpi(program, { ...process.env, LD_LIBRARY_PATH: workspace })).toMatchObject({
      family: 'hydra',
      library: expect.stringContaining('libmpich') as string,
    });
    const inside = compile(
      'gcc',
      'inside',
      'int ompi_mpi_init(void) { return 0; }\nint main(void) { return ompi_mpi_init(); }',
    );
    expect(await linkedMpi(inside, {})).toMatchObject({ family: 'open-mpi', library: inside });
    const plain = compile('gcc', 'plain', 'int main(void) { return 0; }');
    expect(await linkedMpi(plain, {})).toBe('none');
    await run(plain, { launcher }, 2);
    expect(notes.join()).toContain('2 independent runs');
    writeFileSync(path.join(workspace, 'text'), '#!/bin/sh\n');
    expect(await linkedMpi(path.join(workspace, 'text'), {})).toBeUndefined();
  });
});

describe.skipIf(mpicc === undefined)('a template', () => {
  it('starts ranks with the words of the user, in the folder and with the variables of the run', async () => {
    const executable = compile(mpicc ?? '', 'ranks', ranksProgram);
    mkdirSync(path.join(workspace, 'da ta'), { recursive: true });
    // The environment of a batch system's nodes is another one.
    const command = [
      'env',
      '-i',
      `PATH=${process.env.PATH}`,
      'OMPI_ALLOW_RUN_AS_ROOT=1',
      'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1',
      'mpirun',
      '--oversubscribe',
      '-n',
      '${ranks}',
      '${program}',
    ];
    const outcome = await run(executable, { launcher: { kind: 'template', ranks: [3], command } }, 3);
    expect(ranksPrinted()).toEqual(ranksOf(3));
    expect(outcome).toMatchObject({ exitStatus: 0, cpuSeconds: undefined });
    const shell = path.join(workspace, 'show');
    writeFileSync(shell, '#!/bin/sh\npwd; echo "$1|$2|$A"; cat\n');
    chmodSync(shell, 0o755);
    writeFileSync(path.join(workspace, 'da ta', 'in'), 'read\n');
    await run(shell, {
      cwd: 'da ta',
      input: 'in',
      arguments: ["it's", '$(x)'],
      environment: { A: '"ü"' },
      launcher: { kind: 'template', ranks: 1, command: ['sh', '-c', 'exec "$0"', '${program}'] },
    });
    expect(readFileSync(path.join(workspace, 'out'), 'utf8')).toBe(
      `${workspace}/da ta\nit's|$(x)|"ü"\nread\n`,
    );
    expect(readdirSync(workspace).filter((name) => name.startsWith('out.'))).toEqual([]);
  });
  it('measures from the first rank to the last one, without the wait in a queue', async () => {
    // The second rank begins after the first one, however late that is.
    const wait = ['sh', '-c', '"$0"; sleep 0.2; "$0"', '${program}'];
    const { wallSeconds } = await run(
      '/bin/true',
      { launcher: { kind: 'template', ranks: 2, command: wait } },
      2,
    );
    expect(wallSeconds).toBeGreaterThanOrEqual(0.2);
    const around = await run('/bin/sleep', {
      arguments: ['0.1'],
      launcher: {
        kind: 'template',
        ranks: 1,
        command: ['sh', '-c', 'date +%s.%N; "$0"; date +%s.%N', '${program}'],
      },
    });
    const [begin = NaN, end = NaN] = readFileSync(path.join(workspace, 'out'), 'utf8')
      .trim()
      .split('\n')
      .map(Number);
    expect(around.wallSeconds).toBeLessThan(end - begin);
    expect(around.wallSeconds).toBeGreaterThanOrEqual(0.1);
    expect(notes).toEqual([]);
    await run('/bin/true', { launcher: { kind: 'template', ranks: 1, command: ['true', '${program}'] } });
    expect(notes.join()).toContain('times contain the wait in the queue');
  });
  it('that names no program of this machine is reported', async () => {
    const command = ['no-such-bsub', '${program}'];
    const error = await failureOf(run('/bin/true', { launcher: { kind: 'template', ranks: 2, command } }, 2));
    expect(error.reason).toBe('program-failed');
    expect(error.message).toMatch(/could not be started.*no-such-bsub/s);
  });
});

describe.skipIf(mpicc === undefined)('mpirun', () => {
  const program = (): string => compile(mpicc!, 'ranks', ranksProgram);

  it('leaves no rank behind after a time-out or an abort', async () => {
    const executable = program();
    const output = path.join(workspace, 'out');
    const pidsOf = (): number[] =>
      existsSync(output)
        ? [...readFileSync(output, 'utf8').matchAll(/pid (\d+)/g)].map((match) => Number(match[1]))
        : [];
    // This is long enough for both ranks to begin on a busy machine.
    const late = await failureOf(run(executable, { launcher, arguments: ['hang'], timeoutSeconds: 10 }, 2));
    expect(late.reason).toBe('program-timeout');
    expect(pidsOf()).toHaveLength(2);
    expect(pidsOf().some(isAlive)).toBe(false);

    // `npm run bench launch` shows how long this takes.
    rmSync(output);
    const stop = new AbortController();
    const running = failureOf(run(executable, { launcher, arguments: ['hang'] }, 2, stop.signal));
    while (pidsOf().length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    expect((await running).reason).toBe('cancelled');
    await vi.waitFor(() => expect(pidsOf().some(isAlive)).toBe(false), { timeout: 120_000 });
  });
});
