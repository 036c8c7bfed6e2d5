import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { at } from '../../../src/core/at';
import { randomNumbers } from '../../../src/core/randomNumbers';
import { Workbench, truth, type Build } from '../harness';
import { visitsByRegion } from '../result';
import { everything, readSites, writeSelection } from '../selection';
import { include, names, startWatched } from './watchedRun';
import { isFull, volume } from '../../volume';

const bench = new Workbench();
const parts = Array.from({ length: 40 }, (_, i) => `part${100 + i}`);
const builds: readonly Build[] = (['gcc', 'clang-19'] as const).flatMap((compiler) =>
  (['entry', 'sled'] as const).map((kind) => ({ compiler, kind, flags: ['-O2', include] })),
);

describe.each(builds)('sites that are switched while the program runs, $compiler $kind', (build) => {
  const file = bench.compile(build, 'watched.c');
  const sitesOf = build.kind === 'entry' ? 1 : 2;

  it('count exactly the visits of the iterations in which they were on', async () => {
    const switches = volume({ full: 1_000_000, usual: 20_000 });
    const run = startWatched(bench, file, build.kind, ['steps', '1000000000'], {
      phases: ['step'],
      idle: parts.slice(0, 20),
      intervals: new Map([
        ['part110', 16],
        ['part130', 1024],
      ]),
    });
    const watcher = await run.watch();
    const on = new Map(parts.map((name, i) => [name, i >= 20]));
    const expected = new Map(parts.map((name) => [name, 0]));
    const random = randomNumbers(18);
    await watcher.ask({ kind: 'suspend', on: true });
    let { iteration } = await watcher.nextOf('suspended');
    for (const name of parts) if (on.get(name)) expected.set(name, iteration);
    let sites = 0;
    while (sites < switches) {
      const changes = parts.filter(() => random() < 0.5);
      for (const state of [true, false]) {
        const slots = changes.filter((name) => on.get(name) !== state).map((name) => run.slots.indexOf(name));
        if (slots.length === 0) continue;
        const switched = await watcher.switch(slots, state);
        expect(switched).toMatchObject({ sites: sitesOf * slots.length, unknownSlots: 0, failedSites: 0 });
        sites += switched.sites;
      }
      for (const name of changes) on.set(name, !on.get(name));
      watcher.step();
      const { iteration: next } = await watcher.nextOf('suspended');
      for (const name of parts)
        if (on.get(name)) expected.set(name, (expected.get(name) ?? 0) + next - iteration);
      iteration = next;
    }
    const seen = watcher.visitsBySlot(await watcher.counters());
    for (const name of parts)
      expect([name, seen.get(run.slots.indexOf(name)) ?? 0]).toEqual([name, expected.get(name)]);
    expect(seen.get(run.slots.indexOf('step'))).toBe(iteration);
    expect(seen.get(run.slots.indexOf('leaf'))).toBe(7 * iteration);
    expect((await watcher.state()).generation).toBeGreaterThan(100);
    run.child.kill();
    await run.ended;
  });

  it('leave output, status and the visits of all others exact while 64 threads run through them', async () => {
    const seconds = volume({ full: 60, usual: 3 });
    const run = startWatched(bench, file, build.kind, ['threads', '0', '64'], { idle: parts });
    const watcher = await run.watch();
    const all = run.slots.map((_, slot) => slot).filter((slot) => run.slots[slot] !== 'step');
    const begin = Date.now();
    let rounds = 0;
    for (let due = 0; due < seconds * 100; due = Math.floor((Date.now() - begin) / 10)) {
      for (; rounds < due; rounds++)
        watcher.send({ kind: 'switch', slots: all.map((slot) => ({ slot, on: rounds % 2 === 0 })) });
      await pause(5);
    }
    for (let answers = 0; answers < rounds; answers++)
      expect(await watcher.nextOf('switched')).toMatchObject({ unknownSlots: 0, failedSites: 0 });
    run.child.stdin?.end();
    await watcher.nextOf('end');
    const { status, output, errors } = await run.ended;
    expect([status, errors.replace(/^= .*\n/gm, '')]).toEqual([7, '']);
    expect(output).toMatch(/^64 threads, \d+\n$/);
    expect(output).toBe(`64 threads, ${/, (\d+)/.exec(output)?.[1]}\n`);
    const plain = bench.run('/bin/sh', ['-c', `${file} threads 0 64 < /dev/null`]);
    expect(plain.output.split('\n')[0]?.replace(/^\d+/, '')).toBe(output.trim().replace(/^\d+/, ''));
    const visits = visitsByRegion(run.results(), run.slots);
    expect(visits.step).toBe(truth(errors).step);
    expect(rounds).toBeGreaterThan(1);
    if (isFull)
      process.stdout.write(
        `${build.compiler} ${build.kind}: ${rounds} times all ${all.length} functions with 64 threads in ${seconds} s\n`,
      );
  });

  it('are timed as often as those who watch want, and counted exactly', async () => {
    const run = startWatched(bench, file, build.kind, ['steps', '1000000000'], {
      phases: ['step'],
      idle: parts,
      intervals: new Map([['leaf', 1]]),
    });
    const watcher = await run.watch();
    const leaf = run.slots.indexOf('leaf');
    let iteration = 0;
    /** After so many iterations more, or some more than that: all visits of `leaf`, and those that were timed. */
    const after = async (iterations: number): Promise<{ readonly all: number; readonly timed: number }> => {
      for (let i = 0; i < iterations; i++) {
        watcher.step();
        ({ iteration } = await watcher.nextOf('suspended'));
      }
      let [all, timed] = [0, 0];
      for (const { path, visits } of await watcher.counters('paths'))
        path.forEach((number, i) => {
          const { slot } = at(watcher.paths, number - 1);
          if (slot % 0x8000_0000 !== leaf) return;
          all += at(visits, i);
          if (slot === leaf) timed += at(visits, i);
        });
      expect(all).toBe(7 * iteration);
      return { all, timed };
    };
    const every = (interval: number): Promise<unknown> =>
      watcher.ask({
        kind: 'intervals',
        slots: [
          { slot: leaf, interval },
          { slot: run.slots.indexOf('part110'), interval },
        ],
      });
    await watcher.ask({ kind: 'suspend', on: true });
    ({ iteration } = await watcher.nextOf('suspended'));
    const first = await after(0);
    expect(first.timed).toBe(first.all);
    expect(await every(1024)).toMatchObject({ kind: 'sampled', unknownSlots: 1 });
    const second = await after(100);
    expect(second.timed - first.timed).toBeLessThan((second.all - first.all) / 2);
    await every(1);
    const third = await after(100);
    expect(third.timed - second.timed).toBe(third.all - second.all);
    expect(await watcher.ask({ kind: 'intervals', slots: [{ slot: leaf, interval: 65_536 }] })).toMatchObject(
      { unknownSlots: 0 },
    );
    run.child.kill();
    await run.ended;
  });

  it('that are off do nothing when nobody watches', () => {
    const selection = bench.path('selection');
    const chosen = everything(readSites(file), build.kind, names);
    const slots = writeSelection(selection, [chosen], new Map(), [], parts);
    const results = bench.path('results');
    bench.run('/bin/mkdir', [results]);
    const outcome = bench.run(file, ['steps', '100'], { KYMO_SELECTION: selection, KYMO_RESULTS: results });
    expect(outcome).toEqual(bench.run(file, ['steps', '100']));
    expect(slots.length).toBeGreaterThan(40);
  });
});

