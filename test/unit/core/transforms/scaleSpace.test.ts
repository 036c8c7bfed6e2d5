import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Dct } from '../../../../src/core/transforms/dct';
import { isSmooth, planFft, fastAtLeast } from '../../../../src/core/transforms/fft';
import { planFor, scaleSet, smooth, type ScaleSpacePlan } from '../../../../src/core/transforms/scaleSpace';
import { gauss, mulberry32 } from '../../../fixtures/dynamics/signals';

/** e^-t·I_n(t) by its series, which converges quickly for the small t of these tests. */
function kernel(n: number, t: number): number {
  let term = Math.exp(-t);
  for (let k = 1; k <= n; k++) term *= t / 2 / k;
  let sum = 0;
  for (let m = 0; m < 200; m++) {
    sum += term;
    term *= ((t / 2) ** 2 / (m + 1)) * (1 / (m + 1 + n));
  }
  return sum;
}

const impulse = (length: number, at: number): Float64Array =>
  Float64Array.from({ length }, (_, i) => (i === at ? 1 : 0));

function mirrored(values: Float64Array, i: number): number {
  const { length } = values;
  const n = ((i % (2 * length)) + 2 * length) % (2 * length);
  return values[n < length ? n : 2 * length - 1 - n]!;
}

function signChanges(values: readonly number[], tolerance: number): number {
  let [changes, last] = [0, 0];
  for (const value of values) {
    if (Math.abs(value) <= tolerance) continue;
    if (value > 0 !== last > 0 && last !== 0) changes++;
    last = value;
  }
  return changes;
}

describe('the transforms', () => {
  it('the Fourier transform of lengths without large prime factors is that of its definition', () => {
    const lengths = Array.from({ length: 180 }, (_, n) => n + 1).filter(isSmooth);
    expect(lengths.slice(0, 14)).toEqual([1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 18, 20]);
    for (const length of [...lengths, 625, 729, 1000, 1024]) {
      const noise = gauss(length);
      const [re, im] = [Float64Array.from({ length }, noise), Float64Array.from({ length }, noise)];
      const [foundR, foundI] = [re.slice(), im.slice()];
      planFft(length).transform(foundR, foundI);
      for (let k = 0; k < length; k++) {
        let [sumR, sumI] = [0, 0];
        for (let n = 0; n < length; n++) {
          const angle = (-2 * Math.PI * ((k * n) % length)) / length;
          sumR += re[n]! * Math.cos(angle) - im[n]! * Math.sin(angle);
          sumI += re[n]! * Math.sin(angle) + im[n]! * Math.cos(angle);
        }
        expect(Math.abs(foundR[k]! - sumR) + Math.abs(foundI[k]! - sumI)).toBeLessThan(1e-11);
      }
    }
    expect(() => planFft(7)).toThrow(RangeError);
  });

  it('near every length there is one with a transform', () => {
    for (let length = 1; length < 20_000; length = Math.ceil(length * 1.01)) {
      const near = fastAtLeast(length);
      expect(isSmooth(near)).toBe(true);
      expect(near).toBeGreaterThanOrEqual(length);
      expect(near).toBeLessThanOrEqual(Math.max(length + 4, 1.12 * length));
    }
  });

  it('the cosine transform and its inverse are orthonormal, two signals at once', () => {
    for (const length of [1, 2, 3, 5, 8, 15, 60, 125, 128]) {
      const noise = gauss(length);
      const [a, b] = [Float64Array.from({ length }, noise), Float64Array.from({ length }, noise)];
      const dct = new Dct(length);
      const [forwardA, forwardB] = [new Float64Array(length), new Float64Array(length)];
      dct.forward(a, forwardA);
      dct.forward(b, forwardB);
      const energy = (values: Float64Array): number => values.reduce((sum, value) => sum + value * value, 0);
      expect(energy(forwardA)).toBeCloseTo(energy(a), 10);
      const [backA, backB] = [new Float64Array(length), new Float64Array(length)];
      dct.inversePair(forwardA, forwardB, backA, backB);
      for (let i = 0; i < length; i++) {
        expect(Math.abs(backA[i]! - a[i]!) + Math.abs(backB[i]! - b[i]!)).toBeLessThan(1e-12);
      }
    }
  });
});

