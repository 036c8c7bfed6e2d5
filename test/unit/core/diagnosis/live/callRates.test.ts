import { describe, expect, test } from 'vitest';
import { CallRates, type CountedVisits } from '../../../../../src/core/diagnosis/live/callRates';

/** Visits of `f` in an interval. */
const counted = (count: number, seconds: number, isRecorded = true): CountedVisits => ({
  visits: new Map([['f', count]]),
  isRecorded: () => isRecorded,
  seconds,
});

describe('what recording a function will cost', () => {
  test('is its visits with the cost of each, of the time that there is with them', () => {
    const rates = new CallRates();
    // 2500 visits a second of 100 µs: a quarter of a second more for each second.
    rates.add('p', counted(5000, 2));
    expect(rates.cost('f', 100e-6)).toBeCloseTo(0.25 / 1.25, 12);
    expect(rates.cost('f', 0)).toBe(0);
  });

  test('is by all that was seen of the process that calls it most', () => {
    const rates = new CallRates();
    rates.add('p', counted(1000, 1));
    rates.add('q', counted(6000, 1));
    rates.add('q', counted(0, 2));
    rates.add('q', counted(1e9, 0));
    expect(rates.cost('f', 1e-6)).toBeCloseTo(0.002 / 1.002, 12);
  });

  test('is not less for the time in which it was not recorded all the time', () => {
    const rates = new CallRates();
    rates.add('p', counted(5000, 2));
    // Its call paths are known from before, and nothing was counted, or in a part of the interval only.
    rates.add('p', counted(0, 20, false));
    rates.add('p', counted(100, 1, false));
    expect(rates.cost('f', 100e-6)).toBeCloseTo(0.25 / 1.25, 12);
    const never = new CallRates();
    never.add('p', counted(1e6, 1, false));
    expect(never.cost('f', 1)).toBe(0.001);
  });

  test('is a thousandth where it was never recorded', () => {
    const rates = new CallRates();
    rates.add('p', counted(1, 1));
    expect(rates.cost('g', 1)).toBe(0.001);
  });
});
