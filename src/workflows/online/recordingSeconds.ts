import { atFloat, atUint } from '../../core/at';
import type { SiteKind } from '../../core/cost/pairCost';
import type { WindowResult } from '../../measurement/results/live/liveResult';

/** Seconds that recording took of a process: its visits, with the calibrated cost of each. @param slots keys of functions */
export function recordingSeconds(
  { probeCost, entryCost, threads }: WindowResult,
  slots: readonly string[],
  sites: ReadonlyMap<string, SiteKind>,
): number {
  let seconds = 0;
  for (const { slot, visits } of threads)
    for (let node = 1; node < slot.length; node++) {
      const key = slots[atUint(slot, node)];
      const cost = sites.get(key ?? '') === 'entry' ? entryCost : probeCost;
      seconds += atFloat(visits, node) * cost.pairSeconds;
    }
  return seconds;
}
