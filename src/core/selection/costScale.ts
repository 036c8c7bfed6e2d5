export interface OverheadRecord {
  /** visits × calibrated pair of everything that the run recorded (`predictedOverheadPercent` with what it found). */
  readonly predictedPercent: number;
  readonly measuredPercent: number;
  readonly noisePercent: number;
}

/**
 * How much more a pair costs in this program than the calibration says (caches, lost overlap): the largest ratio among the runs that
 * were surely above what predictions aim at (percent), between 1 and 4. It never sinks, so a function dropped for its cost does not come back for a
 * lucky run.
 */
export function costScale(history: readonly OverheadRecord[], aimPercent: number): number {
  return history.reduce((scale, { predictedPercent, measuredPercent, noisePercent }) => {
    const surely = measuredPercent - noisePercent;
    if (predictedPercent <= 0 || surely <= aimPercent) return scale;
    return Math.max(scale, Math.min(4, surely / predictedPercent));
  }, 1);
}
