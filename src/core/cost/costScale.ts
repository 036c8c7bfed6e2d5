import type { OverheadEstimate } from './overhead';

export interface OverheadRecord {
  /** visits × calibrated pair, summed over everything that the run recorded (`predictedOverheadPercent`). */
  readonly predictedPercent: number;
  readonly measuredPercent: number;
  /** The noise of the measured overhead, or an assumed one where it is unknown. */
  readonly doubtPercent: number;
}

/** A larger factor is not a cost of pairs: most probably the run did something else. */
const largestScale = 16;

/**
 * Share of the doubt that is allowed for: in memory-bound programs a pair costs about twice as much as calibrated, so that trusting the
 * calibration until a run disproves it misses the target more often than trusting the run.
 */
const allowedDoubt = 0.5;

/**
 * How much more a pair costs in this program than the calibration says (caches, lost overlap): the largest ratio among the runs that
 * were most probably above the aim of predictions (percent), between 1 and 16. It never sinks, so a function dropped for its cost does not come back
 * for a lucky run.
 */
function costScale(history: readonly OverheadRecord[], aimPercent: number): number {
  return history.reduce((scale, { predictedPercent, measuredPercent, doubtPercent }) => {
    const probably = measuredPercent - allowedDoubt * doubtPercent;
    if (predictedPercent <= 0 || probably <= aimPercent) return scale;
    return Math.max(scale, Math.min(largestScale, probably / predictedPercent));
  }, 1);
}

/** Range of factors by which the cost of recording can differ from the calibration; other differences have other causes. */
const inSituFactors = { least: 0.6, largest: 4 };
/** Relative standard deviations of the factor assumed before a run: from the calibration alone, and from the previous run. */
const assumedDeviation = { unknown: 0.6, known: 0.4 };
const leastDoubtPercent = 0.1;

type SeenOverhead = Pick<OverheadRecord, 'predictedPercent'> &
  Pick<OverheadEstimate, 'percent' | 'doubtPercent'>;

/**
 * What pairs cost in one run, as a factor of the calibration: what was assumed (the factor of the run before, or 1) and what the run's overhead
 * shows, each with the weight of its precision (the mean of a normal distribution given both). So a large overhead decides alone, and one within the
 * noise changes little.
 */
export function costFactor(assumed: number | undefined, seen: SeenOverhead): number {
  const { prior, priorWeight, weight } = weightsOf(assumed, seen);
  const shown = seen.percent / seen.predictedPercent;
  const factor = (prior * priorWeight + shown * weight) / (priorWeight + weight);
  return Math.min(inSituFactors.largest, Math.max(inSituFactors.least, factor));
}

/** The standard deviation of that factor, as a part of it. */
export function costFactorDoubt(assumed: number | undefined, seen: SeenOverhead): number {
  const { priorWeight, weight } = weightsOf(assumed, seen);
  return (priorWeight + weight) ** -0.5 / costFactor(assumed, seen);
}

function weightsOf(
  assumed: number | undefined,
  { predictedPercent, doubtPercent }: SeenOverhead,
): { readonly prior: number; readonly priorWeight: number; readonly weight: number } {
  const prior = assumed ?? 1;
  const deviation = assumed === undefined ? assumedDeviation.unknown : assumedDeviation.known * prior;
  // The doubt is half an interval of 95 %; 0 of it is a chance.
  const weight = (predictedPercent / (Math.max(leastDoubtPercent, doubtPercent) / 2)) ** 2;
  return { prior, priorWeight: deviation ** -2, weight };
}

/** By what calibrated costs are multiplied in predictions: what the last run shows, and never less than what kept an earlier one from its aim. */
export function predictedScale(
  seen: { readonly history?: readonly OverheadRecord[]; readonly costFactor?: number },
  aimPercent: number,
): number {
  return Math.max(costScale(seen.history ?? [], aimPercent), seen.costFactor ?? 1);
}
