import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrossBench, missingTools } from './aarch64Bench';
import { Workbench, type Build, type Measured } from './harness';
import { inconsistencies, untimed, visitsByPath, waiting } from './result';
import { combinations, volume } from '../volume';
import { everything, readSites, type SiteKind } from './selection';

const kinds: readonly SiteKind[] = ['entry', 'sled'];
const numbered = (text: string): ReadonlyMap<number, string> =>
  new Map(text.split(' ').map((name, index) => [index + 1, name]));
const caseNames = numbered(
  'destroyed thrower catcher rethrower level3 level2 level1 jumper after_jump jumping sum big extended pair wide many ' +
    'huge even odd recursive leaf branch leaving waiting handling raising yielding fiber ending forking',
);
const leftNames = numbered(
  'falling catching landing switching handling raising inner outer ticking last jumping',
);
const names = numbered('leaf other calling outer recursive odd even jumping landing');
const deep = { KYMO_DEPTH_LIMIT: '100000' };

interface Sampled {
  /** All visits, and the timed ones with their time. */
  visits: number;
  timed: number;
  ticks: number;
  longest: number;
}
const none: Sampled = { visits: 0, timed: 0, ticks: 0, longest: 0 };

/** Sums by the name of the function, over all threads and call paths. */
function samples({ results, slots }: Measured): ReadonlyMap<string, Sampled> {
  const found = new Map<string, Sampled>();
  for (const node of results.flatMap((r) => r.threads).flatMap((t) => t.nodes.slice(1))) {
    if (node.slot === waiting) continue;
    const counter = node.slot >= untimed;
    const name = slots[counter ? node.slot - untimed : node.slot] ?? '';
    const sum = found.get(name) ?? { ...none };
    found.set(name, sum);
    sum.visits += node.visits;
    if (!counter) {
      sum.timed += node.visits;
      sum.ticks += node.ticks;
      sum.longest = Math.max(sum.longest, node.maximum);
    }
  }
  return found;
}

/** Tests programs that manipulate their stacks, with samples of all functions, which is more than the tool ever selects. */
function noticesNothing(bench: Workbench, build: Build, many: number): void {
  it.each([2, 16])(
    'a program that manipulates its stacks behaves as without measurement when 1 in %d visits is timed',
    (interval) => {
      const file = bench.compile(build, 'cases.cpp');
      const { results } = bench.expectSameSampled(file, build.kind, caseNames, [], interval, deep);
      expect(results).toHaveLength(1);
      bench.expectSameSampled(file, build.kind, caseNames, ['fork'], interval);
      bench.expectSameSampled(file, build.kind, caseNames, ['end', '_exit'], interval);
    },
  );

  it('functions that never return are counted exactly', () => {
    const file = bench.compile(build, 'left.cpp');
    for (const [what, times] of [
      // With a node of 64 bytes each, they would need three times what may be mapped besides the nodes.
      ['once', Math.min(many, 50_000)],
      ['fibers', many / 50],
      ['handlers', many / 10],
    ] as const) {
      const { results } = bench.expectSameSampled(file, build.kind, leftNames, [what, String(times)], 4);
      const nodes = results.flatMap((r) => r.threads).reduce((sum, t) => sum + t.nodes.length, 0);
      expect(results[0]?.mapped).toBeLessThanOrEqual(64 * nodes + (1 << 20));
    }
    const storm = bench.measureSampled(file, build.kind, leftNames, ['storm', String(many / 100)], 4);
    expect(storm.outcome).toEqual({ status: 3, signal: null, output: 'wrong 0\nalarms 1\n' });
  });
}

function countsAndTimes(bench: Workbench, build: Build): void {
  let file = '';
  beforeAll(() => {
    // clang's OpenMP library is not installed everywhere; without it the loop is a plain one.
    file = bench.compile(build, 'sampled.c', build.compiler === 'gcc' ? ['-fopenmp'] : []);
  });
  const leaves = new Map([
    ['leaf', 64],
    ['other', 64],
  ]);
  const measure = (words: readonly string[], intervals: ReadonlyMap<string, number>): Measured =>
    bench.measure(file, [everything(readSites(file), build.kind, names)], words, {}, intervals);

  it('counts every visit on its call path, and times about one in 64', () => {
    const full = measure(['outer', '20000'], new Map());
    const sampled = measure(['outer', '20000'], leaves);
    expect(sampled.outcome).toEqual(full.outcome);
    expect(visitsByPath(sampled.results, sampled.slots)).toEqual(visitsByPath(full.results, full.slots));
    expect(sampled.results.flatMap(inconsistencies)).toEqual([]);
    const { leaf, other } = Object.fromEntries(samples(sampled));
    expect(leaf?.visits).toBe(200_010);
    expect(other?.visits).toBe(200_000);
    for (const one of [leaf, other]) {
      const ratio = (one?.visits ?? 0) / (one?.timed ?? 1);
      expect(ratio).toBeGreaterThan(60);
      expect(ratio).toBeLessThan(68);
    }
    const all = samples(full);
    expect(all.get('calling')?.timed).toBe(10);
    expect(all.get('leaf')?.timed).toBe(all.get('leaf')?.visits);
  });

  it.each([
    ['recursive', 'recursive'],
    ['mutual', 'odd'],
    ['mutual', 'even'],
    ['jump', 'jumping'],
    ['threads', 'leaf'],
    ['parallel', 'leaf'],
  ])('%s: counts the visits of %s', (what, region) => {
    const full = measure([what, '2000'], new Map());
    const sampled = measure([what, '2000'], new Map([[region, 16]]));
    expect(sampled.outcome).toEqual(full.outcome);
    const [all, some] = [samples(full), samples(sampled)];
    for (const [name, { visits }] of all) expect([name, some.get(name)?.visits]).toEqual([name, visits]);
    expect(some.get(region)?.timed).toBeLessThan((all.get(region)?.visits ?? 0) / 2);
    expect(some.get(region)?.timed).toBeGreaterThan(0);
  });

  it('times some of the first visits of slots that are merely counted', () => {
    const { leaf, other } = Object.fromEntries(
      samples(
        measure(
          ['outer', '20'],
          new Map([
            ['leaf', 1024],
            ['other', 1024],
          ]),
        ),
      ),
    );
    for (const one of [leaf, other]) {
      expect(one?.visits).toBeGreaterThanOrEqual(200);
      expect(one?.visits).toBeLessThan(220);
      expect(one?.timed).toBeGreaterThanOrEqual(8);
      expect(one?.timed).toBeLessThan(64);
    }
  });

  it('needs 64 bytes per node', () => {
    const { results } = measure(['threads', '1000'], leaves);
    const nodes = results.flatMap((r) => r.threads).reduce((sum, t) => sum + t.nodes.length, 0);
    expect(results[0]?.nodeBytes).toBe(64 * nodes);
  });
}

