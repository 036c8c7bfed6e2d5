import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programs, truth, Workbench, type Build } from './harness';
import { visitsByRegion } from './result';
import { everything, readSites } from './selection';

const bench = new Workbench();
const regions = ['leaf', 'branch', 'wide', 'handling'];
const names = new Map(regions.map((name, index) => [index + 1, name]));
const stepper = bench.path('stepper');
beforeAll(() => execFileSync('gcc', ['-O1', path.join(programs, 'stepper.c'), '-o', stepper]));
afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));

/** Recorded visits minus the visits that the program counted, by region, with an interrupt at every `stride`th instruction of an event. */
function surplus(file: string, { kind }: Build, stride: number, words: readonly string[]): number[] {
  const chosen = [everything(readSites(file), kind, names)];
  const stepped = bench.measure(stepper, chosen, [String(stride), file, ...words]);
  expect(stepped.outcome).toMatchObject({ status: 3, signal: null });
  expect(stepped.outcome.output).toMatch(/wrong 0\n/);
  const visits = visitsByRegion(stepped.results, stepped.slots);
  return Object.entries(truth(stepped.outcome.output)).map(([name, count]) => (visits[name] ?? 0) - count);
}

describe
  .skipIf(process.arch !== 'x64')
  .each<Build>(
    (['gcc', 'clang-19'] as const).flatMap((compiler) =>
      (['entry', 'sled'] as const).map((kind) => ({ compiler, kind, flags: ['-O2'] })),
    ),
  )('events that are interrupted at each of their instructions in turn: $compiler $kind', (build) => {
  let file = '';
  beforeAll(() => {
    file = bench.compile(build, 'stepped.c');
  });

  it.each([
    ['a handler that returns', 3, ['return', '0']],
    ['user threads', 5, ['preempt', '65536']],
    ['user threads whose stacks are so close that the runtime takes them for one', 5, ['preempt', '8192']],
  ] as const)('%s: every visit is counted', (_what, stride, words) => {
    expect(surplus(file, build, stride, words)).toEqual([0, 0, 0, 0]);
  });

  it('a handler that jumps out: each jump adds at most one false visit, and no claim remains', () => {
    const [leaf = -1, ...others] = surplus(file, build, 3, ['jump', '0']);
    expect([leaf >= 0, leaf <= 20, others]).toEqual([true, true, [0, 0, 0]]);
  });
});
