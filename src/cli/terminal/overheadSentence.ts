import { formatPercent } from '../../core/format';
import type { RefineResult } from '../../workflows/studies/refine.types';

/** Of wall, processor or rank time with and without recording. */
export function measuredOverhead(iterations: RefineResult['iterations'], wanted: number): string {
  const round = iterations.find(({ index }) => index === wanted);
  return round === undefined
    ? ''
    : `: ${formatPercent(round.overheadPercent / 100)} (runs with recording compared with runs without)`;
}

/** What the visits of the last run cost, which noise of the runs does not move; none below the threshold of the property. */
export function countedOverhead(properties: RefineResult['properties']): string {
  const share = properties.find(({ id }) => id === 'excessive-overhead:run')?.severity;
  return share === undefined
    ? ''
    : `; its own visits cost ${formatPercent(share)} (their number × the calibrated cost of each, of computing time)`;
}
