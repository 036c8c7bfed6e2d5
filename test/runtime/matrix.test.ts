import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workbench, type Build, type Environment, type Measured } from './harness';
import { inconsistencies, visitsByRegion } from './result';
import { combinations } from '../volume';
import type { SiteKind } from './selection';

const bench = new Workbench();
afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));

/** Names of the sleds' functions. The program prints them in the order of their numbers, so its output maps numbers to names. */
const sledNames = new Map<number, string>(
  [
    'destroyed',
    'thrower',
    'catcher',
    'rethrower',
    'level3',
    'level2',
    'level1',
    'jumper',
    'after_jump',
    'jumping',
    'sum',
    'big',
    'extended',
    'pair',
    'wide',
    'many',
    'huge',
    'even',
    'odd',
    'recursive',
    'leaf',
    'branch',
    'leaving',
    'waiting',
    'handling',
    'raising',
    'yielding',
    'fiber',
    'ending',
    'forking',
  ].map((name, index) => [index + 1, name]),
);

const measure = (file: string, kind: SiteKind, words: readonly string[]): Measured =>
  bench.measureAll(file, kind, sledNames, words);
const expectSame = (
  file: string,
  kind: SiteKind,
  words: readonly string[],
  environment: Environment = {},
): Measured => bench.expectSame(file, kind, sledNames, words, environment);

const deep = { KYMO_DEPTH_LIMIT: '100000' };
const kinds = ['entry', 'sled'] as const;
const builds: Build[] = [
  ...combinations(['gcc', 'clang-19'] as const, kinds, [
    ['-O0'],
    ['-O2'],
    ['-O3'],
    ['-O2', '-no-pie', '-fno-pie'],
    ['-O2', '-fcf-protection=full'],
    ['-O2', '-static'],
    ['-O2', '-fPIC', '-ffunction-sections', '-Wl,--gc-sections'],
  ]),
  ...combinations(['gcc'] as const, kinds, [
    ['-O2', '-flto'],
    ['-O2', '-fipa-ra'],
  ]),
].map(([compiler, kind, flags]) => ({ compiler, kind, flags }));

describe.each(builds)('$compiler $kind $flags', (build) => {
  let file = '';
  beforeAll(() => {
    file = bench.compile(build, 'cases.cpp');
  });

  it('behaves as without measurement, and every visit is counted', () => {
    const { results } = expectSame(file, build.kind, [], deep);
    expect(results).toHaveLength(1);
  });

  it('nests times and events', () => {
    const { results } = measure(file, build.kind, ['conventions']);
    expect(results.flatMap(inconsistencies)).toEqual([]);
  });

  it.each(['_exit', '_Exit', 'quick_exit', 'exit', 'abort', 'terminate'])(
    'writes a result when it ends by %s',
    (how) => {
      const aborts = how === 'abort' || how === 'terminate';
      if (aborts && build.flags.includes('-static')) return; // A static libc uses its own abort (runtime/README.md).
      const { results } = expectSame(file, build.kind, ['end', how]);
      expect(results.map((result) => result.flags)).toEqual([aborts ? 1 : 0]);
    },
  );

  it.each(['segv', 'kill'])('writes no result when it ends by %s, and has that status', (how) => {
    const plain = bench.run(file, ['end', how]);
    const measured = measure(file, build.kind, ['end', how]);
    expect(measured.outcome).toEqual(plain);
    expect(measured.results).toEqual([]);
  });

  it('measures a forked child on its own', () => {
    const { results, slots } = expectSame(file, build.kind, ['fork']);
    expect(results).toHaveLength(2);
    const child = results.find((result) => results.some((other) => other.pid === result.parent));
    expect(child && visitsByRegion([child], slots)).toMatchObject({ forking: 0, branch: 1, leaf: 5 });
  });

  it('a child of vfork writes no result', () => {
    expect(expectSame(file, build.kind, ['vfork']).results).toHaveLength(1);
  });

  it('measures on when main calls pthread_exit', () => {
    expectSame(file, build.kind, ['main-leaves']);
  });
});
