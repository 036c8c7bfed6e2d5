import { median } from '../../../../core/cost/overhead';
import type { SiteCost } from '../../../../core/profile/experiment';

/** One run of each variant of the small program, in turns. All in seconds per call. */
export interface CalibrationRound {
  /** CPU time in each batch. */
  readonly plain: readonly number[];
  readonly filtered: readonly number[];
  readonly recorded: readonly number[];
  /** Wall time of all batches. */
  readonly plainWall: number;
  readonly recordedWall: number;
  /** Wall time of a visit in the profile of the recorded run. */
  readonly shown: number;
}

export interface CalibratedCosts {
  readonly recorded: SiteCost;
  readonly filteredSeconds: number;
  /** The rounds differ so much that the costs are doubtful: more rounds may help, and the result should not be stored. */
  readonly unsteady: boolean;
}

/** Largest accepted excess of a usual round over the quickest one. */
const steadyShare = 0.15;

/**
 * Other programs on the machine only make a batch slower (caches, a shared core, the processor's clock), so the quickest batches give the costs. The
 * excess of a usual round is their uncertainty.
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

/** The share of a record that lies in the function's own time, by the wall times of the quickest run: waiting disturbs both parts alike. */
function insideShare(rounds: readonly CalibrationRound[]): number {
  const best = rounds.reduce((a, b) => (b.recordedWall < a.recordedWall ? b : a));
  const plain = Math.min(best.plainWall, best.shown);
  const share = (best.shown - plain) / (best.recordedWall - plain);
  return Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
}
