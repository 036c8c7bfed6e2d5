import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseSeries, mostSamples } from '../../../../src/core/signal/analyseSeries';
import type { Letter, Pattern, SeriesAnalysis } from '../../../../src/core/signal/signal';
import { sampled, signals, spikePositions } from '../../../fixtures/dynamics/signals';
import { detectionClasses } from './detection';

const letters = ({ episodes }: SeriesAnalysis): string =>
  episodes.map(({ letter, from, to }) => `${letter}[${from},${to}]`).join(' ');
const ofType = ({ patterns }: SeriesAnalysis, type: Pattern['type']): Pattern[] =>
  patterns.filter((pattern) => pattern.type === type);
const covered = ({ episodes }: SeriesAnalysis, letter: Letter): number =>
  episodes.reduce((sum, { letter: found, from, to }) => sum + (found === letter ? to - from + 1 : 0), 0);

describe('letters', () => {
  it.each<[Letter, (i: number) => number]>([
    ['A', (i) => 1 - Math.exp(-i / 30)],
    ['B', (i) => 20_000 - i * i],
    ['C', (i) => Math.exp(-i / 30)],
    ['D', (i) => Math.exp(i / 40)],
    ['E', (i) => i],
    ['F', (i) => 200 - i],
    ['G', () => 3],
  ])('letters: %s covers at least 95 %% of its curve', (letter, curve) => {
    expect(covered(analyseSeries(sampled(128, curve)), letter)).toBeGreaterThanOrEqual(0.95 * 128);
  });

  it('peak and valley: a bump is AB and a dent CD around their middles', () => {
    const bump = (i: number): number => Math.exp(-0.5 * ((i - 60) / 6) ** 2);
    for (const [sign, pair] of [
      [1, ['A', 'B']],
      [-1, ['C', 'D']],
    ] as const) {
      const { episodes } = analyseSeries(sampled(128, (i) => sign * bump(i)));
      const at = episodes.findIndex(({ letter, to }) => letter === pair[0] && Math.abs(to - 60) <= 1);
      expect(at).toBeGreaterThanOrEqual(0);
      expect(episodes[at + 1]!.letter).toBe(pair[1]);
      expect(Math.abs(episodes[at]!.from - 54)).toBeLessThanOrEqual(1);
      expect(Math.abs(episodes[at + 1]!.to - 66)).toBeLessThanOrEqual(1);
    }
  });

  it('flat: many pieces below the tolerance that rise together are one trend', () => {
    const analysis = analyseSeries(sampled(128, (i) => 1 + (0.2 * i) / 127, 0.02, 55));
    const [trend, ...others] = analysis.patterns;
    expect(others).toEqual([]);
    expect(trend).toMatchObject({ type: 'trend', from: 0, to: 127 });
    expect(Math.abs(trend!.core![0] - 3)).toBeLessThanOrEqual(8);
    expect(Math.abs(trend!.core![1] - 122)).toBeLessThanOrEqual(8);
    expect(covered(analysis, 'G')).toBeLessThanOrEqual(0.15 * 128);
  });

  it('words: letters, peak and sentence of the cx look-alike', () => {
    const analysis = analyseSeries(signals.cx());
    expect(letters(analysis)).toBe(
      'D[0,11] A[12,18] B[19,25] C[26,35] G[36,78] B[79,99] C[100,109] G[110,127]',
    );
    expect(ofType(analysis, 'peak')).toMatchObject([{ from: 12, to: 25, at: 17, stability: 16 }]);
    expect(ofType(analysis, 'trend')).toMatchObject([{ from: 0, to: 18, core: [0, 18] }]);
    expect(analysis.sentence).toBe(
      'peak near 18 (13-26), flat 37-79, step decrease at 101 (×0.67), flat 111-128',
    );
    expect(analysis.noise).toBeGreaterThan(0);
  });

  it('words: what each of the test signals is called', () => {
    const sentences = Object.fromEntries(
      Object.entries(signals)
        .filter(([name]) => name !== 'slowDrift')
        .map(([name, signal]) => [name, analyseSeries(signal()).sentence]),
    );
    expect(sentences).toMatchInlineSnapshot(`
      {
        "bump": "peak near 62 (55-68)",
        "constant": "flat",
        "cx": "peak near 18 (13-26), flat 37-79, step decrease at 101 (×0.67), flat 111-128",
        "falling": "falls slowly 1-128",
        "fallingFromOneAndHalf": "falls 1-128 (×0.34)",
        "fourSpikes": "flat, 4 peaks (near 11, 56, 71, …)",
        "lateRamp": "rises 65-128 (×3.6)",
        "pepcDrift": "rises 1-2048 (×3.1), 8 peaks (near 101, 334, 702, …)",
        "pepcLate": "rises 523-2048 (×3)",
        "pepcTwo": "rises 1-1035 (×2.6), falls 1036-1659 (×0.64), rises 1660-2048 (×1.6)",
        "plateau": "peak near 66 (42-90)",
        "ramp": "rises 1-128",
        "rampToOneAndHalf": "rises 1-128 (×2.9)",
        "rampWithSpikes": "rises 1-128 (×6.1), 4 peaks (near 11, 56, 71, …)",
        "step": "step increase at 65 (×130), flat 97-128",
        "white": "flat",
      }
    `);
  });
});

