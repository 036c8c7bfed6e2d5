import type { SiteKind } from '../../../core/cost/pairCost';
import { CallRates } from '../../../core/diagnosis/live/callRates';
import { answerable } from '../../../core/diagnosis/live/leftOut';
import { CodeTree } from '../../../core/diagnosis/live/codeTree';
import { LiveFacts } from '../../../core/diagnosis/live/liveFacts';
import type { SearchRecord } from '../../../core/diagnosis/search/searchRecord';
import { at } from '../../../core/at';
import { shownRanks } from '../../../measurement/results/systemTree';
import type { WatchedPlan } from '../../../measurement/backends/common/backend';
import type { WatchedJob } from '../../online/watchedJob';
import { LiveSearch, type ProcessCosts } from './liveSearch';
import { SearchedJob, type ProcessWindow } from './searchedJob';
import { windowSeconds, type LiveDiagnosisSettings } from './settings';
import { Survey } from './survey';
import type { DiagnosisWish } from './diagnosisWish';

export interface LiveDiagnosisOptions {
  readonly job: Pick<WatchedJob, 'known'>;
  readonly plan: Pick<WatchedPlan, 'program' | 'phases'>;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly run: string;
  /** Whether everything is recorded at first, so that what is called rarely stays so. */
  readonly isFromBegin: boolean;
  /** Keys of the functions that are recorded now. */
  readonly recorded: () => ReadonlySet<string>;
  /** Switches functions in all processes, by their keys. */
  readonly switch: (record: readonly string[], leave: readonly string[]) => Promise<void>;
}

/** How often the processes are looked at during the survey; seconds. */
const surveyLook = 0.1;

/** The search for why and where a program is slow while it runs, by whoever watches the processes: what they recorded since the last look goes in. */
export class LiveDiagnosis {
  private readonly code: CodeTree;
  private facts: LiveFacts | undefined;
  private readonly rates = new CallRates();
  private readonly processes: SearchedJob;
  private readonly fixed: ReadonlySet<string>;
  private survey: Survey | undefined;
  private search: LiveSearch | undefined;
  private applied: Partial<DiagnosisWish> = {};
  /** Time of the last look and of the begin of the search, milliseconds. */
  private looked = performance.now();
  private began = 0;
  /** When each function was switched on for the search; milliseconds. */
  private readonly since = new Map<string, number>();

  constructor(
    readonly settings: LiveDiagnosisSettings,
    private readonly options: LiveDiagnosisOptions,
  ) {
    const { plan, sites, job, run } = options;
    const { program, phases } = plan;
    const switchable = new Set(program.slots);
    this.code = new CodeTree(program.graph, (key) => switchable.has(key));
    this.processes = new SearchedJob({ job, program, sites, run });
    const recorded = options.recorded();
    const phaseKeys = phases.flatMap((slot) => program.slots[slot] ?? []);
    this.fixed = new Set(options.isFromBegin ? phaseKeys : recorded);
    if (options.isFromBegin) this.survey = new Survey(recorded, this.fixed);
  }

  /** When the next look is due, in seconds. */
  get lookEvery(): number {
    return this.survey === undefined ? windowSeconds : surveyLook;
  }

  /** Undefined until the search begins. */
  get record(): SearchRecord | undefined {
    return this.search && this.facts?.complete(this.search.record);
  }

  get state(): SearchRecord['state'] | 'surveying' {
    return this.search?.state ?? 'surveying';
  }

  /** The processes have been asked for what they recorded. */
  async look(): Promise<void> {
    const begin = this.looked;
    this.looked = performance.now();
    const windows = this.processes.next();
    if (windows.length === 0) return;
    for (const window of windows) this.learn(window);
    if (this.survey !== undefined) await this.goOn(this.survey, windows, (this.looked - begin) / 1000);
    else if (this.search === undefined) await this.start(windows, begin);
    else await this.take(this.search, windows, begin);
  }

