import { hostname } from 'node:os';
import type { SiteKind } from '../../../core/cost/pairCost';
import { answerable } from '../../../core/diagnosis/live/leftOut';
import { CodeTree } from '../../../core/diagnosis/live/codeTree';
import { LiveFacts } from '../../../core/diagnosis/live/liveFacts';
import type { SearchRecord } from '../../../core/diagnosis/search/searchRecord';
import type { WatchedPlan } from '../../../measurement/backends/common/backend';
import type { WatchedJob } from '../../online/watchedJob';
import type { LiveWindow } from '../../../core/diagnosis/live/liveWindow';
import type { AgentPlace } from '../../../core/diagnosis/strategies/agent';
import type { SearchStart } from '../../../core/diagnosis/strategies/messages';
import type { JobStacks } from './jobStacks';
import { LiveSearch, type RemoteSeat } from './liveSearch';
import { writeProgram } from './programFile';
import { RemoteAgents, type RemoteAgentsOptions } from './remoteAgents';
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
  /** Keys of the functions that are recorded at first. */
  readonly recorded: () => ReadonlySet<string>;
  /** Switches functions, by their keys, in all processes, or in those of a host. @param isElsewhere whether others still record one */
  readonly switch: (
    record: readonly string[],
    leave: readonly string[],
    host: string | undefined,
    isElsewhere: (key: string) => boolean,
  ) => Promise<void>;
  /** Agents have switched functions on their hosts, which nobody else records. */
  readonly switchedElsewhere: (record: readonly string[], leave: readonly string[]) => Promise<void>;
  /** A stream to agents on other hosts, see `RunProcesses.search`. */
  readonly agents: RemoteAgentsOptions['open'];
  /** Folder with the sockets of the run, which its hosts share. */
  readonly sockets: string;
  readonly note: (sentence: string) => void;
}

/** Looks without a process of a host after which it is lost. */
const patience = 5;

