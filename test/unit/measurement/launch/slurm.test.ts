import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mpiAmong } from '../../../../src/measurement/launch/mpirun/linkedMpi';
import { rankEnd } from '../../../../src/measurement/launch/runs/rankEnd';
import { programScript, secondsOf } from '../../../../src/measurement/launch/shellText';
import { slurmOptions } from '../../../../src/measurement/launch/slurm/options';
import {
  lastRequest,
  readEvents,
  requestLine,
  waitingScript,
} from '../../../../src/measurement/launch/slurm/waitingScript';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "kymo it's ü "));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('options of the launcher "slurm"', () => {
  it('are those of the job, unless only srun knows them', () => {
    expect(
      slurmOptions([
        '--partition=short',
        '-A',
        'project',
        '--mpi=pmix',
        '--time',
        '10:00',
        '--cpu-bind',
        'cores',
        '-l',
        '--exclusive',
        '--wait=5',
      ]),
    ).toEqual({
      sbatch: ['--partition=short', '-A', 'project', '--time', '10:00', '--exclusive'],
      srun: ['--mpi=pmix', '--cpu-bind', 'cores', '-l', '--wait=5'],
    });
  });
  it('are all passed on, each to one of them and in their order', () => {
    const word = fc.constantFrom(
      '--mpi',
      '--mpi=x',
      '-l',
      '-p',
      '--time',
      '--time=5',
      'value',
      '--exclusive',
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const { sbatch, srun } = slurmOptions(words);
        const rest = { sbatch: [...sbatch], srun: [...srun] };
        for (const next of words) {
          const from = rest.sbatch[0] === next ? rest.sbatch : rest.srun;
          expect(from.shift()).toBe(next);
        }
        expect(rest).toEqual({ sbatch: [], srun: [] });
        expect(sbatch.some((one) => one.startsWith('--mpi') || one === '-l')).toBe(false);
      }),
    );
  });
});

describe('the script of a job', () => {
  it('starts runs in the order of the requests, ends them in time, and ends when asked to', () => {
    for (const name of ['requests', 'events', 'beat', 'job.out']) writeFileSync(path.join(folder, name), '');
    writeFileSync(path.join(folder, 'batch.sh'), waitingScript(folder, 60));
    writeFileSync(path.join(folder, 'run1.sh'), 'echo "one $SRUN_CPUS_PER_TASK"; echo err >&2; exit 3\n');
    writeFileSync(path.join(folder, 'run2.sh'), 'exec sleep 600\n');
    appendFileSync(path.join(folder, 'requests'), requestLine(60) + requestLine(0.1) + lastRequest);
    execFileSync('/bin/sh', [path.join(folder, 'batch.sh')], {
      env: { ...process.env, SLURM_CPUS_PER_TASK: '4' },
    });
    expect(readFileSync(path.join(folder, 'out1'), 'utf8')).toBe('one 4\nerr\n');
    const events = readEvents(readFileSync(path.join(folder, 'events'), 'utf8'));
    expect(events).toMatchObject({ isReady: true, isOver: true });
    expect(events.ended.get(1)?.status).toBe(3);
    expect(events.ended.get(2)?.status).toBe(124);
    expect(events.ended.get(2)?.seconds).toBeGreaterThanOrEqual(0.1);
    expect(events.begun.get(2)).toBeGreaterThanOrEqual(events.begun.get(1) ?? Infinity);
  });
  it('ends when nobody shows a sign of life', () => {
    for (const name of ['requests', 'events', 'beat', 'job.out']) writeFileSync(path.join(folder, name), '');
    writeFileSync(path.join(folder, 'batch.sh'), waitingScript(folder, 0));
    // The beginning of a line is no request.
    appendFileSync(path.join(folder, 'requests'), 'run 60');
    execFileSync('/bin/sh', [path.join(folder, 'batch.sh')]);
    const events = readEvents(readFileSync(path.join(folder, 'events'), 'utf8'));
    expect(events).toMatchObject({ isReady: true, isOver: true });
    expect(events.begun.size).toBe(0);
  });
  it('reports events line by line: what is not complete has not happened', () => {
    const text = 'ready node\nbegin 1 100.5\nend 1 0 103.25\nbegin 2 104\n';
    for (let length = 0; length <= text.length; length++) {
      const { begun, ended, isReady, isOver } = readEvents(text.slice(0, length));
      const complete = text.slice(0, length).split('\n').length - 1;
      expect([isReady, begun.size, ended.size, isOver]).toEqual([
        complete > 0,
        complete > 3 ? 2 : complete > 1 ? 1 : 0,
        complete > 2 ? 1 : 0,
        false,
      ]);
    }
    expect(readEvents(text).ended.get(1)).toEqual({ status: 0, seconds: 2.75 });
  });
});

