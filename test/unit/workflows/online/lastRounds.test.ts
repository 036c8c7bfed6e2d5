import { describe, expect, it } from 'vitest';
import { at } from '../../../../src/core/at';
import { selectedKeys, type Selection } from '../../../../src/core/selection/selection';
import type { TriedRound } from '../../../../src/workflows/online/bestRound';
import { finalOfEnded, withBestRound } from '../../../../src/workflows/online/lastRounds';
import { refinementLoop } from '../../../../src/workflows/refine/loop/loop';
import type { LoopInput, LoopResult, RunPair } from '../../../../src/workflows/refine/loop/loop.types';
import type { SimulatedFunction, SimulatedProgram } from '../../core/selection/simulatedProgram';
import { quiet, SimulatedBench, simulatedInput } from '../refine/simulatedBench';

const fn = (name: string, ownSeconds: number, ...calls: SimulatedFunction['calls']): SimulatedFunction => ({
  name,
  ownSeconds,
  statements: 30,
  loopDepth: 1,
  site: 'probe',
  calls,
});

/** `kernel` is hot, and `tiny` has a quarter of the time in so many visits that to time them costs a multiple of the target. */
const program: SimulatedProgram = {
  functions: [
    fn('main', 0.001, { callee: 1, times: 100 }, { callee: 2, times: 50_000_000 }),
    fn('kernel', 0.01),
    fn('tiny', 7e-9),
  ],
};

interface Refined {
  readonly input: LoopInput;
  readonly tried: TriedRound[];
  readonly loop: LoopResult;
  readonly notes: string[];
  readonly note: (sentence: string) => void;
}

/** A refinement whose rounds are kept, and what it needs to end. */
async function refined(change: Partial<LoopInput> = {}): Promise<Refined> {
  const tried: TriedRound[] = [];
  const notes: string[] = [];
  const input = simulatedInput(program, {
    onRound: ({ index, overheadPercent }, { selection }) => {
      tried.push({ index, selection, overheadPercent });
      return Promise.resolve();
    },
    ...change,
  });
  const loop = await refinementLoop(input, new SimulatedBench(program));
  return { input, tried, loop, notes, note: (sentence) => void notes.push(sentence) };
}

/** Ends it; `change` is what the runs of its last rounds are like. */
function ended(
  { input, tried, loop, note }: Refined,
  change: (run: RunPair['measured']) => RunPair['measured'] = (run) => run,
  rest: (index: number, selection: Selection) => Promise<RunPair | undefined> = () =>
    Promise.resolve(undefined),
): Promise<LoopResult> {
  const simulated = new SimulatedBench(program, undefined, quiet, [true, true]);
  const together = async (...round: readonly [number, number, Selection]): Promise<RunPair> => {
    const pair = await simulated.together(...round);
    if (pair === undefined) throw new Error('more than two rounds follow');
    return { ...pair, measured: change(pair.measured) };
  };
  return withBestRound(input, { together, rest }, loop, tried, note);
}

const names = (selection: Selection): readonly string[] => [...selectedKeys(selection)].sort();

/** The same as if its last round had recorded `main` alone, which is what programs that do other things now and then end with. */
function endingWithMain({ loop, tried, ...rest }: Refined): Refined {
  const main = loop.selection.decisions.get('main');
  const selection: Selection = { decisions: new Map(main === undefined ? [] : [['main', main]]) };
  const index = loop.iterations.length;
  const iteration = { ...at(loop.iterations, index - 1), index, overheadPercent: 0.1, instrumented: 1 };
  return {
    ...rest,
    tried: [...tried, { index, selection, overheadPercent: 0.1 }],
    loop: { ...loop, selection, iterations: [...loop.iterations, iteration] },
  };
}

