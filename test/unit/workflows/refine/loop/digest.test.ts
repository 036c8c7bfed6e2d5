import { expect, it } from 'vitest';
import type { Profile } from '../../../../../src/core/profile/profile';
import { selectedKeys, type Selection } from '../../../../../src/core/selection/selection';
import { scaledCosts } from '../../../../../src/core/cost/pairCost';
import { digest, measuredOverhead, type Evidence } from '../../../../../src/workflows/refine/loop/digest';
import { finalSelection, stepInput } from '../../../../../src/workflows/refine/loop/finalSelection';
import { typicalRun } from '../../../../../src/workflows/refine/loop/typicalRun';
import {
  costs,
  measure,
  overheadPercent,
  truthOf,
  type SimulatedProgram,
} from '../../../core/selection/simulatedProgram';
import { simulatedInput } from '../simulatedBench';

const leaf = { statements: 20, loopDepth: 0, site: 'probe' as const, calls: [] };
const program: SimulatedProgram = {
  functions: [
    { ...leaf, name: 'main', ownSeconds: 0.5, calls: [{ callee: 1, times: 5_000_000 }] },
    { ...leaf, name: 'small', ownSeconds: 100e-9 },
  ],
};
const selection: Selection = {
  decisions: new Map(
    ['main', 'small'].map((key) => [key, { key, selected: true, reason: { rule: 'hot-spot' as const } }]),
  ),
};

const { seconds } = truthOf(program);
const recorded = new Set(selectedKeys(selection));
const added = 1 + overheadPercent(program, recorded) / 100;
const input = simulatedInput(program);

/** Pairs of runs, by how slow the machine was for each; `factor`: how many times as much pairs cost as the calibration says. */
function evidence(slowness: readonly number[], factor = 1, overheads = slowness.map(() => added)): Evidence {
  const run = {
    profile: measure(program, recorded),
    calibration: scaledCosts(costs, 1 / factor),
  };
  const beside = slowness.map((slow) => ({ wallSeconds: slow * seconds }));
  const measured = beside.map(({ wallSeconds }, at) => ({
    ...run,
    wallSeconds: wallSeconds * (overheads[at] ?? added),
  }));
  return { measured, beside, paired: true, baselines: beside };
}

it('takes off a run what the one that took turns with it says, however fast the machine was for the others', () => {
  const { iterations } = digest(input, undefined, selection, {}, evidence([1, 2, 2]));
  expect(iterations[0]?.costFactor ?? 1).toBeCloseTo(1, 3);
});

it('leaves the time that is above it in doubt', () => {
  // Ten times is more than pairs ever cost: something else made the run longer.
  const doubt = (slowness: readonly number[]): number =>
    digest(input, undefined, selection, {}, evidence(slowness, 10)).sharpest.get('small')?.inclusiveDoubt ??
    0;
  expect(doubt([1, 2, 2])).toBeCloseTo(doubt([1, 1, 1]), 6);
  expect(doubt([1, 1, 1])).toBeGreaterThan(0.02);
});

it('remembers what pairs cost here, for rounds that show nothing of it and for what is predicted next', () => {
  const first = digest(input, undefined, selection, {}, evidence([1, 1, 1], 2));
  expect(first.iterations[0]?.costFactor).toBeCloseTo(2, 2);
  expect(stepInput(input, first, undefined, 1).costFactor).toBeCloseTo(2, 2);
  const noisy = evidence([1, 1, 1], 2, [0.2, 1, 2.5]);
  expect(digest(input, first, selection, {}, noisy).iterations[1]?.costFactor).toBeGreaterThan(1.8);
  expect(digest(input, undefined, selection, {}, noisy).iterations[0]?.costFactor ?? 1).toBeLessThan(1.2);
});

it('judges several ranks by the slowest one, and names the one that it mostly is', () => {
  const { measured, beside } = evidence([1, 1, 1]);
  const slowest = [2, 1, 2];
  const withRanks = {
    measured: measured.map((run, at) => ({
      ...run,
      cpuSeconds: 9,
      slowestRank: { rank: slowest[at] ?? 0, seconds: 1.03 },
    })),
    beside: beside.map((run) => ({ ...run, cpuSeconds: 5, slowestRank: { rank: 0, seconds: 1 } })),
    paired: false,
  };
  const overhead = measuredOverhead(withRanks);
  expect(overhead).toMatchObject({
    clock: 'rank',
    rankSeconds: 1.03,
    baselineRankSeconds: 1,
    slowestRank: 2,
  });
  expect(overhead.overheadPercent).toBeCloseTo(3, 6);
  expect(overhead.cpuSeconds).toBeUndefined();
});

it('predicts the final selection with it', () => {
  const state = digest(input, undefined, selection, {}, evidence([1, 1, 1], 2));
  const { predictedPercent, measured } = finalSelection({ ...input, overheadPercent: 50 }, state, undefined);
  expect(measured).toBe(true);
  expect(predictedPercent).toBeCloseTo(overheadPercent(program, recorded), 1);
});

it('shows the run whose shares are nearest to those of the others, and of two the shorter one', () => {
  // In `odd`, the machine was slow while `small` ran; in the others it was equally slow all the time, or not at all.
  const scaled = (profile: Profile, factor: (path: number) => number): Profile => ({
    ...profile,
    stored: new Map(
      [...profile.stored].map(([name, values]) =>
        name === 'time' ? [name, values.map((value, path) => value * factor(path))] : [name, values],
      ),
    ),
  });
  const profile = measure(program, recorded);
  const deepest = profile.callPaths.count - 1;
  const run = (wallSeconds: number, factor: (path: number) => number) => ({
    profile: scaled(profile, factor),
    calibration: costs,
    wallSeconds,
  });
  const [fast, slow] = [run(1.1, () => 1), run(2.2, () => 2)];
  const odd = run(1, (path) => (path === deepest ? 0.7 : 1));
  for (const runs of [
    [odd, fast, slow],
    [slow, odd, fast],
    [fast, slow],
    [slow, fast],
  ])
    expect(runs.indexOf(typicalRun(runs, 'wall'))).toBe(runs.indexOf(fast));
  expect(typicalRun([odd, fast], 'wall')).toBe(odd);
  expect(() => typicalRun([], 'wall')).toThrow(RangeError);
});
