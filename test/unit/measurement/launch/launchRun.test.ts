import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Target } from '../../../../src/measurement/config/config';
import { parseConfig } from '../../../../src/measurement/config/parseConfig';
import {
  launchCommand,
  mpiOptions,
  runsHere,
  srunLine,
} from '../../../../src/measurement/launch/runs/launchCommand';
import { launchRun, type RunOutcome } from '../../../../src/measurement/launch/runs/launchRun';
import { recogniseMpi } from '../../../../src/measurement/launch/mpirun/implementation';
import { failureOf, isAlive } from '../../../processes';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo läuft “so” '));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function script(text: string): string {
  const file = path.join(workspace, 'my program');
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}
function target(run: object = {}, parameters: object = {}): Target {
  const text = JSON.stringify({
    version: 1,
    targets: [{ name: 'it', build: { command: '${cc}' }, executable: 'x', run, parameters }],
  });
  return parseConfig(text, path.join(workspace, 'kymo.json')).config.targets[0]!;
}
const outputFile = (): string => path.join(workspace, 'output.txt');
function start(
  text: string,
  options: {
    run?: object;
    parameters?: Record<string, string>;
    signal?: AbortSignal;
    environment?: Record<string, string>;
  } = {},
): Promise<RunOutcome> {
  const parameters = options.parameters ?? {};
  return launchRun({
    target: target(options.run, Object.fromEntries(Object.keys(parameters).map((name) => [name, ['?']]))),
    workspace,
    executable: script(text),
    parameters,
    environment: options.environment ?? {},
    outputFile: outputFile(),
    signal: options.signal ?? new AbortController().signal,
  });
}

