import { describe, expect, it } from 'vitest';
import type { LetteredPart } from '../../../../src/core/signal/episodes';
import { prepare } from '../../../../src/core/signal/prepare';
import type { Letter } from '../../../../src/core/signal/signal';
import { findTrends, type Trend } from '../../../../src/core/signal/trends';
import { gauss } from '../../../fixtures/dynamics/signals';

const thresholds = { bridgeDrop: 0.25, trendAmplitude: 0.1, trendFit: 0.3 };

/** `G0-31 E32-63`, with the change of the values over each part as its net; stability counts from 1 up. */
function parts(text: string, values: Float64Array): LetteredPart[] {
  return [...text.matchAll(/(\w)(\d+)-(\d+)/g)].map(([, letter, first, last], n) => {
    const [from, to] = [Number(first), Number(last)];
    return {
      letter: letter as Letter,
      from,
      to,
      net: values[to]! - values[from]!,
      threshold: 0,
      stability: n + 1,
    };
  });
}

interface Given {
  readonly noise?: number;
  readonly raw?: Float64Array;
  readonly trendFit?: number;
}

function found(text: string, values: Float64Array, { noise = 0, raw = values, ...others }: Given = {}) {
  return findTrends(
    parts(text, values),
    values,
    { ...prepare(raw), noise, values: raw },
    { ...thresholds, ...others },
  );
}

/** Levels and slopes: each point is where the one before is left towards it. */
function lines(...points: readonly (readonly [at: number, value: number])[]): Float64Array {
  return Float64Array.from({ length: points.at(-1)![0] + 1 }, (_, i) => {
    const next = points.findIndex(([at]) => at >= i);
    const [[a, x], [b, y]] = [points[Math.max(0, next - 1)]!, points[next]!];
    return a === b ? y : x + ((y - x) * (i - a)) / (b - a);
  });
}
const near = (value: number): number => expect.closeTo(value, 6) as number;
const rounded = (trend: Trend): unknown => ({ ...trend });

