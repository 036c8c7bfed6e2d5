/**
 * How the analysis of a series came to its result: everything that displays of it need (specification of performance dynamics, §15.2
 * "Explain view"). Costs more memory than `analyseSeries`; for one series at a time.
 */
import { atInt } from '../at';
import { analyseSeries, findIn } from './analyseSeries';
import { blockMeans } from './blocks';
import type { TrackedContours } from '../transforms/contours';
import { scaleogram, type HaarCell } from '../transforms/haar';
import { prepare } from './prepare';
import { scaleSet, smooth } from '../transforms/scaleSpace';
import { defaultSignalOptions, type IntervalNode, type SeriesAnalysis, type SignalOptions } from './signal';

/** A zero crossing of the second derivative, followed over the scales. */
export interface Contour {
  /** Sign of the second derivative right of it. */
  readonly sign: -1 | 1;
  /** Where it is at scale 0, 1, … as far as it exists, in samples (of `averagedOver` iterations). */
  readonly positions: Float64Array;
}

export interface SeriesExplanation {
  readonly analysis: SeriesAnalysis;
  /** Iterations behind each sample of what follows; 1 unless the series is very long. */
  readonly averagedOver: number;
  /** σ of the scales in samples, finest first. */
  readonly sigmas: Float64Array;
  /** By position at the finest scale. */
  readonly contours: readonly Contour[];
  /** The interval tree: intervals of the coarsest scale, from left to right. Positions in samples. */
  readonly roots: readonly IntervalNode[];
  /** Energies of all Haar coefficients, finest scale first. */
  readonly scaleogram: readonly HaarCell[];
  /** The series at one of the scales, computed when it is asked for. */
  smoothed(scale: number): Float64Array;
}

export function explainSeries(values: Float64Array, options: Partial<SignalOptions> = {}): SeriesExplanation {
  const settings = { ...defaultSignalOptions, ...options };
  const analysis = analyseSeries(values, settings);
  const averagedOver = analysis.averagedOver ?? 1;
  const samples = blockMeans(values, averagedOver);
  const { tracked, roots } = findIn(prepare(samples), settings);
  const sigmas = scaleSet(samples.length, settings.sigmaMinimum, settings.stepsPerOctave);
  return {
    analysis,
    averagedOver,
    sigmas,
    contours: contoursOf(tracked),
    roots,
    scaleogram: scaleogram(samples),
    smoothed: (scale) => smooth(samples, (sigmas[scale] ?? 0) ** 2),
  };
}

function contoursOf({ crossings, finer }: TrackedContours): Contour[] {
  const [finest] = crossings;
  if (finest === undefined) return [];
  const positions = Array.from(finest.positions, (position) => [position]);
  // Which contour each crossing of the scale at hand belongs to.
  let contourOf = Int32Array.from({ length: finest.count }, (_, n) => n);
  for (let k = 1; k < crossings.length; k++) {
    const below = contourOf;
    contourOf = Int32Array.from(finer[k] ?? [], (link) => atInt(below, link));
    crossings[k]?.positions.forEach((position, a) => positions[atInt(contourOf, a)]?.push(position));
  }
  const first = finest.startSign === 1 ? -1 : 1;
  return positions.map((list, n) => ({
    sign: n % 2 === 0 ? first : first === 1 ? -1 : 1,
    positions: Float64Array.from(list),
  }));
}
