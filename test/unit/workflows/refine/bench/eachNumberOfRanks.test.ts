import { describe, expect, it } from 'vitest';
import { selectedKeys } from '../../../../../src/core/selection/selection';
import {
  judgeEachNumberOfRanks,
  type RanksBench,
} from '../../../../../src/workflows/refine/bench/eachNumberOfRanks';
import { refinementLoop } from '../../../../../src/workflows/refine/loop/loop';
import type { LoopInput, LoopResult } from '../../../../../src/workflows/refine/loop/loop.types';
import type { SimulatedProgram } from '../../../core/selection/simulatedProgram';
import { SimulatedBench, simulatedInput } from '../simulatedBench';

/** main → kernel, and `exchange`, which each rank calls equally often, however many share the work. */
const withRanks = (ranks: number): SimulatedProgram => ({
  functions: [
    {
      name: 'main',
      ownSeconds: 0.02,
      statements: 20,
      loopDepth: 0,
      site: 'probe',
      calls: [
        { callee: 1, times: 1000 },
        { callee: 2, times: 500_000 },
      ],
    },
    { name: 'kernel', ownSeconds: 4e-3 / ranks, statements: 40, loopDepth: 2, site: 'probe', calls: [] },
    { name: 'exchange', ownSeconds: 2e-8, statements: 30, loopDepth: 1, site: 'probe', calls: [] },
  ],
});

async function refined(
  change: Partial<LoopInput> = {},
): Promise<{ readonly input: LoopInput; readonly loop: LoopResult }> {
  const input = simulatedInput(withRanks(1), { repetitions: 2, ...change });
  return { input, loop: await refinementLoop(input, new SimulatedBench(withRanks(1))) };
}

function benches(
  counts: readonly number[],
): RanksBench & { readonly notes: string[]; readonly asked: number[] } {
  const notes: string[] = [];
  const asked: number[] = [];
  return {
    counts,
    notes,
    asked,
    withRanks: (ranks) => {
      asked.push(ranks);
      return new SimulatedBench(withRanks(ranks));
    },
    note: (sentence) => void notes.push(sentence),
  };
}

describe('one selection for several numbers of ranks', () => {
  it('is not run again for the only one', async () => {
    const { input, loop } = await refined();
    const bench = benches([1]);
    expect(await judgeEachNumberOfRanks(input, loop, bench)).toBe(loop);
    expect(bench.asked).toEqual([]);
  });
  it('is measured with each, and stays where it fits', async () => {
    const { input, loop } = await refined();
    const bench = benches([1, 2]);
    const result = await judgeEachNumberOfRanks(input, loop, bench);
    expect(bench.asked).toEqual([2]);
    expect(result.final).toEqual(loop.final);
    expect(result.ranks?.map(({ ranks }) => ranks)).toEqual([1, 2]);
    expect(result.ranks?.[0]?.overheadPercent).toBe(loop.iterations.at(-1)?.overheadPercent);
    expect(result.ranks?.[1]?.overheadPercent).toBeGreaterThan(
      result.ranks?.[0]?.overheadPercent ?? Infinity,
    );
    expect(bench.notes).toEqual([]);
  });
  it('loses what costs too much with one of them, and is measured again with all', async () => {
    const { input, loop } = await refined();
    expect(selectedKeys(loop.final.selection)).toContain('exchange');
    const bench = benches([1, 200, 2]);
    const { final, ranks } = await judgeEachNumberOfRanks(input, loop, bench);
    expect(bench.asked).toEqual([200, 2, 1, 200, 2]);
    expect(selectedKeys(final.selection)).not.toContain('exchange');
    expect(final.selection.decisions.get('exchange')?.reason.rule).toBe('too-expensive');
    expect(selectedKeys(final.selection)).toContain('kernel');
    expect(final.measured).toBe(false);
    expect(ranks?.map((report) => report.ranks)).toEqual([1, 2, 200]);
    for (const { overheadPercent } of ranks ?? []) expect(overheadPercent).toBeLessThanOrEqual(5);
    expect(bench.notes).toEqual([]);
  });
  it('says with which number of ranks even what is pinned costs more than the target', async () => {
    const pinned = () => Promise.resolve({ pinnedIn: new Set(['exchange']), pinnedOut: new Set<string>() });
    const { input, loop } = await refined({ pinned });
    const bench = benches([1, 200]);
    const { final, ranks } = await judgeEachNumberOfRanks(input, loop, bench);
    expect(selectedKeys(final.selection)).toContain('exchange');
    expect(ranks?.[1]?.overheadPercent).toBeGreaterThan(5);
    expect(bench.notes).toEqual([expect.stringMatching(/^With 200 ranks, recording costs .*target of 5/)]);
  });
  it('claims nothing that one run of each cannot show', async () => {
    const { input, loop } = await refined({ repetitions: 1, overheadPercent: 1 });
    const bench = benches([1, 2]);
    const { ranks } = await judgeEachNumberOfRanks(input, loop, bench);
    expect(ranks?.[1]?.noisePercent).toBeUndefined();
    expect(bench.notes).toEqual([]);
  });
});
