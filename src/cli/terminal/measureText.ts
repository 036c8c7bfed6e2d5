import path from 'node:path';
import { ofClock, overheadWords, type MeasuredOverhead } from '../../core/cost/overheadWords';
import { counted, formatCount, formatPercent, formatSeconds } from '../../core/format';
import type { MeasureResult } from '../../workflows/measure';
import type { RefineRound } from '../../workflows/studies/refine.types';
import { vanillaSentence } from './vanillaSentence';

/** What `kymo measure` and `kymo run` print. */
export function measureText(result: MeasureResult): string {
  const { vanilla, iterations, trace } = result;
  return [
    `${result.target}: ${timesOf(result, result.seconds.length)}; ${counted(result.instrumented, 'function')} recorded.`,
    ...(vanilla === undefined ? [] : [vanillaSentence(vanilla)]),
    ...result.notes.map((note) => `Note: ${note}`),
    `Profile: ${result.profile}`,
    ...(trace === undefined ? [] : [`Trace: ${trace.file} (${formatCount(trace.events)} events)`]),
    ...(iterations === undefined
      ? []
      : [
          `Iterations: ${formatCount(iterations.count)} of ${iterations.phase}; “kymo dynamics ${path.dirname(iterations.file)}” shows what changes from one to the next.`,
        ]),
  ].join('\n');
}

type Times = 'medianSeconds' | 'baselineSeconds' | 'window';

/** Times with and without recording, and the overhead. @param runs number of runs with recording */
export function timesOf(
  result: MeasuredOverhead & Parameters<typeof ofClock>[0] & Pick<RefineRound, Times>,
  runs: number,
): string {
  const { medianSeconds, baselineSeconds, window, overheadPercent } = result;
  if (window === true)
    return `${formatSeconds(medianSeconds)} in one run, including the time for recording, ${formatPercent(overheadPercent / (100 + overheadPercent))}${ofClock(result)} by the visits and the calibrated cost of each`;
  return `${formatSeconds(medianSeconds)} (median of ${runs}), ${formatSeconds(baselineSeconds)} with nothing recorded; ${overheadWords(result)}${ofClock(result)}`;
}
