import { EnergyStream, type Energies } from '../../transforms/energyStream';
import type { Pattern, SeriesAnalysis } from '../../signal/signal';
import { sentenceOf } from '../../signal/words';
import { BurstWindows } from './burstWindows';
import { CoarseSeries } from './coarseSeries';
import { lengthOf, overlaps, stretched } from './extent';
import { costOf, noOthers, type Others } from './largestPatterns';
import type { DynamicsOptions } from '../model/options';
import { periodOf } from './periodOf';
import { possible } from './possible';

/** The dynamics of an impact over a whole run. */
export interface RecordedDynamics {
  readonly energies: Energies;
  /** Analysis of the stored series: letters, noise and words. */
  readonly analysis: Omit<SeriesAnalysis, 'model'>;
  readonly patterns: readonly Pattern[];
  readonly others: Others;
  /** Iterations between peaks. */
  readonly period: number | undefined;
}

type Analyse = (values: Float64Array) => SeriesAnalysis;
type RecordOptions = Pick<
  DynamicsOptions,
  'wholeRun' | 'coarseValues' | 'falseAlarm' | 'patternsKept' | 'thresholdEnergy' | 'shortGate'
>;

/** Shared: a run of 100,000 ranks has as many records. */
const nothing = new Float64Array(0);

/** The form for long runs: constant memory for any number of iterations. */
interface LongRun {
  readonly coarse: CoarseSeries;
  readonly energies: EnergyStream;
  readonly windows: BurstWindows;
  longestWindow: number;
}

/**
 * The impact of one problem in one place, over a run of unknown length. A short run is stored and analysed as a whole. When it becomes longer,
 * its bursts are analysed one by one, its energies are streamed, and a coarse series represents the whole.
 */
export class ImpactRecord {
  private values = nothing;
  private count = 0;
  private long: LongRun | undefined;

  constructor(private readonly options: RecordOptions) {}

  get iterations(): number {
    return this.long?.coarse.count ?? this.count;
  }

  /** Numbers that are held. */
  get size(): number {
    return this.long === undefined ? this.values.length : this.options.coarseValues;
  }

  /**
   * @param isWorth whether the problem holds so far, so that its windows are analysed
   */
  push(values: Float64Array, isWorth: () => boolean, analyse: Analyse): void {
    if (this.long === undefined && this.count + values.length <= this.options.wholeRun) {
      this.reserve(this.count + values.length);
      this.values.set(values, this.count);
      this.count += values.length;
      return;
    }
    this.becomeLong(isWorth, analyse);
    this.pushLong(values, isWorth, analyse);
  }

  /** Iterations in which the place was not there. */
  skip(iterations: number, isWorth: () => boolean, analyse: Analyse): void {
    const most = 4096;
    for (let left = iterations; left > 0; left -= most)
      this.push(new Float64Array(Math.min(left, most)), isWorth, analyse);
  }

  /** Replaces a stored short run by its long form, because there are too many of them. */
  becomeLong(isWorth: () => boolean, analyse: Analyse): void {
    if (this.long !== undefined) return;
    this.long = this.beginLong();
    if (this.count > 0) this.pushLong(this.values.slice(0, this.count), isWorth, analyse);
    this.values = nothing;
  }

  shrink(capacity: number): void {
    this.long?.coarse.shrink(capacity);
  }

  /** Means of `valueLength` iterations each; not to be changed: a run has many of them, which are not copied. */
  kept(): { readonly values: Float64Array; readonly valueLength: number } {
    return this.long === undefined
      ? { values: this.values.subarray(0, this.count), valueLength: 1 }
      : { values: this.long.coarse.values(), valueLength: this.long.coarse.blockLength };
  }

  dynamics(analyse: (values: Float64Array) => Omit<SeriesAnalysis, 'model'>): RecordedDynamics {
    const { values, valueLength } = this.kept();
    const analysis = analyse(values);
    const coarse = analysis.patterns.map((pattern) => stretched(pattern, valueLength, this.iterations));
    const episodes = analysis.episodes.map((episode) => ({
      ...episode,
      from: episode.from * valueLength,
      to: Math.min(this.iterations - 1, (episode.to + 1) * valueLength - 1),
      sum: episode.sum * valueLength,
    }));
    if (this.long === undefined)
      return {
        energies: analysis.energies,
        analysis,
        patterns: possible(coarse, values, valueLength),
        others: noOthers,
        period: analysis.period ?? periodOf(coarse.filter(isDegradingPeak)),
      };
    const { energies, windows, longestWindow } = this.long;
    const fine = windows.patterns();
    const both = bothScales(fine.patterns, coarse, { window: longestWindow, valueLength });
    const patterns = possible(both, values, valueLength);
    const sentence = sentenceOf(episodes, patterns, this.iterations);
    return {
      energies: energies.energies(),
      analysis: { ...analysis, episodes, sentence },
      patterns,
      others: fine.others,
      period: periodOf(fine.firstPeaks),
    };
  }

