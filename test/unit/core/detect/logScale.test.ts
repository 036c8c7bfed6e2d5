import { describe, expect, it } from 'vitest';
import { detect } from '../../../../src/core/detect/detect';
import { isMultiplied } from '../../../../src/core/detect/logScale';
import { randomNumbers } from '../../../../src/core/randomNumbers';

/** Work of an iteration as on a machine that takes the processor away for slices of time, the least of three repetitions. */
function onLoadedMachine(work: readonly number[], seed: number): Float64Array {
  const random = randomNumbers(seed);
  const once = (own: number): number => {
    let time = own;
    // A slice of the processor lasts three milliseconds; then others have it for about 30.
    for (let left = own; left > 0; left -= 3)
      if (random() < Math.min(1, left / 3)) time -= 30 * Math.log(1 - random());
    return time;
  };
  return Float64Array.from(work, (own) => Math.min(once(own), once(own), once(own)) * (1 + 0.02 * random()));
}

const growing = Array.from({ length: 160 }, (_, i) => (i < 48 ? 0.32 : 0.32 + 0.1 * (i - 47)));
const doubled = Array.from({ length: 160 }, (_, i) => (i < 95 ? 1.4 : 2.8));

describe('noise that grows with the level', () => {
  it('a rise is found, and where it begins, in at least 19 of 20 runs of a loaded machine', () => {
    const begins = Array.from({ length: 20 }, (_, seed) => {
      const { shape, changes } = detect(onLoadedMachine(growing, seed + 1));
      return shape === 'trend' ? changes.find(({ height }) => height > 0)?.from : undefined;
    });
    const right = begins.filter((from) => from !== undefined && Math.abs(from - 47) <= 10);
    expect(right.length, begins.join()).toBeGreaterThanOrEqual(19);
  });

  it('a step is found where it is', () => {
    const places = Array.from({ length: 20 }, (_, seed) => {
      const { changes } = detect(onLoadedMachine(doubled, seed + 1));
      return changes.find(({ height }) => height > 0)?.from;
    });
    const right = places.filter((from) => from !== undefined && Math.abs(from - 94) <= 10);
    expect(right.length, places.join()).toBeGreaterThanOrEqual(19);
  });

  it('what was found in logarithms is told in the units of the values', () => {
    const random = randomNumbers(5);
    const values = Float64Array.from({ length: 200 }, (_, i) => (i < 100 ? 2 : 40) * (0.9 + 0.2 * random()));
    expect(isMultiplied(values)).toBe(true);
    const { shape, changes, model, level = 0, excess, noise } = detect(values);
    expect([shape, changes[0]?.from, changes[0]?.to]).toEqual(['steps', 99, 100]);
    expect(changes[0]?.height).toBeCloseTo(38, 0);
    expect(level).toBeCloseTo(2, 1);
    expect(model[150]).toBeCloseTo(40, 0);
    expect(excess?.value ?? 0).toBeCloseTo(3800, -2);
    expect(excess?.deviation ?? 0).toBeGreaterThan(1);
    expect(excess?.deviation ?? 0).toBeLessThan(100);
    // Of the first half it is small, of the other one up to 4.
    expect(noise).toBeGreaterThan(0.1);
    expect(noise).toBeLessThan(4);
  });

  it('values in another unit, and missing ones, change nothing of what is found', () => {
    const values = onLoadedMachine(growing, 3);
    const places = ({ changes }: ReturnType<typeof detect>): unknown =>
      changes.map(({ kind, from, to }) => [kind, from, to]);
    expect(places(detect(values.map((value) => value * 1e-6)))).toEqual(places(detect(values)));
    const gap = values.slice();
    gap[20] = NaN;
    expect(detect(gap).shape).toBe('trend');
  });

  it('matters over a wide range only: levels four times as high and more', () => {
    const random = randomNumbers(11);
    const step = (high: number): Float64Array =>
      Float64Array.from({ length: 200 }, (_, i) => (i < 100 ? 1 : high) * (0.9 + 0.2 * random()));
    expect([isMultiplied(step(3)), isMultiplied(step(6))]).toEqual([false, true]);
  });

  it('is none before a late start, where nothing was executed', () => {
    const random = randomNumbers(13);
    const values = Float64Array.from({ length: 200 }, (_, i) =>
      i < 80 ? 0 : (i < 140 ? 2 : 20) * (0.9 + 0.2 * random()),
    );
    expect(isMultiplied(values.subarray(80))).toBe(true);
    const { model, level, changes } = detect(values);
    expect([model[10], level, changes[0]?.to]).toEqual([0, 0, 80]);
    expect(changes[0]?.height).toBeCloseTo(2, 1);
  });

  it('is another matter than noise that is added, and than a range of levels without noise', () => {
    const random = randomNumbers(9);
    const ramp = (noise: number): Float64Array =>
      Float64Array.from({ length: 200 }, (_, i) => 1 + i / 10 + noise * random());
    expect([isMultiplied(ramp(0.3)), isMultiplied(ramp(0))]).toEqual([false, false]);
    expect(isMultiplied(ramp(0).map((value, i) => (i === 5 ? 0 : value)))).toBe(false);
  });
});
