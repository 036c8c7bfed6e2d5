import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findProgram } from '../../../src/measurement/launch/findProgram';
import { leftBehind } from '../../../src/measurement/launch/leftBehind';
import { findLauncher } from '../../../src/measurement/launch/launcherProgram';
import { allowedProcessors } from '../../../src/measurement/launch/processors';
import {
  runProcess,
  type ProcessCommand,
  type ProcessEnd,
  type ProcessOptions,
  type ProcessResult,
} from '../../../src/measurement/launch/process';
import { isAlive } from '../../processes';

const repository = path.resolve(import.meta.dirname, '../../..');
const compiler = (await findProgram('gcc')) ?? (await findProgram('cc'));

let folder: string;
let launcher: string;
let program: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo launcher ü '));
  if (compiler === undefined) return;
  const before = process.env;
  process.env = { ...before, XDG_CACHE_HOME: path.join(folder, 'cache') };
  launcher = (await findLauncher(path.join(repository, 'runtime'))) ?? '';
  process.env = before;
  program = path.join(folder, 'stays on');
  execFileSync(compiler, [
    '-O1',
    '-o',
    program,
    path.join(repository, 'test/runtime/programs/descendants.c'),
  ]);
  const bundle = { bundle: true, platform: 'node', format: 'cjs', logLevel: 'warning' } as const;
  const entry = path.join(repository, 'src/measurement/launch/process.ts');
  buildSync({ ...bundle, entryPoints: [entry], outfile: path.join(folder, 'process.cjs') });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => rmSync(path.join(folder, 'pids'), { force: true }));

