import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at } from '../../../../src/core/at';
import {
  borders,
  compareOnAxis,
  type AxisRun,
  type AxisRunPhases,
} from '../../../../src/core/series/commonAxis';
import { analyseSeries } from '../../../../src/core/signal/analyseSeries';
import { indeed } from '../../../fixtures/dynamics/published';

/** Minutes per phase that round to the published ones, and whose sum and quotients do, too: the table's digits alone do not. */
const minutes = { 1: [4.7249, 25.7749, 2.187], 2: [3.996, 29.86, 2.84] } as const;
const ends = { 1: [25, 55, 62], 2: [13, 30, 37] } as const;

function published(strategy: 1 | 2): AxisRun {
  const { stepWidths, cpuMinutes } = indeed(strategy);
  const cost = cpuMinutes.slice();
  let from = 0;
  ends[strategy].forEach((to, phase) => {
    const sum = cost.subarray(from, to).reduce((a, b) => a + b);
    for (let i = from; i < to; i++) cost[i]! *= (minutes[strategy][phase] ?? 0) / sum;
    from = to;
  });
  return { cost, widths: stepWidths };
}

const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));

describe('two runs on a common axis', () => {
  it('INDEED: phases, speeds and the hybrid of both strategies are the published ones', () => {
    const { runs, ownPhases, hybrid } = compareOnAxis(published(1), published(2));
    expect(ownPhases).toBe(true);
    const table = runs.map(({ phases }) =>
      phases.map(({ from, to, axis, cost, speed }) => [
        `${from + 1}-${to + 1}`,
        axis.map((place) => rounded(place)),
        rounded(cost),
        rounded(speed),
      ]),
    );
    expect(table).toEqual([
      [
        ['1-25', [0, 23.5], 4.72, rounded(23.5 / 4.7249)],
        ['26-55', [23.5, 51.22], 25.77, 1.08],
        ['56-62', [51.22, 56.81], 2.19, 2.56],
      ],
      [
        ['1-13', [0, 24], 4, rounded(24 / 3.996)],
        ['14-30', [24, 51.02], 29.86, 0.9],
        ['31-37', [51.02, 56.81], 2.84, 2.04],
      ],
    ]);
    expect(runs.map(({ phases }) => rounded(phases[0]?.speed ?? 0, 0))).toEqual([5, 6]);
    expect(runs.map(({ cost }) => rounded(cost))).toEqual([32.69, 36.7]);
    expect(hybrid?.runs).toEqual([1, 0, 0]);
    expect(rounded(hybrid?.cost ?? 0)).toBe(31.96);
    expect(rounded(100 * (hybrid?.gain ?? 0))).toBe(2.23);
  });

  it('humps are told apart at the troughs between them; shallow ones are not', () => {
    const hump = (length: number, height: number): number[] =>
      Array.from({ length }, (_, i) => 0.1 + height * Math.sin((Math.PI * (i + 0.5)) / length));
    expect(borders(Float64Array.from([...hump(30, 1), ...hump(30, 2)]))).toEqual([29]);
    expect(borders(Float64Array.from({ length: 60 }, () => 1))).toEqual([]);
    expect(borders(new Float64Array())).toEqual([]);
    expect(borders(Float64Array.of(1))).toEqual([]);
  });

  it('a run without phases of its own gets those of the first one, where the axis says', () => {
    const hump = (length: number): number[] =>
      Array.from({ length }, (_, i) => 0.1 + Math.sin((Math.PI * (i + 0.5)) / length));
    const first = {
      cost: Float64Array.from([...hump(30), ...hump(30)]),
      widths: new Float64Array(60).fill(1),
    };
    const second = { cost: new Float64Array(20).fill(1), widths: new Float64Array(20).fill(3) };
    const { runs, ownPhases } = compareOnAxis(first, second);
    expect(ownPhases).toBe(false);
    expect(runs[1].phases.map(({ from, to, axis }) => [from, to, ...axis])).toEqual([
      [0, 9, 0, 30],
      [10, 19, 30, 60],
    ]);
  });

  it('has no hybrid where one run is better everywhere, and nothing to say of empty runs', () => {
    const run = published(1);
    const slower = { ...run, cost: run.cost.map((cost) => 2 * cost) };
    expect(compareOnAxis(run, slower).hybrid).toBeUndefined();
    const empty = { cost: new Float64Array(), widths: new Float64Array() };
    expect(compareOnAxis(empty, empty).runs[0]).toMatchObject({ phases: [], cost: 0 });
    const still = { cost: Float64Array.of(1, NaN, 3), widths: Float64Array.of(0, NaN, -1) };
    expect(compareOnAxis(still, still).runs[0]).toMatchObject({ cost: 4 });
    expect(compareOnAxis(still, still).runs[0].phases.map(({ speed }) => speed)).toEqual([0, 0]);
  });
});

