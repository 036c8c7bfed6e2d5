import path from 'node:path';
import { ofClock, overheadWords } from '../../core/cost/overheadWords';
import { counted, formatCount, formatPercent, formatSeconds } from '../../core/format';
import type { MeasureResult } from '../../workflows/measure';
import { vanillaSentence } from './vanillaSentence';

/** What `kymo measure` and `kymo run` print. */
export function measureText(result: MeasureResult): string {
  const { vanilla, iterations, trace } = result;
  return [
    `${result.target}: ${timesOf(result)}; ${counted(result.instrumented, 'function')} recorded.`,
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

function timesOf(result: MeasureResult): string {
  const { medianSeconds, baselineSeconds, seconds, window, overheadPercent } = result;
  if (window === true)
    return `${formatSeconds(medianSeconds)} in one run, including the time for recording, ${formatPercent(overheadPercent / (100 + overheadPercent))}${ofClock(result)} by the visits and the calibrated cost of each`;
  return `${formatSeconds(medianSeconds)} (median of ${seconds.length}), ${formatSeconds(baselineSeconds)} with nothing recorded; ${overheadWords(result)}${ofClock(result)}`;
}
