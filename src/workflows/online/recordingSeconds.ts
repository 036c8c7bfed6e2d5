import { atFloat, atUint } from '../../core/at';
import type { SiteKind } from '../../core/cost/pairCost';
import type { ProgramOfProcesses } from '../../measurement/results/mergeProcesses';
import type { WindowResult } from '../../measurement/results/live/liveResult';

type Slots = Pick<ProgramOfProcesses, 'slots' | 'samples'>;

/** Seconds that recording took of a process: its visits, with the calibrated cost of each. */
export function recordingSeconds(
  result: WindowResult,
  program: Slots,
  sites: ReadonlyMap<string, SiteKind>,
): number {
  let seconds = 0;
  for (const cost of recordingBySlot(result, program, sites).values()) seconds += cost;
  return seconds;
}

/** The same by slot. */
export function recordingBySlot(
  { probeCost, entryCost, threads }: WindowResult,
  { slots, samples = [] }: Slots,
  sites: ReadonlyMap<string, SiteKind>,
): ReadonlyMap<number, number> {
  const seconds = new Map<number, number>();
  for (const { slot, visits, untimed } of threads)
    for (let node = 1; node < slot.length; node++) {
      const number = atUint(slot, node);
      const { pairSeconds, sampled } = sites.get(slots[number] ?? '') === 'entry' ? entryCost : probeCost;
      // A visit that is timed now and then costs more than one in a row.
      const isInRow = (samples[number]?.interval ?? 1) === 1;
      const timed = isInRow ? pairSeconds : (sampled?.pairSeconds ?? pairSeconds);
      const each = untimed[node] === 1 ? (sampled?.countedSeconds ?? 0) : timed;
      seconds.set(number, (seconds.get(number) ?? 0) + atFloat(visits, node) * each);
    }
  return seconds;
}