  private beginLong(): LongRun {
    return {
      coarse: new CoarseSeries(this.options.coarseValues),
      energies: new EnergyStream(),
      windows: new BurstWindows(this.options.patternsKept, this.options.falseAlarm),
      longestWindow: 1,
    };
  }

  private pushLong(values: Float64Array, isWorth: () => boolean, analyse: Analyse): void {
    const long = this.long;
    if (long === undefined) return;
    long.coarse.push(values);
    long.energies.push(values);
    long.longestWindow = Math.max(long.longestWindow, values.length);
    long.windows.push(values, (window) => (isWorth() && this.varies(window) ? analyse(window) : undefined));
  }

  /** In one pass: most windows of most runs are flat. A spike is little in its window, so that this is less strict than P1, which is for the whole. */
  private varies(window: Float64Array): boolean {
    const { thresholdEnergy, shortGate } = this.options;
    const stream = new EnergyStream();
    stream.push(window);
    const { dynamic, total } = stream.energies();
    return total > 0 && dynamic / total > Math.min(thresholdEnergy, shortGate);
  }

  private reserve(count: number): void {
    if (count <= this.values.length) return;
    const larger = new Float64Array(Math.min(this.options.wholeRun, Math.max(count, 2 * this.values.length)));
    larger.set(this.values.subarray(0, this.count));
    this.values = larger;
  }
}

interface Scales {
  /** Iterations of the longest window, and of each value of the coarse series. */
  readonly window: number;
  readonly valueLength: number;
}

/** Values from which on a rise is as well located in the coarse series as in windows, which see less of it. */
const plenty = 64;

function isWellSeen(wide: Pattern, { window, valueLength }: Scales): boolean {
  const length = lengthOf(wide);
  return length > window || (wide.type === 'trend' && length >= plenty * valueLength);
}

/**
 * Patterns of windows and of the coarse series together (§11.2.3). A coarse pattern counts when it is longer than a window could show; a trend then
 * supersedes its pieces, a peak what it covers unless that is most of it.
 */
function bothScales(
  fine: readonly Pattern[],
  coarse: readonly Pattern[],
  scales: Scales,
): readonly Pattern[] {
  let patterns = [...fine];
  for (const wide of coarse) {
    const pieces = patterns.filter((pattern) => sameSort(pattern, wide) && isPiece(pattern, wide));
    if (isWellSeen(wide, scales)) {
      const isMade = wide.type === 'peak' && costOfAll(pieces) > costOf(wide) / 2;
      if (!isMade) patterns = [...patterns.filter((pattern) => !pieces.includes(pattern)), wide];
      continue;
    }
    // The windows have the iteration, the coarse series the cost until the end of the run.
    const [piece] = pieces;
    if (piece !== undefined && pieces.length === 1 && wide.type !== 'peak')
      patterns = patterns.map((pattern) => (pattern === piece ? withCost(pattern, wide) : pattern));
    else if (wide.type === 'step' && piece === undefined) patterns = [...patterns, wide];
  }
  return patterns.sort((a, b) => a.from - b.from || a.to - b.to);
}

function costOfAll(patterns: readonly Pattern[]): number {
  return patterns.reduce((sum, pattern) => sum + costOf(pattern), 0);
}

function isDegradingPeak({ type, improvement }: Pattern): boolean {
  return type === 'peak' && improvement !== true;
}

function sameSort(a: Pattern, b: Pattern): boolean {
  return (a.type === 'peak') === (b.type === 'peak') && a.improvement === b.improvement;
}

/** A step has no length to speak of; of anything else at least half must be inside. */
function isPiece(narrow: Pattern, wide: Pattern): boolean {
  if (wide.type === 'step') return overlaps(narrow, wide);
  const shared = Math.min(narrow.to, wide.to) - Math.max(narrow.from, wide.from) + 1;
  return shared >= lengthOf(narrow) / 2;
}

function withCost(step: Pattern, { excess, aftermath }: Pattern): Pattern {
  return excess + aftermath > costOf(step) ? { ...step, excess, aftermath } : step;
}
