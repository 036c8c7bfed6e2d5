import { atFloat, atUint } from '../../core/at';
import type { SiteKind } from '../../core/cost/pairCost';
import type { ProgramOfProcesses } from '../../measurement/results/mergeProcesses';
import type { WindowResult } from '../../measurement/results/live/liveResult';

/** Seconds that recording took of a process: its visits, with the calibrated cost of each. */
export function recordingSeconds(
  { probeCost, entryCost, threads }: WindowResult,
  { slots, samples = [] }: Pick<ProgramOfProcesses, 'slots' | 'samples'>,
  sites: ReadonlyMap<string, SiteKind>,
): number {
  let seconds = 0;
  for (const { slot, visits, untimed } of threads)
    for (let node = 1; node < slot.length; node++) {
      const number = atUint(slot, node);
      const { pairSeconds, sampled } = sites.get(slots[number] ?? '') === 'entry' ? entryCost : probeCost;
      // A visit that is timed now and then costs more than one in a row.
      const timed = samples[number] === undefined ? pairSeconds : (sampled?.pairSeconds ?? pairSeconds);
      const each = untimed[node] === 1 ? (sampled?.countedSeconds ?? 0) : timed;
      seconds += atFloat(visits, node) * each;
    }
  return seconds;
}
