import { at } from '../../at';
import type { RecordedValues } from '../recorded/recordedValues';
import { isShare } from '../hypotheses/metrics';
import type { Focus, ResourcePath } from '../resources/focus';

/** A metric at a focus, with the key of the function that it names. */
export interface LiveData {
  readonly metric: string;
  readonly focus: Focus;
  readonly key: string | undefined;
}

/** Time of threads, and for how long of it they were pre-empted. */
export interface TimeInside {
  readonly wallSeconds: number;
  readonly preemptedSeconds: number;
}

/** What was measured of running processes over an interval, in seconds since the search began. */
export class LiveWindow {
  /** Resource of each function that the profile of the window names, by key. */
  readonly codes: ReadonlyMap<string, ResourcePath>;

  /**
   * @param isRecorded whether a function was recorded all the time, by its key
   * @param inside of the threads that were in a recorded function, seconds by the clock of the wall
   */
  constructor(
    readonly start: number,
    readonly end: number,
    readonly values: RecordedValues,
    readonly isRecorded: (key: string) => boolean,
    readonly inside: TimeInside = { wallSeconds: 0, preemptedSeconds: 0 },
  ) {
    const { keys } = values.context;
    this.codes = new Map(
      values.resources.code.paths.flatMap((path, region) =>
        path === undefined ? [] : [[at(keys, region), path] as const],
      ),
    );
  }

  /** Of an imbalance, the ranks that compute longest; undefined of others, and where nothing of it was seen. */
  lateRanks({ metric, focus, key }: LiveData): readonly number[] | undefined {
    const Code = key === undefined ? focus.Code : this.codes.get(key);
    return Code === undefined ? undefined : this.values.lateRanks(metric, { ...focus, Code });
  }

  /** The value of the window, or why it has none: another one may have. */
  answer({ metric, focus, key }: LiveData): { readonly value: number } | { readonly missing: string } {
    const missing = this.values.missing(metric);
    if (missing !== undefined) return { missing };
    if (key !== undefined && !this.isRecorded(key)) return { missing: 'The function is not recorded.' };
    const Code = key === undefined ? focus.Code : this.codes.get(key);
    const isSeen = Code !== undefined && this.values.resources.knows('SyncObject', focus.SyncObject);
    if (isSeen) return this.values.answer(metric, { ...focus, Code });
    // A function that was not called, or an object that nobody waited for, has no part of the time.
    return isShare(metric) ? { value: 0 } : { missing: 'Nothing of it was counted there.' };
  }
}