describe('refinement inside one run ends', () => {
  it('as it is, where its last round was measured and the best', async () => {
    const all = await refined();
    expect(names(all.loop.selection)).toEqual(['kernel', 'main']);
    expect(await ended(all)).toBe(all.loop);
    expect(all.notes).toEqual([]);
  });

  it('with a final selection that is measured, if no round has', async () => {
    const all = await refined({ maximumIterations: 1 });
    const { loop, tried, notes } = all;
    expect(loop.final.measured).toBe(false);
    const { final, iterations, spentSeconds } = await ended(all);
    expect(iterations.map(({ index }) => index)).toEqual([0, 1]);
    expect(names(final.selection)).toEqual(names(loop.final.selection));
    expect(final).toMatchObject({ measured: true, aboveTarget: false });
    expect(final.predictedPercent).toBe(at(iterations, 1).overheadPercent);
    expect(spentSeconds).toBeGreaterThan(loop.spentSeconds);
    expect(tried).toHaveLength(2);
    expect(notes).toEqual([]);
  });

  it('with the best round once more, where that was an earlier one, and says so', async () => {
    const all = endingWithMain(await refined());
    const best = all.loop.iterations.length - 2;
    const { selection, final, iterations } = await ended(all);
    expect([selection, final.selection].map(names)).toEqual([
      ['kernel', 'main'],
      ['kernel', 'main'],
    ]);
    expect(iterations).toHaveLength(best + 3);
    expect(all.notes).toEqual([
      `Round ${best} was the best one that held the overhead target of 5 %: the functions that it recorded (2) have more of the time than those of later rounds. Round ${best + 2} records them again.`,
    ]);
  });

  it('with a round until the program ends, where that is long enough, of which all results are', async () => {
    const all = await refined();
    const last = all.loop.iterations.length;
    const rest = async (index: number, selection: Selection): Promise<RunPair> => {
      expect([index, names(selection)]).toEqual([last, ['kernel', 'main']]);
      const pair = await new SimulatedBench(program, undefined, quiet, [true]).together(index, 1, selection);
      if (pair === undefined) throw new Error('no round follows');
      return { ...pair, measured: { ...pair.measured, wallSeconds: 30 } };
    };
    const { iterations, run, final, spentSeconds } = await ended(all, undefined, rest);
    expect(iterations.map(({ index }) => index).at(-1)).toBe(last);
    expect(iterations.at(-1)?.medianSeconds).toBe(30);
    expect(run.run).toBe(`i${last}.r1`);
    expect(final).toMatchObject({ measured: true, aboveTarget: false });
    expect(spentSeconds).toBeCloseTo(all.loop.spentSeconds + 30);
  });

  it('above the target, where the last measurement shows that', async () => {
    const slow = (run: RunPair['measured']): RunPair['measured'] => ({ ...run, cpuSeconds: 9 });
    const { final } = await ended(await refined({ maximumIterations: 1 }), slow);
    expect(final.aboveTarget).toBe(true);
  });
});

describe('a program that ends during a refinement inside its run leaves', () => {
  it('the selection of the best round, where that was not the last', async () => {
    const { input, loop, tried, notes, note } = endingWithMain(await refined());
    const final = await finalOfEnded(input, loop, tried, note);
    expect(names(final.selection)).toEqual(['kernel', 'main']);
    expect(final).toMatchObject({ measured: false, round: loop.iterations.length - 2, aboveTarget: false });
    expect(notes).toEqual([
      expect.stringMatching(
        /^The program ended before the selection was settled\. Round \d was the best .* final selection\.$/,
      ),
    ]);
  });

  it('what the last round decided, where that was the best or none held the target', async () => {
    const { input, loop, notes, note } = await refined({ maximumIterations: 1 });
    const held = { index: 0, selection: loop.selection, overheadPercent: 1 };
    for (const tried of [[held], [{ ...held, overheadPercent: 99 }]]) {
      const final = await finalOfEnded(input, loop, tried, note);
      expect(names(final.selection)).toEqual(names(loop.final.selection));
      expect(final.round).toBeUndefined();
    }
    expect(notes).toEqual(
      Array(2).fill(expect.stringMatching(/the last round decided.*all shares are rough/)),
    );
  });

  it('what the second one decided, of which shares are not rough', async () => {
    const { input, tried, loop, notes, note } = await refined({ maximumIterations: 2 });
    await finalOfEnded(input, loop, tried.slice(1), note);
    expect(notes).toEqual([expect.stringMatching(/the last round decided\.$/)]);
  });
});
