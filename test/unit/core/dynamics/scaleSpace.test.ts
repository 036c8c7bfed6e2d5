import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Dct } from '../../../../src/core/dynamics/dct';
import { planFft } from '../../../../src/core/dynamics/fft';
import { planFor, scaleSet, smooth } from '../../../../src/core/dynamics/scaleSpace';
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
  it('the Fourier transform of every length is that of its definition', () => {
    for (const length of [1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 15, 16, 25, 30, 31, 64, 97, 100, 127, 128]) {
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
  });

  it('the cosine transform and its inverse are orthonormal, two signals at once', () => {
    for (const length of [1, 2, 3, 8, 17, 60, 128, 131]) {
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

describe('the discrete scale space', () => {
  it('F15 kernel: the response to an impulse is the discrete Gaussian', () => {
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

  it('F15 kernel: the result is the convolution of the mirrored signal', () => {
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

  it('F16 no phantoms: no sign change of first and second differences appears towards coarser scales', () => {
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

  it('F51 speed: series of one length share what does not depend on them, and coarse scales need few frequencies', () => {
    const plan = planFor(2048, 0.5, 4);
    expect(planFor(2048, 0.5, 4)).toBe(plan);
    for (const length of [100, 200, 300, 400]) planFor(length, 0.5, 4);
    expect(planFor(2048, 0.5, 4)).not.toBe(plan);
    const kept = (plan as unknown as { attenuations: Float64Array[] }).attenuations;
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
