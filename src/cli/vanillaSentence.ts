import { formatPercent, formatSeconds } from '../core/format';
import type { VanillaComparison } from '../workflows/refine.types';

/** What idle patch points cost, as `--vanilla` measured it. */
export function vanillaSentence(vanilla: VanillaComparison): string {
  const { vanillaSeconds, sitesSeconds, sitesPercent, noisePercent, clock = 'wall' } = vanilla;
  const value = formatPercent(sitesPercent / 100);
  const times = `${clock === 'cpu' ? 'CPU' : 'wall'} time ${formatSeconds(sitesSeconds)} with, ${formatSeconds(vanillaSeconds)} without`;
  if (noisePercent === undefined)
    return `Idle patch points cost ${value} (${times}; noise unknown: one run of each).`;
  const noise = `±${formatPercent(noisePercent / 100)}`;
  return Math.abs(sitesPercent) > noisePercent
    ? `Idle patch points cost ${value} (${times}; noise ${noise}).`
    : `The cost of idle patch points (${value}) cannot be told from noise (${noise}; ${times}).`;
}
