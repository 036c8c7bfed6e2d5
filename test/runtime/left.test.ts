import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrossBench, missingTools } from './aarch64Bench';
import { Workbench, type Build } from './harness';
import { inconsistencies, visitsByPath } from './result';
import { readSites, type SiteKind } from './selection';
import { volume } from '../volume';

const names = new Map(
  'falling catching landing switching handling raising inner outer ticking last jumping wild0 wild1 wild2 wild3'
    .split(' ')
    .map((name, index) => [index + 1, name]),
);
const kinds: readonly SiteKind[] = ['entry', 'sled'];
/** Memory that the runtime may map besides 64 bytes per node and thread. */
const FIXED_BYTES = 1 << 20;

/** The cases of `left.cpp`: `many` exceptions, and fewer rounds of the slower cases. */
function leavesFramesBehind(bench: Workbench, build: Build, many: number): void {
  let file = '';
  beforeAll(() => {
    file = bench.compile(build, 'left.cpp');
  });

  it.each([
    // With a node of 64 bytes each, they would need more than `FIXED_BYTES`.
    ['once', Math.min(many, 100_000)],
    ['fibers', many / 50],
    ['handlers', many / 10],
    ['random', many / 500],
  ])('%s %d: exact counts in bounded memory', (what, times) => {
    const { results } = bench.expectSame(file, build.kind, names, [what, String(times)]);
    const [result] = results;
    expect(results).toHaveLength(1);
    // Fibers run while others are open, and jumps out of handlers leave pairs that the interrupted visits have not counted.
    const wrong = results.flatMap(inconsistencies);
    if (what === 'once' || what === 'random') expect(wrong).toEqual([]);
    if (what === 'handlers') expect(wrong.filter((line) => !line.includes('events'))).toEqual([]);
    const nodes = result?.threads.reduce((sum, thread) => sum + thread.nodes.length, 0) ?? 0;
    expect(result?.mapped).toBeLessThanOrEqual(64 * nodes + FIXED_BYTES);
  });

  it('handlers at any instruction of the runtime: no function returns to a wrong address', () => {
    const words = ['storm', String(many / 100)];
    const measured = bench.measureAll(file, build.kind, names, words);
    expect(measured.outcome).toEqual({ status: 3, signal: null, output: 'wrong 0\nalarms 1\n' });
    expect(measured.results).toHaveLength(1);
    const wrong = measured.results.flatMap(inconsistencies);
    expect(wrong.filter((line) => !line.includes('events'))).toEqual([]);
  });

  it('bodies that end in a jump to an unmeasured function: exact counts', () => {
    bench.expectSame(file, build.kind, names, ['tails', '0']);
  });
}

describe('frames of functions that never return', () => {
  const bench = new Workbench();
  afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));
  describe.each(
    (['gcc', 'clang-19'] as const).flatMap((compiler) =>
      kinds.map((kind) => ({ compiler, kind, flags: ['-O2'] })),
    ),
  )('$compiler $kind', (build) =>
    leavesFramesBehind(
      bench,
      build,
      build.kind === 'entry' ? volume({ full: 1_000_000, usual: 200_000 }) : 100_000,
    ),
  );
});

describe('a function that pushes an argument', () => {
  const bench = new Workbench();
  afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));

  it('stays open although its stack pointer was lower at its sled than at its later calls', () => {
    const build = { compiler: 'gcc', kind: 'sled', flags: ['-O2', '-fno-defer-pop'] } as const;
    const file = bench.compile(build, 'pushes.c');
    const sites = readSites(file);
    const regions = new Map<string, string | number>([
      ['pushing', 1],
      ['probed', 2],
      ['inlined', 3],
      ['entered', 'entered'],
    ]);
    const { results, slots } = bench.measure(file, [{ sites, regions }], []);
    expect(visitsByPath(results, slots)).toEqual({
      pushing: 100,
      'pushing/entered': 400,
      'pushing/probed': 100,
      'pushing/inlined': 100,
    });
    expect(results.flatMap(inconsistencies)).toEqual([]);
  });
});

describe.skipIf(missingTools.length > 0)('frames of functions that never return, on aarch64', () => {
  const bench = new CrossBench();
  afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));
  describe.each(kinds.map((kind) => ({ compiler: 'gcc' as const, kind, flags: ['-O2'] })))(
    '$compiler $kind',
    (build) => leavesFramesBehind(bench, build, volume({ full: 50_000, usual: 25_000 })),
  );
});