describe('the script of a program', () => {
  it('hands any text over unchanged', () => {
    const show = path.join(folder, 'show');
    writeFileSync(show, '#!/bin/sh\nprintf "%s\\0" "$PWD" "$A" "$@"\n');
    chmodSync(show, 0o755);
    const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', ''));
    const file = path.join(folder, 'script');
    fc.assert(
      fc.property(text, fc.array(text), (value, words) => {
        writeFileSync(
          file,
          programScript({
            cwd: folder,
            environment: { A: value, 'not-a-name': 'x' },
            argv: [show, ...words],
          }),
        );
        expect(execFileSync('/bin/sh', [file], { encoding: 'utf8' }).split('\0')).toEqual([
          folder,
          value,
          ...words,
          '',
        ]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the time of ranks', () => {
  it('is from the first begin to the last end, if both are known', () => {
    expect(secondsOf('begin 10.5\nbegin 10.25\nend 12.5\nend 12\nend 12.75\n')).toBe(2.5);
    expect(secondsOf('begin 10.5\n')).toBeUndefined();
    expect(secondsOf('')).toBeUndefined();
  });
});

describe('the MPI of a program', () => {
  it.each([
    ['libmpi.so.40', [], 'open-mpi'],
    ['libmpi.so.12', [], 'hydra'],
    ['libmpi.so.12', ['/opt/lib/libopen-rte.so.12'], 'open-mpi'],
    ['libmpi_ibm.so.3', [], 'open-mpi'],
    ['libmpich.so.12', [], 'hydra'],
    ['libmpi_cray.so.12', [], 'hydra'],
    ['libmpi_gnu_91.so.12', [], 'hydra'],
  ] as const)('is known by the name of its library: %s %j', (name, others, family) => {
    const library = `/opt/lib/${name}`;
    expect(mpiAmong(['libc.so.6', ...others, library])).toEqual({ family, library, usesPmix: false });
    expect(mpiAmong([library, ...others, '/usr/lib/libpmix.so.2'])).toMatchObject({ family, usesPmix: true });
  });
  it('is not another library with a similar name', () => {
    expect(mpiAmong(['libmpifort.so.12', 'libmpi_cxx.so.40', 'libscorep_mpi_event.so', '/libmpi.so/x'])).toBe(
      undefined,
    );
  });
});

describe('the end of ranks', () => {
  const end = (status: number) => ({ kind: 'exit', status }) as const;
  it.each([
    ['a program itself returned 134', 'local', end(134), '', end(134)],
    ['Open MPI', 'mpirun', end(134), '', { kind: 'signal', signal: 'SIGABRT' }],
    ['Open MPI', 'mpirun', end(5), '', end(5)],
    [
      'Hydra',
      'mpirun',
      end(11),
      'YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation fault (signal 11)\n',
      { kind: 'signal', signal: 'SIGSEGV' },
    ],
    [
      'srun',
      'slurm',
      end(143),
      'x\nsrun: error: n1: task 1: Aborted (core dumped)\nsrun: error: n0: task 0: Terminated\n',
      { kind: 'signal', signal: 'SIGABRT' },
    ],
    [
      'srun',
      'slurm',
      end(143),
      'srun: error: n1: tasks 1-3,5: Exited with exit code 5\nsrun: error: n0: task 0: Terminated\n',
      end(5),
    ],
    [
      'srun',
      'slurm',
      end(139),
      'srun: error: n1: task 1: Exited with exit code 139\n',
      { kind: 'signal', signal: 'SIGSEGV' },
    ],
    ['srun without a word', 'slurm', end(1), 'srun: error: Unable to create step', end(1)],
    ['a time-out', 'slurm', { kind: 'timeout', seconds: 1 }, '', { kind: 'timeout', seconds: 1 }],
    ['a success', 'slurm', end(0), 'srun: error: n1: task 1: Aborted\n', end(0)],
  ] as const)('is told from what launchers say: %s', (_, launcher, status, printed, expected) => {
    expect(rankEnd(status, launcher, printed)).toEqual(expected);
  });
});
