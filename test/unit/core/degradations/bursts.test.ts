import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { energies } from '../../../../src/core/transforms/haar';
import type { AnalysedSeries } from '../../../../src/core/degradations/model/result';
import { CoarseSeries } from '../../../../src/core/degradations/bursts/coarseSeries';
import { LargestPatterns } from '../../../../src/core/degradations/bursts/largestPatterns';
import { sumOf } from '../../../../src/core/sums';
import { gauss, signals } from '../../../fixtures/dynamics/signals';
import { alone, analysed, series, solve, step } from './bursts';

const literal = { wholeRun: 0 } as const;

function only(values: Float64Array, burst: number, options = {}): AnalysedSeries {
  const [one] = analysed(alone(values), options, burst).series;
  if (one === undefined) throw new Error('nothing was found');
  return one;
}

const intervals = ({ patterns }: AnalysedSeries) =>
  patterns.map(({ from, to }) => [from + 1, to + 1] as const);

function expectNear(
  found: readonly (readonly number[])[],
  wanted: readonly (readonly number[])[],
  tolerance: number,
): void {
  expect(found).toHaveLength(wanted.length);
  wanted.forEach((pair, at) => {
    pair.forEach((border, side) => {
      expect(Math.abs((found[at]?.[side] ?? NaN) - border)).toBeLessThanOrEqual(tolerance);
    });
  });
}

