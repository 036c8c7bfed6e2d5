import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { at } from '../../../src/core/at';
import type { IterationSample } from '../../../src/formats/control/messages';
import { Workbench, type Build } from '../harness';
import { readIterations } from '../iterations';
import { visitsByRegion } from '../result';
import { connectIn, longFolder, socketIn, type Watcher } from './client';
import { include, startWatched, token } from './watchedRun';

const bench = new Workbench();
const build: Build = { compiler: 'gcc', kind: 'sled', flags: ['-O2', include] };
const file = bench.compile(build, 'watched.c');

/** Visits, ticks and pairs by call path from the phase on, as `readIterations` gives them. */
function named(watcher: Watcher, slots: readonly string[], sample: IterationSample): unknown {
  const names = [...slots, ...watcher.regions.map(({ name }) => name)];
  const pathOf = (number: number): string => {
    const node = at(watcher.nodes, number - 1);
    const own = names[node.slot] ?? `slot ${node.slot}`;
    if (node.above !== undefined) return own;
    return node.parent === 0 ? `${node.thread}:${own}` : `${pathOf(node.parent)}/${own}`;
  };
  const column = (values: Float64Array): Record<string, number> => {
    const sums: Record<string, number> = {};
    sample.node.forEach((node, i) => (sums[pathOf(node)] = (sums[pathOf(node)] ?? 0) + at(values, i)));
    return sums;
  };
  return { visits: column(sample.visits), ticks: column(sample.ticks), events: column(sample.childEvents) };
}

