/** Results of the analysis of one series (specification of performance dynamics, §5–§8). Positions count samples from 0, both ends inclusive. */

import type { Energies } from '../transforms/energyStream';

/**
 * Qualitative state of an interval (§7.1): A concave increase, B concave decrease, C convex decrease, D convex increase, E linear increase,
 * F linear decrease, G constant.
 */
export type Letter = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G';

export interface Episode {
  readonly letter: Letter;
  readonly from: number;
  readonly to: number;
  /** Sum of the raw samples. */
  readonly sum: number;
  /** Scale steps over which the interval exists. */
  readonly stability: number;
}

/** A degradation, or with `improvement` its mirror image (valley, falling run, step down). */
export interface Pattern {
  readonly type: 'peak' | 'trend' | 'step';
  readonly improvement?: true;
  /** Extent: the run of rising episodes of a trend, the core of a step. */
  readonly from: number;
  readonly to: number;
  /** Where the rise itself is (§8.2); absent for peaks. */
  readonly core?: readonly [number, number];
  /** Highest sample of a peak. */
  readonly at?: number;
  /** Values before and after: levels of the fit; of a peak its base and its height. */
  readonly levels: readonly [number, number];
  /** All of the interval's samples (the source's severity is this over the phase time). */
  readonly sum: number;
  /** Cost of the degradation itself: sum of the samples above the level before it. */
  readonly excess: number;
  /** Cost after its end, until the level is back; 0 for peaks. */
  readonly aftermath: number;
  /** 0…1: R² of the fit for trends and steps (published method), or 1 less `chance`; 1 for peaks. */
  readonly confidence: number;
  /** Share of constant series with evidence as strong; absent where it is not known. */
  readonly chance?: number;
  /** Range of the last sample before the change, which contains it with a probability of 95 %; absent where it is not known. */
  readonly onset?: readonly [number, number];
  /** The same of the first sample of the new level. */
  readonly end?: readonly [number, number];
  /** Standard deviation of what it costs, excess and aftermath together; absent where it is not known. */
  readonly costDeviation?: number;
  readonly stability: number;
}

/** One interval between neighbouring inflection points over the scales where it exists (§6.7). */
export interface IntervalNode {
  /** At the finest scale, in samples; may lie between samples. */
  readonly left: number;
  readonly right: number;
  /** Sign of the second derivative: -1 concave, 1 convex, 0 none. */
  readonly sign: -1 | 0 | 1;
  /** Positions in the list of scales, finest and coarsest. */
  readonly scaleLow: number;
  readonly scaleHigh: number;
  readonly stability: number;
  readonly children: readonly IntervalNode[];
}

export interface SeriesAnalysis {
  readonly energies: Energies;
  /** Standard deviation of the noise (§5.5). */
  readonly noise: number;
  /** Qualitative sequence at the summary level; tiles the signal. */
  readonly episodes: readonly Episode[];
  /** Degradations by position; improvements only when asked for. */
  readonly patterns: readonly Pattern[];
  /** The series in words, such as `peak near 18 (12-25), flat 37-79, step decrease at 100`; iterations count from 1. */
  readonly sentence: string;
  /** By sample, the series without noise and peaks; NaN where nothing is known. */
  readonly model?: Float64Array;
  /** Samples between repetitions, where that was found with the rest. */
  readonly period?: number;
  /** What repeats costs more and more. */
  readonly peaksGrow?: true;
  /** The shape was found in means of this many samples, because the signal is very long; absent: in the samples themselves. */
  readonly averagedOver?: number;
}

/** Thresholds of the signal analysis; specification §19. */
export interface SignalOptions {
  readonly sigmaMinimum: number;
  readonly stepsPerOctave: number;
  readonly summaryLevel: 'stability-cut' | 'depth' | 'depth-carried' | 'slice';
  readonly plateauTolerance: number;
  readonly flatTolerance: number;
  readonly linearTolerance: number;
  readonly bridgeDrop: number;
  /** Share of the range. */
  readonly peakProminence: number;
  /** In octaves. */
  readonly peakStability: number;
  /** Share of the range. */
  readonly trendAmplitude: number;
  readonly trendFit: number;
  /** Also falling runs and valleys. */
  readonly improvements: boolean;
}

export const defaultSignalOptions: SignalOptions = {
  sigmaMinimum: 0.5,
  stepsPerOctave: 4,
  summaryLevel: 'stability-cut',
  plateauTolerance: 0.02,
  flatTolerance: 0.05,
  linearTolerance: 0.1,
  bridgeDrop: 0.25,
  peakProminence: 0.1,
  peakStability: 3,
  trendAmplitude: 0.1,
  trendFit: 0.3,
  improvements: false,
};