describe('patterns', () => {
  // 100 seeds of the classes of 128 samples; those of 2,048 with fewer here, with 100 in bench/dynamics/detection.mjs.
  it.each(detectionClasses.map((each) => [`detection: ${each.name}`, each] as const))(
    '%s',
    (_, { signal, isRight, bar, seeds = 100 }) => {
      let right = 0;
      for (let seed = 1; seed <= seeds; seed++) if (isRight(analyseSeries(signal(seed)))) right++;
      expect(right / seeds).toBeGreaterThanOrEqual(bar);
    },
  );

  it('nested peaks: a ripple on a bump is not counted beside it', () => {
    const analysis = analyseSeries(
      sampled(128, (i) => 0.2 + Math.exp(-0.5 * ((i - 60) / 15) ** 2) + 0.1 * Math.sin(1.2 * i)),
    );
    const [peak, ...others] = ofType(analysis, 'peak');
    expect(others).toEqual([]);
    expect(Math.abs(peak!.from - 48)).toBeLessThanOrEqual(3);
    expect(Math.abs(peak!.to - 75)).toBeLessThanOrEqual(3);
  });

  it('nested peaks: extents are disjoint, and sums are those of the samples that they cover', () => {
    fc.assert(
      fc.property(fc.integer({ min: 16, max: 300 }), fc.integer(), (length, seed) => {
        const values = sampled(length, (i) => 1 + Math.sin(i / 7) + (i % 31 === 0 ? 3 : 0), 0.4, seed);
        const peaks = ofType(analyseSeries(values), 'peak');
        let end = -1;
        for (const { from, to, sum, at, excess } of peaks) {
          expect(from).toBeGreaterThan(end);
          expect(at! >= from && at! <= to).toBe(true);
          expect(sum).toBeCloseTo(
            values.slice(from, to + 1).reduce((total, value) => total + value, 0),
            8,
          );
          expect(excess).toBeGreaterThanOrEqual(0);
          end = to;
        }
      }),
      { numRuns: 60 },
    );
  });

  it('trend core and two trends: the long signals of the appendix', () => {
    const late = ofType(analyseSeries(signals.pepcLate()), 'trend');
    expect(late).toHaveLength(1);
    expect(Math.abs(late[0]!.core![0] - 522)).toBeLessThanOrEqual(20);
    const two = ofType(analyseSeries(signals.pepcTwo()), 'trend');
    expect(two).toHaveLength(2);
    expect(Math.abs(two[0]!.to - 1028)).toBeLessThanOrEqual(40);
    expect(Math.abs(two[1]!.from - 1650)).toBeLessThanOrEqual(40);
  });

  it('costs: all samples, excess and aftermath of a plateau and of a step that stays', () => {
    const plateau = analyseSeries(sampled(128, (i) => (i >= 50 && i <= 77 ? 2 : 1)));
    const [peak] = ofType(plateau, 'peak');
    expect(peak).toMatchObject({ from: 50, to: 77, sum: 56, aftermath: 0 });
    expect(peak!.excess).toBeCloseTo(28, 9);
    const [step, ...others] = analyseSeries(sampled(128, (i) => (i >= 100 ? 2 : 1))).patterns;
    expect(others).toEqual([]);
    expect(step).toMatchObject({ type: 'step', core: [99, 100] });
    expect(step!.sum).toBeCloseTo(3, 9);
    expect(Math.abs(step!.excess + step!.aftermath - 28)).toBeLessThanOrEqual(1);
  });

  /** What rises cost together, and what is above the least value (the least level of a fit may be below it) and could cost something. */
  function costOfRises(values: Float64Array): {
    readonly rises: number;
    readonly cost: number;
    readonly most: number;
  } {
    const rises = analyseSeries(values).patterns.filter(({ type }) => type !== 'peak');
    const least = Math.min(...values, ...rises.map(({ levels }) => levels[0]));
    return {
      rises: rises.length,
      cost: rises.reduce((sum, { excess, aftermath }) => sum + excess + aftermath, 0),
      most: values.reduce((sum, value) => sum + value - least, 0),
    };
  }

  it.each([
    ['a saw of five iterations', 64, (i: number) => i % 5],
    ['a saw of forty', 200, (i: number) => i % 40],
    ['two stairs', 200, (i: number) => (i < 60 ? 0 : i < 130 ? 1 : 3)],
    ['a rise, half a fall, a rise', 200, (i: number) => (i < 80 ? i : i < 120 ? 160 - i : i - 80)],
  ])('costs: of rises one after the other no time is counted twice: %s', (_, length, shape) => {
    const { rises, cost, most } = costOfRises(sampled(length, shape));
    expect(rises).toBeGreaterThan(0);
    expect(cost).toBeLessThanOrEqual(most * (1 + 1e-12));
  });

  it('costs: of any signal rises cost at most what is above its least value', () => {
    const noise = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 16, maxLength: 200 });
    fc.assert(
      fc.property(noise, fc.integer({ min: 1, max: 40 }), (deviations, period) => {
        const saw = Float64Array.from(deviations, (value, i) => (i % period) / period + 0.1 * value);
        const { cost, most } = costOfRises(saw);
        expect(cost).toBeLessThanOrEqual(most * (1 + 1e-12));
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['the first iteration', (i: number) => (i === 0 ? 10 : 0), [0]],
    ['the last iteration', (i: number) => (i === 199 ? 10 : 0), [199]],
    [
      'an iteration that takes a hundred times as long',
      (i: number) => (i % 50 === 25 ? 100 : 0),
      [25, 75, 125, 175],
    ],
  ])('trend surviving spikes: %s is a peak, and hides no drift', (_, spike, places) => {
    const analysis = analyseSeries(sampled(200, (i) => 1 + i / 200 + spike(i), 0.03, 1));
    expect(ofType(analysis, 'peak').map(({ from, to, at }) => [from, to, at])).toEqual(
      places.map((place) => [place, place, place]),
    );
    expect(ofType(analysis, 'trend')).toMatchObject([{ from: 0, to: 199 }]);
  });

  it('peaks: what runs in every tenth iteration has peaks and no valleys, what pauses in it the reverse', () => {
    const directions = (base: number, other: number): (boolean | undefined)[] => {
      const values = sampled(400, (i) => (i % 10 === 5 ? other : base));
      const bumps = ofType(analyseSeries(values, { improvements: true }), 'peak');
      expect(bumps).toHaveLength(40);
      return [...new Set(bumps.map(({ improvement }) => improvement))];
    };
    expect(directions(0, 1)).toEqual([undefined]);
    expect(directions(1, 0)).toEqual([true]);
  });

  it('separated trends: rises of one direction never overlap, and have their core inside', () => {
    const shape = fc.record({
      kind: fc.nat(3),
      size: fc.integer({ min: -3, max: 3 }),
      at: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 16, max: 400 }),
        fc.array(shape, { maxLength: 4 }),
        fc.nat(1000),
        (length, shapes, seed) => {
          const value = (i: number): number =>
            shapes.reduce((sum, { kind, size, at }) => {
              const x = i / length - at;
              if (kind === 0) return sum + size * Math.max(0, x);
              if (kind === 1) return sum + (x > 0 ? size : 0);
              return sum + size * (kind === 2 ? Math.exp(-200 * x * x) : Math.sin(9 * x));
            }, 1);
          const { patterns } = analyseSeries(sampled(length, value, 0.2, seed), { improvements: true });
          for (const direction of [undefined, true]) {
            let end = -1;
            for (const { type, from, to, core, improvement, levels, excess, aftermath } of patterns) {
              if (type === 'peak' || improvement !== direction) continue;
              expect(from).toBeGreaterThan(end);
              expect(from <= core![0] && core![0] < core![1] && core![1] <= to).toBe(true);
              expect(levels[1] > levels[0]).toBe(direction === undefined);
              expect(Math.min(excess, aftermath)).toBeGreaterThanOrEqual(0);
              end = to;
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('step: two steps far apart are no trend', () => {
    const { patterns } = analyseSeries(sampled(300, (i) => (i < 100 ? 1 : i < 200 ? 1.5 : 2.5), 0.03, 1));
    expect(patterns).toMatchObject([
      { type: 'step', core: [99, 100] },
      { type: 'step', core: [199, 200] },
    ]);
  });

  it('improvements: a falling run and a valley are the mirror of a trend and a peak, and only told when asked for', () => {
    const values = signals.rampWithSpikes();
    const mirrored = values.map((value) => 4 - value);
    const degradations = analyseSeries(values).patterns;
    const improvements = analyseSeries(mirrored, { improvements: true }).patterns.filter(
      ({ improvement }) => improvement,
    );
    const place = ({ type, from, to, core, at }: Pattern): unknown => ({ type, from, to, core, at });
    expect(improvements.map(place)).toEqual(degradations.map(place));
    expect(analyseSeries(mirrored).patterns.every(({ improvement }) => improvement === undefined)).toBe(true);
    expect(improvements.find(({ type }) => type === 'trend')!.levels[1]).toBeLessThan(3);
    expect(ofType(analyseSeries(values), 'peak').map(({ at }) => at)).toEqual(spikePositions);
  });
});

describe('any input', () => {
  const check = (values: Float64Array): SeriesAnalysis => {
    const analysis = analyseSeries(values, { improvements: true });
    let next = 0;
    for (const { from, to } of analysis.episodes) {
      expect(from).toBe(next);
      expect(to).toBeGreaterThanOrEqual(from);
      next = to + 1;
    }
    expect(next).toBe(values.length);
    const { energies, noise, patterns, episodes } = analysis;
    const numbers = [
      ...Object.values<number>({ ...energies }),
      noise,
      ...episodes.map(({ sum }) => sum),
      ...patterns.flatMap(({ sum, excess, aftermath, confidence, levels }) => [
        sum,
        excess,
        aftermath,
        confidence,
        ...levels,
      ]),
    ];
    expect(numbers.every(Number.isFinite)).toBe(true);
    return analysis;
  };

  it('robustness: what has no shape is flat, without dynamics', () => {
    const nothing = { patterns: [], sentence: 'flat' };
    for (const values of [
      [],
      [5],
      [1, 2],
      [0, 0, 0, 0, 0, 0, 0, 0],
      [NaN, NaN, NaN, NaN, NaN],
      new Array<number>(50).fill(-3),
      new Array<number>(50).fill(1e300),
    ]) {
      const analysis = check(Float64Array.from(values));
      expect(analysis).toMatchObject(nothing);
      expect(analysis.episodes.every(({ letter }) => letter === 'G')).toBe(true);
    }
    expect(check(new Float64Array(64)).energies).toEqual({ total: 0, dynamic: 0, short: 0, wide: 0 });
  });

  it('robustness: NaN counts as missing, and a unit of 1e300 or 1e-300 finds the same places', () => {
    const values = signals.rampWithSpikes();
    const place = ({ type, from, to, core }: Pattern): unknown => ({ type, from, to, core });
    const wanted = check(values).patterns.map(place);
    for (const unit of [1e300, 1e-300, 1e-310]) {
      expect(check(values.map((value) => value * unit)).patterns.map(place)).toEqual(wanted);
    }
    const gaps = values.map((value, i) => (i % 40 === 5 ? NaN : value));
    expect(check(gaps)).toEqual(check(gaps.map((value) => (Number.isNaN(value) ? 0 : value))));
  });

  it('robustness: any numbers give a defined result without exception', () => {
    const number = fc.oneof(
      fc.double(),
      fc.constantFrom(0, 1, -1, NaN, Infinity, -Infinity, 1e300, -1e308, 5e-324),
      fc.double({ min: -10, max: 10, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(number, { maxLength: 90 }), (values) => {
        check(Float64Array.from(values));
      }),
      { numRuns: 300 },
    );
  });

  it('robustness: every reading of the summary level works on every signal', () => {
    for (const summaryLevel of ['stability-cut', 'depth', 'depth-carried', 'slice'] as const) {
      for (const signal of [signals.cx(), signals.white(), signals.ramp(), Float64Array.of(1, 5, 2, 8, 3)]) {
        expect(analyseSeries(signal, { summaryLevel }).episodes.length).toBeGreaterThan(0);
      }
    }
  });

  it('very long signals are analysed as means, with places and costs in samples', () => {
    const length = 4 * mostSamples - 1000;
    const values = sampled(length, (i) => (i < length / 2 ? 1 : 2), 0.05, 3);
    const analysis = check(values);
    expect(analysis.averagedOver).toBe(4);
    const [step] = analysis.patterns.filter(({ type }) => type === 'step');
    expect(Math.abs(step!.core![0] - length / 2)).toBeLessThanOrEqual(8);
    expect((step!.excess + step!.aftermath) / (length / 2)).toBeCloseTo(1, 1);
    expect(analysis.episodes.reduce((sum, episode) => sum + episode.sum, 0)).toBeCloseTo(
      values.reduce((sum, value) => sum + value, 0),
      3,
    );
  });
});