describe('merging over bursts', () => {
  it('burst merge: a peak of 12 % in the first burst is 6 % after an equal second one', () => {
    const peak = (i: number) => (i >= 20 && i < 32 ? 0.5 : 0.05);
    const run = (iterations: number) => [
      series(step, 0, new Float64Array(iterations).fill(0.78125)),
      series(
        solve,
        0,
        Float64Array.from({ length: iterations }, (_, i) => peak(i)),
      ),
    ];
    const severityAfter = (bursts: number) => {
      const result = analysed(run(64 * bursts), { ...literal, reportThreshold: 0.05 });
      return result.rows.find(({ kind }) => kind === 'degradation-peak')?.severity;
    };
    expect(severityAfter(1)).toBeCloseTo(0.12, 3);
    expect(severityAfter(2)).toBeCloseTo(0.06, 3);
  });

  it.each([
    ['as a whole', 2048, {}],
    ['in two bursts', 1024, literal],
    ['in eight bursts', 256, literal],
  ])('trend across a border: rise, fall, rise is two trends %s', (_, burst, options) => {
    expectNear(
      intervals(only(signals.pepcTwo(), burst, options)),
      [
        [1, 1028],
        [1650, 2048],
      ],
      40,
    );
  });

  it('trend across a border: a ramp over four bursts is one trend', () => {
    const noise = gauss(3);
    const ramp = Float64Array.from({ length: 4096 }, (_, i) => 1 + i / 4096 + 0.05 * noise());
    for (const options of [{}, literal]) {
      const one = only(ramp, 1024, options);
      expect(one.patterns.map(({ type }) => type)).toEqual(['trend']);
      expectNear(intervals(one), [[1, 4096]], 80);
    }
  });

  it('slow trend across bursts: from once to twice over 16 bursts is one trend; a single burst shows none to the published method', () => {
    const drift = signals.slowDrift();
    const one = only(drift, 1024, literal);
    expect(one.patterns).toHaveLength(1);
    expect(one.patterns[0]).toMatchObject({ type: 'trend', from: 0, to: 16383 });
    expect(one.patterns[0]?.levels[0]).toBeCloseTo(1, 1);
    expect(one.patterns[0]?.levels[1]).toBeCloseTo(2, 1);
    expect(one.energies.dynamic / one.energies.total).toBeCloseTo(0.04, 3);
    const published = { method: 'periscope' } as const;
    for (let burst = 0; burst < 16; burst++)
      expect(only(drift.slice(1024 * burst, 1024 * (burst + 1)), 1024, published).patterns).toEqual([]);
  });

  it('bounded results: of 2,000 spikes 64 are kept apart, and the others are counted; borders add and lose none', () => {
    const spikes = Float64Array.from({ length: 100_000 }, (_, i) => (i % 50 === 24 ? 3 : 1));
    const one = only(spikes, 1024);
    expect(one.patterns).toHaveLength(64);
    expect(
      one.patterns.every(({ type, from, to }) => type === 'peak' && from === to && from % 50 === 24),
    ).toBe(true);
    expect(one.others).toEqual({ count: 1936, sum: 3 * 1936 });
    expect(one.period).toBe(50);
    expect(one.values.length).toBeLessThanOrEqual(1024);
  });

  it('bounded results: a row of many spikes has the time and the cost of all of them', () => {
    const spikes = Float64Array.from({ length: 20_000 }, (_, i) => (i % 50 === 24 ? 5 : 1));
    const { rows, noDynamics, properties } = analysed([series(step, 0, spikes)]);
    const whole = 49 + 5;
    expect(noDynamics).toBe(false);
    const row = rows.find(({ kind }) => kind === 'periodic-peaks');
    expect(row?.severity).toBeCloseTo(5 / whole, 2);
    expect(row?.excess).toBeCloseTo(4 / whole, 2);
    // The costliest are listed; all of them are counted.
    const all = { count: 400, iterations: 400, range: [25, 19_975] };
    expect(row?.iterations).toHaveLength(64);
    expect(row?.all).toEqual(all);
    const property = properties.find(({ id }) => id === row?.property);
    expect(property?.all).toEqual(all);
    expect(property?.title).toMatch(
      / every 50 iterations \(each costs 4 s, all of them 26 min 40 s, jitter 0\)/,
    );
  });

  it('bounded results: the first and the last of many peaks are known although they are the smallest', () => {
    const [first, last] = [24, 19_974];
    const height = (i: number) => (i === first || i === last ? 5 : 6);
    const spikes = Float64Array.from({ length: 20_000 }, (_, i) => (i % 50 === 24 ? height(i) : 1));
    const { rows } = analysed([series(step, 0, spikes)], {}, 1024);
    const row = rows.find(({ kind }) => kind === 'periodic-peaks');
    expect(row?.iterations.flat()).not.toContain(first + 1);
    expect(row?.iterations.flat()).not.toContain(last + 1);
    expect(row?.all).toEqual({ count: 400, iterations: 400, range: [first + 1, last + 1] });
    expect(row?.excess).toBeCloseTo((398 * 5 + 2 * 4) / sumOf(spikes), 9);
  });

  it('bounded results: improvements are no degradations that were only counted', () => {
    const largest = new LargestPatterns(2);
    for (let i = 0; i < 8; i++)
      largest.add({
        ...{
          type: 'trend',
          from: 10 * i,
          to: 10 * i + 4,
          levels: [1, 2],
          sum: 5,
          excess: 1 + i,
          aftermath: 0,
        },
        ...{ confidence: 1, stability: 1 },
        ...(i % 2 === 0 ? { improvement: true as const } : {}),
      });
    expect(largest.patterns.map(({ from }) => from)).toEqual([60, 70]);
    expect(largest.others.trends).toEqual({
      ...{ count: 3, iterations: 15, first: 10, last: 54, sum: 15, excess: 12, aftermath: 0 },
    });
    expect(largest.others.peaks).toMatchObject({ count: 0, iterations: 0 });
  });

  it('bounded results: values of all places together have a limit; beyond it each has as many means as fit', () => {
    const ramp = Float64Array.from({ length: 64 }, (_, i) => 1 + i / 64);
    const run = [0, 1, 2, 3].flatMap((rank) => [series(step, rank, ramp), series(solve, rank, ramp)]);
    const stored = (mostNumbers: number, options = {}) =>
      analysed(run, { all: true, ...options }, 16, [], { mostNumbers }).series;
    // Time of four phases and of four functions, 64 iterations each.
    const whole = stored(8 * 64);
    expect(whole.map(({ values, valueLength }) => [[...values], valueLength])).toEqual(
      whole.map(() => [[...ramp], 1]),
    );
    expect(whole).toHaveLength(8);
    const lengths = (all: readonly AnalysedSeries[]) => [
      ...new Set(all.map(({ values, valueLength }) => `${values.length} × ${valueLength}`)),
    ];
    expect(lengths(stored(8 * 64 - 1))).toEqual(['32 × 2']);
    // At least 16, however many places there are, and at most as many as any long run has.
    expect(lengths(stored(8))).toEqual(['8 × 8']);
    expect(lengths(stored(8 * 64 - 1, { coarseValues: 20 }))).toEqual(['16 × 4']);
    // The sums are those of the run.
    expect(stored(8).map(({ impact }) => impact)).toEqual(whole.map(({ impact }) => impact));
    for (const { values, valueLength } of stored(8))
      expect(sumOf(Float64Array.from(values)) * valueLength).toBeCloseTo(sumOf(ramp), 9);
  });

  it('bounded results: memory is that of the places, not of the iterations', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 32 }), (count, half) => {
        const coarse = new CoarseSeries(2 * half);
        const values = Float64Array.from({ length: count }, (_, i) => (i * 7919) % 101);
        coarse.push(values);
        const means = coarse.values();
        expect(means.length).toBeLessThanOrEqual(2 * half);
        const sum = means.reduce((all, mean, at) => {
          const length = Math.min(coarse.blockLength, count - at * coarse.blockLength);
          return all + mean * length;
        }, 0);
        expect(sum).toBeCloseTo(
          values.reduce((all, value) => all + value, 0),
          4,
        );
      }),
      { numRuns: 60 },
    );
    const kept = new LargestPatterns(64);
    for (let i = 0; i < 1000; i++)
      kept.add({
        type: 'peak',
        from: i,
        to: i,
        at: i,
        sum: 1,
        excess: (i * 31) % 1000,
        aftermath: 0,
        levels: [0, 1],
        confidence: 1,
        stability: 12,
      });
    expect(kept.patterns.map(({ excess }) => excess).sort((a, b) => a - b)[0]).toBe(936);
    expect(kept.others.peaks).toMatchObject({ count: 936, sum: 936, aftermath: 0 });
  });

  it('streams the energies of a long run exactly', () => {
    const values = signals.slowDrift().slice(0, 5000);
    const streamed = only(values, 512).energies;
    const whole = energies(values);
    expect(streamed.total / whole.total).toBeCloseTo(1, 12);
    expect(streamed.dynamic / whole.dynamic).toBeCloseTo(1, 9);
    expect(streamed.short / whole.short).toBeCloseTo(1, 9);
  });

  it('a step in a long run is at its iteration, and costs what follows until the end', () => {
    const noise = gauss(5);
    const values = Float64Array.from({ length: 20_000 }, (_, i) => (i < 9000 ? 1 : 2) + 0.02 * noise());
    const one = only(values, 1024);
    expect(one.patterns.map(({ type }) => type)).toEqual(['step']);
    expectNear(intervals(one), [[9000, 9001]], 2);
    expect(one.patterns[0]?.aftermath).toBeGreaterThan(10_900);
  });
});