describe('phases of two runs on a common axis', () => {
  const hump = (length: number, height = 1): number[] =>
    Array.from({ length }, (_, i) => 0.1 + height * Math.sin((Math.PI * (i + 0.5)) / length));
  const run = (lengths: readonly number[], width = 1, heights: readonly number[] = []): AxisRun => {
    const cost = Float64Array.from(lengths.flatMap((length, i) => hump(length, heights[i])));
    return { cost, widths: new Float64Array(cost.length).fill(width) };
  };
  const parts = ({ phases }: AxisRunPhases): (readonly [number, number])[] =>
    phases.map(({ from, to }) => [from, to]);

  it('correspond when each intersection is at least half of the union', () => {
    // [0, 20] and [0, 40]: 20 of 40; [20, 60] and [40, 60]: 20 of 40.
    const half = compareOnAxis(run([20, 40]), run([40, 20]));
    expect(half.runs.map(parts)).toEqual([
      [
        [0, 19],
        [20, 59],
      ],
      [
        [0, 39],
        [40, 59],
      ],
    ]);
    expect(half.ownPhases).toBe(true);
    // [0, 19] and [0, 40] have 19 of 40 in common: those of the first run are carried over.
    const less = compareOnAxis(run([19, 41]), run([40, 20]));
    expect(less.ownPhases).toBe(false);
    expect(parts(less.runs[1])).toEqual(parts(less.runs[0]));
    // The first phases are the same, the others hardly overlap.
    const last = compareOnAxis(run([20, 20, 40]), run([20, 50, 10]));
    expect(last.ownPhases).toBe(false);
    expect(last.runs.map(parts)[1]).toEqual(last.runs.map(parts)[0]);
  });

  it('are carried over to the end of the nearest iteration', () => {
    const first = run([20, 20]);
    const even = (widths: readonly number[]): AxisRun => ({
      cost: new Float64Array(widths.length).fill(1),
      widths: Float64Array.from(widths),
    });
    const carried = (widths: readonly number[]) => compareOnAxis(first, even(widths));
    // Ends at 18 and 24, 16 and 22, 17 and 23 (both as near: the later one).
    expect(parts(carried([18, 6, 16]).runs[1])).toEqual([
      [0, 0],
      [1, 2],
    ]);
    expect(parts(carried([16, 7, 17]).runs[1])).toEqual([
      [0, 1],
      [2, 2],
    ]);
    expect(parts(carried([17, 6, 17]).runs[1])).toEqual([
      [0, 1],
      [2, 2],
    ]);
    // The border is before the first iteration ends, or after the last one: there is nothing on its other side.
    for (const widths of [
      [60, 1],
      [1, 2, 3],
    ]) {
      const { runs, hybrid } = carried(widths);
      expect(parts(runs[1])).toEqual([[0, widths.length - 1]]);
      expect(hybrid).toBeUndefined();
    }
    // Iterations that do not advance belong to the phase that they follow.
    expect(parts(carried([20, 0, 20]).runs[1])).toEqual([
      [0, 0],
      [1, 2],
    ]);
  });

  it('without cost have no speed', () => {
    const idle = { cost: new Float64Array(4), widths: new Float64Array(4).fill(2) };
    expect(compareOnAxis(idle, idle)).toEqual({
      runs: [0, 1].map(() => ({
        phases: [{ from: 0, to: 3, axis: [0, 8], cost: 0, speed: 0 }],
        patterns: [],
        cost: 0,
      })),
      ownPhases: true,
    });
  });

  it('of equal cost are the first run’s in the hybrid', () => {
    const { runs, hybrid } = compareOnAxis(run([20, 20, 20], 1, [1, 2, 2]), run([20, 20, 20], 1, [1, 1, 3]));
    expect(hybrid?.runs).toEqual([0, 1, 0]);
    expect(hybrid?.cost).toBeCloseTo(runs[0].cost - runs[0].phases[1]!.cost + runs[1].phases[1]!.cost, 12);
  });

  it('have the degradations of each run, placed on the axis', () => {
    const cost = new Float64Array(64).map((_, i) => (i === 40 ? 30 : 1 + (i % 3) / 100));
    const widths = cost.map((_, i) => (i < 32 ? 2 : 1));
    const { runs } = compareOnAxis({ cost, widths }, { cost: cost.map((each) => 2 * each), widths });
    for (const { patterns } of runs)
      expect(patterns.map(({ type, from, to, axis }) => [type, from, to, axis])).toEqual([
        ['peak', 40, 40, [72, 73]],
      ]);
    const expected = analyseSeries(cost).patterns[0]!;
    expect(runs[0].patterns[0]).toEqual({
      type: 'peak',
      from: 40,
      to: 40,
      sum: expected.sum,
      excess: expected.excess,
      axis: [72, 73],
    });
  });

  it('take each iteration once, and add up', () => {
    const lengths = fc.array(fc.integer({ min: 8, max: 30 }), { minLength: 1, maxLength: 4 });
    const heights = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 4, maxLength: 4 });
    const anyRun = fc.tuple(lengths, fc.constantFrom(0.5, 1, 2), heights).map((each) => run(...each));
    fc.assert(
      fc.property(anyRun, anyRun, (first, second) => {
        const { runs, hybrid, ownPhases } = compareOnAxis(first, second);
        const sum = (values: Float64Array, from: number, to: number): number =>
          values.subarray(from, to + 1).reduce((a, b) => a + b, 0);
        [first, second].forEach(({ cost, widths }, index) => {
          const { phases, cost: whole } = at(runs, index);
          expect(whole).toBeCloseTo(sum(cost, 0, cost.length), 9);
          expect(
            phases.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i)),
          ).toEqual([...cost.keys()]);
          for (const phase of phases) {
            const advance = sum(widths, phase.from, phase.to);
            expect(phase.axis).toEqual([sum(widths, 0, phase.from - 1), sum(widths, 0, phase.to)]);
            expect(phase.cost).toBeCloseTo(sum(cost, phase.from, phase.to), 9);
            expect(phase.speed).toBeCloseTo(advance / phase.cost, 9);
          }
        });
        const [a, b] = runs.map(({ phases }) => phases);
        if (ownPhases) expect(a!.length).toBe(b!.length);
        const cheaper = a!.map(({ cost }, index) => (cost <= (b![index]?.cost ?? NaN) ? 0 : 1));
        if (a!.length !== b!.length || new Set(cheaper).size < 2) expect(hybrid).toBeUndefined();
        else {
          const cost = a!.reduce((all, phase, index) => all + Math.min(phase.cost, b![index]!.cost), 0);
          expect(hybrid?.runs).toEqual(cheaper);
          expect(hybrid?.cost).toBeCloseTo(cost, 9);
          expect(hybrid?.gain).toBeCloseTo(1 - cost / Math.min(runs[0].cost, runs[1].cost), 9);
        }
      }),
    );
  });
});

