import { median } from '../../../../core/cost/overhead';
import type { SiteCost } from '../../../experiments/experiment';

/** One run of each variant of the small program, in turns. All in seconds per call. */
export interface CalibrationRound {
  /** CPU time in each batch. */
  readonly plain: readonly number[];
  readonly filtered: readonly number[];
  readonly recorded: readonly number[];
  /** Wall time of all batches. */
  readonly plainWall: number;
  readonly recordedWall: number;
  /** What the profile of the recorded run shows for a visit, by the wall clock. */
  readonly shown: number;
}

export interface CalibratedCosts {
  readonly recorded: SiteCost;
  readonly filteredSeconds: number;
  /** The rounds differ too much to tell the costs by: more rounds may help, and the next program should not rely on them. */
  readonly unsteady: boolean;
}

/** Rounds may show this share more than the quickest one. */
const steadyShare = 0.15;

/**
 * Other programs on the machine only make a batch slower (caches, a shared core, the processor's clock), so the quickest batches tell. How much more
 * a usual round showed is the doubt.
 */
export function costsOf(rounds: readonly CalibrationRound[]): CalibratedCosts {
  const quickest = (batches: (round: CalibrationRound) => readonly number[]): number =>
    Math.min(...rounds.flatMap(batches));
  const plain = quickest((round) => round.plain);
  const whole = quickest((round) => round.recorded) - plain;
  const usual = median(rounds.map(({ recorded }) => Math.min(...recorded))) - plain;
  const spreadSeconds = Math.max(0, usual - whole);
  const insideSeconds = whole * insideShare(rounds);
  return {
    recorded: { pairSeconds: whole, spreadSeconds, insideSeconds, outsideSeconds: whole - insideSeconds },
    filteredSeconds: Math.max(0, quickest((round) => round.filtered) - plain),
    unsteady: spreadSeconds > steadyShare * whole,
  };
}

/** The part of a record that lies in the function's own time: wall times of one run, which waits in either part alike; the run that waited least. */
function insideShare(rounds: readonly CalibrationRound[]): number {
  const best = rounds.reduce((a, b) => (b.recordedWall < a.recordedWall ? b : a));
  const plain = Math.min(best.plainWall, best.shown);
  const share = (best.shown - plain) / (best.recordedWall - plain);
  return Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
}
