import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectedKeys } from '../../../../src/core/selection/selection';
import { refinementLoop, type LoopInput, type LoopResult } from '../../../../src/workflows/refine/loop';
import { anyProgram, overheadPercent, type SimulatedProgram } from '../../core/selection/simulatedProgram';
import { SimulatedBench, simulatedInput } from './simulatedBench';

function refineSimulated(
  program: SimulatedProgram,
  change: Partial<LoopInput> = {},
  bench = new SimulatedBench(program),
): Promise<LoopResult> {
  return refinementLoop(simulatedInput(program, { repetitions: 3, ...change }), bench);
}

/** main → solve → kernel (hot, rare) and tiny (a quarter of the time, in very many visits). */
const program: SimulatedProgram = {
  functions: [
    {
      name: 'main',
      ownSeconds: 0.001,
      statements: 30,
      loopDepth: 0,
      site: 'entry',
      calls: [{ callee: 1, times: 1 }],
    },
    {
      name: 'solve',
      ownSeconds: 0.05,
      statements: 40,
      loopDepth: 1,
      site: 'probe',
      calls: [
        { callee: 2, times: 100 },
        { callee: 3, times: 50_000_000 },
      ],
    },
    { name: 'kernel', ownSeconds: 0.01, statements: 25, loopDepth: 2, site: 'probe', calls: [] },
    { name: 'tiny', ownSeconds: 7e-9, statements: 12, loopDepth: 0, site: 'probe', calls: [] },
  ],
};

describe('the refinement loop', () => {
  it('keeps the kernel, gives up the tiny function for its cost, and says that the target was the reason', async () => {
    const result = await refineSimulated(program);
    expect(selectedKeys(result.selection)).toEqual(expect.arrayContaining(['main', 'solve', 'kernel']));
    expect(selectedKeys(result.selection)).not.toContain('tiny');
    expect(result.selection.decisions.get('tiny')?.reason.rule).toBe('too-expensive');
    expect(result.stopReason).toBe('overhead');
    expect(result.iterations.at(-1)?.overheadPercent).toBeLessThanOrEqual(5);
  });

  it('ends at a fixpoint when nothing has to be given up', async () => {
    const result = await refineSimulated({
      functions: program.functions.map((f) => ({ ...f, calls: f.calls.slice(0, 1) })),
    });
    expect(result.stopReason).toBe('fixpoint');
  });

  it('stops at the limit of iterations and at the time budget', async () => {
    expect((await refineSimulated(program, { maximumIterations: 1 })).stopReason).toBe('iterations');
    expect((await refineSimulated(program, { budgetSeconds: 0.001 })).stopReason).toBe('budget');
  });

  it('does not repeat a run that looks into the unknown and turns out hopelessly slow', async () => {
    const bench = new SimulatedBench(program);
    await refineSimulated(program, {}, bench);
    const repetitions = [0, 1, 2].map((iteration) => bench.runs.filter((run) => run === iteration).length);
    expect(repetitions).toEqual([3, 1, 3]);
    // The iteration that counts has its repetitions.
    const last = Math.max(...bench.runs.filter((run) => run !== 'baseline'));
    expect(bench.runs.filter((run) => run === last)).toHaveLength(3);
  });

  it('follows pins, also those that are set while it runs and would change one function only', async () => {
    let asked = 0;
    const pinned = () => {
      asked++;
      // Set after everything has settled but for this.
      const out = asked >= 4 ? ['kernel'] : [];
      return Promise.resolve({ pinnedIn: new Set<string>(), pinnedOut: new Set(out) });
    };
    const result = await refineSimulated(program, { pinned, maximumIterations: 8 });
    expect(selectedKeys(result.selection)).not.toContain('kernel');
    expect(result.selection.decisions.get('kernel')?.reason.rule).toBe('pinned-out');
  });

  it('keeps what is pinned in, whatever it costs', async () => {
    const result = await refineSimulated(program, {
      pinned: () => Promise.resolve({ pinnedIn: new Set(['tiny']), pinnedOut: new Set() }),
    });
    expect(selectedKeys(result.selection)).toContain('tiny');
  });

  it('runs baseline and measured in turns', async () => {
    const bench = new SimulatedBench({
      functions: program.functions.slice(0, 3).map((f) => ({ ...f, calls: f.calls.slice(0, 1) })),
    });
    await refineSimulated(program, {}, bench);
    expect(bench.runs.slice(0, 5)).toEqual(['baseline', 0, 'baseline', 0, 'baseline']);
  });

  it('ends at once when it is aborted', async () => {
    const abort = new AbortController();
    const bench = new SimulatedBench(program, (runs) => {
      if (runs === 2) abort.abort();
    });
    await expect(refineSimulated(program, { signal: abort.signal }, bench)).rejects.toThrow();
    expect(bench.runs).toHaveLength(2);
  });

  it('ends within the target, for any program', async () => {
    await fc.assert(
      fc.asyncProperty(anyProgram, async (any) => {
        const result = await refineSimulated(any);
        const last = result.iterations.at(-1);
        expect(last).toBeDefined();
        const mandatoryCost = overheadPercent(any, new Set([any.functions[0]!.name]));
        expect(last!.overheadPercent).toBeLessThanOrEqual(Math.max(5, mandatoryCost) + 1e-6);
      }),
      { numRuns: 60 },
    );
  });
});
