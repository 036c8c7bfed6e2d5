import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { Workbench, type Build } from './harness';
import { inconsistencies, visitsByPath } from './result';
import { everything, readSites } from './selection';

const bench = new Workbench();
afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));

const names = new Map(
  ['nested', 'local', 'worker', 'left', 'returns', 'shortcut'].map((name, index) => [index + 1, name]),
);
const levels = ['-O0', '-O2', '-O3'];
const c: Build[] = [
  ...levels.flatMap((level) =>
    (['entry', 'sled'] as const).flatMap((kind) => [
      { compiler: 'gcc' as const, kind, flags: [level, '-fopenmp'] },
      { compiler: 'clang-19' as const, kind, flags: [level] },
    ]),
  ),
  { compiler: 'gcc', kind: 'entry', flags: ['-O2', '-fopenmp', '-fipa-ra'] },
  { compiler: 'gcc', kind: 'sled', flags: ['-O3', '-fopenmp', '-flto'] },
  {
    compiler: 'gcc',
    kind: 'sled',
    flags: ['-O2', '-std=c90', '-Wno-pedantic', '-std=gnu99', '-fexceptions'],
  },
];

describe.each(c)('C: $compiler $kind $flags', (build) => {
  it('counts inlined, local, nested and parallel functions', () => {
    const file = bench.compile(build, 'cases.c');
    const { results } = bench.expectSame(file, build.kind, names, []);
    expect(results.flatMap((result) => result.threads).length).toBe(build.flags.includes('-fopenmp') ? 4 : 1);
    expect(results.flatMap(inconsistencies)).toEqual([]);
  });
});

describe.each(levels)('Fortran: gfortran %s', (level) => {
  it('counts procedures of every kind', () => {
    const keep = ['-fno-inline', '-fno-ipa-cp', '-fno-ipa-sra', '-fno-optimize-sibling-calls'];
    const file = bench.compile({ compiler: 'gcc', kind: 'entry', flags: [level, ...keep] }, 'solver.f90');
    bench.expectSame(file, 'entry', names, [], { KYMO_DEPTH_LIMIT: '100000' });
  });
});

const sledNames = new Map([
  [11, 'in_library'],
  [12, 'step'],
  [13, 'callback'],
]);

describe.each(
  (['gcc', 'clang-19'] as const).flatMap((compiler) =>
    (['entry', 'sled'] as const).map((kind) => ({ compiler, kind, flags: ['-O2'] })),
  ),
)('libraries: $compiler $kind', (build: Build) => {
  const mine = (visits: Record<string, number>): Record<string, number> =>
    Object.fromEntries(
      Object.entries(visits)
        .map(([where, count]) => [where.replace(/(^|\/)(main|last)(?=\/|$)/g, ''), count] as const)
        .filter(([where]) => /step|callback|in_library/.test(where))
        .map(([where, count]) => [where.replace(/^\//, ''), count] as const),
    );

  it('are measured when linked, including their destructors', () => {
    const library = bench.compile(build, 'library.c', [], true);
    const file = bench.compile(build, 'users.c', [library]);
    const chosen = [file, library].map((object) => everything(readSites(object), build.kind, sledNames));
    const plain = bench.run(file, []);
    const { outcome, results, slots } = bench.measure(file, chosen, []);
    expect(outcome).toEqual(plain);
    expect(mine(visitsByPath(results, slots))).toEqual({
      in_library: 1,
      'in_library/step': 100,
      'in_library/callback': 100,
      step: 1,
    });
  });

  it.each([[[]], [['close']]])('are measured when opened with dlopen %j', (close) => {
    const library = bench.compile(build, 'library.c', [], true);
    const file = bench.compile({ ...build, flags: [...build.flags, '-DOPENED', '-ldl'] }, 'users.c');
    const chosen = [file, library].map((object) => everything(readSites(object), build.kind, sledNames));
    const plain = bench.run(file, [library, ...close]);
    const { outcome, results, slots } = bench.measure(file, chosen, [library, ...close]);
    expect(outcome).toEqual(plain);
    expect(mine(visitsByPath(results, slots))).toEqual({
      in_library: 3,
      'in_library/step': 300,
      'in_library/callback': 300,
      step: close.length > 0 ? 3 : 1,
    });
  });
});
