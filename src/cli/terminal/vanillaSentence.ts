import { counted, formatPercent, formatSeconds } from '../../core/format';
import { clockWords } from '../../core/cost/runTime';
import type { OffCost } from '../../core/knowledge/offCost';
import type { VanillaComparison } from '../../workflows/studies/refine.types';

/**
 * The measured cost of idle patch points, against a build without them. It is the median of the differences within pairs, which a drift of
 * the machine does not move; the medians of both kinds of runs may differ otherwise, so only one of them is printed.
 */
export function vanillaSentence(vanilla: VanillaComparison): string {
  const { vanillaSeconds, sitesPercent, leastPercent, mostPercent, pairs, clock = 'wall' } = vanilla;
  const value = `Idle patch points, measured: ${formatPercent(sitesPercent / 100)} of the ${clockWords(clock)}`;
  const how = `${formatSeconds(vanillaSeconds)} without them; median difference of ${counted(pairs, 'pair')} of runs in turns`;
  if (leastPercent === undefined || mostPercent === undefined)
    return `${value} (${how}; noise unknown: too few runs).`;
  const interval = `95 % interval ${formatPercent(leastPercent / 100)} to ${formatPercent(mostPercent / 100)}`;
  const doubt = leastPercent > 0 || mostPercent < 0 ? '' : ', which cannot be told from noise';
  return `${value}${doubt} (${how}, ${interval}).`;
}

/** The estimated cost of idle patch points. */
export function offCostSentence({ percent, mostPercent, functions }: OffCost): string {
  const [typical, most] = [formatPercent(percent / 100), formatPercent(mostPercent / 100)];
  const about = typical.startsWith('<') ? typical : `about ${typical}`;
  const upTo = most === typical ? '' : `, at most ${most}`;
  return `Idle patch points, estimated: ${about}${upTo} (from the visits of ${counted(functions, 'function')} and the usual cost of each).`;
}
