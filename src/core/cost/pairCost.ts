import { present } from '../present';

/** Kind of a function's sites: an inlinable probe sled, or the compiler's patchable entry. Their costs differ. */
export type SiteKind = 'probe' | 'entry';

/** Calibrated cost of recording one enter+exit pair, seconds (docs/formats.md, result file). */
export interface PairCost {
  readonly pairSeconds: number;
  /** Part that the function's own inclusive time contains; the rest is in the caller's. */
  readonly insideSeconds: number;
  readonly outsideSeconds: number;
  /** Cost in functions with only some visits timed; absent where the measurement cannot do that. */
  readonly sampled?: SampledCost;
}

/** A visit that is timed now and then costs more than one in a row: the processor did not expect it. */
export interface SampledCost {
  /** A visit that is counted and not timed. */
  readonly countedSeconds: number;
  /** A visit that is timed, and the part of it that the function's own time contains. */
  readonly pairSeconds: number;
  readonly insideSeconds: number;
  /** The inside part that the times of visits that were not timed were estimated without; absent: `insideSeconds`. */
  readonly estimatedInsideSeconds?: number;
}

/** Per kind of site. `Calibration` of an experiment has this shape. */
export type PairCosts = Readonly<Record<SiteKind, PairCost>>;

const typical: PairCost = { pairSeconds: 17e-9, insideSeconds: 9e-9, outsideSeconds: 8e-9 };

/** Assumed until a calibration is known: two reads of the time-stamp counter and a hash-free call-tree step. */
export const typicalPairCosts: PairCosts = { probe: typical, entry: typical };

const typicalSampled: PairCost = {
  ...typical,
  sampled: {
    countedSeconds: 3e-9,
    pairSeconds: 2 * typical.pairSeconds,
    insideSeconds: typical.insideSeconds,
  },
};

/** The same for a measurement that can count visits without timing them all. */
export const typicalSampledCosts: PairCosts = { probe: typicalSampled, entry: typicalSampled };

const scorep: PairCost = { pairSeconds: 70e-9, insideSeconds: 35e-9, outsideSeconds: 35e-9 };

/** A rule of thumb for Score-P 8 with profiling: 65–75 ns per pair, measured on several programs; the split is assumed. */
export const scorepPairCosts: PairCosts = { probe: scorep, entry: scorep };

/**
 * The costs in a program where all pairs together took `factor` times the calibrated cost: caches that are shared
 * with the program, and work that could not overlap with its own.
 */
export function scaledCosts({ probe, entry }: PairCosts, factor: number): PairCosts {
  return { probe: scaledCost(probe, factor), entry: scaledCost(entry, factor) };
}

export function scaledCost(cost: PairCost, factor: number): PairCost {
  const { sampled } = cost;
  return {
    pairSeconds: cost.pairSeconds * factor,
    insideSeconds: cost.insideSeconds * factor,
    outsideSeconds: cost.outsideSeconds * factor,
    ...(sampled === undefined
      ? {}
      : {
          sampled: {
            countedSeconds: sampled.countedSeconds * factor,
            pairSeconds: sampled.pairSeconds * factor,
            insideSeconds: sampled.insideSeconds * factor,
            estimatedInsideSeconds: sampled.estimatedInsideSeconds ?? sampled.insideSeconds,
          },
        }),
  };
}

/** Ratio of two costs of recording; 1 where a calibration has no result. */
export function costRatio(costs: PairCosts, reference: PairCosts): number {
  const ratio = costs.entry.pairSeconds / reference.entry.pairSeconds;
  return Number.isFinite(ratio) ? ratio : 1;
}

/**
 * The costs that several calibrations of the same program agree on. Other work on the machine only makes a calibration longer, so it is
 * the lower quartile, and not the very lowest: the part subtracted from a calibration may have been disturbed, too. The numbers of a
 * kind are those of one calibration, so that its parts still add up.
 */
export function lowCosts(calibrations: readonly PairCosts[]): PairCosts {
  const kind = (site: SiteKind): PairCost => lowCost(calibrations.map((costs) => costs[site]));
  return { probe: kind('probe'), entry: kind('entry') };
}

function lowCost(costs: readonly PairCost[]): PairCost {
  const { pairSeconds, insideSeconds, outsideSeconds } =
    lowerQuartile(costs, (cost) => cost.pairSeconds) ?? typical;
  const sampled = lowerQuartile(
    costs.flatMap((cost) => (cost.sampled === undefined ? [] : [cost.sampled])),
    (cost) => cost.countedSeconds,
  );
  return { pairSeconds, insideSeconds, outsideSeconds, ...present({ sampled }) };
}

/** Undefined of an empty list. */
export function lowerQuartile<One>(all: readonly One[], value: (one: One) => number): One | undefined {
  return [...all].sort((a, b) => value(a) - value(b))[Math.floor((all.length - 1) / 4)];
}

/** Seconds per visit on average, when about one in `interval` visits is timed (undefined: every visit). */
export function visitCost(cost: PairCost, interval: number | undefined): number {
  const { sampled } = cost;
  if (interval === undefined || sampled === undefined) return cost.pairSeconds;
  return sampled.countedSeconds + (sampled.pairSeconds - sampled.countedSeconds) / interval;
}
