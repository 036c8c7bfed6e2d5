import { counted, formatPercent, formatSeconds } from '../../core/format';
import type { OffCost } from '../../core/knowledge/offCost';
import type { VanillaComparison } from '../../workflows/studies/refine.types';

/** The measured cost of idle patch points, against a build without them. */
export function vanillaSentence(vanilla: VanillaComparison): string {
  const { vanillaSeconds, sitesSeconds, sitesPercent, leastPercent, mostPercent, clock = 'wall' } = vanilla;
  const value = formatPercent(sitesPercent / 100);
  const times = `${clock === 'cpu' ? 'CPU' : 'wall'} time ${formatSeconds(sitesSeconds)} with, ${formatSeconds(vanillaSeconds)} without, ${vanilla.pairs} runs of each in turns`;
  if (leastPercent === undefined || mostPercent === undefined)
    return `Idle patch points cost ${value} (${times}; noise unknown: too few runs).`;
  const interval = `${formatPercent(leastPercent / 100)} to ${formatPercent(mostPercent / 100)}`;
  return leastPercent > 0 || mostPercent < 0
    ? `Idle patch points cost ${value} (95 % interval ${interval}; ${times}).`
    : `The cost of idle patch points (${value}) cannot be told from noise (95 % interval ${interval}; ${times}).`;
}

/** The estimated cost of idle patch points. */
export function offCostSentence({ percent, mostPercent, functions }: OffCost): string {
  return `Idle patch points: about ${formatPercent(percent / 100)}, at most ${formatPercent(mostPercent / 100)}, estimated from the visits of ${counted(functions, 'function')}.`;
}
