import { atFloat, atUint } from '../../core/at';
import type { SiteKind } from '../../core/cost/pairCost';
import type { WindowResult } from '../../measurement/results/live/liveResult';

/** What recording took of a process in seconds, by the visits of its functions and the calibrated cost of each. @param slots key of each slot */
export function recordingSeconds(
  result: WindowResult,
  slots: readonly string[],
  sites: ReadonlyMap<string, SiteKind>,
): number {
  let seconds = 0;
  for (const cost of recordingBySlot(result, slots, sites).values()) seconds += cost;
  return seconds;
}

/** The same by slot. @param intervals of slots of which not all visits are timed: a visit that is timed now and then costs more than one in a row */
export function recordingBySlot(
  { probeCost, entryCost, threads }: WindowResult,
  slots: readonly string[],
  sites: ReadonlyMap<string, SiteKind>,
  intervals: ReadonlyMap<number, number> = new Map(),
): ReadonlyMap<number, number> {
  const seconds = new Map<number, number>();
  for (const { slot, visits, untimed } of threads)
    for (let node = 1; node < slot.length; node++) {
      const number = atUint(slot, node);
      const { pairSeconds, sampled } = sites.get(slots[number] ?? '') === 'entry' ? entryCost : probeCost;
      const isSampled = (intervals.get(number) ?? 1) > 1 && sampled !== undefined;
      const timed = isSampled ? sampled.pairSeconds : pairSeconds;
      const each = untimed[node] === 1 ? (sampled?.countedSeconds ?? 0) : timed;
      seconds.set(number, (seconds.get(number) ?? 0) + atFloat(visits, node) * each);
    }
  return seconds;
}
