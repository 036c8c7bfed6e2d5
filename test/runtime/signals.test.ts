import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { truth, Workbench, type Build } from './harness';
import { visitsByRegion } from './result';

const bench = new Workbench();
const regions = ['leaf', 'branch', 'wide', 'handling', 'inner', 'working'];
const names = new Map(regions.map((name, index) => [index + 1, name]));
afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));

/** Recorded visits minus the visits that the program counted, by region. Handlers come at other instructions in each run. */
function surplus(file: string, { kind }: Build, words: readonly string[]): Readonly<Record<string, number>> {
  const measured = bench.measureAll(file, kind, names, words);
  expect(measured.outcome).toMatchObject({ status: 3, signal: null });
  expect(measured.outcome.output).toMatch(/^= leaf [^]*wrong 0\n$/);
  const difference = Object.fromEntries(
    Object.entries(truth(measured.outcome.output)).map(([name, count]) => [name, -count]),
  );
  expect(Object.keys(difference)).toEqual(regions);
  for (const [symbol, count] of Object.entries(visitsByRegion(measured.results, measured.slots))) {
    const name = regions.find(
      (region) => symbol === region || new RegExp(`^_ZL?\\d+${region}[a-z]$`).test(symbol),
    );
    if (name !== undefined) difference[name] = (difference[name] ?? 0) + count;
  }
  return difference;
}

describe.each<Build>(
  (['gcc', 'clang-19'] as const).flatMap((compiler) =>
    (['entry', 'sled'] as const).map((kind) => ({ compiler, kind, flags: ['-O2'] })),
  ),
)('measured signal handlers that come at any instruction: $compiler $kind', (build) => {
  let file = '';
  beforeAll(() => {
    file = bench.compile(build, 'signals.cpp');
  });

  it.each(['own', 'other', 'nested', 'jump', 'preempt'])('%s: every visit is counted', (mode) => {
    expect(surplus(file, build, [mode, '3', '20'])).toEqual(
      Object.fromEntries(regions.map((name) => [name, 0])),
    );
  });

  it('a jump out of a handler at any instruction adds at most one false visit', () => {
    const counted = surplus(file, build, ['leap', '16', '60']);
    expect(Object.entries(counted).filter(([, count]) => count < 0 || count > 120)).toEqual([]);
  });
});
