import { at } from '../../../core/at';
import { CallRates } from '../../../core/diagnosis/live/callRates';
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
}

/** Of the processor time of a process, what recording for the search took: by its name. */
export type ProcessCosts = ReadonlyMap<string, number>;

/** What is recorded of some processes for a search, what it costs, and what they did meanwhile. */
export class Recording {
  readonly rates = new CallRates();
  private readonly job: SearchedJob;
  private looked = performance.now();
  /** When each function was switched on for the search. */
  private readonly since = new Map<string, number>();
  private latest: readonly ProcessWindow[] = [];

  constructor(private readonly options: RecordingOptions) {
    this.job = new SearchedJob(options);
  }

  /** The processes have been asked for what they recorded. */
  look(): Look {
    const begin = this.looked;
    this.looked = performance.now();
    const windows = this.job.next();
    for (const window of windows) this.learn(window);
    if (windows.length > 0) this.latest = windows;
    return { windows, begin, end: this.looked };
  }

  /** Of some of the processes of a look. @param origin when the search began */
  window(processes: readonly ProcessWindow[], { begin, end }: Look, origin: number): Promise<LiveWindow> {
    const recorded = new Set(this.options.recorded());
    for (const [key, since] of this.since) if (since > begin) recorded.delete(key);
    const interval = [(begin - origin) / 1000, (end - origin) / 1000] as const;
    return this.job.window(processes, interval, (key) => recorded.has(key));
  }

  /** Records what a search wants, and no longer what it has wanted before. */
  async follow(wanted: ReadonlySet<string>): Promise<void> {
    const recorded = this.options.recorded();
    const on = [...wanted].filter((key) => !recorded.has(key));
    const off = [...this.since.keys()].filter((key) => !wanted.has(key));
    if (on.length + off.length === 0) return;
    await this.options.switch(on, off);
    const now = performance.now();
    for (const key of on) this.since.set(key, now);
    for (const key of off) this.since.delete(key);
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
        return [`rank ${at(ranks, order)}`, cpuSeconds > 0 ? Math.min(1, seconds / cpuSeconds) : 0];
      }),
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

  private learn({ visits, costs, cpuSeconds, host, rank }: ProcessWindow): void {
    let recording = 0;
    for (const cost of costs.values()) recording += cost;
    const seconds = Math.max(0.1 * cpuSeconds, cpuSeconds - recording);
    this.rates.add(`${host} ${rank}`, { visits, seconds });
  }
}
