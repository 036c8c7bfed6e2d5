import type { SiteKind } from '../../../core/cost/pairCost';
import { answerable } from '../../../core/diagnosis/live/leftOut';
import { CodeTree } from '../../../core/diagnosis/live/codeTree';
import { LiveFacts } from '../../../core/diagnosis/live/liveFacts';
import type { SearchRecord } from '../../../core/diagnosis/search/searchRecord';
import type { WatchedPlan } from '../../../measurement/backends/common/backend';
import type { WatchedJob } from '../../online/watchedJob';
import type { LiveWindow } from '../../../core/diagnosis/live/liveWindow';
import type { JobStacks } from './jobStacks';
import { LiveSearch } from './liveSearch';
import { Recording, type Look } from './recording';
import { windowSeconds, type LiveDiagnosisSettings } from './settings';
import { Survey } from './survey';
import type { DiagnosisWish } from './diagnosisWish';

export interface LiveDiagnosisOptions {
  readonly job: Pick<WatchedJob, 'known'>;
  /** For Deep Start. */
  readonly stacks: Pick<JobStacks, 'begin' | 'take' | 'whyNot'>;
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
  private readonly recording: Recording;
  private facts: LiveFacts | undefined;
  private survey: Survey | undefined;
  private search: LiveSearch | undefined;
  private applied: Partial<DiagnosisWish> = {};
  /** When the search began; milliseconds. */
  private origin = 0;

  constructor(
    readonly settings: LiveDiagnosisSettings,
    private readonly options: LiveDiagnosisOptions,
  ) {
    const { program, phases } = options.plan;
    const switchable = new Set(program.slots);
    this.code = new CodeTree(program.graph, (key) => switchable.has(key));
    const recorded = options.recorded();
    const phaseKeys = phases.flatMap((slot) => program.slots[slot] ?? []);
    const fixed = new Set(options.isFromBegin ? phaseKeys : recorded);
    this.recording = new Recording({ ...options, program, fixed });
    if (options.isFromBegin) this.survey = new Survey(recorded, fixed);
  }

  /** When the next look is due, in seconds. */
  get lookEvery(): number {
    return this.survey === undefined ? windowSeconds : surveyLook;
  }

  /** Undefined until the search begins. */
  get record(): SearchRecord | undefined {
    const record = this.search && this.facts?.complete(this.search.record);
    const { whyNot } = this.options.stacks;
    if (record === undefined || whyNot === undefined) return record;
    const message = `Deep Start has no stack samples of some processes. ${whyNot}`;
    return { ...record, notices: [{ time: 0, message }, ...record.notices] };
  }

  get state(): SearchRecord['state'] | 'surveying' {
    return this.search?.state ?? 'surveying';
  }

  /** The processes have been asked for what they recorded. */
  async look(): Promise<void> {
    const look = this.recording.look();
    if (look.windows.length === 0) return;
    if (this.survey !== undefined) await this.goOn(this.survey, look);
    else if (this.search === undefined) await this.begin(look);
    else await this.take(this.search, look);
  }

  /** What the user wants by now. */
  control(wish: DiagnosisWish): void {
    if (this.search === undefined) return;
    const { thresholds = {}, state = 'search' } = this.applied;
    for (const [hypothesis, threshold] of Object.entries(wish.thresholds))
      if (thresholds[hypothesis] !== threshold)
        this.search.control({ type: 'threshold', hypothesis, threshold });
    const orders = { search: 'resume', pause: 'pause', stop: 'stop' } as const;
    if (wish.state !== state) this.search.control({ type: orders[wish.state] });
    this.applied = wish;
  }

  /** The program has ended. */
  end(): void {
    this.search?.end();
  }

  private async goOn(survey: Survey, { windows, begin, end }: Look): Promise<void> {
    const off = survey.look(windows, (end - begin) / 1000);
    if (off === undefined) this.survey = undefined;
    else if (off.length > 0) await this.options.switch([], off);
  }

  /** The first window says which hosts and processes there are. */
  private async begin(look: Look): Promise<void> {
    this.origin = look.begin;
    const first = await this.recording.window(look.windows, look, this.origin);
    const { hypotheses, notices } = answerable(this.settings.hypotheses, first);
    this.facts = new LiveFacts(this.code, notices);
    this.search = new LiveSearch({
      settings: { ...this.settings, hypotheses },
      run: this.options.run,
      code: this.code,
      cost: (key) => (this.recording.isRecorded(key) ? 0 : this.recording.cost(key)),
      machine: first.values.resources.machine.children,
    });
    if (this.settings.deepStart !== undefined) await this.options.stacks.begin(this.code.names);
    await this.take(this.search, look);
  }

  private async take(search: LiveSearch, look: Look): Promise<void> {
    const windows: LiveWindow[] = [];
    for (const host of search.hosts) {
      const own = host === undefined ? look.windows : look.windows.filter((one) => one.host === host);
      windows.push(await this.recording.window(own, look, this.origin));
    }
    this.facts?.add(windows);
    search.take(windows, this.recording.costs(look), this.options.stacks.take());
    await this.recording.follow(search.wanted);
  }
}