describe('launchRun', () => {
  it('puts the parameters into the arguments, keeps the output, and measures the time', async () => {
    const before = performance.now();
    const outcome = await start('printf "%s|" "$@"; echo err >&2; sleep 0.2', {
      run: { arguments: ['--n=${n}', '${s}', '$${n}', '*', '${ranks}'] },
      parameters: { n: '5', s: '$(reboot); ü "' },
    });
    expect(readFileSync(outputFile(), 'utf8')).toBe('--n=5|$(reboot); ü "|${n}|*|1|err\n');
    expect(outcome.wallSeconds).toBeGreaterThan(0.19);
    expect(outcome.wallSeconds).toBeLessThan((performance.now() - before) / 1000);
    expect(outcome).toMatchObject({ exitStatus: 0, outputBytes: 35 });
    expect(outcome.command[0]).toBe(path.join(workspace, 'my program'));
    expect(new Date(outcome.startedAt).getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('runs in "cwd" with the environment of the target and of the measurement, which wins', async () => {
    mkdirSync(path.join(workspace, 'data ü'));
    await start('pwd; echo "$A $B"; cd /; cat', {
      run: { cwd: 'data ü', environment: { A: 'target', B: 'target' } },
      environment: { B: 'measurement' },
    });
    expect(readFileSync(outputFile(), 'utf8')).toBe(`${workspace}/data ü\ntarget measurement\n`);
  });

  it('tells status, last words and what to do when the program fails', async () => {
    const error = await failureOf(start('echo fine; printf "bad \\033[31mmesh\\n" >&2; exit 3'));
    expect(error.reason).toBe('program-failed');
    expect(error.message).toMatch(/status 3 after \d+\.\d+ s/);
    expect(error.message).toContain('bad [31mmesh');
    expect(error.message).toContain('kymo.json');
    expect(error.where.file).toBe(outputFile());
  });

  it('names the signal of a crash', async () => {
    const error = await failureOf(start('kill -SEGV $$'));
    expect(error.reason).toBe('program-crashed');
    expect(error.message).toMatch(/SIGSEGV \(invalid memory access\).*printed nothing/s);
  });

  it('ends what runs too long, and names the setting', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const failure = failureOf(
        start('echo begun; touch begun; exec sleep 6000', { run: { timeoutSeconds: 0.3 } }),
      );
      while (!existsSync(path.join(workspace, 'begun'))) await setImmediate();
      vi.advanceTimersByTime(300);
      const error = await failure;
      expect(error.reason).toBe('program-timeout');
      expect(error.message).toMatch(/longer than 0\.3 s.*"timeoutSeconds"/);
    } finally {
      vi.useRealTimers();
    }
    expect(readFileSync(outputFile(), 'utf8')).toBe('begun\n');
  });

  it('keeps head and tail of what prints far more than it may remember', async () => {
    const before = process.memoryUsage().rss;
    const outcome = await start('echo first; head -c 400000000 /dev/zero | tr "\\0" x; echo; echo last');
    expect(outcome.outputBytes).toBe(400_000_012);
    expect(statSync(outputFile()).size).toBeLessThan((4 << 20) + 100);
    const text = readFileSync(outputFile(), 'utf8');
    expect(text.startsWith('first\nxxx')).toBe(true);
    expect(text.endsWith('x\nlast\n')).toBe(true);
    expect(text).toMatch(/… \d+ bytes left out …/);
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
  });

  it('kills the program and three generations below it at an abort', async () => {
    const stop = new AbortController();
    const running = failureOf(
      start(
        `trap '' TERM
(trap '' TERM; (trap '' TERM; (trap '' TERM; echo 3 >> pids; sh -c 'echo $PPID >> family; sleep 6000') & sh -c 'echo $PPID >> family; sleep 6000') & sh -c 'echo $PPID >> family; sleep 6000') &
echo $$ >> family; wait`,
        { signal: stop.signal },
      ),
    );
    const family = path.join(workspace, 'family');
    const pids = (): number[] =>
      existsSync(family) ? readFileSync(family, 'utf8').trim().split('\n').map(Number) : [];
    while (pids().length < 4) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(pids().every(isAlive)).toBe(true);
    stop.abort();
    expect((await running).reason).toBe('cancelled');
    // `npm run bench launch` shows how long this takes.
    await vi.waitFor(() => expect(pids().some(isAlive)).toBe(false), { timeout: 30_000 });
  });

  it('writes the files of a run from templates, and names them in arguments and input', async () => {
    writeFileSync(path.join(workspace, 't.in'), 'n=${n} r=${ranks} t=${threads} $${n} ${file:b.in}\r\nü');
    writeFileSync(path.join(workspace, 'b.dat'), Buffer.from([0xff, 0x24, 0x7b, 0x6e, 0x7d]));
    const files = path.join(workspace, 'files');
    mkdirSync(files);
    writeFileSync(path.join(files, 'left'), 'of an earlier attempt');
    await start('pwd; ls; cat; printf "|%s" "$@"', {
      run: {
        files: { 'a b.in': 't.in', 'b.in': 'b.dat' },
        arguments: ['${file:a b.in}', '--t=${threads}'],
        input: '${file:a b.in}',
        cwd: '${files}',
      },
      parameters: { n: '5' },
      environment: { OMP_NUM_THREADS: '3' },
    });
    const written = `n=5 r=1 t=3 \${n} ${files}/b.in\r\nü`;
    expect(readFileSync(outputFile(), 'utf8')).toBe(
      `${files}\na b.in\nb.in\n${written}|${files}/a b.in|--t=3`,
    );
    expect([...readFileSync(path.join(files, 'b.in'))]).toEqual([0xff, 0x24, 0x7b, 0x6e, 0x7d]);
  });

  it('writes no file through a link', async () => {
    writeFileSync(path.join(workspace, 't.in'), 'mine');
    const elsewhere = path.join(workspace, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, path.join(workspace, 'files'));
    await start('true', { run: { files: { a: 't.in' } } });
    expect(readdirSync(elsewhere)).toEqual([]);
    const results = path.join(workspace, '.kymo');
    symlinkSync(elsewhere, results);
    const request = {
      target: target({ files: { a: 't.in' } }),
      workspace,
      executable: '/bin/true',
      parameters: {},
      environment: {},
      signal: new AbortController().signal,
    };
    expect(
      await failureOf(launchRun({ ...request, outputFile: path.join(results, 'output.txt') })),
    ).toMatchObject({
      reason: 'results-linked',
    });
    expect(readdirSync(elsewhere).filter((name) => name !== 'output.txt')).toEqual([]);
  });

  it.each([{ arguments: ['${threads}'] }, { files: { a: 't.in' } }])(
    'needs a number of threads where it is used: %j',
    async (run) => {
      writeFileSync(path.join(workspace, 't.in'), '${threads}');
      const before = process.env.OMP_NUM_THREADS;
      delete process.env.OMP_NUM_THREADS;
      try {
        expect((await failureOf(start('true', { run }))).message).toMatch(
          /nothing sets the number of threads/,
        );
        await start('true', { run: { ...run, environment: { OMP_NUM_THREADS: '2' } } });
      } finally {
        if (before !== undefined) process.env.OMP_NUM_THREADS = before;
      }
    },
  );

  it('says what is missing: program, folder, permission', async () => {
    const request = {
      target: target(),
      workspace,
      parameters: {},
      environment: {},
      outputFile: outputFile(),
      signal: new AbortController().signal,
    };
    expect(
      await failureOf(launchRun({ ...request, executable: path.join(workspace, 'none') })),
    ).toMatchObject({
      reason: 'executable-missing',
      message: expect.stringContaining('"executable"') as string,
    });
    writeFileSync(path.join(workspace, 'data'), 'x');
    expect(
      (await failureOf(launchRun({ ...request, executable: path.join(workspace, 'data') }))).reason,
    ).toBe('executable-missing');
    expect(
      (await failureOf(launchRun({ ...request, target: target({ cwd: 'data' }), executable: '/bin/true' })))
        .reason,
    ).toBe('run-folder-missing');
    expect(
      (
        await failureOf(
          launchRun({ ...request, executable: '/bin/true', outputFile: path.join(workspace, 'no/out') }),
        )
      ).reason,
    ).toBe('write-failed');
    // Not a program that the system knows how to start.
    chmodSync(path.join(workspace, 'data'), 0o755);
    writeFileSync(path.join(workspace, 'data'), '#!/no/such/interpreter\n');
    const error = await failureOf(launchRun({ ...request, executable: path.join(workspace, 'data') }));
    expect(error.reason).toBe('program-failed');
    expect(error.message).toContain('could not be started');
  });
});

describe('launchers', () => {
  it('build the line of srun', () => {
    expect(srunLine('/usr/bin/srun', 8, ['--partition=x'], ['/a b/c', '-n', '5'])).toEqual([
      '/usr/bin/srun',
      '--ntasks=8',
      '--kill-on-bad-exit=1',
      '--export=ALL',
      '--input=none',
      '--partition=x',
      '/a b/c',
      '-n',
      '5',
    ]);
  });
  it('give the standard input of srun to the first rank', () => {
    expect(srunLine('srun', 2, [], ['a'], true)).toContain('--input=0');
  });
  it('say how to get a launcher that is not there', async () => {
    const path0 = process.env.PATH;
    process.env.PATH = workspace;
    try {
      for (const [kind, text] of [
        ['slurm', 'srun was not found'],
        ['mpirun', 'apt install openmpi-bin'],
      ] as const) {
        const error = await failureOf(
          launchCommand({
            launcher: { kind, ranks: [2], arguments: [] },
            program: ['/bin/true'],
            ranks: 2,
            values: {},
            environment: {},
            hasInput: false,
            inJob: true,
            script: '',
          }),
        );
        expect(error.reason).toBe('launcher-missing');
        expect(error.message).toContain(text);
      }
    } finally {
      process.env.PATH = path0;
    }
  });
  it('replace ranks and parameters in the words of the user', async () => {
    const { argv } = await launchCommand({
      launcher: { kind: 'template', ranks: [2], command: ['q', '-n${ranks}', '$${n} ${n}', '${program}'] },
      program: ['/bin/true', '${n}'],
      ranks: 2,
      values: { n: '5', ranks: '2', program: 'x' },
      environment: {},
      hasInput: false,
      inJob: true,
      script: '/a b/script',
    });
    expect(argv).toEqual(['q', '-n2', '${n} 5', '/a b/script']);
  });
  it('know whether ranks may run on other nodes', () => {
    const mpirun = (...words: string[]) => ({ kind: 'mpirun', ranks: [2], arguments: words }) as const;
    expect(runsHere({ kind: 'local' }, { SLURM_NNODES: '4' })).toBe(true);
    expect(runsHere({ kind: 'slurm', ranks: [2], arguments: [] }, {})).toBe(false);
    expect(runsHere({ kind: 'template', ranks: [2], command: ['x'] }, {})).toBe(false);
    expect(runsHere(mpirun('--bind-to', 'core', '--hot'), { SLURM_NNODES: '1' })).toBe(true);
    for (const word of ['-H', '--host', '-hosts', '-f', '--hostfile=x', '-machinefile'])
      expect(runsHere(mpirun(word, 'x'), {}), word).toBe(false);
    for (const name of ['SLURM_NNODES', 'SLURM_JOB_NUM_NODES'])
      expect(runsHere(mpirun(), { [name]: '2' }), name).toBe(false);
    expect(runsHere(mpirun(), { PBS_NODEFILE: '/x' })).toBe(false);
  });
  it('know whose mpirun it is', () => {
    expect(recogniseMpi('mpirun (Open MPI) 4.1.4\n\nReport bugs to …')).toMatchObject({
      family: 'open-mpi',
      major: 4,
    });
    expect(recogniseMpi('HYDRA build details:\n    Version:     4.1.2\n')).toEqual({
      family: 'hydra',
      major: 4,
      description: 'Hydra 4.1.2',
    });
    expect(recogniseMpi('Intel(R) MPI Library for Linux* OS, Version 2021.9 Build')).toEqual({
      family: 'hydra',
      major: 2021,
      description: 'Intel(R) MPI Library for Linux* OS, Version 2021.9 Build',
    });
    expect(recogniseMpi('')).toEqual({ family: 'unknown', major: 0, description: '' });
  });
  it('let ranks share cores unless the user places them, and hand on what measures', () => {
    const openMpi = (major: number) => ({ family: 'open-mpi', major, description: '' }) as const;
    expect(mpiOptions(openMpi(4), 4, [], ['KYMO_SELECTION', 'HOME'])).toEqual([
      '-n',
      '4',
      '--oversubscribe',
      '-x',
      'KYMO_SELECTION',
    ]);
    expect(mpiOptions(openMpi(5), 4, [], [])).toEqual(['-n', '4', '--map-by', ':OVERSUBSCRIBE']);
    expect(mpiOptions(openMpi(4), 4, ['--map-by', 'node'], [])).toEqual(['-n', '4']);
    expect(mpiOptions({ family: 'hydra', major: 4, description: '' }, 4, [], ['KYMO_X'])).toEqual([
      '-n',
      '4',
      '-envall',
    ]);
  });
});
