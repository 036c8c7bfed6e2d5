import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UserLeft } from '../../../src/core/userLeft';
import { parseConfig } from '../../../src/measurement/config/parseConfig';
import { findProgram } from '../../../src/measurement/launch/findProgram';
import { launchRun, type RunOutcome } from '../../../src/measurement/launch/runs/launchRun';
import { BatchRuns } from '../../../src/measurement/launch/slurm/batchRuns';
import { failureOf, isAlive } from '../../processes';
import { startSlurm } from '../../slurm';

const slurm = await startSlurm();
afterAll(() => slurm?.stop());

let workspace: string;
let messages: string[];
let notes: string[];
beforeEach(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo job ü % '));
  messages = [];
  notes = [];
});
afterEach(() => {
  for (const line of slurm?.jobs() ?? []) execFileSync('scancel', ['--quiet', line.split(' ')[0] ?? '']);
  rmSync(workspace, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const jobsFolder = (): string => path.join(workspace, '.kymo/it/jobs');

/** The jobs of one command. */
function command(
  more: { idleSeconds?: number; silentSeconds?: number; patienceSeconds?: number } = {},
): BatchRuns {
  return new BatchRuns({
    folder: jobsFolder(),
    target: 'it',
    progress: {
      report: ({ message }) => void messages.push(message),
      log: (line) => void messages.push(line),
    },
    note: (sentence) => void notes.push(sentence),
    ...more,
  });
}

function script(text: string, name = 'program'): string {
  const file = path.join(workspace, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

interface Run {
  readonly settings?: object;
  readonly launcher?: object;
  readonly ranks?: number;
  readonly environment?: Record<string, string>;
  readonly signal?: AbortSignal;
  readonly prepare?: () => Promise<void>;
}

function run(batch: BatchRuns, executable: string, options: Run = {}): Promise<RunOutcome> {
  const { settings = {}, launcher = {}, ranks = 2, signal = new AbortController().signal } = options;
  const text = JSON.stringify({
    version: 1,
    targets: [
      {
        name: 'it',
        build: { command: '${cc}' },
        executable: 'x',
        run: { ...settings, launcher: { kind: 'slurm', ranks, ...launcher } },
      },
    ],
  });
  const { prepare } = options;
  return launchRun(
    {
      target: parseConfig(text, path.join(workspace, 'kymo.json')).config.targets[0]!,
      workspace,
      executable,
      parameters: {},
      ranks,
      environment: options.environment ?? {},
      outputFile: path.join(workspace, 'output.txt'),
      signal,
      note: (sentence) => void notes.push(sentence),
      ...(prepare === undefined ? {} : { prepare }),
    },
    batch,
  );
}

const output = (): string => readFileSync(path.join(workspace, 'output.txt'), 'utf8');
const states = (): readonly string[] => slurm!.jobs().map((line) => line.split(' ')[1] ?? '');
const waitFor = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 60_000, interval: 50 });

describe.skipIf(slurm === undefined)('runs in a job of Slurm', () => {
  it('of one refinement wait in the queue once: one job serves all', async () => {
    const before = slurm!.jobs().length;
    const batch = command();
    const program = script(
      'echo "rank $SLURM_PROCID of $SLURM_NTASKS in job $SLURM_JOB_ID: $A, $PWD, $*"; [ "$SLURM_PROCID" != 0 ] || cat',
    );
    writeFileSync(path.join(workspace, 'in put'), 'read\n');
    const jobs = new Set<string | undefined>();
    for (const word of ["it's", 'two  blanks']) {
      const outcome = await run(batch, program, {
        settings: { arguments: [word], input: 'in put' },
        environment: { A: "ü'$(x)" },
      });
      jobs.add(/job (\d+)/.exec(output())?.[1]);
      // The first rank has the input.
      expect(
        output()
          .trim()
          .replaceAll(/job \d+/g, 'job N')
          .split('\n')
          .sort(),
      ).toEqual(
        [
          `rank 0 of 2 in job N: ü'$(x), ${workspace}, ${word}`,
          `rank 1 of 2 in job N: ü'$(x), ${workspace}, ${word}`,
          'read',
        ].sort(),
      );
      expect(outcome).toMatchObject({ exitStatus: 0, cpuSeconds: undefined });
      expect(outcome.wallSeconds).toBeGreaterThan(0);
      expect(Math.abs(Date.parse(outcome.startedAt) - Date.now())).toBeLessThan(600_000);
      expect(path.basename(outcome.command[0] ?? '')).toBe('srun');
    }
    expect(jobs.size).toBe(1);
    await batch.close(new AbortController().signal);
    expect(slurm!.jobs().length).toBe(before + 1);
    await waitFor(() => expect(states().at(-1)).toBe('COMPLETED'));
    expect(readdirSync(jobsFolder())).toEqual([]);
  });

  it('say what they wait for, and end with the user’s cancellation, waiting or running', async () => {
    const blocker = execFileSync(
      'sbatch',
      ['--parsable', '--exclusive', '--output=/dev/null', '--wrap', 'sleep 600'],
      {
        encoding: 'utf8',
      },
    ).trim();
    await waitFor(() => expect(states().at(-1)).toBe('RUNNING'));
    const program = script('echo $$ >> pids; exec sleep 600');
    const stop = new AbortController();
    const waiting = failureOf(run(command(), program, { signal: stop.signal }));
    const id = (): string => slurm!.jobs().at(-1)?.split(' ')[0] ?? '';
    await waitFor(() =>
      expect(messages.join('\n')).toMatch(/Waiting for job \d+ in partition all \((Resources|Priority)\)/),
    );
    stop.abort();
    expect((await waiting).reason).toBe('cancelled');
    expect(slurm!.jobs().at(-1)).toBe(`${id()} CANCELLED`);
    execFileSync('scancel', [blocker]);

    const again = new AbortController();
    const running = failureOf(run(command(), program, { signal: again.signal }));
    const pids = (): number[] =>
      readFileSync(path.join(workspace, 'pids'), 'utf8').trim().split('\n').map(Number);
    await waitFor(() => expect(pids()).toHaveLength(2));
    again.abort();
    expect((await running).reason).toBe('cancelled');
    await waitFor(() => expect(states().at(-1)).toBe('CANCELLED'));
    await waitFor(() => expect(pids().some(isAlive)).toBe(false));
    expect(readdirSync(jobsFolder())).toEqual([]);
  });

  it('report the status and the signal of the rank that failed first, and a time-out', async () => {
    const batch = command();
    const program = script(
      '[ "$SLURM_PROCID" = 0 ] && exec sleep 600; echo last words; eval "$1"; sleep 600',
    );
    const failed = await failureOf(run(batch, program, { settings: { arguments: ['exit 3'] } }));
    expect(failed.reason).toBe('program-failed');
    expect(failed.message).toMatch(/ended with status 3 [\s\S]*last words/);
    const crashed = await failureOf(run(batch, program, { settings: { arguments: ['kill -SEGV $$'] } }));
    expect(crashed.reason).toBe('program-crashed');
    expect(crashed.message).toContain('SIGSEGV');
    const late = await failureOf(
      run(batch, program, { settings: { arguments: ['true'], timeoutSeconds: 1 } }),
    );
    expect(late.reason, late.message).toBe('program-timeout');
    await batch.close(new AbortController().signal);
  });

  it('that Slurm rejects are reported with its reason, also when it only never starts them', async () => {
    const before = slurm!.jobs().length;
    const program = script('exit 0');
    const rejected = await failureOf(
      run(command(), program, { launcher: { arguments: ['--partition=none'] } }),
    );
    expect(rejected.reason).toBe('job-rejected');
    expect(rejected.message).toMatch(/invalid partition specified: none.*"arguments"/);
    expect(slurm!.jobs().length).toBe(before);
    const never = await failureOf(run(command(), program, { launcher: { arguments: ['--nodes=5'] } }));
    expect(never.reason).toBe('job-rejected');
    expect(never.message).toMatch(/Job \d+ would never start in partition all: Partition(NodeLimit|Config)/);
    expect(states().at(-1)).toBe('CANCELLED');
    expect(readdirSync(jobsFolder())).toEqual([]);
  });

  it('use the allocation that the command itself runs in, with all arguments for srun', async () => {
    execFileSync('salloc', ['--no-shell', '--ntasks=2'], { stdio: 'ignore' });
    const id = slurm!.jobs().at(-1)?.split(' ')[0] ?? '';
    process.env.SLURM_JOB_ID = id;
    try {
      const launcher = { arguments: ['--label', '--job-name=n${ranks}'] };
      const outcome = await run(command(), script('echo "$SLURM_JOB_ID"'), { launcher });
      expect(outcome.command).toEqual(expect.arrayContaining(['--label', '--job-name=n2']));
      expect(output().trim().split('\n').sort()).toEqual([`0: ${id}`, `1: ${id}`]);
    } finally {
      delete process.env.SLURM_JOB_ID;
    }
  });

  it('that Slurm ends are reported with state, reason and exit code', async () => {
    const running = failureOf(run(command(), script('exec sleep 600')));
    await waitFor(() => expect(messages.join('\n')).toMatch(/Job \d+ runs on/));
    execFileSync('scancel', [slurm!.jobs().at(-1)?.split(' ')[0] ?? '']);
    const error = await running;
    expect(error.reason).toBe('job-failed');
    expect(error.message).toMatch(/Slurm ended job \d+ .*: state CANCELLED.*exit code 0:15/);
  });

  it('on a node that does not answer fail after a while, and the job is cancelled', async () => {
    process.kill(slurm!.nodeDaemon(), 'SIGSTOP');
    try {
      const error = await failureOf(run(command({ silentSeconds: 1 }), script('exit 0')));
      expect(error.reason).toBe('job-silent');
      expect(error.message).toContain(slurm!.node);
    } finally {
      process.kill(slurm!.nodeDaemon(), 'SIGCONT');
    }
    await waitFor(() => expect(states().at(-1)).toBe('CANCELLED'));
  });
});

describe.skipIf(slurm === undefined)('a Slurm that does not answer', () => {
  const stopped = async (action: () => Promise<void>): Promise<void> => {
    process.kill(slurm!.controller(), 'SIGSTOP');
    try {
      await action();
    } finally {
      process.kill(slurm!.controller(), 'SIGCONT');
    }
  };
  /** A node that answers comes back by itself, too. */
  const setNode = (state: string): void =>
    void spawnSync('scontrol', ['update', `NodeName=${slurm!.node}`, `State=${state}`, 'Reason=broken']);
  const shown = (): string => messages.join('\n');

  it('is waited for when a job is submitted, and the job that it got without an answer is found', async () => {
    const before = slurm!.jobs().length;
    const batch = command();
    let running: Promise<RunOutcome> | undefined;
    await stopped(async () => {
      running = run(batch, script('echo result'));
      await waitFor(() => expect(shown()).toMatch(/controller, which does not answer \(.*timed out/));
    });
    await running;
    expect(output()).toBe('result\nresult\n');
    await batch.close(new AbortController().signal);
    expect(slurm!.jobs().length).toBe(before + 1);
  });

  it('for long is an error when a job is submitted, and a cancellation does not wait for it', async () => {
    await stopped(async () => {
      const error = await failureOf(run(command({ patienceSeconds: 0 }), script('exit 0')));
      expect(error.reason).toBe('slurm-unreachable');
      expect(error.message).toMatch(/has not answered for \d+ s \(.*timed out.*"sinfo" answers/);
      messages = [];
      const stop = new AbortController();
      const waiting = failureOf(run(command(), script('exit 0'), { signal: stop.signal }));
      await waitFor(() => expect(shown()).toContain('Submitting a job'));
      stop.abort();
      expect((await waiting).reason).toBe('cancelled');
    });
    expect(readdirSync(jobsFolder())).toEqual([]);
  });

  it('delays neither the end of a run nor its cancellation, after which the next command ends the job', async () => {
    const batch = command();
    const program = script('echo begun >> begun; while [ ! -f "$1" ]; do sleep 0.1; done; echo result');
    const begun = (times: number): void =>
      expect(readFileSync(path.join(workspace, 'begun'), 'utf8')).toBe('begun\n'.repeat(2 * times));
    const first = run(batch, program, { settings: { arguments: ['one'] } });
    await waitFor(() => begun(1));
    await stopped(async () => {
      await waitFor(() => expect(shown()).toMatch(/Job \d+: Slurm does not answer \(.*timed out/));
      writeFileSync(path.join(workspace, 'one'), '');
      await waitFor(() => expect(output()).toBe('result\nresult\n'));
    });
    await first;
    const stop = new AbortController();
    const second = failureOf(run(batch, program, { settings: { arguments: ['two'] }, signal: stop.signal }));
    await waitFor(() => begun(2));
    await stopped(async () => {
      stop.abort();
      expect((await second).reason).toBe('cancelled');
      expect(shown()).toMatch(/so job \d+ could not be cancelled: .*scancel \d+/);
      expect(readdirSync(jobsFolder())).toHaveLength(1);
    });
    messages = [];
    const again = command();
    writeFileSync(path.join(workspace, 'two'), '');
    await run(again, program, { settings: { arguments: ['two'] } });
    expect(shown()).not.toContain('Found job');
    await waitFor(() => expect(states().at(-2)).toBe('CANCELLED'));
    await again.close(new AbortController().signal);
    expect(readdirSync(jobsFolder())).toEqual([]);
  });

  it('because its node is down is waited for with its reason, and the job is cancelled', async () => {
    setNode('down');
    try {
      const stop = new AbortController();
      const waiting = failureOf(run(command(), script('exit 0'), { signal: stop.signal }));
      await waitFor(() =>
        expect(shown()).toMatch(/Waiting for job \d+ in partition all \(.*(NodeNotAvail|DOWN)/),
      );
      stop.abort();
      expect((await waiting).reason).toBe('cancelled');
      expect(states().at(-1)).toBe('CANCELLED');
      expect(readdirSync(jobsFolder())).toEqual([]);
    } finally {
      setNode('resume');
    }
  });

  it('because its node failed during a run is reported', async () => {
    const running = failureOf(run(command(), script('exec sleep 600')));
    await waitFor(() => expect(shown()).toMatch(/Job \d+ runs on/));
    setNode('down');
    try {
      const error = await running;
      expect(error.reason).toBe('job-failed');
      expect(error.message).toMatch(/state NODE_FAIL.*A node failed; run the same command again/);
    } finally {
      setNode('resume');
    }
  });
});

describe.skipIf(slurm === undefined)('a job whose command is gone', () => {
  const leave = async (program: string, begun: string, idleSeconds = 300): Promise<void> => {
    const gone = new AbortController();
    const running = failureOf(run(command({ idleSeconds }), program, { signal: gone.signal }));
    await waitFor(() => expect(readFileSync(path.join(workspace, begun), 'utf8')).not.toBe(''));
    gone.abort(new UserLeft());
    expect((await running).reason).toBe('cancelled');
  };

  it('is found again, and its run goes on: the next command takes over the result and the allocation', async () => {
    const before = slurm!.jobs().length;
    const program = script('echo begun >> begun; while [ ! -f go ]; do sleep 0.1; done; echo result');
    await leave(program, 'begun');
    expect(states().at(-1)).toBe('RUNNING');
    writeFileSync(path.join(workspace, 'go'), '');
    const batch = command();
    let prepared = 0;
    const prepare = (): Promise<void> => {
      prepared++;
      return Promise.resolve();
    };
    await run(batch, program, { prepare });
    expect(output()).toBe('result\nresult\n');
    // The results of the run that another process began must not be removed.
    expect(prepared).toBe(0);
    expect(readFileSync(path.join(workspace, 'begun'), 'utf8')).toBe('begun\nbegun\n');
    expect(messages.join('\n')).toMatch(/Found job \d+/);
    await run(batch, program, { prepare });
    expect(prepared).toBe(1);
    await batch.close(new AbortController().signal);
    expect(slurm!.jobs().length).toBe(before + 1);
  });

  it('leaves the result of its run to the next command, even when it has ended meanwhile', async () => {
    const before = slurm!.jobs().length;
    const program = script('echo begun >> begun; while [ ! -f go ]; do sleep 0.1; done; echo result');
    await leave(program, 'begun', 1);
    writeFileSync(path.join(workspace, 'go'), '');
    await waitFor(() => expect(states().at(-1)).toBe('COMPLETED'));
    await run(command(), program);
    expect(output()).toBe('result\nresult\n');
    expect(readFileSync(path.join(workspace, 'begun'), 'utf8')).toBe('begun\nbegun\n');
    expect(slurm!.jobs().length).toBe(before + 1);
  });

  it('gives up a run that nobody wants any more, but not its place', async () => {
    const before = slurm!.jobs().length;
    await leave(script('echo begun > begun; exec sleep 600'), 'begun');
    const batch = command();
    await run(batch, script('echo other', 'other'));
    expect(output()).toBe('other\nother\n');
    await batch.close(new AbortController().signal);
    expect(slurm!.jobs().length).toBe(before + 1);
  });

  it('ends when it was asked for with other settings, or nobody comes back', async () => {
    await leave(script('echo begun > begun; exec sleep 600'), 'begun');
    const batch = command({ idleSeconds: 1 });
    await run(batch, script('echo one', 'one'), { ranks: 1 });
    expect(output()).toBe('one\n');
    expect(states().slice(-2)).toEqual(['CANCELLED', 'RUNNING']);
    const gone = new AbortController();
    gone.abort(new UserLeft());
    await batch.close(gone.signal);
    await waitFor(() => expect(states().at(-1)).toBe('COMPLETED'));
  });

  it('is replaced with a note when Slurm ended it after it had served runs', async () => {
    const batch = command();
    await run(batch, script('echo one', 'one'));
    const [id = ''] = slurm!.jobs().at(-1)?.split(' ') ?? [];
    // The controller refuses a time that is over when the request arrives, as it may be a second later.
    await waitFor(() => execFileSync('scontrol', ['update', `JobId=${id}`, 'EndTime=now']));
    await waitFor(() => expect(slurm!.jobs().at(-1)).toBe(`${id} TIMEOUT`));
    await run(batch, script('echo two', 'two'));
    expect(output()).toBe('two\ntwo\n');
    expect(notes).toEqual([
      expect.stringMatching(new RegExp(`Job ${id} ended .*state TIMEOUT.*another one`)),
    ]);
    await batch.close(new AbortController().signal);
  });

  it('is not taken for another job with its number, which stays', async () => {
    const foreign = execFileSync('sbatch', ['--parsable', '--output=/dev/null', '--wrap', 'sleep 600'], {
      encoding: 'utf8',
    }).trim();
    const folder = path.join(jobsFolder(), 'x');
    mkdirSync(folder, { recursive: true });
    const file = { kymoJob: 1, id: foreign, settings: '', runs: [], taken: 0 };
    writeFileSync(path.join(folder, 'job.json'), JSON.stringify(file));
    const batch = command();
    await run(batch, script('exit 0'), { ranks: 1 });
    await batch.close(new AbortController().signal);
    expect(slurm!.jobs().at(-2)).toMatch(new RegExp(`^${foreign} (PENDING|RUNNING)$`));
  });

  it('in a clone with links is not followed', async () => {
    mkdirSync(path.join(workspace, '.kymo/it'), { recursive: true });
    execFileSync('ln', ['-s', tmpdir(), jobsFolder()]);
    expect((await failureOf(run(command(), script('exit 0')))).reason).toBe('results-linked');
  });
});

const compilers = [
  ['Open MPI', await findProgram('mpicc.openmpi')],
  ['MPICH', await findProgram('mpicc.mpich')],
] as const;

describe.skipIf(slurm === undefined)('ranks in a job of Slurm find each other', () => {
  const cases = compilers.flatMap(([name, mpicc]) =>
    ['none', 'pmix'].map((usual) => [name, usual, mpicc] as const),
  );
  it.each(cases)('with %s, also where Slurm’s default is %s', async (_, usual, mpicc) => {
    if (mpicc === undefined) return;
    const { conf } = slurm!;
    const text = readFileSync(conf, 'utf8');
    writeFileSync(conf, text.replace(/MpiDefault=\w+/, `MpiDefault=${usual}`));
    execFileSync('scontrol', ['reconfigure']);
    await waitFor(() =>
      expect(execFileSync('scontrol', ['show', 'config'], { encoding: 'utf8' })).toMatch(
        new RegExp(`MpiDefault\\s*= ${usual}`),
      ),
    );
    const source = path.join(workspace, 'size.c');
    writeFileSync(
      source,
      `#include <mpi.h>
#include <stdio.h>
int main(int n, char **a) {
  int rank, size;
  MPI_Init(&n, &a);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  printf("%d of %d\\n", rank, size);
  MPI_Finalize();
  return 0;
}`,
    );
    const program = path.join(workspace, 'size');
    execFileSync(mpicc, ['-o', program, source]);
    const batch = command();
    await run(batch, program);
    await batch.close(new AbortController().signal);
    expect(
      output()
        .match(/\d of \d/g)
        ?.sort(),
    ).toEqual(['0 of 2', '1 of 2']);
  });
});
