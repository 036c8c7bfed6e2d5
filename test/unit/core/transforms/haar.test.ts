import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EnergyStream } from '../../../../src/core/transforms/energyStream';
import {
  energies,
  haarTransform,
  noiseDeviation,
  scaleogram,
  variability,
} from '../../../../src/core/transforms/haar';
import { sampled, signals } from '../../../fixtures/dynamics/signals';

const rounded = (values: Float64Array): number[] => Array.from(values, (value) => Number(value.toFixed(5)));
const finite = fc.double({ min: -1e3, max: 1e3, noNaN: true });

function varianceTimesCount(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

describe('Haar energies', () => {
  it('Haar: the details, energies and variance of the worked example', () => {
    const values = Float64Array.of(4, 2, 5, 5, 1, 1, 9, 1);
    const { levels, approximation } = haarTransform(values);
    expect(levels.map(({ details }) => rounded(details))).toEqual([
      [1.41421, 0, 0, 5.65685],
      [-2, -4],
      [1.41421],
    ]);
    expect(approximation).toBeCloseTo(9.89949, 5);
    expect(levels.map(({ details }) => details.reduce((sum, detail) => sum + detail ** 2, 0))).toEqual([
      expect.closeTo(34, 9),
      expect.closeTo(20, 9),
      expect.closeTo(2, 9),
    ]);
    const { total, dynamic } = energies(values);
    expect(total).toBeCloseTo(154, 9);
    expect(dynamic).toBeCloseTo(56, 9);
    expect(varianceTimesCount([...values])).toBeCloseTo(56, 9);
  });

  it('Haar: Parseval and the variance identity hold for any signal of any length', () => {
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1, maxLength: 200 }), (values) => {
        const { total, dynamic, short, wide } = energies(values);
        const squares = values.reduce((sum, value) => sum + value * value, 0);
        const tolerance = 1e-12 * Math.max(1, squares);
        expect(Math.abs(total - squares)).toBeLessThanOrEqual(tolerance);
        expect(Math.abs(dynamic - varianceTimesCount(values))).toBeLessThanOrEqual(tolerance);
        expect(Math.abs(short + wide - dynamic)).toBeLessThanOrEqual(tolerance);
      }),
      { numRuns: 200 },
    );
  });

  it('any length: energies by level of a signal of five samples', () => {
    const values = Float64Array.of(3, 1, 4, 1, 5);
    const byLevel = haarTransform(values).levels.map(({ details }) =>
      details.reduce((sum, detail) => sum + detail ** 2, 0),
    );
    expect(byLevel).toEqual([expect.closeTo(6.5, 9), expect.closeTo(0.25, 9), expect.closeTo(6.05, 9)]);
    const { total, dynamic } = energies(values);
    expect(dynamic).toBeCloseTo(12.8, 9);
    expect(total).toBeCloseTo(52, 9);
  });

  it('split: what changes from one iteration to the next is short, what changes over the run is wide', () => {
    const quick = energies(sampled(128, (i) => 1 + 0.5 * (-1) ** i));
    expect(quick.short / quick.total).toBeCloseTo(0.2, 9);
    expect(quick.wide).toBeCloseTo(0, 9);
    const slow = energies(sampled(128, (i) => 1 + 0.5 * Math.sin((2 * Math.PI * i) / 128)));
    expect(slow.dynamic / slow.total).toBeCloseTo(0.1111, 3);
    expect(slow.short / slow.total).toBeCloseTo(0.0014, 3);
    expect(slow.wide / slow.total).toBeCloseTo(0.1097, 3);
  });

  it('gate: the variability of a constant is 0, of weak noise below 0.01, of a ramp above', () => {
    expect(variability(energies(new Float64Array(128).fill(3)))).toBe(0);
    expect(variability(energies(new Float64Array(128)))).toBe(0);
    for (let seed = 1; seed <= 100; seed++) {
      expect(variability(energies(signals.constant(seed)))).toBeLessThanOrEqual(0.01);
      expect(variability(energies(signals.rampToOneAndHalf(seed)))).toBeGreaterThan(0.01);
    }
  });

  it('scaleogram: the strongest cells of the cx look-alike up to scale 32', () => {
    const cells = scaleogram(signals.cx()).filter(({ scale }) => scale <= 32);
    const [first, second] = cells.sort((a, b) => b.energy - a.energy);
    expect(first).toMatchObject({ scale: 16, shift: 0, energy: expect.closeTo(0.346, 3) as number });
    expect(second).toMatchObject({ scale: 32, shift: 0, energy: expect.closeTo(0.305, 3) as number });
    expect(energies(signals.cx()).dynamic).toBeCloseTo(2.592, 3);
  });

  it('the noise estimate finds the deviation under a trend and spikes', () => {
    expect(noiseDeviation(sampled(2048, (i) => i / 100 + (i % 97 === 0 ? 50 : 0), 0.5, 3))).toBeCloseTo(
      0.5,
      1,
    );
    expect(noiseDeviation(Float64Array.of(1))).toBe(0);
  });
});