describe('the borders of humps', () => {
  const wave = (tops: readonly (readonly [height: number, trough: number])[]): Float64Array =>
    Float64Array.from(
      tops.flatMap(([height, trough]) =>
        Array.from(
          { length: 40 },
          (_, i) => trough + (height - trough) * Math.sin((Math.PI * (i + 0.5)) / 40) ** 2,
        ),
      ),
    );

  it('separate where the trough is at most half of the lower top', () => {
    expect(
      borders(
        wave([
          [4, 0],
          [2, 0],
          [3, 0],
        ]),
      ),
    ).toEqual([39, 79]);
    expect(
      borders(
        wave([
          [4, 1.5],
          [2, 1.5],
          [3, 1.5],
        ]),
      ),
    ).toEqual([]);
    expect(
      borders(
        wave([
          [4, 0.2],
          [4, 0.2],
          [4, 3],
          [4, 3],
        ]),
      ),
    ).toEqual([39, 79]);
  });

  it('need a trough of some depth against the whole range', () => {
    expect(
      borders(
        wave([
          [100, 0],
          [6.5, 0],
          [100, 0],
        ]),
      ),
    ).toHaveLength(2);
    expect(
      borders(
        wave([
          [100, 0],
          [4, 0],
          [100, 0],
        ]),
      ),
    ).toHaveLength(1);
  });

  it('fall on the flank that the trough continues', () => {
    const slope = (from: number, step: number, count: number): number[] =>
      Array.from({ length: count }, (_, i) => from + step * i);
    const humps = (left: number, least: number, right: number): Float64Array =>
      Float64Array.from([...slope(left * 19 + 4, -left, 20), ...slope(least, right, 20)]);
    // From 5, 4 to 3: the trough is the last of the left hump. Drawn on, the right one comes from 8, 4.5 to 1.
    expect(borders(humps(1, 3, 1.5).map((value, i) => (i > 20 ? value + 2 : value)))).toEqual([20]);
    // From 6, 4 to 2, instead of 1; from 7, 4 to 1: the trough is the first of the right hump.
    expect(borders(humps(2, 1, 3))).toEqual([19]);
  });
});
