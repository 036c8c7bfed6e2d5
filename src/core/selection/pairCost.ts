/** What a function's sites are: an inlinable probe sled, or the compiler's patchable entry. They cost differently. */
export type SiteKind = 'probe' | 'entry';

/** Calibrated cost of recording one enter+exit pair, seconds (docs/formats.md, result file). */
export interface PairCost {
  readonly pairSeconds: number;
  /** Part that the function's own inclusive time contains; the rest falls to whoever called it. */
  readonly insideSeconds: number;
  readonly outsideSeconds: number;
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
  const scaled = (cost: PairCost): PairCost => ({
    pairSeconds: cost.pairSeconds * factor,
    insideSeconds: cost.insideSeconds * factor,
    outsideSeconds: cost.outsideSeconds * factor,
  });
  return { probe: scaled(probe), entry: scaled(entry) };
}
