import { describe, expect, it } from 'vitest';
import { detect, type Detection } from '../../../../src/core/detect/detect';
import { Posterior } from '../../../../src/core/detect/uncertainty';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import { sumOf } from '../../../../src/core/sums';
import { signalClasses, type GeneratedSignal } from '../../../fixtures/dynamics/classes';

interface Known {
  readonly signal: GeneratedSignal;
  readonly found: Detection;
}

/** Series of a class in which one change is told. */
function oneChange(name: string, seeds: number): readonly Known[] {
  return known(name, seeds).filter(({ found }) => found.changes.length === 1);
}

function known(name: string, seeds: number): readonly Known[] {
  const make = signalClasses.find((one) => one.name === name)?.make;
  return Array.from({ length: make === undefined ? 0 : seeds }, (_, seed) => make?.(seed + 1))
    .filter((signal) => signal !== undefined)
    .map((signal) => ({ signal, found: detect(signal.values) }));
}

/** A rise from 1 to 2 between two places, in independent noise. */
function rise(length: number, from: number, to: number, seed: number): GeneratedSignal {
  const uniform = randomNumbers(seed * 7919 + 17);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const excess = Float64Array.from({ length }, (_, i) => Math.min(1, Math.max(0, (i - from) / (to - from))));
  return { values: excess.map((own) => 1 + own + 0.3 * normal()), excess, truth: { kind: 'trend' } };
}

const share = (all: readonly Known[], is: (one: Known) => boolean): number =>
  all.filter(is).length / all.length;
const within = (range: readonly [number, number] | undefined, place: number): boolean =>
  range !== undefined && range[0] <= place && place <= range[1];
const containsCost = ({ signal, found: { excess } }: Known): boolean =>
  excess !== undefined && Math.abs(excess.value - sumOf(signal.excess)) <= 1.96 * excess.deviation;

describe('of one change, a range that is meant to contain it nearly always', () => {
  it.each([
    ['step 1->1.5 @130 sd0.2', 129, 130],
    ['step 1->2 @185 sd0.1', 184, 185],
    ['hinge 120: 1->2 sd0.1', 120, 199],
    ['rise 60-140 then flat sd0.1', 60, 140],
  ])('contains cost, onset and end of: %s', (name, onset, end) => {
    const all = oneChange(name, 15);
    expect(all.length).toBeGreaterThanOrEqual(12);
    expect(share(all, containsCost)).toBeGreaterThanOrEqual(0.8);
    expect(share(all, ({ found }) => within(found.onset, onset))).toBeGreaterThanOrEqual(0.8);
    expect(share(all, ({ found }) => within(found.end, end))).toBeGreaterThanOrEqual(0.8);
    const widths = all.flatMap(({ found: { onset: range } }) =>
      range === undefined ? [] : [range[1] - range[0]],
    );
    expect(sumOf(Float64Array.from(widths)) / widths.length).toBeLessThan(20);
  });

  it('is wider where a few values say little of the noise', () => {
    expect(share(oneChange('ramp 1->3 sd0.05 N=5', 150), containsCost)).toBeGreaterThanOrEqual(0.87);
  });
});

describe('in a long series', () => {
  const seeds = Array.from({ length: 15 }, (_, seed) => seed + 1);

  it.each([2048, 20_000])('a step anywhere is within a range of a few values, of %i', (length) => {
    const all = seeds.map((seed) => {
      const from = Math.floor(length * (0.2 + 0.04 * seed)) + seed;
      const signal = rise(length, from, from + 1, seed);
      return { from, signal, found: detect(signal.values) };
    });
    const contains = all.filter(
      ({ from, found: { onset, end } }) => within(onset, from) && within(end, from + 1),
    );
    expect(contains.length).toBeGreaterThanOrEqual(13);
    expect(share(all, containsCost)).toBeGreaterThanOrEqual(0.8);
    const wide = all.filter(({ found: { onset } }) => onset === undefined || onset[1] - onset[0] > 12);
    expect(wide.length).toBeLessThanOrEqual(2);
  });

  it('a ramp begins and ends within its ranges', () => {
    const all = seeds.map((seed) => {
      const [from, to] = [600 + 17 * seed, 1400 + 13 * seed];
      const signal = rise(2048, from, to, seed);
      return { from, to, signal, found: detect(signal.values) };
    });
    expect(all.filter(({ from, found }) => within(found.onset, from)).length).toBeGreaterThanOrEqual(12);
    expect(all.filter(({ to, found }) => within(found.end, to)).length).toBeGreaterThanOrEqual(12);
    expect(share(all, containsCost)).toBeGreaterThanOrEqual(0.8);
  });
});

describe('what is no single rise', () => {
  it.each(['3 steps up sd0.1', '6 steps up sd0.05', 'box 60-140 1->2 sd0.1', 'log growth sd0.1'])(
    'has a cost that is known as well as is said, and no range of its begin: %s',
    (name) => {
      const all = known(name, 20);
      expect(share(all, containsCost)).toBeGreaterThanOrEqual(0.8);
      const deviations = all.map(
        ({ signal, found }) => (found.excess?.deviation ?? Infinity) / sumOf(signal.excess),
      );
      expect(Math.max(...deviations)).toBeLessThan(0.1);
      expect(all.every(({ found: { onset, end } }) => onset === undefined && end === undefined)).toBe(true);
    },
  );

  it('has no cost beside a late start, which is not a part of it', () => {
    const { values } = rise(200, 120, 121, 1);
    const late = values.map((value, i) => (i < 60 ? 0 : value));
    const found = detect(late);
    expect(found.changes.length).toBe(2);
    expect(found.excess).toBeUndefined();
  });
});

describe('values that are missing', () => {
  it('are no reason to believe that a line is none', () => {
    expect(share(oneChange('ramp 1->2 20% missing', 40), containsCost)).toBeGreaterThanOrEqual(0.87);
  });

  it('have places in the ranges', () => {
    const { values } = rise(200, 120, 121, 3);
    const found = detect(values.map((value, i) => (i < 100 && i % 7 < 3 ? NaN : value)));
    expect(within(found.onset, 120)).toBe(true);
    expect(within(found.end, 121)).toBe(true);
  });
});

it('costs are in the units of huge values, too', () => {
  const { values } = rise(200, 120, 121, 1);
  const huge = 1e200;
  const [small, large] = [detect(values), detect(values.map((value) => value * huge))];
  expect((large.excess?.value ?? NaN) / huge).toBeCloseTo(small.excess?.value ?? NaN, 6);
});

it('a rise is known in noise that hardly changes from value to value', () => {
  const values = Float64Array.from({ length: 400 }, (_, i) => (i < 200 ? 1 : 2) + 0.1 * Math.sin(i / 60));
  const { onset, deviation } = new Posterior(values, { leastVariance: 1e-12 }, 0.9999).uncertain();
  expect(onset).toEqual([199, 199]);
  expect(Number.isFinite(deviation)).toBe(true);
});