/** Every scale by the definition of the cosine transform and its inverse, O(N²) each. */
function smoothedDirectly(values: Float64Array, ts: readonly number[]): Float64Array[] {
  const { length } = values;
  const period = 4 * length;
  const cosines = Float64Array.from({ length: period }, (_, n) => Math.cos((2 * Math.PI * n) / period));
  const coefficients = Float64Array.from({ length }, (_, k) => {
    let sum = 0;
    for (let n = 0; n < length; n++) sum += values[n]! * cosines[(k * (2 * n + 1)) % period]!;
    return (sum * (k === 0 ? 1 : 2)) / length;
  });
  return ts.map((t) => {
    const weak = coefficients.map(
      (value, k) => value * Math.exp(-2 * t * Math.sin((Math.PI * k) / (2 * length)) ** 2),
    );
    return values.map((_, n) => {
      let sum = 0;
      for (let k = 0; k < length; k++) sum += weak[k]! * cosines[(k * (2 * n + 1)) % period]!;
      return sum;
    });
  });
}

/** Largest difference of two lists of signals. */
function furthest(left: readonly Float64Array[], right: readonly Float64Array[]): number {
  let most = 0;
  left.forEach((one, k) => {
    one.forEach((value, n) => (most = Math.max(most, Math.abs(value - right[k]![n]!))));
  });
  return most;
}

function levelsOf(plan: ScaleSpacePlan, values: Float64Array): Float64Array[] {
  const stack = plan.open(values);
  return Array.from(stack.sigmas, (_, k) => stack.level(k).slice());
}

describe('smoothing signals of awkward lengths', () => {
  it('all scales of any length are those of the direct transform', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 130 }),
        fc.integer(),
        fc.constantFrom(0.25, 0.5, 1.3),
        fc.integer({ min: 1, max: 5 }),
        (length, seed, minimum, steps) => {
          const values = Float64Array.from({ length }, gauss(seed));
          const plan = planFor(length, minimum, steps);
          const ts = Array.from(plan.sigmas, (sigma) => sigma * sigma);
          expect(furthest(levelsOf(plan, values), smoothedDirectly(values, ts))).toBeLessThan(1e-13);
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each([131, 509, 1021, 1088, 1999, 2039])('all scales of %i samples are, too', (length) => {
    const noise = gauss(length);
    const values = Float64Array.from({ length }, (_, i) => noise() + (i % 37 === 5 ? 8 : 0) + i / length);
    const plan = planFor(length, 0.5, 4);
    // All kinds of scales: the finest, those between, and the coarsest.
    const chosen = Array.from(plan.sigmas.keys()).filter((k) => k < 2 || k % 6 === 3);
    const found = levelsOf(plan, values).filter((_, k) => chosen.includes(k));
    const wanted = smoothedDirectly(
      values,
      chosen.map((k) => plan.sigmas[k]! ** 2),
    );
    expect(furthest(found, wanted)).toBeLessThan(1e-13);
  });

  it.each([0.5, 0.6, 0.7, 0.8, 0.9])('scales an octave apart from %d on are, too', (minimum) => {
    for (const length of [127, 211, 397]) {
      const values = Float64Array.from({ length }, gauss(length));
      const plan = planFor(length, minimum, 1);
      const ts = Array.from(plan.sigmas, (sigma) => sigma * sigma);
      expect(furthest(levelsOf(plan, values), smoothedDirectly(values, ts))).toBeLessThan(1e-13);
    }
  });

  it('one scale by itself is, from none to the mean of all samples', () => {
    for (const length of [1, 2, 53, 64, 211]) {
      const values = Float64Array.from({ length }, gauss(length));
      const ts = [0, 1e-9, 0.3, 2, 40, length ** 2, 1e12];
      const found = ts.map((t) => smooth(values, t));
      expect(furthest(found, smoothedDirectly(values, ts))).toBeLessThan(1e-13);
    }
    expect(smooth(new Float64Array(0), 1)).toHaveLength(0);
  });

  it('a signal is smoothed the same after another one, and when its scales are asked for late', () => {
    const plan = planFor(1021, 0.5, 4);
    const [first, second] = [1, 2].map((seed) => Float64Array.from({ length: 1021 }, gauss(seed)));
    const wanted = levelsOf(plan, first!);
    levelsOf(plan, second!);
    expect(furthest(levelsOf(plan, first!), wanted)).toBe(0);
    const last = wanted.length - 1;
    expect(plan.open(first!).level(last)).toEqual(wanted[last]);
  });
});