const libraryNames = new Map([
  [11, 'in_library'],
  [12, 'step'],
  [13, 'callback'],
]);

/** Tests a linked library, and one that is opened and closed. Its destructor runs after the first result has been written. */
function countsInLibraries(bench: Workbench, build: Build): void {
  const library = bench.compile(build, 'library.c', [], true);
  const opening = { ...build, flags: [...build.flags, '-DOPENED', '-ldl'] };
  const intervals = new Map([
    ['step', 16],
    ['callback', 16],
  ]);
  const programs: readonly (readonly [file: string, words: readonly string[]])[] = [
    [bench.compile(build, 'users.c', [library]), []],
    [bench.compile(opening, 'users.c'), [library, 'close']],
  ];
  for (const [file, words] of programs) {
    const chosen = [file, library].map((object) => everything(readSites(object), build.kind, libraryNames));
    const full = bench.measure(file, chosen, words);
    const sampled = bench.measure(file, chosen, words, {}, intervals);
    expect(sampled.outcome).toEqual(full.outcome);
    expect(visitsByPath(sampled.results, sampled.slots)).toEqual(visitsByPath(full.results, full.slots));
    expect(samples(sampled).get('callback')?.timed).toBeLessThan(samples(full).get('callback')?.timed ?? 0);
  }
}

describe('slots that are sampled', () => {
  const bench = new Workbench();
  afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));
  const builds = combinations(['gcc', 'clang-19'] as const, kinds, [
    ['-O0'],
    ['-O2'],
    ['-O2', '-static'],
  ]).map(([compiler, kind, flags]) => ({ compiler, kind, flags }));
  describe.each(builds)('$compiler $kind $flags', (build) => {
    countsAndTimes(bench, build);
    noticesNothing(bench, build, build.kind === 'entry' ? 200_000 : 50_000);
  });

  it.each(
    (['gcc', 'clang-19'] as const).flatMap((compiler) =>
      kinds.map((kind) => ({ compiler, kind, flags: ['-O2'] })),
    ),
  )('are counted in libraries, to the last destructor: $compiler $kind', (build) => {
    countsInLibraries(bench, build);
  });

  it('have the same estimated times as with full recording', () => {
    const file = bench.compile({ compiler: 'gcc', kind: 'sled', flags: ['-O2'] }, 'sampled.c');
    const chosen = everything(readSites(file), 'sled', names);
    const perVisit = (intervals: ReadonlyMap<string, number>): number => {
      const measured = bench.measure(file, [chosen], ['outer', '20000'], {}, intervals);
      const { ticks, timed, longest } = samples(measured).get('leaf') ?? none;
      return (ticks - longest) / (timed - 1); // In the longest visit, another program may have had the processor.
    };
    const runs = Array.from({ length: 7 }, () => [perVisit(new Map([['leaf', 32]])), perVisit(new Map())]);
    // Compares the least disturbed run of each kind, because other load only makes times longer.
    const [some = NaN, all = NaN] = [0, 1].map((kind) => Math.min(...runs.map((run) => run[kind] ?? NaN)));
    process.stderr.write(`time of a visit, 1 in 32 timed ÷ all timed: ${(some / all).toFixed(3)}\n`);
    // The difference is a few percent on a quiet machine.
    expect(some / all).toBeGreaterThan(0.5);
    expect(some / all).toBeLessThan(2);
  });
});

describe.skipIf(missingTools.length > 0)('slots that are sampled on aarch64', () => {
  const bench = new CrossBench();
  afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));
  describe.each(kinds.map((kind) => ({ compiler: 'gcc' as const, kind, flags: ['-O2'] })))(
    '$compiler $kind $flags',
    (build) => {
      countsAndTimes(bench, build);
      noticesNothing(bench, build, volume({ full: 10_000, usual: 3000 }));
      it('counts in libraries, to the last destructor', () => {
        countsInLibraries(bench, build);
      });
    },
  );
});
