import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BoundedOutput } from '../../../../src/measurement/launch/boundedOutput';
import { findProgram } from '../../../../src/measurement/launch/findProgram';
import { runProcess, type ProcessResult } from '../../../../src/measurement/launch/process';
import { distrustWorkspace, trustWorkspace } from '../../../../src/measurement/launch/trust';
import { isAlive } from '../../../processes';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo process ü '));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pidIn = (name: string): number => Number(readFileSync(path.join(folder, name), 'utf8'));
const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Ends at the time limit of the test, which follows the machine's speed. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}
const hasText = (name: string): boolean =>
  existsSync(path.join(folder, name)) && readFileSync(path.join(folder, name), 'utf8').endsWith('\n');

describe('runProcess', () => {
  it('tells the exit status and keeps both streams apart', async () => {
    const result = await runProcess({ shell: 'echo out; echo err >&2; exit 3' });
    expect(result).toMatchObject({ end: { kind: 'exit', status: 3 }, stdout: 'out\n', stderr: 'err\n' });
  });
  it('starts in an untrusted workspace what is marked as the machine’s, and nothing else', async () => {
    distrustWorkspace();
    try {
      expect((await runProcess({ argv: ['/bin/true'] })).end).toMatchObject({
        kind: 'failed-to-start',
        error: { message: 'the workspace is not trusted' },
      });
      const asked = await runProcess({ argv: ['/bin/echo', 'here'] }, { asksMachine: true });
      expect(asked.stdout).toBe('here\n');
    } finally {
      trustWorkspace();
    }
  });
  it('looks for a program of the machine in no relative folder of PATH, which may be in a workspace', async () => {
    const name = 'demangler';
    writeFileSync(path.join(folder, name), '#!/bin/sh\necho trapped\n', { mode: 0o755 });
    const env = { PATH: `.::${path.relative('/', folder)}` };
    const ask = (asksMachine: boolean): Promise<ProcessResult> =>
      runProcess({ argv: [name] }, { cwd: folder, env, asksMachine });
    expect((await ask(true)).end).toMatchObject({ kind: 'failed-to-start' });
    expect((await ask(false)).stdout).toBe('trapped\n');
    expect(await findProgram(name, path.relative(process.cwd(), folder))).toBeUndefined();
    expect(await findProgram(name, folder)).toBe(path.join(folder, name));
  });
  it('passes arguments untouched, without a shell', async () => {
    const result = await runProcess({ argv: ['printf', '%s|', 'a b', '$HOME', '*', 'ü'] });
    expect(result.stdout).toBe('a b|$HOME|*|ü|');
  });
  it('runs in the folder and environment that it is given, with the input', async () => {
    const result = await runProcess(
      { argv: ['/bin/sh', '-c', 'pwd; echo "$X"; cat'] },
      { cwd: folder, env: { X: '1', PATH: process.env.PATH }, input: 'hello' },
    );
    expect(result.stdout).toBe(`${folder}\n1\nhello`);
  });
  it('tells a signal from an exit', async () => {
    expect((await runProcess({ shell: 'kill -SEGV $$' })).end).toEqual({ kind: 'signal', signal: 'SIGSEGV' });
  });
  it('tells what could not be started', async () => {
    expect((await runProcess({ argv: ['/nowhere/at all'] })).end).toMatchObject({
      kind: 'failed-to-start',
      error: { code: 'ENOENT' },
    });
    expect((await runProcess({ argv: ['true'] }, { cwd: '/nowhere' })).end.kind).toBe('failed-to-start');
    expect((await runProcess({ argv: ['a\0b'] })).end.kind).toBe('failed-to-start');
  });
  it('kills everything that a time-out finds, also what ignores SIGTERM', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const running = runProcess(
        { shell: `trap '' TERM; (trap '' TERM; echo > ready; sleep 6000) & echo $! > child; sleep 6000` },
        { cwd: folder, timeoutSeconds: 0.3, graceSeconds: 0.2 },
      );
      while (!hasText('ready') || !hasText('child')) await setImmediate();
      const child = pidIn('child');
      vi.advanceTimersByTime(300);
      expect(isAlive(child)).toBe(true);
      vi.advanceTimersByTime(200);
      expect((await running).end).toEqual({ kind: 'timeout', seconds: 0.3 });
      while (isAlive(child)) await setImmediate();
    } finally {
      vi.useRealTimers();
    }
  });
  it('kills the group at an abort', async () => {
    const stop = new AbortController();
    const running = runProcess(
      { shell: 'sleep 6000 & echo $! > child; wait' },
      { cwd: folder, signal: stop.signal },
    );
    await until(() => hasText('child'));
    stop.abort();
    expect((await running).end).toEqual({ kind: 'aborted' });
    const child = pidIn('child');
    await until(() => !isAlive(child));
  });
  it('kills what moved to a process group of its own in the same session', async () => {
    const stop = new AbortController();
    const running = runProcess(
      { argv: ['bash', '-c', 'set -m; sleep 60 & echo $! > child; wait'] },
      { cwd: folder, signal: stop.signal },
    );
    await until(() => hasText('child'));
    stop.abort();
    await running;
    const child = pidIn('child');
    await until(() => !isAlive(child));
  });
  it('does not start anything when it is aborted already', async () => {
    const result = await runProcess({ shell: 'touch started' }, { cwd: folder, signal: AbortSignal.abort() });
    expect(result.end).toEqual({ kind: 'aborted' });
    expect(existsSync(path.join(folder, 'started'))).toBe(false);
  });
  it('does not wait for what a program leaves in the background, and ends it', async () => {
    const result = await runProcess(
      { shell: 'sleep 60 & echo $! > child; echo done; exit 7' },
      { cwd: folder },
    );
    expect(result).toMatchObject({ end: { kind: 'exit', status: 7 }, stdout: 'done\n' });
    expect(result.seconds).toBeLessThan(5);
    const child = pidIn('child');
    await until(() => !isAlive(child));
  });
  it('keeps bounded memory of hundreds of megabytes of output', async () => {
    let seen = 0;
    const result = await runProcess(
      { shell: 'echo first; head -c 200000000 /dev/zero; echo last' },
      { maximumOutputBytes: 1000, onStdout: (piece) => (seen += piece.length) },
    );
    expect(result.stdoutBytes).toBe(200000011);
    expect(seen).toBe(result.stdoutBytes);
    expect(result.stdout.length).toBeLessThan(1100);
    expect(result.stdout).toMatch(/^first\n/);
    expect(result.stdout).toMatch(/last\n$/);
  });
  it('leaves nothing running when this process itself is killed', async () => {
    const script = `
      const { spawn } = require('node:child_process');
      ${guardSource()}
      const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
      guardGroup(child.pid);
      require('node:fs').writeFileSync('child', child.pid + '\\n');`;
    const tool = spawn(process.execPath, ['-e', script], { cwd: folder, stdio: 'ignore' });
    await until(() => hasText('child'));
    const child = pidIn('child');
    expect(isAlive(child)).toBe(true);
    tool.kill('SIGKILL');
    await until(() => !isAlive(child));
  });
});

/** The guard as plain JavaScript, for a process that can be killed. */
function guardSource(): string {
  const text = readFileSync(
    path.resolve(import.meta.dirname, '../../../../src/measurement/launch/processGroup.ts'),
    'utf8',
  );
  return text
    .slice(text.indexOf('const guardScript'))
    .replace('export function guardGroup(leader: number): () => void', 'function guardGroup(leader)');
}

describe('BoundedOutput', () => {
  it('keeps everything that fits, and otherwise exactly the two ends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1'), maxLength: 30 })),
        fc.integer({ min: 1, max: 40 }),
        (pieces, half) => {
          const output = new BoundedOutput(2 * half);
          pieces.forEach((piece) => output.add(Buffer.from(piece)));
          const all = pieces.join('');
          expect(output.bytes).toBe(all.length);
          const missing = all.length - 2 * half;
          expect(output.text()).toBe(
            missing <= 0
              ? all
              : `${all.slice(0, half)}\n… ${String(missing)} bytes left out …\n${all.slice(-half)}`,
          );
        },
      ),
    );
  });
});