describe('the discrete scale space', () => {
  it('kernel: the response to an impulse is the discrete Gaussian', () => {
    const expected: [number, number[]][] = [
      [1, [0.4657596, 0.2079104, 0.0499388, 0.0081553]],
      [4, [0.2070019, 0.1787508, 0.1176265, 0.0611243]],
    ];
    for (const [t, wanted] of expected) {
      const response = smooth(impulse(401, 200), t);
      wanted.forEach((value, n) => expect(response[200 + n]).toBeCloseTo(value, 7));
      expect(Math.abs(response.reduce((sum, value) => sum + value, 0) - 1)).toBeLessThan(1e-12);
    }
    expect(smooth(impulse(9, 4), 1)[4]).toBeCloseTo(0.46575961, 8);
  });

  it('kernel: the result is the convolution of the mirrored signal', () => {
    const uniform = mulberry32(5);
    for (const [length, t] of [
      [64, 3.7],
      [9, 1],
      [50, 12],
    ] as const) {
      const values = Float64Array.from({ length }, uniform);
      const found = smooth(values, t);
      for (let i = 0; i < length; i++) {
        let sum = 0;
        for (let n = -80; n <= 80; n++) sum += kernel(Math.abs(n), t) * mirrored(values, i - n);
        expect(Math.abs(found[i]! - sum)).toBeLessThan(1e-12);
      }
    }
  });

  it('no phantoms: no sign change of first and second differences appears towards coarser scales', () => {
    const lengths = fc.integer({ min: 8, max: 200 });
    fc.assert(
      fc.property(lengths, fc.integer(), (length, seed) => {
        const noise = gauss(seed);
        const values = Float64Array.from({ length }, noise);
        const total = values.reduce((sum, value) => sum + value, 0);
        let [before1, before2] = [Infinity, Infinity];
        const stack = planFor(length, 0.5, 4).open(values);
        let worst = 0;
        for (let k = 0; k < stack.sigmas.length; k++) {
          const smoothed = stack.level(k);
          const first = Array.from({ length: length - 1 }, (_, i) => smoothed[i + 1]! - smoothed[i]!);
          const second = Array.from({ length }, (_, i) => (first[i] ?? 0) - (first[i - 1] ?? 0));
          const [now1, now2] = [signChanges(first, 1e-12), signChanges(second, 1e-12)];
          worst = Math.max(worst, now1 - before1, now2 - before2);
          [before1, before2] = [now1, now2];
          expect(Math.abs(smoothed.reduce((sum, value) => sum + value, 0) - total)).toBeLessThan(1e-9);
        }
        expect(worst).toBeLessThanOrEqual(0);
      }),
      { numRuns: 500 },
    );
  });

  it('speed: series of one length share what does not depend on them, and coarse scales need few frequencies', () => {
    const plan = planFor(2048, 0.5, 4);
    expect(planFor(2048, 0.5, 4)).toBe(plan);
    for (const length of [100, 200, 300, 400]) planFor(length, 0.5, 4);
    expect(planFor(2048, 0.5, 4)).not.toBe(plan);
    const [group] = (plan as unknown as { groups: { smoother: { attenuations: Float64Array[] } }[] }).groups;
    const kept = group!.smoother.attenuations;
    const used = kept.reduce((sum, factors) => sum + factors.length, 0);
    expect(used).toBeLessThan(0.5 * 2048 * kept.length);
  });

  it('scales go from ½ to half the length, four to an octave', () => {
    const sigmas = scaleSet(128, 0.5, 4);
    expect(sigmas[0]).toBe(0.5);
    expect(sigmas[4]).toBeCloseTo(1, 12);
    expect(sigmas.at(-1)).toBeCloseTo(64, 9);
    expect(scaleSet(1, 0.5, 4)).toHaveLength(1);
  });
});
