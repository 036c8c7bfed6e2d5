import type { LiveChange, LiveRecording } from '../../core/views/liveRun';
import { pushTo } from '../../core/remembered';
import type { WatchedPlan } from '../../measurement/backends/common/backend';
import { shortName } from '../filters/notRecordable';
import type { SwitchedProcess } from '../online/switchProcess';
import type { WatchedJob } from '../online/watchedJob';
import { liveFunctions, writeLiveFunctions, type KnownProgram } from '../studies/liveFunctions';
import type { RecordingHistory } from './recordingHistory';
import { filedWishes, removeWish, type RecordingWish } from './wishes';

/** Changes that `live.json` has. */
const mostChanges = 20;
/** Names of functions in each, and sentences on what went wrong. */
const mostNames = 10;
const mostProblems = 3;

export interface SwitchingOptions {
  /** Folder of the experiment. */
  readonly folder: string;
  readonly plan: WatchedPlan;
  readonly job: Pick<WatchedJob, 'switch' | 'takeLate'>;
  readonly history: RecordingHistory;
  /** Why nothing can be switched in this run; undefined: it can. */
  readonly whyNone?: () => string | undefined;
  readonly sites: KnownProgram['sites'];
  readonly whyNotRecorded?: KnownProgram['whyNotRecorded'];
}

/** Switches functions of a run that is under way, as its watchers want it. */
export class Switching {
  private readonly slotsOf = new Map<string, number[]>();
  private readonly program: KnownProgram;
  private readonly names: ReadonlyMap<string, string>;
  private changes: readonly LiveChange[] = [];

  constructor(private readonly options: SwitchingOptions) {
    const { program, phases } = options.plan;
    program.slots.forEach((key, slot) => {
      pushTo(this.slotsOf, key, slot);
    });
    this.names = new Map(program.graph.functions.map(({ key, name }) => [key, name]));
    this.program = {
      graph: program.graph,
      sites: options.sites,
      switchable: new Set(program.slots),
      phases: new Set(phases.map((slot) => program.slots[slot] ?? '')),
      whyNotRecorded: options.whyNotRecorded,
    };
  }

  /** Says which functions there are. @throws KymoError `write-failed`, `disk-full`, `results-linked` */
  async begin(): Promise<void> {
    await this.writeFunctions();
  }

  /** Does what is wanted by now. @throws KymoError as `begin` */
  async doWishes(): Promise<void> {
    this.remember(this.options.job.takeLate());
    const wishes = await filedWishes(this.options.folder);
    if (wishes.length === 0) return;
    for (const { id, wish } of wishes) {
      const change = await this.done(id, wish);
      // No process is in sight now: it is done when one is again.
      if (change === undefined) break;
      this.changes = [...this.changes, change].slice(-mostChanges);
      await removeWish(this.options.folder, id);
    }
    await this.writeFunctions();
  }

  /** For `live.json`. */
  get live(): LiveRecording {
    return { functions: this.options.history.count, changes: this.changes };
  }

  private async done(id: string, wish: RecordingWish | undefined): Promise<LiveChange | undefined> {
    const { seconds } = this.options.history;
    const whyNone = wish === undefined ? 'The request could not be read.' : this.options.whyNone?.();
    if (wish === undefined || whyNone !== undefined)
      return { wish: id, seconds, recorded: none, leftOut: none, problems: [whyNone ?? ''] };
    const switched = await this.switched(wish);
    return switched && { wish: id, ...switched };
  }

  /**
   * Switches for the search of a diagnosis: it is no wish of a watcher, and not told as one.
   * @param host in the processes of this one only @param isElsewhere whether others still record a function
   * @throws KymoError as `begin`
   */
  async switch(
    { record, leave }: RecordingWish,
    host?: string,
    isElsewhere: (key: string) => boolean = () => false,
  ): Promise<void> {
    const slots = new Map<number, boolean>();
    const [on, off] = [record, leave].map((keys) => keys.filter((key) => this.canSwitch(key)));
    for (const key of on ?? []) for (const slot of this.slotsOf.get(key) ?? []) slots.set(slot, true);
    for (const key of off ?? []) for (const slot of this.slotsOf.get(key) ?? []) slots.set(slot, false);
    this.remember(await this.options.job.switch(slots, host));
    const gone = (off ?? []).filter((key) => !isElsewhere(key));
    await this.recordedElsewhere(on ?? [], gone);
  }

