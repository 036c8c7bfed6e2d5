import type { SiteKind } from '../../../core/cost/pairCost';
import { LiveWindow, type TimeInside } from '../../../core/diagnosis/live/liveWindow';
import { RecordedValues } from '../../../core/diagnosis/recorded/recordedValues';
import { makeContext } from '../../../core/problems/context/makeContext';
import { regionKey } from '../../../core/callgraph/regionKeys';
import { atUint, atFloat } from '../../../core/at';
import { ConstructNames } from '../../../measurement/layers/constructNames';
import type { ProgramOfProcesses } from '../../../measurement/results/mergeProcesses';
import { mergeProcesses } from '../../../measurement/results/mergeProcesses';
import { functionKeyOf } from '../../../measurement/results/slotRegions';
import type { LiveResult, WindowBegin, WindowResult } from '../../../measurement/results/live/liveResult';
import type { WatchedJob } from '../../online/watchedJob';
import { recordingBySlot } from '../../online/recordingSeconds';

export interface SearchedJobOptions {
  readonly job: Pick<WatchedJob, 'known'>;
  readonly program: ProgramOfProcesses;
  readonly sites: ReadonlyMap<string, SiteKind>;
  /** Of the run, for bases. */
  readonly run: string;
}

/** What one process did in a window. */
export interface ProcessWindow {
  readonly host: string;
  readonly rank: number;
  readonly result: WindowResult;
  /** Seconds of processor time, and those of recording by function key. */
  readonly cpuSeconds: number;
  readonly costs: ReadonlyMap<string, number>;
  readonly visits: ReadonlyMap<string, number>;
}

/** The processes of a run, window by window: each begins where the last one has ended. */
export class SearchedJob {
  private begins = new Map<LiveResult, WindowBegin>();
  private readonly names = new ConstructNames();

  constructor(readonly options: SearchedJobOptions) {}

  /** What the processes did since this was asked last; those that began since are in the next one. */
  next(): readonly ProcessWindow[] {
    const begins = new Map<LiveResult, WindowBegin>();
    const windows: ProcessWindow[] = [];
    for (const { result, isWatched } of this.options.job.known) {
      if (!isWatched) continue;
      const begin = this.begins.get(result);
      begins.set(result, result.mark());
      if (begin !== undefined && begin.realNanoseconds < result.process.realNanoseconds)
        windows.push(this.windowOf(result, begin));
    }
    this.begins = begins;
    return windows;
  }

  /** Of some processes, in seconds since the search began. @param isRecorded all the time, by key */
  async window(
    processes: readonly ProcessWindow[],
    [start, end]: readonly [number, number],
    isRecorded: (key: string) => boolean,
  ): Promise<LiveWindow> {
    const { program, sites, run } = this.options;
    const results = await this.names.within(processes.map(({ result }) => result));
    const { profile, calibration } = await mergeProcesses(results, program);
    const keys = profile.regions.map((region) => functionKeyOf(region) ?? regionKey(region));
    const context = makeContext({ profile, run, keys, calibration, sites });
    const inside = {
      wallSeconds: sumOf(processes, 'wallSeconds'),
      preemptedSeconds: sumOf(processes, 'preemptedSeconds'),
    };
    return new LiveWindow(start, end, new RecordedValues(context), isRecorded, inside);
  }

  private windowOf(live: LiveResult, begin: WindowBegin): ProcessWindow {
    const { program, sites } = this.options;
    const result = live.window(begin);
    const byKey = (values: Iterable<readonly [slot: number, value: number]>): Map<string, number> => {
      const sums = new Map<string, number>();
      for (const [slot, value] of values) {
        const key = program.slots[slot];
        if (key !== undefined) sums.set(key, (sums.get(key) ?? 0) + value);
      }
      return sums;
    };
    return {
      host: live.process.host,
      rank: live.process.rank,
      result,
      cpuSeconds: result.cpuSeconds ?? 0,
      costs: byKey(recordingBySlot(result, program, sites)),
      visits: byKey(visitsOf(result)),
    };
  }
}

function sumOf(processes: readonly ProcessWindow[], what: keyof TimeInside): number {
  return processes.reduce((sum, { result: { inside } }) => sum + (inside?.[what] ?? 0), 0);
}

function* visitsOf({ threads }: WindowResult): Iterable<readonly [number, number]> {
  for (const { slot, visits } of threads)
    for (let node = 1; node < slot.length; node++) yield [atUint(slot, node), atFloat(visits, node)];
}
