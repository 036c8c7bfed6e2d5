import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fn } from '../../../core/selection/graphs';
import { estimateOffCost } from '../../../../../src/core/knowledge/offCost';
import { intervalsOf, selectedKeys } from '../../../../../src/core/selection/selection';
import { functionTable } from '../../../../../src/workflows/refine/results/functionTable';
import { refinementLoop } from '../../../../../src/workflows/refine/loop/loop';
import type { LoopInput, LoopResult } from '../../../../../src/workflows/refine/loop/loop.types';
import {
  anyProgram,
  countedIn,
  overheadPercent,
  sampledCosts,
  type SimulatedProgram,
} from '../../../core/selection/simulatedProgram';
import { loaded, quiet, SimulatedBench, simulatedInput, type Machine } from '../simulatedBench';

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
  it.each([
    [program, quiet],
    [program, loaded],
  ] as const)('reports progress that never runs backwards', async (of, machine) => {
    const steps: { readonly fraction?: number; readonly remainingSeconds?: number }[] = [];
    const progress = {
      report: (step: (typeof steps)[number]) => void steps.push(step),
      log: () => undefined,
    };
    const bench = new SimulatedBench(of, undefined, machine, Array<boolean>(30).fill(machine === loaded));
    await refineSimulated(of, { progress, budgetSeconds: 20 }, bench);
    const fractions = steps.map(({ fraction }) => fraction ?? NaN);
    expect(fractions.length).toBeGreaterThan(4);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(steps.every(({ remainingSeconds = 0 }) => remainingSeconds <= 20)).toBe(true);
  });
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

  it('counts what might be called very often before it times it', async () => {
    // By its statements a visit takes 24 ns, so that timing it would add 70 %; it takes 3 ns, and is called as often as that allows.
    const bomb: SimulatedProgram = {
      costs: sampledCosts,
      functions: [
        { ...program.functions[0]!, calls: [{ callee: 1, times: 1 }] },
        { ...program.functions[1]!, calls: [{ callee: 2, times: 2e8 }] },
        { ...program.functions[3]!, ownSeconds: 3e-9, statements: 9 },
      ],
    };
    const bench = new SimulatedBench(bomb);
    const { iterations, selection } = await refineSimulated(bomb, { maximumIterations: 8 }, bench);
    expect(bench.selections.some((one) => countedIn(one).has('tiny'))).toBe(true);
    // All of it counted would be 77 %, and timed 520 %.
    expect(Math.max(...iterations.map((one) => one.overheadPercent))).toBeLessThan(100);
    expect(selectedKeys(selection)).not.toContain('tiny');
    expect(selection.decisions.get('tiny')?.reason).toMatchObject({ rule: 'too-expensive' });
  });

  it('times once what was counted and turns out cheap', async () => {
    const rare: SimulatedProgram = {
      costs: sampledCosts,
      functions: [
        { ...program.functions[0]!, calls: [{ callee: 1, times: 1 }] },
        { ...program.functions[1]!, calls: [{ callee: 2, times: 30 }] },
        { ...program.functions[3]!, ownSeconds: 0.01, statements: 7 },
      ],
    };
    const bench = new SimulatedBench(rare);
    const { selection } = await refineSimulated(rare, { maximumIterations: 8 }, bench);
    expect(bench.selections.some((one) => countedIn(one).has('tiny'))).toBe(true);
    expect(selection.decisions.get('tiny')).toMatchObject({ selected: true, reason: { rule: 'hot-spot' } });
    expect(intervalsOf(selection).size).toBe(0);
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

  it('ends with a selection that holds the target, for any program and whatever ended it', async () => {
    const limits = fc.record({
      maximumIterations: fc.integer({ min: 1, max: 5 }),
      budgetSeconds: fc.constantFrom(0.001, 5, 20, 1e9),
      repetitions: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(anyProgram, limits, fc.constantFrom(quiet, loaded), async (any, change, machine) => {
        const bench = new SimulatedBench(any, undefined, machine);
        const { selection, final, stopReason } = await refineSimulated(any, change, bench);
        const mandatory = overheadPercent(any, new Set([any.functions[0]!.name]));
        const truth = overheadPercent(any, new Set(selectedKeys(selection)), intervalsOf(selection));
        expect(truth).toBeLessThanOrEqual(Math.max(5, mandatory) + 0.2);
        if (mandatory <= 4) expect(final.predictedPercent).toBeLessThanOrEqual(5);
        if (final.aboveTarget) expect(stopReason === 'overhead' || stopReason === 'fixpoint').toBe(false);
      }),
      { numRuns: 120 },
    );
  });

  it('does not end with what a first iteration recorded when that costs too much', async () => {
    // It looks as if a visit took long, so the first iteration records it.
    const looksLong = { ...program.functions[3]!, statements: 60, loopDepth: 2 };
    const deceiving = { functions: [...program.functions.slice(0, 3), looksLong] };
    for (const limit of [{ budgetSeconds: 0.001 }, { maximumIterations: 1 }]) {
      const { final, selection, iterations } = await refineSimulated(deceiving, limit);
      expect(iterations).toHaveLength(1);
      expect(iterations[0]!.overheadPercent).toBeGreaterThan(50);
      expect(selectedKeys(selection)).toEqual(['main', 'solve', 'kernel']);
      expect(final).toMatchObject({ measured: false, aboveTarget: false });
      expect(final.predictedPercent).toBeLessThanOrEqual(5);
    }
  });

  it('says that what has to be recorded exceeds the target, when it does', async () => {
    const pinned = () => Promise.resolve({ pinnedIn: new Set(['tiny']), pinnedOut: new Set<string>() });
    const result = await refineSimulated(program, { pinned, maximumIterations: 8 });
    expect(result.stopReason).toBe('above-target');
    expect(result.final).toMatchObject({ aboveTarget: true, measured: true });
  });

  it('decides the same on a busy machine, by CPU time', async () => {
    const calm: Machine = (computing) => ({ wallSeconds: computing, cpuSeconds: computing });
    const [a, b] = await Promise.all(
      [calm, loaded].map((machine) =>
        refineSimulated(program, {}, new SimulatedBench(program, undefined, machine)),
      ),
    );
    expect(selectedKeys(b!.selection)).toEqual(selectedKeys(a!.selection));
    expect(b!.stopReason).toBe(a!.stopReason);
    for (const [index, { overheadPercent: percent, clock }] of b!.iterations.entries()) {
      expect(clock).toBe('cpu');
      expect(Math.abs(percent - a!.iterations[index]!.overheadPercent)).toBeLessThan(1);
    }
  });

  it('compares with the baseline runs beside each iteration, one more for each', async () => {
    // The machine becomes twice as slow after the second iteration, and recording costs what it cost.
    const drifting: Machine = (computing, run) => ({ wallSeconds: computing * (run < 9 ? 1 : 2) });
    const bench = new SimulatedBench(program, undefined, drifting);
    const { iterations } = await refineSimulated(program, { maximumIterations: 8 }, bench);
    const baselines = bench.runs.filter((run) => run === 'baseline').length;
    expect(baselines).toBe(3 + iterations.length - 1);
    expect(Math.abs(iterations.at(-1)!.overheadPercent)).toBeLessThan(110);
  });

  it('reports no noise when nothing was run twice', async () => {
    const { iterations } = await refineSimulated(program, { repetitions: 1 });
    expect(iterations[0]!.noisePercent).toBeUndefined();
    expect(iterations[1]!.noisePercent).toBeGreaterThanOrEqual(0);
  });
});

describe('runs that take turns on one processor', () => {
  /** Each run meets another speed of the machine. */
  const unsteady: Machine = (computing, run) => ({ wallSeconds: computing * (1 + ((run * 0.618) % 1)) });
  const pairsOf = (allowed: readonly boolean[]) =>
    new SimulatedBench(program, undefined, unsteady, [...allowed]);

  it('tell the overhead whatever the machine does, where runs one after the other tell nothing', async () => {
    const together = await refineSimulated(program, {}, pairsOf(Array.from({ length: 99 }, () => true)));
    const last = together.iterations.at(-1)!;
    expect(last.noisePercent).toBeLessThan(0.01);
    expect(last.overheadPercent).toBeCloseTo(
      overheadPercent(program, new Set(selectedKeys(together.selection)), intervalsOf(together.selection)),
      6,
    );
    const after = await refineSimulated(program, {}, pairsOf([]));
    expect(after.iterations.at(-1)?.noisePercent).toBeGreaterThan(10);
  });

  it('are more, up to a limit, where the target may be missed or met by what they scatter', async () => {
    const runsOf = async (scatter: number, change: Partial<LoopInput> = {}): Promise<number> => {
      const bench = pairsOf(Array.from({ length: 99 }, () => true));
      const once = bench.together.bind(bench);
      bench.together = async (...words) => {
        const pair = await once(...words);
        const factor = 1 + scatter * Math.sin(bench.runs.length);
        return (
          pair && { ...pair, measured: { ...pair.measured, cpuSeconds: pair.measured.cpuSeconds! * factor } }
        );
      };
      await refineSimulated(program, { maximumIterations: 1, repetitions: 3, ...change }, bench);
      return bench.runs.filter((run) => run === 0).length;
    };
    expect(await runsOf(0)).toBe(3);
    expect(await runsOf(0.5)).toBe(7);
    expect(await runsOf(0.5, { overheadPercent: 1000 })).toBe(3);
    expect(await runsOf(0.5, { maximumIterations: 2 })).toBe(3); // exploring
    expect(await runsOf(0.5, { repetitions: 1 })).toBe(1);
  });

  it('count as long as the longer one of them', async () => {
    const bench = pairsOf([true]);
    const result = await refineSimulated(program, { repetitions: 1, maximumIterations: 1 }, bench);
    const [alone = 0, paired = 0] = result.baselineSeconds;
    const [{ medianSeconds } = { medianSeconds: 0 }] = result.iterations;
    expect(medianSeconds).toBeGreaterThan(paired);
    expect(result.spentSeconds).toBeCloseTo(alone + medianSeconds, 9);
  });

  it('that only some of an iteration could be are compared with all', async () => {
    const result = await refineSimulated(program, { maximumIterations: 1 }, pairsOf([true, false, false]));
    expect(result.iterations[0]?.noisePercent).toBeGreaterThan(1);
  });
});

it('leaves room for what idle sites cost', async () => {
  const [main, solve, ...others] = program.functions;
  const parts = Array.from({ length: 12 }, (_, at) => ({
    name: `part${at}`,
    ownSeconds: 1e-7,
    statements: 30,
    loopDepth: 1,
    site: 'probe' as const,
    calls: [],
  }));
  const calls = parts.map((_, at) => ({ callee: 4 + at, times: 200_000 }));
  const split = {
    functions: [main!, { ...solve!, calls: [...solve!.calls, ...calls] }, ...others, ...parts],
  };
  const [beside, alone] = await Promise.all(
    [true, false].map((idleSites) => refineSimulated(split, { idleSites, overheadPercent: 1.3 })),
  );
  const { percent } = estimateOffCost({ ...beside!, sites: simulatedInput(split).sites });
  expect(percent).toBeGreaterThan(0.4);
  expect(alone?.final.predictedPercent).toBeGreaterThan(1.3 - percent);
  expect(beside?.final.predictedPercent).toBeLessThanOrEqual(1.3 - percent);
  expect(beside?.final.predictedPercent).toBeGreaterThan(0.3);
  // Reasons give the target that the user knows as the sum of both.
  const { threshold = 0, idle = 0 } =
    [...beside!.selection.decisions.values()].find(({ reason: { rule } }) => rule === 'too-expensive')
      ?.reason ?? {};
  expect(threshold + idle).toBeCloseTo(1.3);
  expect(idle).toBeGreaterThan(0.4);
});

it('ends with a row for each function that was recorded, also of those in system headers', async () => {
  const { graph: userGraph, sites } = simulatedInput(program);
  const functions = userGraph.functions.map((f) => (f.key === 'kernel' ? { ...f, isSystem: true } : f));
  const result = await refineSimulated(program, { graph: { ...userGraph, functions } });
  const rows = functionTable(result, { sites });
  expect(selectedKeys(result.selection)).toContain('kernel');
  const kernel = rows.find(({ key }) => key === 'kernel');
  expect(kernel).toMatchObject({ selected: true, site: 'probe', visits: 100 });
  expect(kernel?.inclusiveShare).toBeGreaterThan(0.5);
});

it('has no row for MPI, whose calls a layer records', async () => {
  const { graph: userGraph, sites } = simulatedInput(program);
  const functions = userGraph.functions.map((f) =>
    f.key === 'tiny' ? { ...f, key: 'tiny', mangledName: 'MPI_Send', name: 'int MPI_Send(int)' } : f,
  );
  const rowsWith = async (hasBody: boolean) => {
    const own = functions.map((f) => (f.key === 'tiny' ? { ...f, hasBody } : f));
    const result = await refineSimulated(program, { graph: { ...userGraph, functions: own } });
    return functionTable(result, { sites }).map(({ key }) => key);
  };
  expect(await rowsWith(true)).toContain('tiny');
  expect(await rowsWith(false)).not.toContain('tiny');
});

it('says of functions of system headers that were not recorded in whose time theirs is', async () => {
  const { graph: userGraph, sites } = simulatedInput(program);
  const [inlined, elsewhere, declared] = ['inlined', 'elsewhere', 'declared'].map((key) => ({
    ...fn(key, { isSystem: true }),
    hasBody: key !== 'declared',
  }));
  const at = userGraph.functions.length;
  const kernel = userGraph.functions.findIndex(({ key }) => key === 'kernel');
  const call = (callee: number) => ({ ...userGraph.edges[userGraph.entry ?? 0]![0]!, callee });
  const graph = {
    ...userGraph,
    functions: [...userGraph.functions, inlined!, elsewhere!, declared!],
    edges: [
      ...userGraph.edges.map((edges, caller) =>
        caller === kernel ? [...edges, call(at), call(at + 2)] : edges,
      ),
      ...[[], [], []],
    ],
  };
  const rows = functionTable(await refineSimulated(program, { graph }), { sites });
  expect(rows.find(({ key }) => key === 'inlined')?.timeIn?.map((row) => rows[row]?.key)).toEqual(['kernel']);
  expect(rows.map(({ key }) => key)).not.toContain('elsewhere');
  expect(rows.map(({ key }) => key)).not.toContain('declared');
});