  /** Somebody else has switched functions: the first to record them, and the last. @throws KymoError as `begin` */
  async recordedElsewhere(record: readonly string[], leave: readonly string[]): Promise<void> {
    const { history } = this.options;
    for (const key of record) history.change(key, true, history.seconds);
    for (const key of leave) history.change(key, false, history.seconds);
    await this.writeFunctions();
  }

  private async switched(wish: RecordingWish): Promise<Omit<LiveChange, 'wish'> | undefined> {
    const { history, job } = this.options;
    const begin = history.seconds;
    const { on, off, slots } = this.asked(wish);
    const processes = slots.size === 0 ? [] : await job.switch(slots);
    const end = history.seconds;
    const isDone = processes.some(({ isUnchanged }) => !isUnchanged);
    if (slots.size > 0 && !isDone && processes.every(({ why }) => why === undefined)) return undefined;
    const [recorded, leftOut] = isDone ? [on, off] : [[], []];
    for (const key of recorded) history.change(key, true, end);
    for (const key of leftOut) history.change(key, false, begin);
    this.remember(processes);
    return {
      seconds: end,
      recorded: this.namesOf(recorded),
      leftOut: this.namesOf(leftOut),
      problems: problemsOf(processes),
    };
  }

  /** What differs from what is recorded now. */
  private asked({ record, leave }: RecordingWish): Asked {
    const left = new Set(leave);
    const changing = (keys: Iterable<string>, on: boolean): readonly string[] =>
      [...new Set(keys)].filter((key) => this.canSwitch(key) && this.options.history.isRecorded(key) !== on);
    const on = changing(record, true).filter((key) => !left.has(key));
    const off = changing(left, false);
    const slots = new Map<number, boolean>();
    for (const key of on) for (const slot of this.slotsOf.get(key) ?? []) slots.set(slot, true);
    for (const key of off) for (const slot of this.slotsOf.get(key) ?? []) slots.set(slot, false);
    return { on, off, slots };
  }

  private remember(processes: readonly SwitchedProcess[]): void {
    for (const { process, iterations, isUnchanged } of processes) {
      const { pid, host } = process;
      if (!isUnchanged) this.options.history.switches.push({ process: { pid, host }, iterations });
    }
  }

  private canSwitch(key: string): boolean {
    return this.program.switchable.has(key) && !this.program.phases.has(key);
  }

  private namesOf(keys: readonly string[]): LiveChange['recorded'] {
    const names = keys.slice(0, mostNames).map((key) => shortName(this.names.get(key) ?? key));
    return { count: keys.length, names };
  }

  private async writeFunctions(): Promise<void> {
    const { folder, history } = this.options;
    await writeLiveFunctions(
      folder,
      liveFunctions(this.program, (key) => history.isRecorded(key)),
    );
  }
}

interface Asked {
  /** Keys. */
  readonly on: readonly string[];
  readonly off: readonly string[];
  readonly slots: ReadonlyMap<number, boolean>;
}

const none: LiveChange['recorded'] = { count: 0, names: [] };

function problemsOf(processes: readonly SwitchedProcess[]): readonly string[] {
  const failed = processes.filter(({ why }) => why !== undefined);
  const more = failed.length - mostProblems;
  return [
    ...failed
      .slice(0, mostProblems)
      .map(({ process: { pid, host }, why = '' }) => `Process ${pid} on ${host} records as before: ${why}.`),
    ...(more > 0 ? [`${more} more processes record as before.`] : []),
  ];
}