  /** What the user wants by now. */
  control(wish: DiagnosisWish): void {
    if (this.search === undefined) return;
    const { thresholds = {}, state = 'search' } = this.applied;
    for (const [hypothesis, threshold] of Object.entries(wish.thresholds))
      if (thresholds[hypothesis] !== threshold)
        this.search.control({ type: 'threshold', hypothesis, threshold });
    if (wish.state !== state)
      this.search.control({
        type: ({ search: 'resume', pause: 'pause', stop: 'stop' } as const)[wish.state],
      });
    this.applied = wish;
  }

  /** The program has ended. */
  end(): void {
    this.search?.end();
  }

  private async goOn(survey: Survey, windows: readonly ProcessWindow[], seconds: number): Promise<void> {
    const off = survey.look(windows, seconds);
    if (off === undefined) this.survey = undefined;
    else if (off.length > 0) await this.options.switch([], off);
  }

  /** The first window says which hosts and processes there are. */
  private async start(windows: readonly ProcessWindow[], begin: number): Promise<void> {
    this.began = begin;
    const first = await this.processes.window(windows, this.interval(begin), () => true);
    const { hypotheses, notices } = answerable(this.settings.hypotheses, first);
    this.facts = new LiveFacts(this.code, notices);
    this.search = new LiveSearch({
      settings: { ...this.settings, hypotheses },
      run: this.processes.options.run,
      code: this.code,
      rates: this.rates,
      pairSeconds: (key) => this.pairSeconds(key, windows),
      isRecorded: (key) => this.options.recorded().has(key),
      machine: first.values.resources.machine.children,
    });
    await this.take(this.search, windows, begin);
  }

  private async take(search: LiveSearch, windows: readonly ProcessWindow[], begin: number): Promise<void> {
    const interval = this.interval(begin);
    const recorded = this.options.recorded();
    const isRecorded = (key: string): boolean =>
      recorded.has(key) && (this.since.get(key) ?? -Infinity) <= begin;
    const ofHosts = search.hosts.map((host) =>
      host === undefined ? windows : windows.filter((window) => window.host === host),
    );
    const all = [];
    for (const own of ofHosts) all.push(await this.processes.window(own, interval, isRecorded));
    this.facts?.add(all);
    search.take(all, this.costs(windows));
    await this.follow(search);
  }

  private interval(begin: number): readonly [number, number] {
    return [(begin - this.began) / 1000, (this.looked - this.began) / 1000];
  }

  /** Records what the search asks for, and no longer what it does not. */
  private async follow(search: LiveSearch): Promise<void> {
    const recorded = this.options.recorded();
    const { wanted } = search;
    const on = [...wanted].filter((key) => !recorded.has(key));
    const off = [...this.since.keys()].filter((key) => !wanted.has(key) && recorded.has(key));
    if (on.length + off.length === 0) return;
    await this.options.switch(on, off);
    const now = performance.now();
    for (const key of on) this.since.set(key, now);
    for (const key of off) this.since.delete(key);
  }

  private learn({ visits, costs, cpuSeconds, host, rank }: ProcessWindow): void {
    let recording = 0;
    for (const cost of costs.values()) recording += cost;
    this.rates.add(`${host} ${rank}`, {
      visits,
      seconds: Math.max(0.1 * cpuSeconds, cpuSeconds - recording),
    });
  }

  /** Of recording what is recorded for the search alone. */
  private costs(windows: readonly ProcessWindow[]): ProcessCosts {
    const ranks = shownRanks(windows.map(({ rank }) => rank));
    return new Map(
      windows.map(({ costs, cpuSeconds }, order) => {
        let seconds = 0;
        for (const [key, cost] of costs) if (!this.fixed.has(key)) seconds += cost;
        return [`rank ${at(ranks, order)}`, cpuSeconds > 0 ? Math.min(1, seconds / cpuSeconds) : 0];
      }),
    );
  }

  private pairSeconds(key: string, windows: readonly ProcessWindow[]): number {
    const isEntry = this.options.sites.get(key) === 'entry';
    return Math.max(
      ...windows.map(({ result: { entryCost, probeCost } }) => (isEntry ? entryCost : probeCost).pairSeconds),
    );
  }
}
