/** The analysis of one series from numbers to patterns and words (specification of performance dynamics, §5–§8 and appendix A). */
import { blockMeans, ofBlocks } from './blocks';
import { trackContours, type TrackedContours } from '../transforms/contours';
import { letterNodes, type LetteredPart } from './episodes';
import { energies } from '../transforms/haar';
import { intervalTree, type TreeNode } from './intervalTree';
import { findPeaks, standing, withoutPeaks, type Peak } from './peaks';
import { episodeOf, patternOfPeak, patternOfTrend } from './patterns';
import { inMeasure, prepare, rangeOf, type PreparedSignal } from './prepare';
import { planFor, type ScaleStack } from '../transforms/scaleSpace';
import { defaultSignalOptions, type SeriesAnalysis, type SignalOptions } from './signal';
import { summaryNodes } from './summaryLevel';
import { findTrends, type Trend } from './trends';
import { sentenceOf } from './words';

/** Fewer samples have no shape: one flat episode. */
const fewestSamples = 4;
/** Change below this share of the range is rounding. */
const roundingShare = 1e-12;
/** Longer signals are analysed as means of 2, 4, … samples (`SeriesAnalysis.averagedOver`). */
export const mostSamples = 65_536;

/** Analyses a series of any length, also an empty one. Values that are not finite count as 0 (`fillMissing` has other methods). */
export function analyseSeries(values: Float64Array, options: Partial<SignalOptions> = {}): SeriesAnalysis {
  const settings = { ...defaultSignalOptions, ...options };
  let averagedOver = 1;
  while (values.length / averagedOver > mostSamples) averagedOver *= 2;
  const analysed = averagedOver === 1 ? values : blockMeans(values, averagedOver);
  const signal = prepare(analysed);
  const features = findIn(signal, settings);
  const shape = describe(features, signal);
  const { episodes, patterns } = averagedOver === 1 ? shape : ofBlocks(shape, values, averagedOver);
  return {
    energies: energies(values),
    noise: inMeasure(signal.unit, signal.noise),
    episodes,
    patterns: settings.improvements
      ? patterns
      : patterns.filter(({ improvement }) => improvement === undefined),
    sentence: sentenceOf(episodes, patterns, values.length),
    ...(averagedOver === 1 ? {} : { averagedOver }),
  };
}

/** Everything that was found, in the prepared signal's units. */
export interface Found {
  /** Contours of the signal itself; empty where it is constant or too short. */
  readonly tracked: TrackedContours;
  readonly roots: readonly TreeNode[];
  /** Episodes of the signal without narrow spikes. */
  readonly parts: readonly LetteredPart[];
  readonly peaks: readonly Peak[];
  readonly valleys: readonly Peak[];
  readonly rises: readonly Trend[];
  readonly falls: readonly Trend[];
}

export function findIn(signal: PreparedSignal, settings: SignalOptions): Found {
  const { values, range } = signal;
  const { length } = values;
  if (length === 0 || length < fewestSamples || range === 0) return nothingIn(length);
  const plan = planFor(length, settings.sigmaMinimum, settings.stepsPerOctave);
  const stack = plan.open(values);
  const tracked = trackContours(stack, range);
  const roots = intervalTree(tracked, length);
  const { peaks, valleys } = bumpsIn(roots, stack, signal, settings);
  const spikes = [...peaks, ...valleys]
    .filter((peak) => isNarrow(peak, length))
    .sort((left, right) => left.from - right.from);
  const letters = (nodes: readonly TreeNode[], of: typeof stack, ofRange: number): LetteredPart[] =>
    letterNodes(
      summaryNodes(nodes, settings.summaryLevel),
      of,
      { range: ofRange, noise: signal.noise },
      settings,
    );

  let cleaned = values;
  let parts: LetteredPart[];
  if (spikes.length === 0) parts = letters(roots, stack, range);
  else {
    cleaned = withoutPeaks(values, spikes);
    const cleanedRange = rangeOf(cleaned);
    // The rest is rounding errors of exact values; without this, they would become hundreds of episodes.
    if (cleanedRange <= roundingShare * range)
      return { ...nothingIn(length), tracked, roots, peaks, valleys };
    const cleanedStack = plan.open(cleaned);
    const cleanedRoots = intervalTree(trackContours(cleanedStack, cleanedRange), length);
    parts = letters(cleanedRoots, cleanedStack, cleanedRange);
  }
  const { rises, falls } = findTrends(parts, cleaned, signal, settings);
  return { tracked, roots, parts, peaks, valleys, rises, falls };
}

/** Peaks and valleys, without those that only appear as such because narrow ones of the other direction surround them. */
function bumpsIn(
  roots: readonly TreeNode[],
  stack: ScaleStack,
  signal: PreparedSignal,
  settings: SignalOptions,
): Pick<Found, 'peaks' | 'valleys'> {
  const { values } = signal;
  const peaks = findPeaks(roots, stack, signal, settings);
  const valleys = findPeaks(roots, stack, signal, settings, -1);
  const spikes = peaks.filter((peak) => isNarrow(peak, values.length));
  const dips = valleys.filter((valley) => isNarrow(valley, values.length));
  // The direction that covers less of the signal is the exception; the other is the normal level.
  const areSpikes = dips.length === 0 || (spikes.length > 0 && samplesIn(spikes) <= samplesIn(dips));
  const exceptions = areSpikes ? spikes : dips;
  if (exceptions.length === 0) return { peaks, valleys };
  const filled = withoutPeaks(values, exceptions);
  return areSpikes
    ? { peaks, valleys: standing(valleys, filled, signal, settings, -1) }
    : { peaks: standing(peaks, filled, signal, settings), valleys };
}

/** Spikes that would hide a trend: at most 1/32 of the signal, but always three samples. */
function isNarrow(peak: Peak, length: number): boolean {
  return widthOf(peak) <= Math.max(3, Math.ceil(length / 32));
}

function widthOf({ from, to }: Peak): number {
  return to - from + 1;
}

function samplesIn(peaks: readonly Peak[]): number {
  return peaks.reduce((sum, peak) => sum + widthOf(peak), 0);
}

function nothingIn(length: number): Found {
  const tracked = { crossings: [], finer: [] };
  const flat: LetteredPart = { letter: 'G', from: 0, to: length - 1, net: 0, threshold: 0, stability: 1 };
  const parts = length === 0 ? [] : [flat];
  return {
    tracked,
    roots: intervalTree(tracked, length),
    parts,
    peaks: [],
    valleys: [],
    rises: [],
    falls: [],
  };
}

function describe(features: Found, signal: PreparedSignal): Pick<SeriesAnalysis, 'episodes' | 'patterns'> {
  const patterns = [
    ...features.peaks.map((peak) => patternOfPeak(peak, signal)),
    ...features.rises.map((trend) => patternOfTrend(trend, signal)),
    ...features.valleys.map((peak) => patternOfPeak(peak, signal, -1)),
    ...features.falls.map((trend) => patternOfTrend(trend, signal, -1)),
  ];
  patterns.sort((a, b) => a.from - b.from || a.to - b.to);
  return { episodes: features.parts.map((part) => episodeOf(part, signal)), patterns };
}
