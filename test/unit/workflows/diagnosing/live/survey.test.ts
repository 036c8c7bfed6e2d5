import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProcessWindow } from '../../../../../src/workflows/diagnosing/live/searchedJob';
import { Survey } from '../../../../../src/workflows/diagnosing/live/survey';

type Costs = Readonly<Record<string, number>>;
/** A process with a second of processor time. @param costs seconds of recording by function */
const window = (costs: Costs, cpuSeconds = 1): Pick<ProcessWindow, 'costs' | 'cpuSeconds'> => ({
  costs: new Map(Object.entries(costs)),
  cpuSeconds,
});
const none = new Set<string>();

describe('the survey at the begin of a run', () => {
  test('drops what is dear, and keeps what is called rarely', () => {
    const survey = new Survey(['main', 'rare', 'never', 'dear'], none);
    expect(survey.look([window({ main: 1e-6, rare: 0.0004, dear: 0.0006 })], 0.1)).toEqual(['dear']);
    expect(survey.look([window({ main: 1e-6, rare: 0.0004 })], 0.1)).toEqual([]);
  });

  test('goes by the process in which recording takes most, also for less than a second', () => {
    const survey = new Survey(['f', 'g'], none);
    expect(
      survey.look([window({ f: 0.0001 }), window({ f: 0.0001 }, 0.1), window({ g: 1 }, 0)], 0.1),
    ).toEqual(['f']);
  });

  test('keeps what is fixed, whatever it costs', () => {
    const survey = new Survey(['step', 'dear'], new Set(['step']));
    expect(survey.look([window({ step: 0.9, dear: 0.01 })], 0.1)).toEqual(['dear']);
  });

  test('keeps no more than half a percent together, the cheap ones first', () => {
    const costs = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`f${i}`, 0.0005 - 1e-6 * i]));
    const off = new Survey(Object.keys(costs), none).look([window(costs)], 0.1);
    expect([...off].sort()).toEqual(['f0', 'f1', 'f2', 'f3', 'f4']);
  });

  test('is over when a look finds nothing more after a second, and after eight whatever it finds', () => {
    const survey = new Survey(['f', 'g', 'h'], none);
    const look = (costs: Costs, seconds: number): readonly unknown[] => [
      survey.look([window(costs)], seconds),
      survey.isOver,
    ];
    expect(look({}, 0.9)).toEqual([[], false]);
    expect(look({ f: 0.1 }, 0.2)).toEqual([['f'], false]);
    expect(look({}, 0.1)).toEqual([[], true]);
    const busy = new Survey(['f', 'g'], none);
    expect(busy.look([window({ f: 0.1 })], 7.9)).toEqual(['f']);
    expect(busy.isOver).toBe(false);
    expect(busy.look([window({ g: 0.1 })], 0.2)).toEqual(['g']);
    expect(busy.isOver).toBe(true);
  });

  test('looks again soon after it found something, and less and less often while it finds nothing', () => {
    const survey = new Survey(['f', 'g'], none);
    const next = (costs: Costs): number => {
      survey.look([window(costs)], 0.1);
      return survey.lookEvery;
    };
    expect([next({}), next({}), next({ f: 0.1 }), next({})]).toEqual([0.2, 0.4, 0.1, 0.2]);
    expect([next({}), next({}), next({}), next({})]).toEqual([0.4, 0.8, 1, 1]);
  });

  test('takes a second of a processor, which is longer where processes hardly have one', () => {
    const survey = new Survey(['f'], none);
    const look = (...cpuSeconds: readonly number[]): boolean => {
      survey.look(
        cpuSeconds.map((own) => window({}, own)),
        1.5,
      );
      return survey.isOver;
    };
    // Threads of a process together have more than a second in each.
    expect([look(0.1, 0.1), look(0.5, 0), look(9, 0)]).toEqual([false, false, true]);
  });

  test('finds what is called often only later, too', () => {
    const survey = new Survey(['setUp', 'late'], none);
    expect(survey.look([window({ setUp: 1e-6 })], 5)).toEqual([]);
    expect(survey.look([window({ late: 0.5 })], 1)).toEqual(['late']);
  });

  test('never leaves more than its limits recorded', () => {
    const anyCosts = fc.dictionary(fc.string(), fc.double({ min: 0, max: 0.01, noNaN: true }));
    fc.assert(
      fc.property(anyCosts, (costs) => {
        const off = new Set(new Survey(Object.keys(costs), none).look([window(costs)], 0.1));
        const left = Object.entries(costs).filter(([key]) => !off.has(key));
        expect(Math.max(0, ...left.map(([, cost]) => cost))).toBeLessThanOrEqual(0.0005);
        expect(left.reduce((sum, [, cost]) => sum + cost, 0)).toBeLessThanOrEqual(0.005 + 1e-12);
        // Nor does it drop what costs nothing.
        expect([...off].filter((key) => costs[key] === 0)).toEqual([]);
      }),
    );
  });
});