describe('a watched process', () => {
  it('says which process it is, and lets nobody but its owner connect', async () => {
    const run = startWatched(bench, file, 'sled', ['paused', '300'], { phases: ['step'] });
    const watcher = await run.watch();
    const name = await socketIn(run.folder);
    expect(statSync(`${run.folder}/${name}`).mode & 0o777).toBe(0o600);
    const state = await watcher.state();
    expect(state).toMatchObject({
      pid: run.child.pid,
      rank: 0,
      ranks: 1,
      noSwitching: undefined,
      generation: 0,
      slotCount: run.slots.length,
      selectionId: '00000000deadbeef',
      phaseSlot: run.slots.indexOf('step'),
      isSuspended: false,
    });
    const seconds = Number(state.realNanoseconds - state.beginRealNanoseconds) / 1e9;
    expect(Number(state.tick - state.beginTick) / state.ticksPerSecond).toBeCloseTo(seconds, 0);
    await run.ended;
    expect(readdirSync(run.folder).filter((entry) => entry.endsWith('.control'))).toEqual([]);
  });

  it('closes a connection with a wrong token, or without one, without a word', async () => {
    const run = startWatched(bench, file, 'sled', ['paused', '1000']);
    const name = await socketIn(run.folder);
    const heard = async (bytes: Buffer): Promise<number> => {
      const socket = await connectIn(run.folder, name);
      let count = 0;
      socket.on('data', (piece) => (count += piece.length));
      socket.on('error', () => undefined);
      socket.write(bytes);
      await new Promise((resolve) => socket.on('close', resolve));
      return count;
    };
    const frame = (type: number, text: string, version = 1): Buffer => {
      const head = Buffer.alloc(12);
      head.writeUInt32LE(text.length, 0);
      head.writeUInt16LE(type, 4);
      head.writeUInt16LE(version, 6);
      head.writeUInt32LE(1, 8);
      return Buffer.concat([head, Buffer.from(text)]);
    };
    expect(await heard(frame(1, 'KYMOCTL1 a secret of another test'))).toBe(0);
    expect(await heard(frame(1, `KYMOCTL1${token} `))).toBe(0);
    expect(await heard(frame(1, `KYMOCTL1${token.slice(0, -1)}`))).toBe(0);
    expect(await heard(frame(1, `KYMOCTL1${token}`, 2))).toBe(0);
    expect(await heard(frame(2, ''))).toBe(0);
    expect(await heard(Buffer.alloc(4096, 255))).toBe(0);
    const watcher = await run.watch(); // The process still answers.
    expect((await watcher.state()).pid).toBe(run.child.pid);
    await watcher.close();
    run.child.kill();
    await run.ended;
  });

  it('is not watched without a token, says so, and runs all the same', async () => {
    const run = startWatched(bench, file, 'sled', ['steps', '10'], {
      environment: { KYMO_CONTROL_TOKEN: '' },
    });
    const { status, errors } = await run.ended;
    expect(status).toBe(7);
    expect(errors).toMatch(/^kymo: this process cannot be watched: .*token/);
  });

  it.each([
    [0o600, true],
    [0o640, false],
  ])('takes the token from a file with mode %o: %s', async (mode, watched) => {
    const folder = bench.path('token');
    mkdirSync(folder);
    writeFileSync(`${folder}/token`, `${token}\n`, { mode });
    const run = startWatched(bench, file, 'sled', ['paused', '200'], {
      folder,
      environment: { KYMO_CONTROL_TOKEN: '' },
    });
    if (watched) await run.watch();
    expect((await run.ended).errors === '').toBe(watched);
  });

  it('can be in a folder whose path is longer than the address of a socket', async () => {
    const folder = longFolder(bench.path('long'));
    const run = startWatched(bench, file, 'sled', ['paused', '300'], { folder });
    const watcher = await run.watch();
    expect((await watcher.state()).pid).toBe(run.child.pid);
    await run.ended;
  });

  it('gives counters while it runs, and at its end those of the result', async () => {
    const run = startWatched(bench, file, 'sled', ['paused', '300']);
    const watcher = await run.watch();
    const other = await run.watch(); // Two watch at once.
    const differences = new Map<number, number>();
    const add = (part: ReadonlyMap<number, number>): void =>
      part.forEach((visits, slot) => differences.set(slot, (differences.get(slot) ?? 0) + visits));
    let before = 0;
    for (let i = 0; i < 10; i++) {
      const values = await watcher.counters('paths');
      const sum = values.flatMap(({ visits }) => [...visits]).reduce((a, b) => a + b, 0);
      expect(sum).toBeGreaterThanOrEqual(before);
      before = sum;
      add(other.visitsBySlot(await other.counters('functions', true, true)));
      await pause(20);
    }
    const last = [await watcher.nextOf('values'), await other.nextOf('values')] as const;
    await watcher.nextOf('end');
    await run.ended;
    const result = visitsByRegion(run.results(), run.slots);
    const total = watcher.visitsBySlot([last[0]]);
    add(other.visitsBySlot([last[1]]));
    const recorded = Object.entries(result).filter(([name]) => run.slots.includes(name));
    expect(recorded.length).toBeGreaterThan(40);
    for (const [name, visits] of recorded) {
      expect([name, total.get(run.slots.indexOf(name))]).toEqual([name, visits]);
      expect([name, differences.get(run.slots.indexOf(name))]).toEqual([name, visits]);
    }
    expect([watcher.mistakes, other.mistakes]).toEqual([[], []]);
  });

  it('counts the time of recursive visits of a function once, and shows how long open visits last', async () => {
    const run = startWatched(bench, file, 'sled', ['paused', '5000']);
    const watcher = await run.watch();
    await pause(200);
    // It sleeps nearly always, unless it waits for a processor.
    for (let open = 0, attempt = 0; open === 0; attempt++) {
      expect(attempt).toBeLessThan(100);
      const values = at(await watcher.counters(), 0);
      const valueOf = (name: string, column: Float64Array): number =>
        [...values.path].reduce(
          (sum, path, i) =>
            sum + (at(watcher.paths, path - 1).slot === run.slots.indexOf(name) ? at(column, i) : 0),
          0,
        );
      expect(valueOf('recursive', values.ticks)).toBeLessThan(valueOf('outer', values.ticks));
      expect(valueOf('recursive', values.visits)).toBe(5 * valueOf('step', values.visits));
      open = valueOf('pausing', values.openTicks);
    }
    run.child.kill();
    await run.ended;
  });

  it('leaves out of open visits the time in which their threads wait for a processor', async () => {
    const run = startWatched(bench, file, 'sled', ['threads', '0', '64']);
    try {
      const watcher = await run.watch();
      const slot = run.slots.indexOf('outer');
      for (let look = 0; look < 5; look++) {
        await pause(200);
        const values = at(await watcher.counters(), 0);
        const { cpuSeconds, ticksPerSecond } = await watcher.state();
        let ticks = 0;
        values.path.forEach((path, i) => {
          if (at(watcher.paths, path - 1).slot === slot)
            ticks += at(values.ticks, i) + at(values.openTicks, i);
        });
        // 65 threads share the processors: at each moment, nearly all of them are in an open visit and wait.
        expect(ticks / ticksPerSecond).toBeLessThan(1.1 * cpuSeconds);
      }
    } finally {
      run.child.kill();
      await run.ended;
    }
  });

  it('discovers threads and regions, each once per client', async () => {
    const run = startWatched(bench, file, 'sled', ['threads', '0', '5']);
    const watcher = await run.watch();
    // A thread is known before it has visited anything; the sum of all has paths, too.
    const withPaths = (): number => new Set(watcher.paths.map(({ thread }) => thread)).size;
    while (watcher.threads.length < 6 || withPaths() < 7) await watcher.counters('paths', true);
    const values = await watcher.counters('paths', true);
    expect(new Set(watcher.threads.map(({ number }) => number)).size).toBe(6);
    expect(values.every(({ perThread }) => perThread)).toBe(true);
    run.child.stdin?.end();
    await watcher.nextOf('end');
    expect((await run.ended).status).toBe(7);
    expect(watcher.mistakes).toEqual([]);
  });

  it('samples the stacks of threads that stand still or move', async () => {
    const run = startWatched(bench, file, 'sled', ['paused', '500']);
    const watcher = await run.watch();
    await watcher.ask({ kind: 'stacks', intervalMicroseconds: 5000 });
    const seen = new Set<string>();
    for (let i = 0; i < 40; i++) {
      const { threads } = await watcher.nextOf('stacks');
      for (const { slots } of threads) seen.add([...slots].map((slot) => run.slots[slot]).join('/'));
    }
    expect([...seen]).toContain('pausing');
    const possible = /^$|^pausing$|^step(\/outer(\/inner(\/leaf)?|(\/recursive)+(\/leaf)?|\/part1\d\d)?)?$/;
    expect([...seen].filter((stack) => !possible.test(stack))).toEqual([]);
    await watcher.ask({ kind: 'stacks', intervalMicroseconds: 0 });
    run.child.kill();
    await run.ended;
  });
});

