/** The signal classes of the specification's detection rates (performance dynamics, §8.4): what has to be found in each, and how often. */
import type { Pattern, SeriesAnalysis } from '../../../../src/core/signal/signal';
import { driftSpikePositions, signals, spikePositions } from '../../../fixtures/dynamics/signals';

export interface DetectionClass {
  readonly name: string;
  readonly signal: (seed: number) => Float64Array;
  readonly isRight: (analysis: SeriesAnalysis) => boolean;
  /** Share of seeds, 0…1: the larger of the specification's bar and the rate of its prototype. */
  readonly bar: number;
  /** Seeds in the unit tests; the bench takes 100 of every class. */
  readonly seeds?: number;
}

const trends = ({ patterns }: SeriesAnalysis): Pattern[] => patterns.filter(({ type }) => type !== 'peak');
const peaks = ({ patterns }: SeriesAnalysis): Pattern[] => patterns.filter(({ type }) => type === 'peak');
const variability = ({ energies }: SeriesAnalysis): number => energies.dynamic / energies.total;
const near = (value: number | undefined, wanted: number, tolerance: number): boolean =>
  value !== undefined && Math.abs(value - wanted) <= tolerance;

function isOneTrendOver(analysis: SeriesAnalysis, share: number): boolean {
  const [trend, ...others] = trends(analysis);
  const length = analysis.episodes.at(-1)!.to + 1;
  const core = trend?.core;
  return others.length === 0 && core !== undefined && core[1] - core[0] + 1 >= share * length;
}

function arePeaks(analysis: SeriesAnalysis, positions: readonly number[]): boolean {
  const found = peaks(analysis);
  return (
    found.length === positions.length &&
    positions.every(
      (position, n) => found[n]!.from <= position && found[n]!.to >= position && found[n]!.at === position,
    )
  );
}

const spikes128 = (analysis: SeriesAnalysis): boolean => arePeaks(analysis, spikePositions);

export const detectionClasses: readonly DetectionClass[] = [
  {
    name: 'constant, CV 2 %: below the energy gate',
    signal: (seed) => signals.constant(seed),
    isRight: (analysis) => variability(analysis) <= 0.01,
    bar: 1,
  },
  {
    name: 'ramp 0.5 → 1.5: above the energy gate',
    signal: (seed) => signals.rampToOneAndHalf(seed),
    isRight: (analysis) => variability(analysis) > 0.01,
    bar: 1,
  },
  {
    name: 'white noise, CV 30 %: no peak',
    signal: (seed) => signals.white(seed),
    isRight: (analysis) => peaks(analysis).length === 0,
    bar: 0.97,
  },
  {
    name: 'white noise, CV 30 %: no trend',
    signal: (seed) => signals.white(seed),
    isRight: (analysis) => trends(analysis).length === 0,
    bar: 0.99,
  },
  {
    name: 'ramp 0.5 → 1.5, noise 0.1: one trend over 80 %',
    signal: (seed) => signals.rampToOneAndHalf(seed),
    isRight: (analysis) => isOneTrendOver(analysis, 0.8),
    bar: 0.96,
  },
  {
    name: 'falling ramp: no trend',
    signal: (seed) => signals.fallingFromOneAndHalf(seed),
    isRight: (analysis) => trends(analysis).length === 0,
    bar: 1,
  },
  {
    name: 'flat, then rising at 64: core starts there ±8',
    signal: (seed) => signals.lateRamp(seed, 0.05),
    isRight: (analysis) => {
      const [trend, ...others] = trends(analysis);
      return others.length === 0 && near(trend?.core?.[0], 64, 8);
    },
    bar: 0.99,
  },
  {
    name: 'flat, then rising at 522 of 2048: core starts there ±20',
    signal: (seed) => signals.pepcLate(seed),
    isRight: (analysis) => trends(analysis).some(({ core }) => near(core?.[0], 522, 20)),
    bar: 0.95,
    seeds: 20,
  },
  {
    name: 'step at 64, noise 0.05: a step, core 63–64 ±1',
    signal: (seed) => signals.step(seed),
    isRight: (analysis) => {
      const [step, ...others] = trends(analysis);
      return (
        others.length === 0 &&
        step?.type === 'step' &&
        near(step.core?.[0], 63, 1) &&
        near(step.core?.[1], 64, 1)
      );
    },
    bar: 0.99,
  },
  {
    name: 'four spikes, noise 0.05: exactly these peaks',
    signal: (seed) => signals.fourSpikes(seed, 0.05),
    isRight: spikes128,
    bar: 1,
  },
  {
    name: 'four spikes, noise 0.05: no trend beside them',
    signal: (seed) => signals.fourSpikes(seed, 0.05),
    isRight: (analysis) => trends(analysis).length === 0,
    bar: 0.97,
  },
  {
    name: 'ramp and four spikes: these peaks and one trend over 80 %',
    signal: (seed) => signals.rampWithSpikes(seed),
    isRight: (analysis) => spikes128(analysis) && isOneTrendOver(analysis, 0.8),
    bar: 1,
  },
  {
    name: 'bump at 60, noise 0.05: one peak, its top ±2',
    signal: (seed) => signals.bump(seed),
    isRight: (analysis) => {
      const [peak, ...others] = peaks(analysis);
      return others.length === 0 && near(peak?.at, 60, 2);
    },
    bar: 1,
  },
  {
    name: 'rise, fall, rise of 2048: two trends, borders ±40',
    signal: (seed) => signals.pepcTwo(seed),
    isRight: (analysis) => {
      const found = trends(analysis);
      return found.length === 2 && near(found[0]!.to, 1028, 40) && near(found[1]!.from, 1650, 40);
    },
    bar: 0.95,
    seeds: 20,
  },
  {
    name: 'drift with eight spikes of 2048: these peaks and one trend over 80 %',
    signal: (seed) => signals.pepcDrift(seed),
    isRight: (analysis) => arePeaks(analysis, driftSpikePositions) && isOneTrendOver(analysis, 0.8),
    bar: 0.95,
    seeds: 20,
  },
];
