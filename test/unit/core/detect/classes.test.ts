import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import { detect } from '../../../../src/core/detect/detect';
import { signalClasses, type SignalClass } from '../../../fixtures/dynamics/classes';
import { judge, type Judgement } from '../../../fixtures/dynamics/judge';

const seeds = 5;
/** Series of 20,000 values take longer: their shapes are those of means. */
const isShort = ({ name }: SignalClass): boolean => !name.includes('20000');

function judged(group: SignalClass['group']): ReadonlyMap<string, readonly Judgement[]> {
  return new Map(
    signalClasses
      .filter((one) => one.group === group && isShort(one))
      .map(({ name, make }) => [
        name,
        Array.from({ length: seeds }, (_, seed) => {
          const signal = make(seed + 1);
          return judge(signal, detect(signal.values));
        }),
      ]),
  );
}

function share(all: readonly Judgement[], is: (one: Judgement) => boolean): number {
  return all.filter(is).length / all.length;
}

describe('of series of 102 classes whose truth is known', () => {
  it('those without a degradation have none', () => {
    const classes = judged('null');
    expect(share([...classes.values()].flat(), ({ isFalse }) => isFalse)).toBeLessThanOrEqual(0.02);
    for (const [name, all] of classes)
      expect([name, share(all, ({ isFalse }) => isFalse) <= 0.2]).toEqual([name, true]);
  });

  it.each([
    ['trend', 0.97],
    ['step', 0.98],
    ['periodic', 0.98],
  ] as const)('those with a %s have it, of the right kind and at the right places', (group, least) => {
    const classes = judged(group);
    expect(share([...classes.values()].flat(), ({ isRight }) => isRight)).toBeGreaterThanOrEqual(least);
    // A rise of half the level in noise of half the level is a matter of luck.
    for (const [name, all] of classes)
      expect([name, share(all, ({ isRight }) => isRight) >= (name.endsWith('sd0.5') ? 0.5 : 0.8)]).toEqual([
        name,
        true,
      ]);
  });
});

describe('a series', () => {
  it('of few values, or of none, is too short to tell', () => {
    for (const values of [[], [1], [1, 2, 3, 4], [NaN, NaN, NaN, NaN, NaN, NaN]])
      expect(detect(Float64Array.from(values)).shape).toBe('short');
  });

  it('that is multiplied has the same changes, multiplied', () => {
    const values = Float64Array.from({ length: 120 }, (_, i) => (i < 70 ? 1 : 2) + 0.1 * Math.sin(i * i));
    const one = detect(values);
    for (const factor of [1e-200, 1e-3, 7, 1e200]) {
      const other = detect(values.map((value) => value * factor));
      expect(other.shape).toBe(one.shape);
      expect(other.changes.map(({ from, to }) => [from, to])).toEqual(
        one.changes.map(({ from, to }) => [from, to]),
      );
      expect((other.changes[0]?.height ?? 0) / factor).toBeCloseTo(one.changes[0]?.height ?? NaN, 6);
    }
  });

  it('in which something was not executed has the changes of what was', () => {
    const ramp = (i: number): number => 1 + i / 200;
    const executed = Float64Array.from({ length: 200 }, (_, i) => ramp(i) + 0.01 * Math.sin(i * i));
    const gaps = executed.map((value, i) => (i % 3 === 1 ? 0 : value));
    const missing = executed.map((value, i) => (i % 3 === 1 ? NaN : value));
    for (const values of [executed, gaps, missing]) {
      const { shape, level } = detect(values);
      expect(shape).toBe('trend');
      expect(level).toBeCloseTo(1, 1);
    }
  });
});

describe('spikes', () => {
  const noise = (i: number): number => 0.02 * Math.sin(i * i);
  const each = (every: number, jitter: number): ReadonlySet<number> => {
    const random = randomNumbers(3);
    const places = Array.from({ length: Math.floor(160 / every) }, (_, k) => (k + 1) * every - 2);
    return new Set(places.map((place) => place + Math.floor((2 * jitter + 1) * random()) - jitter));
  };

  it.each([
    ['of something that is executed then only', 15, 0, 0],
    ['above what is executed always', 10, 0, 1],
    ['that are early or late by one', 10, 1, 1],
  ])('%s have their places and their period', (_, every, jitter, base) => {
    const places = each(every, jitter);
    const values = Float64Array.from({ length: 160 }, (__, i) =>
      places.has(i) ? 3 + noise(i) : base === 0 ? 0 : base + noise(i),
    );
    const found = detect(values);
    expect(found.spikes.map(({ at }) => at)).toEqual([...places]);
    expect(Math.abs((found.period ?? 0) - every)).toBeLessThanOrEqual(jitter);
  });
});

it('a step below heavy tails is not told as two, with a level between them that only a running median has', () => {
  const make = signalClasses.find(({ name }) => name === 'step 1->2 + Pareto1.1 all')?.make;
  const changes = Array.from({ length: 80 }, (_, seed) =>
    detect(make?.(seed + 81).values ?? new Float64Array()).changes.filter(({ height }) => height > 0),
  );
  expect(changes.filter((rises) => rises.length === 1).length).toBeGreaterThanOrEqual(74);
});
