import type { MissingMethod } from '../../series/missing';
import { defaultSignalOptions, type SignalOptions } from '../../signal/signal';

/**
 * Settings of the analysis of a run's dynamics (§19). Shares are 0…1 of the phase time of the same process, energies shares of the total
 * energy of a series. The result contains all of them, so that a report can be made again.
 */
export interface DynamicsOptions {
  /** `likelihood`: what explains a series best under noise with memory, tails and skew (`core/detect`). `periscope`: the published method, by wavelet energies and scale space. */
  readonly method: 'likelihood' | 'periscope';
  /** Share of series that do not change in which a change is told (likelihood). */
  readonly falseAlarm: number;
  /** Iterations that are read and analysed together where the run is too long to be analysed as a whole; a power of two. */
  readonly burst: number;
  /** Iterations to analyse; 0: until the end. */
  readonly duration: number;
  /** Minimum share of a static property; only static properties are analysed over time. */
  readonly reportThreshold: number;
  /** Relative cost of recording from which it is excessive. */
  readonly overheadThreshold: number;
  /** dynamic ÷ total energy above which a series varies at all; 0.01 is a coefficient of variation of 10 %. */
  readonly thresholdEnergy: number;
  /** Energy of the short scales below which peaks are ignored. */
  readonly shortGate: number;
  /** Energy of the wide scales below which trends are ignored. */
  readonly wideGate: number;
  /** Minimum share of a degradation. */
  readonly thresholdTime: number;
  readonly missing: MissingMethod;
  readonly signal: SignalOptions;
  /** Runs up to this length are analysed as a whole, longer ones burst by burst with a coarse series of the whole; 0: always burst by burst. */
  readonly wholeRun: number;
  /** Maximum number of values in the coarse series of a long run, each a mean of 2^k iterations; at least half of it is used. */
  readonly coarseValues: number;
  /** Number of degradations stored per series; the others are counted and summed. */
  readonly patternsKept: number;
  /** Ranks are put into different rows at gaps above both of these: share of the mean severity, and share of the phase time. */
  readonly clusterGapRelative: number;
  readonly clusterGapAbsolute: number;
  /** Also analyses series without a static property. */
  readonly all: boolean;
  /** Also reports improvements. */
  readonly improvements: boolean;
}

/** The energies that the published method demands; evidence stands in their place otherwise. */
const publishedGates = { thresholdEnergy: 0.01, shortGate: 0.001, wideGate: 0.005 } as const;

export function defaultsOf(method: DynamicsOptions['method']): DynamicsOptions {
  return method === 'periscope'
    ? { ...defaultDynamicsOptions, method, ...publishedGates }
    : defaultDynamicsOptions;
}

export const defaultDynamicsOptions: DynamicsOptions = {
  method: 'likelihood',
  falseAlarm: 0.01,
  burst: 1024,
  duration: 0,
  reportThreshold: 0.1,
  overheadThreshold: 0.05,
  thresholdEnergy: 0,
  shortGate: 0,
  wideGate: 0,
  thresholdTime: 0.01,
  missing: 'zero',
  signal: defaultSignalOptions,
  wholeRun: 2048,
  coarseValues: 1024,
  patternsKept: 64,
  clusterGapRelative: 0.2,
  clusterGapAbsolute: 0.02,
  all: false,
  improvements: false,
};
