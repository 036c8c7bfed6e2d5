import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { explainReason } from '../../../../src/core/selection/explainReason';
import { isBlackListed } from '../../../../src/core/strategies/overheadReduction';
import { selectedKeys, type Selection } from '../../../../src/core/selection/selection';
import type { SelectionOptions } from '../../../../src/core/selection/selectionOptions';
import { refinementLoop } from '../../../../src/workflows/refine/loop/loop';
import type { Bench, LoopInput, LoopResult } from '../../../../src/workflows/refine/loop/loop.types';
import { removedFunctions } from '../../../../src/workflows/refine/results/removed';
import { nestedLoops } from './nestedLoops';
import { anyProgram, sitesOf, truthOf, type SimulatedProgram } from '../../core/selection/simulatedProgram';
import { SimulatedBench, simulatedInput } from './simulatedBench';

async function refineWith(
  simulated: SimulatedProgram,
  options: Partial<SelectionOptions>,
  change: Partial<LoopInput> = {},
): Promise<LoopResult & { readonly bench: SimulatedBench }> {
  const bench = new SimulatedBench(simulated);
  const input = simulatedInput(simulated, { maximumIterations: 12, ...change, options });
  return { ...(await refinementLoop(input, bench)), bench };
}

function removedOf({ decisions }: Selection): readonly string[] {
  return [...decisions.values()].flatMap((d) => (isBlackListed(d.reason) ? [d.key] : []));
}

describe('strategies on the nested loops of the published study', () => {
  const phase = new Set(['phase22']);

  it('TOR records everything once and removes 27 and 31', async () => {
    const { bench, selection, stopReason } = await refineWith(nestedLoops, { strategy: 'tor', phase });
    expect(selectedKeys(bench.selections[0] ?? selection)).toHaveLength(5);
    expect(removedOf(selection)).toEqual(['loop27', 'loop31']);
    expect(selectedKeys(selection)).toEqual(['main', 'phase22', 'loop24']);
    expect(stopReason).toBe('fixpoint');
    // All, and without the two: the set changes once, so there are two measured runs.
    expect(bench.runs.filter((run) => run !== 'baseline')).toEqual([0, 1]);
    // At least so much, however much too much was taken off their times: 1085 % and 100 % in truth.
    expect(selection.decisions.get('loop27')?.reason.value).toBeGreaterThan(1000);
    expect(selection.decisions.get('loop27')?.reason.value).toBeLessThanOrEqual(1085);
    expect(selection.decisions.get('loop31')?.reason.value).toBeCloseTo(99.5, 0);
  });

  it('POR removes only 27', async () => {
    const { selection } = await refineWith(nestedLoops, { strategy: 'por', phase });
    expect(removedOf(selection)).toEqual(['loop27']);
    expect(selection.decisions.get('loop27')?.reason.value).toBeCloseTo(20.6, 0);
    expect(selection.decisions.get('loop31')).toMatchObject({
      selected: true,
      reason: { rule: 'of-interest' },
    });
  });

  it('AGOR first records everything, then the phase alone, then what the analysis asks for', async () => {
    const { bench, selection } = await refineWith(nestedLoops, { strategy: 'agor', base: 'por', phase });
    const recorded = bench.selections.map((one) => selectedKeys(one));
    expect(recorded.slice(0, 2)).toEqual([
      ['main', 'phase22', 'loop24', 'loop27', 'loop31'],
      ['main', 'phase22'],
    ]);
    expect(selectedKeys(selection)).toEqual(['main', 'phase22', 'loop24', 'loop31']);
    expect(selection.decisions.get('loop31')?.reason.rule).toBe('hot-spot');
  });

  it('AGOR runs again only when the set changes', async () => {
    const { bench } = await refineWith(nestedLoops, { strategy: 'agor', phase });
    const sets = bench.selections.map((one) => selectedKeys(one).join());
    sets.slice(1).forEach((set, index) => expect(set).not.toBe(sets[index]));
    expect(sets.at(-1)).toBe('main,phase22,loop24');
  });

  it('tells of what was removed what it costs and where, the costliest first', async () => {
    const result = await refineWith(nestedLoops, { strategy: 'tor', phase });
    const { removed = [] } = removedFunctions(result, sitesOf(nestedLoops));
    expect(removed.map((f) => f.name)).toEqual(['loop27', 'loop31']);
    expect(removed[1]?.visits).toBe(30_000);
    expect(removed[1]?.totalPercent).toBeCloseTo(99.5, 1);
    expect(removed[1]?.prologPercent).toBeCloseTo(2, 1);
    expect(explainReason(result.selection.decisions.get('loop31')?.reason ?? { rule: 'entry' })).toMatch(
      /^out: recording it adds 9.* or more to its own time \(limit 5.*30000 visits × 200 ns\): small and called often/,
    );
  });
});