/** Numbers of the processes that have reported themselves, as soon as there are `count` of them. */
async function pids(count: number): Promise<readonly number[]> {
  const file = path.join(folder, 'pids');
  for (;;) {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
    if (lines.length >= count) return lines.map(Number);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
async function gone(numbers: readonly number[]): Promise<void> {
  while (numbers.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 10));
}
const startError = (end: ProcessEnd): string => {
  if (end.kind !== 'failed-to-start') throw new Error(`it was started: ${end.kind}`);
  return `${end.error.code ?? ''} ${end.error.message}`;
};
const run = (command: ProcessCommand, options: ProcessOptions = {}): Promise<ProcessResult> =>
  runProcess(command, { cwd: folder, launcher, ...options });

describe.skipIf(compiler === undefined)('the launcher', () => {
  it('changes nothing for the program', async () => {
    const shell = [
      'echo out; echo err >&2; cat; pwd; env | grep -v "^_="; ulimit -a; ulimit -Ha; umask; nice',
      // Not SigQ: it counts the signals and timers of all processes of the user.
      'ls -l /proc/self/fd | wc -l; grep -E "^(Sig[^Q]|Shd|CapE|NoNew|Seccomp:)" /proc/self/status',
      'read -r stat </proc/$$/stat; set -- ${stat##*) }; [ $3 = $$ ] && [ $4 = $$ ] && echo "terminal $5"',
      'exit 7',
    ].join('\n');
    const options = { cwd: folder, env: { ...process.env, X: 'ü\n' }, input: 'text' };
    const plain = await runProcess({ shell }, options);
    const launched = await runProcess({ shell }, { ...options, launcher });
    expect(plain.stdout).toContain('terminal 0');
    const { stdout, stderr, end, remaining } = launched;
    expect({ stdout, stderr, end }).toEqual({ stdout: plain.stdout, stderr: plain.stderr, end: plain.end });
    expect(remaining).toEqual([]);
  });

  it('reports the end of the program as it was', async () => {
    expect((await run({ shell: 'exit 255' })).end).toEqual({ kind: 'exit', status: 255 });
    for (const signal of ['SEGV', 'KILL', 'TERM'])
      expect((await run({ shell: `kill -${signal} $$` })).end).toEqual({
        kind: 'signal',
        signal: `SIG${signal}`,
      });
    for (const word of ['/nowhere/at all', path.join(folder, 'process.cjs')]) {
      const plain = await runProcess({ argv: [word] }, { cwd: folder });
      const { end } = await run({ argv: [word] });
      expect(startError(end)).toBe(startError(plain.end));
    }
  });

  it('binds the program to a processor, and reports its memory and disk writes', async () => {
    const allowed = allowedProcessors();
    const last = allowed.at(-1) ?? 0;
    const command = { shell: 'grep Cpus_allowed_list /proc/self/status; head -c 9000000 /dev/zero >zeros' };
    const { stdout, usage } = await run(command, { processor: last });
    expect(allowedProcessors(stdout)).toEqual([last]);
    expect(usage?.writtenBytes).toBeGreaterThanOrEqual(9_000_000);
    expect(usage?.memoryBytes).toBeGreaterThan(100_000);
    const free = await run({ shell: 'grep Cpus_allowed_list /proc/self/status' });
    expect(allowedProcessors(free.stdout)).toEqual(allowed);
    expect(free.usage?.writtenBytes).toBe(0);
    // If the processor does not exist, the program still runs.
    expect((await run({ shell: 'exit 3' }, { processor: 1000 })).end).toEqual({ kind: 'exit', status: 3 });
  });

  it('counts the CPU time of all processes, including those for which the program does not wait', async () => {
    // Each process computes until its own CPU time is 0.1 s.
    const { cpuSeconds, remaining } = await run({ argv: [program, 'compute'] });
    expect(cpuSeconds).toBeGreaterThanOrEqual(0.3);
    expect(cpuSeconds).toBeLessThan(0.6);
    expect(remaining).toEqual([]);
  });

  it('ends remaining processes in sessions of their own, reports them, and touches no others', async () => {
    const foreign = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    try {
      const result = await run({ argv: [program, 'daemons'] }, { graceSeconds: 0.1 });
      expect(result.end).toEqual({ kind: 'exit', status: 3 });
      expect(result.stdout).toBe('done\n');
      expect([...result.remaining].sort()).toEqual(
        ['stays on', 'stays on', 'with a\u{fffd} ?)\u{fffd}'].sort(),
      );
      await gone(await pids(3));
      expect(isAlive(foreign.pid ?? 0)).toBe(true);
      expect(leftBehind('The build', result)).toMatch(/^The build left processes running: .*stays on \(2\)/);
    } finally {
      foreign.kill('SIGKILL');
    }
  });

  it('ends everything after an abort and a time-out', async () => {
    const stop = new AbortController();
    const running = run({ argv: [program, 'wait'] }, { signal: stop.signal, graceSeconds: 0.1 });
    const first = await pids(4);
    expect(first.every(isAlive)).toBe(true);
    stop.abort();
    expect(await running).toMatchObject({ end: { kind: 'aborted' }, remaining: [], stuck: [] });
    expect(first.some(isAlive)).toBe(false);

    rmSync(path.join(folder, 'pids'));
    const late = await run({ argv: [program, 'wait'] }, { timeoutSeconds: 2, graceSeconds: 0.1 });
    expect(late.end).toEqual({ kind: 'timeout', seconds: 2 });
    expect((await pids(4)).some(isAlive)).toBe(false);
  });

  it('ends everything when the tool is killed', async () => {
    const tool = spawn(
      process.execPath,
      [
        '-e',
        `require('./process.cjs').runProcess({ argv: [process.argv[1], 'wait'] }, { launcher: process.argv[2], graceSeconds: 0.1 })`,
        program,
        launcher,
      ],
      { cwd: folder, stdio: 'ignore' },
    );
    const numbers = await pids(4);
    tool.kill('SIGKILL');
    await gone(numbers);
  });

  it('kills the program when it is killed itself', async () => {
    const running = run({ argv: [program, 'wait'] });
    // The program itself reports its number last; processes that have left its session do not end with it.
    const numbers = await pids(4);
    const own = numbers.slice(-1);
    const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${own[0]}/status`, 'utf8'))?.[1]);
    process.kill(parent, 'SIGKILL');
    expect((await running).end).toEqual({ kind: 'signal', signal: 'SIGKILL' });
    await gone(own);
    for (const other of numbers.filter(isAlive)) process.kill(other, 'SIGKILL');
  });
});

describe.skipIf(compiler === undefined)('findLauncher', () => {
  it('finds none with compilers that fail or whose programs do not run', async () => {
    const before = process.env;
    const tools = path.join(folder, 'tools');
    execFileSync('mkdir', ['-p', tools]);
    const fake = (name: string, text: string): void =>
      writeFileSync(path.join(tools, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    fake('cc', 'exit 1');
    fake('foreign', 'while [ "$1" != -o ]; do shift; done; printf "\\177ELF of another machine" >"$2"');
    try {
      process.env = { PATH: tools, CC: 'foreign -m68k', XDG_CACHE_HOME: path.join(folder, 'c') };
      expect(await findLauncher(path.join(repository, 'runtime'))).toBeUndefined();
    } finally {
      process.env = before;
    }
  });
});
