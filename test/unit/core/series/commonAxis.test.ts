import { describe, expect, it } from 'vitest';
import { borders, compareOnAxis, type AxisRun } from '../../../../src/core/series/commonAxis';
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