describe('strategies on any program', () => {
  const everyStrategy = fc.record({
    strategy: fc.constantFrom('tor' as const, 'por' as const, 'agor' as const),
    base: fc.constantFrom('tor' as const, 'por' as const),
  });

  it('what was black-listed is never recorded again, entry and phase always are, and each run has another set', async () => {
    await fc.assert(
      fc.asyncProperty(anyProgram, everyStrategy, async (any, options) => {
        const recordable = any.functions.filter((f) => f.site !== undefined).map((f) => f.name);
        const phase = new Set(recordable.slice(1, 2));
        const { bench, selection, stopReason } = await refineWith(
          any,
          { ...options, phase },
          { maximumIterations: 40 },
        );
        const black = new Set<string>();
        for (const one of [...bench.selections, selection]) {
          for (const key of removedOf(one)) black.add(key);
          const selected = selectedKeys(one);
          expect(selected.filter((key) => black.has(key))).toEqual([]);
          for (const key of [...phase, ...recordable.filter((name) => name === 'main')])
            expect(selected).toContain(key);
        }
        expect(stopReason).toBe('fixpoint');
        const sets = bench.selections.map((one) => selectedKeys(one).join());
        sets.slice(1).forEach((set, index) => expect(set).not.toBe(sets[index]));
      }),
      { numRuns: 60 },
    );
  });

  it('TOR leaves out exactly what costs more than 5 % of its own true time', async () => {
    await fc.assert(
      fc.asyncProperty(anyProgram, async (any) => {
        const { selection } = await refineWith(any, { strategy: 'tor' });
        const truth = truthOf(any);
        any.functions.forEach(({ name, site }, index) => {
          if (site === undefined || index === 0 || truth.visits[index] === 0) return;
          const perVisit = truth.inclusiveSeconds[index]! / truth.visits[index]!;
          const ratio = { probe: 17e-9, entry: 20e-9 }[site] / perVisit;
          if (Math.abs(ratio - 0.05) < 0.005) return;
          expect(selection.decisions.get(name)?.selected, `${name} ${ratio}`).toBe(ratio < 0.05);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('AGOR ends with the severe functions that severe ones lead to, and with nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(anyProgram, async (any) => {
        const { selection } = await refineWith(any, { strategy: 'agor' }, { maximumIterations: 40 });
        const black = new Set(removedOf(selection));
        const expected = severeFromMain(any, black);
        fc.pre(expected !== undefined);
        expect(new Set(selectedKeys(selection))).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('takes a phase for more than a wish to leave its function out', async () => {
    const phase = new Set(['loop24']);
    for (const strategy of ['hotspot', 'tor', 'agor'] as const) {
      const { selection } = await refineWith(
        nestedLoops,
        { strategy, phase },
        {
          pinned: () => Promise.resolve({ pinnedIn: new Set(), pinnedOut: phase }),
        },
      );
      expect(selection.decisions.get('loop24')).toMatchObject({ selected: true, reason: { rule: 'phase' } });
    }
  });

  it('goes on after a stop with its black list as if nothing had happened', async () => {
    const [strategy, phase] = ['agor' as const, new Set(['phase22'])];
    const first = await refineWith(nestedLoops, { strategy, phase });
    const earlier = first.iterations
      .slice(0, 2)
      .map((iteration, at) => ({ iteration, selection: first.bench.selections[at] ?? first.selection }));
    const again = await refineWith(nestedLoops, { strategy, phase }, { earlier });
    expect([...again.selection.decisions]).toEqual([...first.selection.decisions]);
    expect(again.iterations).toEqual(first.iterations);
  });

  it('says that the run that records everything is a long one when it takes too long', async () => {
    const bench = new SimulatedBench(nestedLoops);
    const error = new KymoError('program-timeout', 'p was ended because it ran longer than 9 s.');
    const slow: Bench = { baseline: () => bench.baseline(), measured: () => Promise.reject(error) };
    const refined = (strategy: 'hotspot' | 'tor'): Promise<unknown> =>
      refinementLoop(simulatedInput(nestedLoops, { options: { strategy } }), slow);
    await expect(refined('tor')).rejects.toMatchObject({
      reason: 'program-timeout',
      message: expect.stringMatching(/longer than 9 s.*begins with a run that records everything/) as string,
      cause: error,
    });
    await expect(refined('hotspot')).rejects.toBe(error);
  });

  it('does what a strategy is for before a limit ends it', async () => {
    for (const [strategy, least] of [
      ['tor', 2],
      ['por', 2],
      ['agor', 3],
    ] as const) {
      const { iterations } = await refineWith(
        nestedLoops,
        { strategy, phase: new Set(['phase22']) },
        {
          maximumIterations: 1,
          budgetSeconds: 1e-9,
        },
      );
      expect(iterations).toHaveLength(least);
    }
  });
});

/** By the truth; undefined where a share is so near the limit that rounding decides. */
function severeFromMain(
  { functions, ...rest }: SimulatedProgram,
  black: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  const truth = truthOf({ functions, ...rest });
  const share = (index: number): number => truth.inclusiveSeconds[index]! / truth.seconds;
  if (functions.some((_, index) => Math.abs(share(index) - 0.02) < 0.002)) return undefined;
  const found = new Set(functions.slice(0, 1).flatMap((f) => (f.site === undefined ? [] : [f.name])));
  const queue = [0];
  for (const index of queue) {
    for (const { callee } of functions[index]!.calls) {
      const { name, site } = functions[callee]!;
      const isRecorded = site !== undefined && !black.has(name);
      if (isRecorded && share(callee) >= 0.02) found.add(name);
      if (!queue.includes(callee) && truth.visits[callee]! > 0 && (!isRecorded || found.has(name)))
        queue.push(callee);
    }
  }
  return found;
}
