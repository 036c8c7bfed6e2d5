import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrossBench, missingTools } from './aarch64Bench';
import { Workbench, type Build, type Measured } from './harness';
import { readIterations, sumsOf, totalsBelow, type Iteration } from './iterations';
import { inconsistencies, type Result } from './result';
import { everything, readSites, type SiteKind } from './selection';

const native = new Workbench();
const cross = new CrossBench();
afterAll(() => {
  for (const { folder } of [native, cross]) rmSync(folder, { recursive: true, force: true });
});

const names = new Map([
  ...['leaf', 'rare', 'step', 'again', 'parallel', 'forking', 'ending'].map(
    (name, at) => [at + 1, name] as const,
  ),
  ...Array.from({ length: 20 }, (_, at) => [20 + at, `many${20 + at}`] as const),
]);
const include = `-I${path.resolve(import.meta.dirname, '../../runtime/include')}`;
const visitsOf = (i: number): number => (i % 7) + 1;

function measureWith(
  bench: Workbench,
  file: string,
  kind: SiteKind,
  words: readonly string[],
  phases: readonly string[],
  intervals: ReadonlyMap<string, number> = new Map(),
): Measured {
  return bench.measure(file, [chosen(file, kind)], words, {}, intervals, phases);
}

/** All functions except the phases' bodies, so that call paths are the same for both kinds of sites. */
function chosen(file: string, kind: SiteKind) {
  const { sites, regions } = everything(readSites(file), kind, names);
  return { sites, regions: new Map([...regions].filter(([name]) => [...names.values()].includes(name))) };
}

function only(measured: Measured): Result {
  const [result] = measured.results;
  if (result === undefined || measured.results.length > 1) throw new Error('expected one result');
  return result;
}

/** Expects of any run that the output is that of the unmeasured run, and that the iterations add up to the profile. */
function expectSumsWith(
  bench: Workbench,
  file: string,
  words: readonly string[],
  measured: Measured,
  phase: string,
): readonly Iteration[] {
  expect(measured.outcome).toEqual(bench.run(file, words));
  const result = only(measured);
  const iterations = readIterations(measured, result);
  const totals = totalsBelow(measured, result, phase);
  expect(sumsOf(iterations, 'visits')).toEqual(totals.visits);
  expect(sumsOf(iterations, 'ticks')).toEqual(totals.ticks);
  expect(inconsistencies(result)).toEqual([]);
  expect(result.iterations).toBe(iterations.length);
  return iterations;
}

const builds: Build[] = (['gcc', 'clang-19'] as const).flatMap((compiler) =>
  (['entry', 'sled'] as const).map((kind) => ({ compiler, kind, flags: ['-O2', include] })),
);

