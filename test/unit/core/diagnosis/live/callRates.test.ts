import { describe, expect, test } from 'vitest';
import { CallRates } from '../../../../../src/core/diagnosis/live/callRates';

const visits = (count: number): ReadonlyMap<string, number> => new Map([['f', count]]);

describe('what recording a function will cost', () => {
  test('is its visits with the cost of each, of the time that there is with them', () => {
    const rates = new CallRates();
    // 2500 visits a second of 100 µs: a quarter of a second more for each second.
    rates.add('p', { visits: visits(5000), seconds: 2 });
    expect(rates.cost('f', 100e-6)).toBeCloseTo(0.25 / 1.25, 12);
    expect(rates.cost('f', 0)).toBe(0);
  });

  test('is by all that was seen of the process that calls it most', () => {
    const rates = new CallRates();
    rates.add('p', { visits: visits(1000), seconds: 1 });
    rates.add('q', { visits: visits(6000), seconds: 1 });
    rates.add('q', { visits: visits(0), seconds: 2 });
    rates.add('q', { visits: visits(1e9), seconds: 0 });
    expect(rates.cost('f', 1e-6)).toBeCloseTo(0.002 / 1.002, 12);
  });

  test('is a thousandth where it was never recorded', () => {
    const rates = new CallRates();
    rates.add('p', { visits: visits(1), seconds: 1 });
    expect(rates.cost('g', 1)).toBe(0.001);
  });
});
