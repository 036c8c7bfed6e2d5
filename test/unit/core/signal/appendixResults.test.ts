import { describe, expect, it } from 'vitest';
import { analyseSeries } from '../../../../src/core/signal/analyseSeries';
import { explainSeries } from '../../../../src/core/signal/explainSeries';
import type { SignalOptions } from '../../../../src/core/signal/signal';
import { sampled, signals } from '../../../fixtures/dynamics/signals';
import { resultLines } from '../../resultText';

/** More than the appendix has: falls, valleys, stairs, plateaus at both ends, very short and nearly periodic signals. */
const others: Readonly<Record<string, () => Float64Array>> = {
  valley: () => sampled(128, (i) => 1 - 0.8 * Math.exp(-0.5 * ((i - 60) / 6) ** 2), 0.02, 2),
  stairs: () => sampled(200, (i) => (i < 60 ? 1 : i < 130 ? 2 : 4), 0.05, 3),
  stairsDown: () => sampled(200, (i) => (i < 60 ? 4 : i < 130 ? 2 : 1), 0.05, 3),
  saw: () => sampled(160, (i) => i % 40),
  saturating: () => sampled(128, (i) => 1 - Math.exp(-i / 30), 0.01, 4),
  exponential: () => sampled(128, (i) => Math.exp(i / 40), 0.01, 5),
  wave: () => sampled(256, (i) => 2 + Math.sin(i / 12), 0.1, 6),
  plateauAtStart: () => sampled(96, (i) => (i < 20 ? 3 : 1), 0.03, 7),
  plateauAtEnd: () => sampled(96, (i) => (i < 80 ? 1 : 3), 0.03, 7),
  every15th: () => sampled(160, (i) => (i % 15 === 14 ? 1 : 0.1), 0.02, 8),
  pauses: () => sampled(160, (i) => (i % 20 === 9 ? 0.1 : 1), 0.02, 9),
  ramp3: () => Float64Array.of(1, 2, 3),
  zigzag: () => Float64Array.of(1, 5, 2, 8, 3, 9, 1, 1, 1, 7),
  twoBumps: () =>
    sampled(200, (i) => Math.exp(-0.5 * ((i - 60) / 12) ** 2) + 2 * Math.exp(-0.5 * ((i - 150) / 5) ** 2)),
  riseAndStay: () => sampled(150, (i) => Math.min(1, Math.max(0, (i - 40) / 60)), 0.02, 10),
  riseFallRise: () => sampled(200, (i) => (i < 80 ? i : i < 120 ? 160 - i : i - 80), 2, 11),
  spikesOnStep: () => sampled(128, (i) => (i < 64 ? 1 : 2) + (i % 30 === 10 ? 3 : 0), 0.05, 12),
};

function resultsOf(
  all: readonly (readonly [string, Float64Array])[],
  options: Partial<SignalOptions>,
): string {
  return resultLines(
    all.flatMap(([name, values]) => {
      const { episodes, patterns, energies, noise, sentence } = analyseSeries(values, options);
      return [
        [name, sentence, noise, energies],
        episodes.map(({ letter, from, to, sum, stability }) => [letter, from, to, sum, stability]),
        ...patterns,
      ];
    }),
  );
}

const all = Object.entries({ ...signals, ...others })
  .map(([name, signal]) => [name, signal()] as const)
  .filter(([, values]) => values.length <= 2048);
const short = all.filter(([, values]) => values.length <= 200);

/**
 * The files beside this one have the whole results for the signals of the specification's appendix B and some others. A change of the analysis
 * that is wanted changes them (`npx vitest run -u`): the difference of the files then shows what it means for users.
 */
describe('whole results of the analysis', () => {
  it('with the default thresholds', async () => {
    await expect(resultsOf(all, { improvements: true })).toMatchFileSnapshot('results/default.txt');
  });

  it.each<[string, Partial<SignalOptions>]>([
    ['depth', { summaryLevel: 'depth' }],
    ['depth-carried', { summaryLevel: 'depth-carried' }],
    ['slice', { summaryLevel: 'slice' }],
    ['coarse', { sigmaMinimum: 1, stepsPerOctave: 2, plateauTolerance: 0.1, flatTolerance: 0.2 }],
    [
      'strict',
      { bridgeDrop: 0.05, peakProminence: 0.4, peakStability: 8, trendAmplitude: 0.5, trendFit: 0.8 },
    ],
  ])('with the options %s', async (name, options) => {
    await expect(resultsOf(short, { ...options, improvements: true })).toMatchFileSnapshot(
      `results/${name}.txt`,
    );
  });

  it('explained: contours, the interval tree and the energies of a scaleogram', async () => {
    const explained = short
      .filter(([name]) => ['bump', 'zigzag', 'ramp3'].includes(name))
      .flatMap(([name, values]) => {
        const explanation = explainSeries(values);
        const { contours, roots, sigmas, scaleogram } = explanation;
        return [
          [name, sigmas],
          ...contours.map(({ sign, positions }) => [sign, positions]),
          ...roots,
          scaleogram.slice(0, 40),
          ...[1, 9].map((scale) => (scale < sigmas.length ? explanation.smoothed(scale).slice(0, 30) : [])),
        ];
      });
    await expect(resultLines(explained)).toMatchFileSnapshot('results/explained.txt');
  });
});