describe.each(['paused', 'named'])('iterations (%s)', (mode) => {
  it('go to clients as they are in the file: to the first one from the beginning, to others from the next one on', async () => {
    const run = startWatched(bench, file, 'sled', [mode, '400'], {
      phases: mode === 'paused' ? ['step'] : [],
    });
    const early = await run.watch();
    await pause(100);
    await early.ask({ kind: 'iterations', on: true });
    await pause(100);
    const late = await run.watch();
    await late.ask({ kind: 'iterations', on: true });
    await early.nextOf('end');
    await late.nextOf('end');
    await run.ended;
    const results = run.results();
    const written = readIterations(
      { results, slots: run.slots, folder: run.folder, outcome: { status: 0, signal: null, output: '' } },
      at(results, 0),
    );
    expect(written).toHaveLength(400);
    for (const watcher of [early, late]) {
      const samples = watcher.inbox.filter((message) => message.kind === 'iteration');
      expect(samples.map(({ number }) => number)).toEqual(samples.map((_, i) => at(samples, 0).number + i));
      expect([at(samples, samples.length - 1).number, at(samples, samples.length - 1).lost]).toEqual([
        400, 0,
      ]);
      for (const sample of samples)
        expect(named(watcher, run.slots, sample)).toEqual({
          visits: at(written, sample.number - 1).visits,
          ticks: at(written, sample.number - 1).ticks,
          events: at(written, sample.number - 1).events,
        });
      expect(watcher.mistakes).toEqual([]);
    }
    const first = (watcher: Watcher): number =>
      at(
        watcher.inbox.filter((message) => message.kind === 'iteration'),
        0,
      ).number;
    expect(first(early)).toBe(1);
    expect(first(late)).toBeGreaterThan(1);
  });

  it('are not kept for the first client where they are too many: it gets those from then on', async () => {
    const run = startWatched(bench, file, 'sled', ['threads', '1'], { phases: ['step'] });
    const watcher = await run.watch();
    await pause(500);
    await watcher.ask({ kind: 'iterations', on: true });
    const { number } = await watcher.nextOf('iteration');
    expect(number).toBeGreaterThan(100);
    run.child.stdin?.end();
    expect((await run.ended).status).toBe(7);
    expect(watcher.mistakes).toEqual([]);
  });

  it('suspend the program at their end when a client asks, until it lets go or goes away', async () => {
    const run = startWatched(bench, file, 'sled', [mode, '60'], {
      phases: mode === 'paused' ? ['step'] : [],
    });
    const watcher = await run.watch();
    await watcher.ask({ kind: 'suspend', on: true });
    const { iteration } = await watcher.nextOf('suspended');
    await pause(300);
    expect(await watcher.state()).toMatchObject({ iterations: iteration, isSuspended: true });
    await watcher.ask({ kind: 'suspend', on: false });
    await watcher.ask({ kind: 'suspend', on: true });
    // It may have ended more than one before it was asked again.
    expect((await watcher.nextOf('suspended')).iteration).toBeGreaterThan(iteration);
    await pause(1000);
    await watcher.close();
    expect(await run.ended).toMatchObject({ status: 7, errors: '' });
    const result = at(run.results(), 0);
    expect(result.iterations).toBe(60);
    // The time of the wait is none of the program's.
    const life = at(at(result.threads, 0).nodes, 0).ticks / result.ticksPerSecond;
    expect(Number(result.end - result.begin) / 1e9 - life).toBeGreaterThan(1.2);
  });
});
