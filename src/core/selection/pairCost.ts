import { median } from './overhead';

/** What a function's sites are: an inlinable probe sled, or the compiler's patchable entry. They cost differently. */
export type SiteKind = 'probe' | 'entry';

/** Calibrated cost of recording one enter+exit pair, seconds (docs/formats.md, result file). */
export interface PairCost {
  readonly pairSeconds: number;
  /** Part that the function's own inclusive time contains; the rest falls to whoever called it. */
  readonly insideSeconds: number;
  readonly outsideSeconds: number;
  /** Of functions of which only some visits are timed; absent where the measurement cannot do that. */
  readonly sampled?: SampledCost;
}

/** A visit that is timed now and then costs more than one in a row: the processor did not expect it. */
export interface SampledCost {
  /** A visit that is counted and not timed. */
  readonly countedSeconds: number;
  /** A visit that is timed, and the part of it that the function's own time contains. */
  readonly pairSeconds: number;
  readonly insideSeconds: number;
}

/** Per kind of site. `Calibration` of an experiment has this shape. */
export type PairCosts = Readonly<Record<SiteKind, PairCost>>;

const typical: PairCost = { pairSeconds: 17e-9, insideSeconds: 9e-9, outsideSeconds: 8e-9 };

/** Stands in until a calibration is known: two reads of the time-stamp counter and a hash-free call-tree step. */
export const typicalPairCosts: PairCosts = { probe: typical, entry: typical };

const scorep: PairCost = { pairSeconds: 70e-9, insideSeconds: 35e-9, outsideSeconds: 35e-9 };

/** A rule of thumb for Score-P 8 with profiling: 65–75 ns per pair, measured on several programs; the split is assumed. */
export const scorepPairCosts: PairCosts = { probe: scorep, entry: scorep };

/**
 * The costs as they were in a program where all pairs together took `factor` times what the calibration says: caches that are shared
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
          },
        }),
  };
}

/** Each cost as it was in the middle of several calibrations of the same program: one that was disturbed does not decide. */
export function medianCosts(calibrations: readonly PairCosts[]): PairCosts {
  const kind = (site: SiteKind): PairCost => medianCost(calibrations.map((costs) => costs[site]));
  return { probe: kind('probe'), entry: kind('entry') };
}

function medianCost(costs: readonly PairCost[]): PairCost {
  const sampled = costs.flatMap((cost) => (cost.sampled === undefined ? [] : [cost.sampled]));
  return {
    pairSeconds: median(costs.map((cost) => cost.pairSeconds)),
    insideSeconds: median(costs.map((cost) => cost.insideSeconds)),
    outsideSeconds: median(costs.map((cost) => cost.outsideSeconds)),
    ...(sampled.length === 0
      ? {}
      : {
          sampled: {
            countedSeconds: median(sampled.map((cost) => cost.countedSeconds)),
            pairSeconds: median(sampled.map((cost) => cost.pairSeconds)),
            insideSeconds: median(sampled.map((cost) => cost.insideSeconds)),
          },
        }),
  };
}

/** Seconds per visit on average, when about one in `interval` visits is timed (undefined: every visit). */
export function visitCost(cost: PairCost, interval: number | undefined): number {
  const { sampled } = cost;
  if (interval === undefined || sampled === undefined) return cost.pairSeconds;
  return sampled.countedSeconds + (sampled.pairSeconds - sampled.countedSeconds) / interval;
}