describe('rises', () => {
  const ramp = lines([0, 1], [40, 1], [80, 5], [159, 5]);
  const expected = {
    ...{ type: 'trend', from: 40, to: 80, core: [40, 80], low: near(1), high: near(5), fit: near(1) },
    // 41 samples half-way up, and 79 afterwards.
    ...{ excess: near(41 * 2), aftermath: near(79 * 4), stability: 2 },
  };

  it('have their core where the values rise, and cost what is above the level before', () => {
    expect(found('G0-39 E40-80 G81-159', ramp)).toEqual({ rises: [expected], falls: [] });
    const fall = ramp.map((value) => -value);
    expect(found('G0-39 F40-80 G81-159', fall)).toEqual({
      rises: [],
      falls: [{ ...expected, low: near(1), high: near(5) }],
    });
    // The run may be wider than the rise; costs count in the signal with its spikes.
    const raw = ramp.map((value, i) => (i === 100 ? value + 7 : value));
    expect(found('G0-29 E30-99 G100-159', ramp, { raw }).rises).toEqual([
      { ...expected, from: 30, to: 99, excess: near(82 + 19 * 4), aftermath: near(60 * 4 + 7) },
    ]);
  });

  it('look at level stretches beside their run, as far as they are level', () => {
    expect(found('A0-44 E45-75 B76-159', ramp).rises).toMatchObject([{ from: 0, to: 80, core: [40, 80] }]);
    expect(found('G0-44 E45-75 G76-159', ramp).rises).toMatchObject([{ from: 40, to: 80, core: [40, 80] }]);
    const other = lines([0, 9], [10, 1], [40, 1], [80, 5], [130, 5], [140, 2], [159, 2]);
    expect(found('C0-10 G11-44 E45-75 G76-129 F130-140 G141-159', other).rises.map(rounded)).toMatchObject([
      { from: 40, to: 80, core: [40, 80], low: near(1), high: near(5) },
    ]);
  });

  it('of next to no length are steps: two samples, or a fiftieth of the signal', () => {
    const rise = (width: number, length: number): Trend | undefined => {
      const middle = length / 2;
      const values = lines([0, 1], [middle, 1], [middle + width, 5], [length - 1, 5]);
      const text = `G0-${middle - 6} E${middle - 5}-${middle + width + 5} G${middle + width + 6}-${length - 1}`;
      return found(text, values).rises[0];
    };
    expect(rise(2, 80)).toMatchObject({ type: 'step', from: 40, to: 42, core: [40, 42] });
    expect(rise(3, 80)).toMatchObject({ type: 'trend', from: 35, to: 48, core: [40, 43] });
    expect(rise(4, 200)).toMatchObject({ type: 'step', from: 100, to: 104 });
    expect(rise(5, 200)).toMatchObject({ type: 'trend', from: 95, to: 110 });
  });

  it('that are steps leave a level of three samples on each side', () => {
    const step = (at: number): number =>
      found(`G0-${at - 1} E${at}-${at + 1} G${at + 2}-79`, lines([0, 1], [at, 1], [at + 1, 5], [79, 5])).rises
        .length;
    expect([1, 2, 76, 77].map(step)).toEqual([0, 1, 1, 0]);
  });

  it('are a tenth of the range, and more than the noise of the levels beside them', () => {
    const values = (height: number): Float64Array =>
      lines([0, 0], [60, 0], [62, height], [120, height], [124, -10 + height], [199, -10 + height]);
    const rises = (height: number, noise = 0): number =>
      found('G0-59 E60-62 G63-119 F120-124 G125-199', values(height), { noise }).rises.length;
    expect([1.01, 0.99].map((height) => rises(height))).toEqual([1, 0]);
    // The shorter level has 58 samples: noise of 1 is three deviations of 0.131.
    expect([0.35, 0.9].map((noise) => rises(2, noise))).toEqual([1, 1]);
    expect([4.9, 5.2].map((noise) => rises(2, noise))).toEqual([1, 0]);
  });

  it('have a fit that is good enough, and that chance does not make', () => {
    const noise = gauss(3);
    const noisy = lines([0, 0], [60, 0], [100, 2], [159, 2]).map((value) => value + 0.8 * noise());
    const text = 'G0-59 E60-100 G101-159';
    const [rise] = found(text, noisy, { noise: 0.8 }).rises;
    const fit = rise?.fit ?? 0;
    expect(fit).toBeGreaterThan(0.4);
    expect(found(text, noisy, { noise: 0.8, trendFit: fit }).rises).toHaveLength(1);
    expect(found(text, noisy, { noise: 0.8, trendFit: fit + 1e-9 }).rises).toHaveLength(0);
    // Noise that lasts says less: a slow wave of the same fit is no rise.
    const wave = (period: number): Float64Array =>
      lines([0, 0], [159, 1]).map((value, i) => value + 0.6 * Math.cos((2 * Math.PI * i) / period));
    expect(found('E0-159', wave(2), { trendFit: 0 }).rises).toHaveLength(1);
    expect(found('E0-159', wave(50), { trendFit: 0 }).rises).toHaveLength(0);
  });

  it('one after the other do not overlap, and each costs until it is back, or the next begins', () => {
    const values = lines([0, 0], [20, 0], [40, 4], [90, 4], [110, 8], [159, 8]);
    expect(found('G0-19 E20-40 G41-89 E90-110 G111-159', values).rises).toEqual([
      {
        ...{ type: 'trend', from: 20, to: 40, core: [20, 40], low: near(0), high: near(4), fit: near(1) },
        ...{ excess: near(21 * 2), aftermath: near(119 * 4), stability: 2 },
      },
      {
        ...{ type: 'trend', from: 90, to: 110, core: [90, 110], low: near(4), high: near(8), fit: near(1) },
        ...{ excess: near(21 * 2), aftermath: near(49 * 4), stability: 4 },
      },
    ]);
    const box = lines([0, 0], [20, 0], [21, 4], [89, 4], [90, 0], [159, 0]);
    const { rises, falls } = found('G0-19 E20-21 G22-88 F89-90 G91-159', box);
    expect(rises).toMatchObject([
      { type: 'step', from: 20, to: 21, excess: near(4), aftermath: near(68 * 4) },
    ]);
    expect(falls).toMatchObject([
      { type: 'step', from: 89, to: 90, low: near(-4), high: near(0), aftermath: near(69 * 4) },
    ]);
  });

  it('in steps are these steps, where all of them are large enough', () => {
    const stairs = (second: number): Float64Array =>
      Float64Array.from({ length: 160 }, (_, i) => (i < 50 ? 0 : i < 100 ? 2 : 2 + second));
    const text = 'G0-44 E45-54 G55-94 E95-104 G105-159';
    const one = 'G0-44 E45-104 G105-159';
    const step = (at: number, low: number, high: number, stability: number) => ({
      ...{
        type: 'step',
        from: at,
        to: at + 1,
        core: [at, at + 1],
        low: near(low),
        high: near(high),
        fit: near(1),
        stability,
      },
    });
    expect(found(one, stairs(2)).rises).toMatchObject([step(49, 0, 2, 2), step(99, 2, 4, 2)]);
    expect(found(text, stairs(2)).rises.map(({ from }) => from)).toEqual([49, 99]);
    expect(found(one, stairs(2), { noise: 5 }).rises.map(({ type }) => type)).not.toEqual(['step', 'step']);
  });
});