describe('sites of shared libraries', () => {
  it.each(['entry', 'sled'] as const)('are switched, too (%s)', async (kind) => {
    const build: Build = { compiler: 'gcc', kind, flags: ['-O2', include] };
    const library = bench.compile(build, 'library.c', [], true);
    const sites = everything(
      readSites(library),
      kind,
      new Map([
        [11, 'in_library'],
        [12, 'step'],
      ]),
    );
    expect(sites.regions.size).toBeGreaterThan(0);
    const file = bench.compile(build, 'watchedLibrary.c', ['-ldl']);
    const regions = new Map([...sites.regions].map(([name, what]) => [`lib:${name}`, what]));
    const run = startWatched(bench, file, kind, [library, '2000'], {
      phases: ['step'],
      idle: [...regions.keys()],
      objects: [{ sites: sites.sites, regions }],
    });
    const watcher = await run.watch();
    const slots = [...regions.keys()].map((name) => run.slots.indexOf(name));
    await watcher.ask({ kind: 'suspend', on: true });
    const { iteration } = await watcher.nextOf('suspended');
    const switched = await watcher.switch(slots, true);
    expect(switched.unknownSlots).toBe(0);
    for (let i = 0; i < 10; i++) {
      watcher.step();
      await watcher.nextOf('suspended');
    }
    const { iterations } = await watcher.state();
    await watcher.switch(slots, false);
    await watcher.ask({ kind: 'suspend', on: false });
    await watcher.nextOf('end');
    const { status } = await run.ended;
    expect(status).toBe(0);
    const visits = visitsByRegion(run.results(), run.slots);
    const on = iterations - iteration;
    expect([visits['lib:in_library'], visits['lib:step']]).toEqual([on, 3 * on]);
    expect(on).toBeGreaterThanOrEqual(10);
  });
});
