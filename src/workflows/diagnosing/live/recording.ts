import { at } from '../../../core/at';
import { CallRates } from '../../../core/diagnosis/live/callRates';
import { formatPercent } from '../../../core/format';
import { shareOf } from '../../../core/functions/share';
import type { LiveWindow } from '../../../core/diagnosis/live/liveWindow';
import { shownRanks } from '../../../measurement/results/systemTree';
import { SearchedJob, type ProcessWindow, type SearchedJobOptions } from './searchedJob';

export interface RecordingOptions extends SearchedJobOptions {
  /** Functions that are recorded for other reasons: they are no cost of the search, and stay. By key, as all functions here. */
  readonly fixed: ReadonlySet<string>;
  /** Functions that are recorded now. */
  readonly recorded: () => ReadonlySet<string>;
  /** Switches functions in all processes. */
  readonly switch: (record: readonly string[], leave: readonly string[]) => Promise<void>;
}

/** What processes did since the last look, and when that was; milliseconds of `performance.now()`. */
export interface Look {
  readonly windows: readonly ProcessWindow[];
  readonly begin: number;
  readonly end: number;
  /** Whether a function was recorded all the time, by its key. */
  readonly isRecorded: (key: string) => boolean;
}

/** Of the processor time of a process, what recording for the search took: by its name. */
export type ProcessCosts = ReadonlyMap<string, number>;

/** What is recorded of some processes for a search, what it costs, and what they did meanwhile. */
export class Recording {
  readonly rates = new CallRates();
  private readonly job: SearchedJob;
  private looked = performance.now();
  /** Functions that were recorded at the last look. */
  private before: ReadonlySet<string> = new Set();
  /** Functions that are recorded for the search alone. */
  private readonly own = new Set<string>();
  private latest: readonly ProcessWindow[] = [];

  constructor(private readonly options: RecordingOptions) {
    this.job = new SearchedJob(options);
  }

  /** The processes have been asked for what they recorded. */
  look(): Look {
    const begin = this.looked;
    this.looked = performance.now();
    const windows = this.job.next();
    const { before } = this;
    const recorded = new Set(this.options.recorded());
    this.before = recorded;
    const isRecorded = (key: string): boolean => recorded.has(key) && before.has(key);
    for (const window of windows) this.learn(window, isRecorded);
    if (windows.length > 0) this.latest = windows;
    return { windows, begin, end: this.looked, isRecorded };
  }

  /** Of some of the processes of a look. @param origin when the search began */
  window(
    processes: readonly ProcessWindow[],
    { begin, end, isRecorded }: Look,
    origin: number,
  ): Promise<LiveWindow> {
    const interval = [(begin - origin) / 1000, (end - origin) / 1000] as const;
    return this.job.window(processes, interval, isRecorded);
  }

  /** These need not be recorded unless a search wants them. */
  drop(keys: readonly string[]): void {
    for (const key of keys) this.own.add(key);
  }

  /** Records what a search wants, and no longer what it has wanted before. */
  async follow(wanted: ReadonlySet<string>): Promise<void> {
    const recorded = this.options.recorded();
    for (const key of this.own) if (!recorded.has(key)) this.own.delete(key);
    const on = [...wanted].filter((key) => !recorded.has(key));
    const off = [...this.own].filter((key) => !wanted.has(key));
    if (on.length + off.length > 0) await this.options.switch(on, off);
    for (const key of on) this.own.add(key);
  }

  isRecorded(key: string): boolean {
    return this.options.recorded().has(key);
  }

  costs({ windows }: Pick<Look, 'windows'>): ProcessCosts {
    const ranks = shownRanks(windows.map(({ rank }) => rank));
    return new Map(
      windows.map(({ costs, cpuSeconds }, order) => {
        let seconds = 0;
        for (const [key, cost] of costs) if (!this.options.fixed.has(key)) seconds += cost;
        return [`rank ${at(ranks, order)}`, shareOf(seconds, { seconds: cpuSeconds })];
      }),
    );
  }

  /** Functions that by themselves took more than a limit (a share) of the processor time of a process, by key, and what is to say of it. */
  tooDear({ windows }: Pick<Look, 'windows'>, limit: number): ReadonlyMap<string, string> {
    const shares = new Map<string, number>();
    for (const { costs, cpuSeconds } of windows)
      for (const [key, seconds] of costs) {
        const share = shareOf(seconds, { seconds: cpuSeconds });
        if (share > Math.max(limit, shares.get(key) ?? 0) && !this.options.fixed.has(key))
          shares.set(key, share);
      }
    return new Map(
      [...shares].map(([key, share]) => [
        key,
        `Recording it took ${formatPercent(share)} of the processor time of a process, and ${formatPercent(limit)} is allowed.`,
      ]),
    );
  }

  /** Share of the processor time that recording a function will take. */
  cost(key: string): number {
    const isEntry = this.options.sites.get(key) === 'entry';
    const pairs = this.latest.map(({ result: { entryCost, probeCost } }) =>
      isEntry ? entryCost : probeCost,
    );
    return this.rates.cost(key, Math.max(0, ...pairs.map(({ pairSeconds }) => pairSeconds)));
  }

  private learn(
    { visits, costs, cpuSeconds, host, rank }: ProcessWindow,
    isRecorded: (key: string) => boolean,
  ): void {
    let recording = 0;
    for (const cost of costs.values()) recording += cost;
    const seconds = Math.max(0.1 * cpuSeconds, cpuSeconds - recording);
    this.rates.add(`${host} ${rank}`, { visits, isRecorded, seconds });
  }
}
