export interface OverheadRecord {
  /** visits × calibrated pair of everything that the run recorded (`predictedOverheadPercent` with what it found). */
  readonly predictedPercent: number;
  readonly measuredPercent: number;
  /** The noise of the measured one, or an assumed one where it is unknown. */
  readonly doubtPercent: number;
}

/** A factor above this is no cost of pairs any more: most probably the run did something else. */
const largestScale = 16;

/**
 * Of the doubt, what is allowed for: the cost of a pair in memory-bound programs is about twice the calibrated one, so that to believe the
 * calibration until a run proves otherwise misses the target more often than to believe the run.
 */
const allowedDoubt = 0.5;

/**
 * How much more a pair costs in this program than the calibration says (caches, lost overlap): the largest ratio among the runs that
 * were most probably above what predictions aim at (percent), between 1 and 16. It never sinks, so a function dropped for its cost does not come back
 * for a lucky run.
 */
export function costScale(history: readonly OverheadRecord[], aimPercent: number): number {
  return history.reduce((scale, { predictedPercent, measuredPercent, doubtPercent }) => {
    const probably = measuredPercent - allowedDoubt * doubtPercent;
    if (predictedPercent <= 0 || probably <= aimPercent) return scale;
    return Math.max(scale, Math.min(largestScale, probably / predictedPercent));
  }, 1);
}
