import { clockWords, type DecisionClock } from '../../cost/runTime';
import { formatPercent } from '../../format';
import { shortList } from '../../names/shortList';
import type { PredictedOverhead, TooExpensive } from './recordingModel';

/** Functions with less of the overhead do not cause it. */
const leastShown = 0.02;
const mostCauses = 5;

/** What recording costs at a point and which functions cause it. @param place `n = 1000` */
export function recordingSentence(
  place: string,
  { overheadPercent, low, high, functions }: PredictedOverhead,
  clock: DecisionClock,
): string {
  const causes = functions
    .filter((one) => one.overheadPercent > leastShown * overheadPercent)
    .slice(0, mostCauses)
    .map(({ key, overheadPercent: part }) => `${shortList([key])} ${percent(part)}`);
  return `Recording at ${place}: ${percent(overheadPercent)} overhead predicted (${percent(low)} … ${percent(high)} of the ${clockWords(clock)})${causes.length > 0 ? `: ${causes.join(', ')}` : ''}.`;
}

export function tooExpensiveSentence(
  { functions, overheadPercent }: TooExpensive,
  limitPercent: number,
): string {
  return `More than ${percent(limitPercent)}: leave out ${shortList(functions.map(({ key }) => key))}, and ${percent(overheadPercent)} remain.`;
}

function percent(value: number): string {
  return formatPercent(value / 100);
}
