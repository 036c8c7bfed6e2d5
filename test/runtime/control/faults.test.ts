import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { at } from '../../../src/core/at';
import { randomNumbers } from '../../../src/core/randomNumbers';
import { encodeRequest, type ControlRequest } from '../../../src/formats/control/requests';
import { Workbench, type Build } from '../harness';
import { visitsByRegion } from '../result';
import { connectIn, socketIn } from './client';
import { include, startWatched, token } from './watchedRun';

const bench = new Workbench();
const build: Build = { compiler: 'gcc', kind: 'entry', flags: ['-O2', include] };
const file = bench.compile(build, 'watched.c');
const watched = { phases: ['step'], idle: ['part100', 'part101'] };

/** Everything at once: what a client can ask for. */
const everything: readonly ControlRequest[] = [
  { kind: 'iterations', on: true },
  { kind: 'stacks', intervalMicroseconds: 1000 },
  { kind: 'callStacks', intervalMicroseconds: 1000 },
  { kind: 'counters', of: 'paths', perThread: true, differences: true },
  { kind: 'switch', slots: [{ slot: 0, on: false }] },
];

describe('whatever those who watch do, the program runs as if nobody had', () => {
  it.each([
    ['fork', 7],
    ['_exit', 5],
    ['last-thread', 0],
    ['descriptors', 7],
  ])('%s', async (mode, status) => {
    const run = startWatched(bench, file, 'entry', [mode, '100'], watched);
    const watcher = await run.watch();
    for (const request of everything) await watcher.ask(request);
    await watcher.nextOf('end');
    const { output, errors, ...ending } = await run.ended;
    const plain = bench.run(file, [mode, '100']);
    expect({ ...ending, output: output + errors }).toEqual(plain);
    expect(ending.status).toBe(status);
    expect(watcher.mistakes).toEqual([]);
    expect(readdirSync(run.folder).filter((entry) => entry.endsWith('.control'))).toEqual([]);
    if (mode === 'fork') expect(run.results()).toHaveLength(2);
  });

  it('exec: the connection ends, and the new program is not watched', async () => {
    const run = startWatched(bench, file, 'entry', ['exec', '100'], watched);
    const watcher = await run.watch();
    for (const request of everything) await watcher.ask(request);
    expect(await watcher.next(({ kind }) => kind === 'end')).toBeUndefined();
    expect(await run.ended).toMatchObject({ status: 0, output: 'executed\n', errors: '' });
  });

  it('crash: the connection ends without an end', async () => {
    const run = startWatched(bench, file, 'entry', ['crash', '100'], watched);
    const watcher = await run.watch();
    for (const request of everything) await watcher.ask(request);
    expect(await watcher.next(({ kind }) => kind === 'end')).toBeUndefined();
    expect(await run.ended).toMatchObject({ status: null, signal: 'SIGSEGV' });
  });

  it('a client that does not read loses samples, which are counted, and the program does not grow', async () => {
    const run = startWatched(bench, file, 'entry', ['threads', '0', '0'], watched);
    const watcher = await run.watch();
    await watcher.ask({ kind: 'iterations', on: true });
    const first = await watcher.nextOf('iteration');
    const mapped = (): number => {
      const pages = readFileSync(`/proc/${run.child.pid}/smaps_rollup`, 'utf8');
      return Number(/^Anonymous:\s+(\d+)/m.exec(pages)?.[1]);
    };
    watcher.socket.pause();
    await pause(1000);
    const before = mapped();
    await pause(2000);
    expect(mapped() - before).toBeLessThan(4096); // KiB; the samples of this time are some ten MiB
    watcher.socket.resume();
    let received = 1;
    for (let last = first; last.lost === 0; received++) {
      last = await watcher.nextOf('iteration');
      expect(received + 1 + last.lost).toBe(last.number - first.number + 1);
    }
    run.child.stdin?.end();
    expect(await run.ended).toMatchObject({ status: 7 });
    expect(watcher.mistakes).toEqual([]);
  });

  it('clients that are killed in the middle of a request, and more than there is room for', async () => {
    const run = startWatched(bench, file, 'entry', ['paused', '600'], watched);
    const name = await socketIn(run.folder);
    const hello = encodeRequest({ kind: 'hello', token }, 1);
    const sockets = [];
    for (let i = 0; i < 40; i++) {
      const socket = await connectIn(run.folder, name).catch(() => undefined);
      if (socket === undefined) continue;
      socket.on('error', () => undefined);
      socket.write(hello);
      for (const request of everything) socket.write(encodeRequest(request, 2));
      socket.write(encodeRequest({ kind: 'suspend', on: true }, 3).subarray(0, 5 + (i % 8)));
      sockets.push(socket);
    }
    await pause(200);
    for (const socket of sockets) socket.destroy();
    const watcher = await run.watch();
    expect((await watcher.state()).isSuspended).toBe(false);
    await watcher.nextOf('end');
    expect(await run.ended).toMatchObject({ status: 7, errors: '' });
  });

  it('10^4 messages that are changed at random, before and after the token', async () => {
    const run = startWatched(bench, file, 'entry', ['threads', '0', '2'], watched);
    const name = await socketIn(run.folder);
    const random = randomNumbers(1804);
    const pick = (count: number): number => Math.floor(random() * count);
    const requests: readonly ControlRequest[] = [
      ...everything,
      { kind: 'state' },
      { kind: 'suspend', on: false },
      { kind: 'switch', slots: Array.from({ length: 30 }, (_, slot) => ({ slot, on: slot % 2 > 0 })) },
      { kind: 'counters', of: 'functions', perThread: false, differences: false },
      { kind: 'hello', token },
    ];
    let sent = 0;
    while (sent < 10_000) {
      const socket = await connectIn(run.folder, name);
      const closed = new Promise((resolve) => socket.on('close', resolve));
      socket.on('error', () => undefined);
      socket.on('data', () => undefined);
      if (pick(4) > 0) socket.write(encodeRequest({ kind: 'hello', token }, 1));
      for (let i = pick(60); i >= 0; i--, sent++) {
        const bytes = encodeRequest(at(requests, pick(requests.length)), pick(100));
        for (let change = pick(4); change > 0; change--) bytes[pick(bytes.length)] = pick(256);
        socket.write(pick(20) === 0 ? bytes.subarray(0, pick(bytes.length)) : bytes);
      }
      socket.end();
      await closed;
    }
    const watcher = await run.watch();
    await watcher.ask({ kind: 'suspend', on: false });
    expect((await watcher.state()).pid).toBe(run.child.pid);
    run.child.stdin?.end();
    await watcher.nextOf('end');
    const { status, output } = await run.ended;
    const plain = bench.run('/bin/sh', ['-c', `sleep 2 | ${file} threads 0 2`]);
    expect([status, output]).toEqual([7, `${plain.output.split('\n')[0]}\n`]);
    expect(Object.keys(visitsByRegion(run.results(), run.slots))).toContain('step');
  });

  it('a full disk: the iterations still come, and the result says what is missing', async () => {
    const limited = bench.path('limited');
    writeFileSync(limited, `#!/bin/sh\nulimit -f 16\nexec ${file} "$@"\n`, { mode: 0o755 });
    const run = startWatched(bench, file, 'entry', ['paused', '400'], { ...watched, program: limited });
    const watcher = await run.watch();
    await watcher.ask({ kind: 'iterations', on: true });
    const { iterations } = await watcher.nextOf('end');
    const { status, errors } = await run.ended;
    expect([status, iterations]).toEqual([7, 400]);
    expect(errors).toMatch(/^kymo: iterations from number \d+ on are not recorded/);
    const samples = watcher.inbox.filter(({ kind }) => kind === 'iteration');
    expect(at(samples, samples.length - 1)).toMatchObject({ number: 400, lost: 0 });
    expect(at(run.results(), 0)).toMatchObject({ flags: 16 });
    expect(at(run.results(), 0).iterations).toBeLessThan(400);
  });

  it.each(['strict', 'filter', 'call', 'refused'])(
    'a program that forbids itself system calls (%s)',
    async (how) => {
      const confined = bench.compile(build, 'confined.c');
      const run = startWatched(bench, confined, 'entry', [how]);
      const { output, errors, ...ending } = await run.ended;
      expect({ ...ending, output: output + errors }).toEqual(bench.run(confined, [how]));
    },
  );

  it('clocks that are set', async () => {
    // The server and the runtime use CLOCK_MONOTONIC for all intervals, which nobody can set; the date is in the state only.
    const run = startWatched(bench, file, 'entry', ['paused', '100'], watched);
    const watcher = await run.watch();
    const [one, two] = [await watcher.state(), await watcher.state()];
    expect(two.tick).toBeGreaterThan(one.tick);
    await run.ended;
  });
});