function iterationsHold(bench: Workbench, build: Build): void {
  let file = '';
  const measure = (...rest: After<typeof measureWith>): Measured => measureWith(bench, ...rest);
  const expectSums = (...rest: After<typeof expectSumsWith>): readonly Iteration[] =>
    expectSumsWith(bench, ...rest);
  beforeAll(() => {
    file = bench.compile(build, 'phases.c');
  });

  it('with a function as phase, each visit is an iteration and contains its own calls only', () => {
    const words = ['function', '120'];
    const iterations = expectSums(file, words, measure(file, build.kind, words, ['step']), 'step');
    expect(iterations.map(({ visits }) => visits)).toEqual(
      Array.from({ length: 120 }, (_, i) => ({
        step: 1,
        'step/leaf': visitsOf(i),
        ...(i % 50 === 0 ? { 'step/rare': 1, 'step/rare/leaf': 1 } : {}),
      })),
    );
  });

  it('with macros, each pass is an iteration, with a region inside', () => {
    const words = ['macros', '60'];
    const measured = measure(file, build.kind, words, []);
    const iterations = expectSums(file, words, measured, 'iteration');
    expect(iterations.map(({ visits }) => visits['iteration/inside/leaf'])).toEqual(
      Array.from({ length: 60 }, (_, i) => visitsOf(i)),
    );
    expect(
      only(measured).regions.map(({ name, isPhase, line }) => ({ name, isPhase, line: line > 0 })),
    ).toEqual([
      { name: 'iteration', isPhase: true, line: true },
      { name: 'inside', isPhase: false, line: true },
    ]);
  });

  it('in a recursive function, only the outermost visit is an iteration', () => {
    const words = ['recursion', '50'];
    const iterations = expectSums(file, words, measure(file, build.kind, words, ['again']), 'again');
    expect(iterations).toHaveLength(50);
    expect(iterations.map(({ visits }) => visits['again/again/again'] ?? 0)).toEqual(
      Array.from({ length: 50 }, (_, i) => (i % 5 >= 2 ? 1 : 0)),
    );
  });

  it('count all visits when only a part is timed', () => {
    const words = ['function', '700'];
    const measured = measure(file, build.kind, words, ['step'], new Map([['leaf', 16]]));
    const iterations = expectSums(file, words, measured, 'step');
    expect(iterations.map(({ visits }) => visits['step/leaf'])).toEqual(
      Array.from({ length: 700 }, (_, i) => visitsOf(i)),
    );
  });

  it('contain the visits of other threads during the iteration, and none from before', () => {
    const words = ['threads', '40'];
    const measured = measure(file, build.kind, words, ['parallel']);
    expect(measured.outcome).toEqual(bench.run(file, words));
    const iterations = readIterations(measured, only(measured));
    expect(iterations).toHaveLength(40);
    iterations.forEach(({ visits }, i) => {
      const others = Object.entries(visits).filter(([name]) => name.endsWith(':leaf'));
      expect(others.map(([, count]) => count)).toEqual([10, 10, 10].map((times) => times * visitsOf(i)));
    });
  });

  it('contain at most the actual visits of threads that continue meanwhile, and all visits of the own thread', () => {
    const measured = measure(file, build.kind, ['busy', '20000'], ['step']);
    const result = only(measured);
    const iterations = readIterations(measured, result);
    expect(iterations).toHaveLength(20_000);
    const sums = sumsOf(iterations, 'visits');
    const totals = totalsBelow(measured, result, 'step').visits;
    for (const [name, visits] of Object.entries(totals)) expect(sums[name]).toBe(visits);
    for (const thread of result.threads)
      for (const node of thread.nodes.slice(1)) {
        const name = `${thread.number}:${measured.slots[node.slot] ?? '?'}`;
        expect(sums[name] ?? 0).toBeLessThanOrEqual(node.visits);
      }
    expect(Object.keys(sums).filter((name) => name.includes(':many')).length).toBeGreaterThan(0);
  });

  it('a forked child has iterations of its own from the fork on', () => {
    const words = ['fork', '30'];
    const measured = measure(file, build.kind, words, ['step']);
    expect(measured.results).toHaveLength(2);
    const counts = measured.results.map((result) => readIterations(measured, result).length);
    expect(counts.sort((a, b) => a - b)).toEqual([60, 60]);
  });

  it('an exit inside an iteration cuts it short', () => {
    const words = ['exit', '20'];
    const iterations = expectSums(file, words, measure(file, build.kind, words, ['ending']), 'ending');
    expect(iterations.map(({ cutShort }) => cutShort)).toEqual([...Array<boolean>(19).fill(false), true]);
  });

  it('a phase that never runs writes no file', () => {
    const measured = measure(file, build.kind, ['macros', '10'], ['step']);
    expect(readIterations(measured, only(measured))).toEqual([]);
    expect(only(measured).iterations).toBe(0);
  });

  it.each([
    [
      'left-open',
      "kymo: region 'iteration' begins again without having ended; the earlier visit ends here\n",
    ],
    ['nested', "kymo: region 'inner' is a phase inside a phase; only the outer one has iterations\n"],
    [
      'never-begun',
      "kymo: region 'iteration' ends where it has not begun (begin and end must be in the same function); ignored\n",
    ],
  ])('%s: one line reports it, and the program behaves as without measurement', (mode, line) => {
    const words = [mode, '40'];
    const measured = measure(file, build.kind, words, []);
    const plain = bench.run(file, words);
    expect({ ...measured.outcome, output: measured.outcome.output.replace(line, '') }).toEqual(plain);
    expect(measured.outcome.output).toContain(line);
    const iterations = readIterations(measured, only(measured));
    expect(iterations).toHaveLength(40);
    expect(
      iterations.map(({ visits }) => Object.entries(visits).find(([name]) => /^[^:]*leaf$/.test(name))?.[1]),
    ).toEqual(Array.from({ length: 40 }, (_, i) => visitsOf(i)));
    expect(only(measured).flags & 32).toBe(32);
  });

  it('a phase without an end ends with the program or the function around it', () => {
    const words = ['leaving', '10'];
    const measured = measure(file, build.kind, words, []);
    expect(readIterations(measured, only(measured))).toHaveLength(10);
  });
}

type After<F> = F extends (bench: Workbench, ...rest: infer R) => unknown ? R : never;

describe.each(builds)('iterations, $compiler $kind', (build) => iterationsHold(native, build));

describe
  .skipIf(missingTools.length > 0)
  .each(
    (['entry', 'sled'] as const).map((kind) => ({ compiler: 'gcc' as const, kind, flags: ['-O2', include] })),
  )('iterations on aarch64, $compiler $kind', (build) => iterationsHold(cross, build));