/** The search for why and where a program is slow while it runs, by whoever watches the processes: what they recorded since the last look goes in. */
export class LiveDiagnosis {
  private readonly code: CodeTree;
  private readonly recording: Recording;
  /** Functions that are recorded in the processes that are searched here; by key. */
  private readonly recorded: Set<string>;
  private readonly fixed: ReadonlySet<string>;
  private agents: RemoteAgents | undefined;
  /** Looks in which a host had no process that could be asked. */
  private readonly missed = new Map<string, number>();
  private facts: LiveFacts | undefined;
  private readonly survey: Survey | undefined;
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
    this.recorded = new Set(options.recorded());
    const phaseKeys = phases.flatMap((slot) => program.slots[slot] ?? []);
    this.fixed = new Set(options.isFromBegin ? phaseKeys : this.recorded);
    this.recording = new Recording({
      ...{ ...options, program, fixed: this.fixed, recorded: () => this.recorded },
      switch: (on, off) => this.switch(on, off),
    });
    if (options.isFromBegin) this.survey = new Survey(this.recorded, this.fixed);
  }

  /** Seconds from one look to the next. */
  get lookEvery(): number {
    return this.isSurveying ? (this.survey?.lookEvery ?? windowSeconds) : windowSeconds;
  }

  get isSurveying(): boolean {
    return this.survey?.isOver === false;
  }

  /** Changes with what the search concludes, and with what becomes of it. */
  get news(): string {
    return this.search === undefined ? '' : `${this.search.state} ${this.search.conclusions}`;
  }

  /** Undefined until the search begins. */
  get record(): SearchRecord | undefined {
    const record = this.search && this.facts?.complete(this.search.record);
    const { whyNot } = this.options.stacks;
    if (record === undefined || whyNot === undefined) return record;
    const message = `Deep Start has no stack samples of some processes. ${whyNot}`;
    return { ...record, notices: [{ time: 0, message }, ...record.notices] };
  }

  /** The processes have been asked for what they recorded. */
  async look(): Promise<void> {
    const look = this.recording.look();
    if (look.windows.length === 0) return;
    this.recording.drop(this.survey?.look(look.windows, (look.end - look.begin) / 1000) ?? []);
    if (this.isSurveying) await this.recording.follow(new Set());
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

  /** The first window says which hosts and processes there are. */
  private async begin(look: Look): Promise<void> {
    this.origin = look.begin;
    const first = await this.recording.window(look.windows, look, this.origin);
    const { hypotheses, notices } = answerable(this.settings.hypotheses, first);
    this.facts = new LiveFacts(this.code, notices);
    const { machine } = first.values.resources;
    if (this.settings.strategy !== 'centralised') await this.askAgents();
    this.search = new LiveSearch({
      settings: { ...this.settings, hypotheses },
      run: this.options.run,
      code: this.code,
      cost: (key) => (this.recording.isRecorded(key) ? 0 : this.recording.cost(key)),
      machine: machine.children,
      remote: (place, start) => this.remote(place, start, machine.children, look),
    });
    if (this.settings.deepStart !== undefined) await this.options.stacks.begin(this.code.names);
    await this.take(this.search, look);
  }

  private async take(search: LiveSearch, look: Look): Promise<void> {
    const windows: (LiveWindow | undefined)[] = [];
    for (const host of search.hosts) {
      const own = host === undefined ? look.windows : look.windows.filter((one) => one.host === host);
      windows.push(own.length === 0 ? undefined : await this.recording.window(own, look, this.origin));
    }
    const known = windows.filter((window) => window !== undefined);
    const isAll = this.agents === undefined;
    this.facts?.add(isAll ? known : [await this.recording.window(look.windows, look, this.origin)]);
    this.forget(search, look);
    const time = (look.end - this.origin) / 1000;
    const tooDear = this.recording.tooDear(look, this.settings.costLimit);
    search.take(time, windows, this.recording.costs(look), this.options.stacks.take(), tooDear);
    await this.recording.follow(search.wanted);
  }

  /** A host whose processes cannot be asked for some time is lost. */
  private forget(search: LiveSearch, { windows }: Look): void {
    for (const host of search.allHosts) {
      const missed = windows.some((one) => one.host === host) ? 0 : (this.missed.get(host) ?? 0) + 1;
      this.missed.set(host, missed);
      if (missed === patience) search.lost(host);
    }
  }

  private async switch(record: readonly string[], leave: readonly string[]): Promise<void> {
    const here = this.agents === undefined ? undefined : hostname();
    await this.options.switch(record, leave, here, (key) => this.agents?.isRecorded(key) === true);
    for (const key of record) this.recorded.add(key);
    for (const key of leave) this.recorded.delete(key);
  }

  private async askAgents(): Promise<void> {
    const { plan, sites, sockets, agents, note, switchedElsewhere } = this.options;
    const remote = new RemoteAgents({
      open: agents,
      onAnswer: (host, message) => this.search?.answered(host, message),
      onSwitched: (on, off) =>
        void switchedElsewhere(
          on,
          off.filter((key) => !this.recorded.has(key)),
        ).catch(ignore),
      onLost: (host, why) => {
        if (why !== undefined) note(`The agent on ${host} does not search any more. ${why}`);
        this.search?.lost(host);
      },
    });
    if (!remote.hasAny) return;
    await writeProgram(sockets, { program: plan.program, sites });
    this.agents = remote;
  }

  private remote(
    place: AgentPlace,
    start: SearchStart,
    machine: ReadonlyMap<string, readonly string[]>,
    { end }: Look,
  ): RemoteSeat | undefined {
    if (this.agents?.isOn(place.host) !== true) return undefined;
    return this.agents.seat(place, start, {
      machine: [...machine],
      time: (end - this.origin) / 1000,
      recorded: [...this.recorded],
      fixed: [...this.fixed],
    });
  }
}

/** What cannot be written then is written the next time. */
function ignore(): void {
  // Nothing is lost by it.
}