describe('EnergyStream', () => {
  const inBursts = (values: Float64Array, length: number): EnergyStream => {
    const stream = new EnergyStream();
    for (let first = 0; first < values.length; first += length)
      stream.push(values.subarray(first, first + length));
    return stream;
  };

  it('streaming: 16 bursts give the energy of the whole run; adding up those of bursts does not', () => {
    const values = signals.slowDrift();
    const streamed = variability(inBursts(values, 1024).energies());
    expect(streamed).toBeCloseTo(0.04, 4);
    expect(Math.abs(streamed - variability(energies(values)))).toBeLessThan(1e-9);
    let [dynamic, total] = [0, 0];
    for (let first = 0; first < values.length; first += 1024) {
      const burst = energies(values.subarray(first, first + 1024));
      dynamic += burst.dynamic;
      total += burst.total;
    }
    expect(dynamic / total).toBeCloseTo(0.0044, 3);
  });

  it('streaming: any cut into pieces gives the same energies', () => {
    fc.assert(
      fc.property(fc.array(finite, { maxLength: 100 }), fc.integer({ min: 1, max: 40 }), (values, length) => {
        expect(inBursts(Float64Array.from(values), length).energies()).toEqual(energies(values));
      }),
      { numRuns: 100 },
    );
  });

  it('streaming: merged streams of aligned bursts are one stream', () => {
    const values = signals.pepcTwo();
    const [left, right] = [new EnergyStream(), new EnergyStream()];
    left.push(values.subarray(0, 1024));
    right.push(values.subarray(1024));
    left.merge(right);
    const whole = energies(values);
    const merged = left.energies();
    expect(left.count).toBe(2048);
    expect(merged.total).toBeCloseTo(whole.total, 10);
    expect(merged.short).toBeCloseTo(whole.short, 10);
    expect(merged.wide).toBeCloseTo(whole.wide, 10);
  });

  it('merged streams of any lengths have the total and dynamic energy of all', () => {
    fc.assert(
      fc.property(fc.array(finite, { maxLength: 70 }), fc.array(finite, { maxLength: 70 }), (a, b) => {
        const [left, right] = [new EnergyStream(), new EnergyStream()];
        left.push(a);
        right.push(b);
        left.merge(right);
        const whole = energies([...a, ...b]);
        const merged = left.energies();
        expect(Math.abs(merged.total - whole.total)).toBeLessThanOrEqual(1e-9 * Math.max(1, whole.total));
        expect(Math.abs(merged.dynamic - whole.dynamic)).toBeLessThanOrEqual(1e-9 * Math.max(1, whole.total));
      }),
      { numRuns: 100 },
    );
  });

  it('keeps one block per set bit of the count', () => {
    const stream = new EnergyStream();
    stream.push(new Float64Array(100_000).fill(1));
    expect((stream as unknown as { blocks: unknown[] }).blocks.length).toBeLessThanOrEqual(17);
    expect(stream.mean).toBeCloseTo(1, 12);
  });

  it('huge: ratios hold where squares do not fit into a number, and nothing becomes NaN', () => {
    const shape = [1, 2, 3, 5, 1, 1, 2];
    const wanted = variability(energies(shape));
    for (const unit of [1e-300, 1e-160, 1e150, 1e300]) {
      const found = energies(shape.map((value) => value * unit));
      expect(Number.isFinite(found.total)).toBe(true);
      if (unit > 1) expect(variability(found)).toBeCloseTo(wanted, 9);
    }
    expect(energies([NaN, Infinity, 2, 2])).toEqual(energies([0, 0, 2, 2]));
  });
});
