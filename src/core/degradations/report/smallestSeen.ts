import { formatPercent } from '../../format';
import { preemptedMetric } from '../../series/series';
import type { AnalysedSeries, ReportRow } from '../model/result';

/** A step this many standard deviations of its height from 0 is found in nearly every run: 3.5 for the test, 1 so that most pass it. */
const deviations = 4.5;
/** Share of the phase: where smaller changes than this are seen, that nothing was found says that nothing matters. */
const telling = 0.05;
/** Share of the phase that noise of the machine takes from which a reader has to know what it hides. */
const noisy = 0.2;

/**
 * The smallest lasting change that would have been seen, as a share (0…1) of the time of the phase: a step that lasts half of the run, in the series
 * where noise hides most. 0: no series has times.
 */
export function smallestSeen(
  series: readonly Pick<AnalysedSeries, 'context' | 'noise' | 'impact' | 'impactShare'>[],
  iterations: number,
): number {
  const shares = series.flatMap(({ context, noise, impact, impactShare }) =>
    // What other programs take is none of this one's.
    context.metric !== preemptedMetric && impact > 0 && impactShare > 0
      ? [((2 * deviations * noise * Math.sqrt(iterations)) / impact) * impactShare]
      : [],
  );
  return Math.max(0, ...shares);
}

/** What noise keeps from being told where no dynamics were found; undefined: nothing that matters. */
export function hiddenByNoise(
  rows: readonly Pick<ReportRow, 'kind' | 'severity'>[],
  smallest: number,
): string | undefined {
  const noise = rows
    .filter(({ kind }) => kind === 'machine-noise' || kind === 'pre-empted')
    .reduce((most, { severity = 0 }) => Math.max(most, severity), 0);
  if (smallest < telling && noise < noisy) return undefined;
  const limit =
    smallest === 0
      ? '.'
      : `: changes below about ${formatPercent(smallest)} of the time of the phase, over half of the run, would not be seen.`;
  const taken =
    noise < noisy ? '' : ` Other work of the machine took up to ${formatPercent(noise)} of the phase.`;
  return `No dynamics beyond the noise, which hides some${limit}${taken} To see smaller ones, measure on a quieter machine, with more repetitions, or more iterations.`;
}
