import { setTimeout as pause } from 'node:timers/promises';
import { isKymoError, KymoError } from '../../core/errors';
import type { ControlMessage, ProcessState } from '../../formats/control/messages';
import { mostIntervals, mostSwitches, type ControlRequest } from '../../formats/control/requests';
import type { WatchedPlan } from '../../measurement/backends/common/backend';
import { LiveResult, type WindowResult } from '../../measurement/results/live/liveResult';
import type { ProcessLink, ProcessSource } from '../../overlay/agent/processLink';
import { switchIn, type SwitchedProcess } from './switchProcess';
import { unlessEnded } from './unlessEnded';

/** How often new processes are looked for, in milliseconds. */
const lookEvery = 20;
/** A process that has not answered by then is not waited for any longer; milliseconds. */
const patience = 2000;

/** Sees what the processes say, beside what the job makes of it. */
export interface JobObserver {
  /** @returns what is called with each message, answers included; it may throw to end the connection */
  began(process: ObservedProcess): (message: ControlMessage) => void;
  ended(name: string): void;
}

export interface ObservedProcess {
  /** Of its socket: unique in the run. */
  readonly name: string;
  readonly connection: ProcessLink;
  readonly result: LiveResult;
}

/** A process of the run. */
interface Watched {
  readonly connection: ProcessLink;
  readonly result: LiveResult;
  /** A question of `look` that it has not answered. */
  asking?: Promise<void> | undefined;
}

export interface KnownProcess {
  readonly result: LiveResult;
  /** False: it has ended, or was lost. */
  readonly isWatched: boolean;
}

/** The processes of a run that is under way. */
export class WatchedJob {
  private readonly processes = new Map<string, Watched>();
  private readonly opening = new Set<string>();
  private failure: Error | undefined;
  private isClosed = false;
  private over: readonly LiveResult[] = [];
  private readonly ended = new AbortController();
  /** What `switch` changed: processes that come later begin with it. */
  private readonly switched = new Map<number, boolean>();
  private switches = 0;
  private late: readonly SwitchedProcess[] = [];

  constructor(
    private readonly plan: { readonly program: Pick<WatchedPlan['program'], 'slots'> },
    private readonly source: ProcessSource,
    private readonly signal: AbortSignal,
    private readonly observers: readonly JobObserver[] = [],
  ) {}

  /**
   * Waits until all ranks can be watched, except for those of which the source says that they are not watched here.
   * @throws KymoError `not-watchable` when the run ends before
   */
  async attach(running: Promise<unknown>): Promise<void> {
    const state = { isRunning: true };
    const ended = (): void => void (state.isRunning = false);
    void running.then(ended, ended);
    for (;;) {
      this.signal.throwIfAborted();
      await this.findNew();
      const { processes = 0, ranks = 1 } = this.source.elsewhere ?? {};
      const all = [...this.processes.values()].map(({ result }) => result.process.ranks);
      if (this.processes.size + processes >= Math.max(1, ranks, ...all)) return;
      if (!state.isRunning)
        throw new KymoError(
          'not-watchable',
          'The program ended before it could be watched. Watch a run that takes longer: a few seconds at least.',
        );
      await pause(lookEvery);
    }
  }

  /**
   * Records the functions of these slots, and no others.
   * @param intervals of the slots that are sampled: about one in so many visits is timed; default: unchanged
   * @returns sites that were changed
   */
  async record(wanted: ReadonlySet<number>, intervals?: ReadonlyMap<number, number>): Promise<number> {
    if (intervals !== undefined) await this.sample(intervals);
    const all = this.plan.program.slots.map((_, slot) => ({ slot, on: wanted.has(slot) }));
    let sites = 0;
    for (let first = 0; first < all.length; first += mostSwitches) {
      const slots = all.slice(first, first + mostSwitches);
      for (const answer of await this.ofAll(({ connection }) => connection.ask({ kind: 'switch', slots })))
        if (answer.kind === 'switched') sites += answer.sites;
    }
    return sites;
  }

  /**
   * Switches functions on and off in all processes, and in those that come later or come back.
   * @param host switches in the processes of this one only
   * @returns what each process made of it
   */
  async switch(changes: ReadonlyMap<number, boolean>, host?: string): Promise<readonly SwitchedProcess[]> {
    this.switches++;
    for (const [slot, on] of changes) this.switched.set(slot, on);
    const switched = await this.ofAll(async ({ connection, result }) =>
      host === undefined || result.process.host === host
        ? switchIn(connection, result.process, changes)
        : undefined,
    );
    return switched.filter((process) => process !== undefined);
  }

  /** Processes that were switched when they came; each once. */
  takeLate(): readonly SwitchedProcess[] {
    const { late } = this;
    this.late = [];
    return late;
  }

  /** Times about one in so many visits of these slots from here on. */
  async sample(intervals: ReadonlyMap<number, number>): Promise<void> {
    const all = [...intervals].map(([slot, interval]) => ({ slot, interval }));
    for (let first = 0; first < all.length; first += mostIntervals) {
      const slots = all.slice(first, first + mostIntervals);
      await this.ofAll(({ connection }) => connection.ask({ kind: 'intervals', slots }));
    }
  }

  /** A window begins: what is measured from here on. */
  async restart(): Promise<void> {
    await this.refresh();
    for (const { result } of this.processes.values()) result.restart();
  }

  /** What each process has measured in the window so far. */
  async results(): Promise<readonly WindowResult[]> {
    await this.refresh();
    return [...this.processes.values()].map(({ result }) => result.window());
  }

  /** Waits, at most until a process ends. */
  async wait(milliseconds: number): Promise<void> {
    const signal = AbortSignal.any([this.signal, this.ended.signal]);
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
    this.signal.throwIfAborted();
  }

  /** Asks all processes, those that began since too, for what they have measured so far (`known`). */
  async look(): Promise<void> {
    await this.findNew();
    const answers = this.ofAll(
      (process) =>
        (process.asking ??= asked(process.connection)
          .catch(unlessEnded)
          .finally(() => (process.asking = undefined))),
    );
    await Promise.race([answers, pause(patience, undefined, { ref: false })]);
  }

  /** All processes by rank, with what they said last; those that have ended or were lost, too. */
  get known(): readonly KnownProcess[] {
    return [
      ...this.over.map((result) => ({ result, isWatched: false })),
      ...[...this.processes.values()].map(({ result }) => ({ result, isWatched: true })),
    ].sort(({ result: { process: a } }, { result: { process: b } }) => a.rank - b.rank || a.pid - b.pid);
  }

  /** Asks all processes alike; those that end meanwhile, or refuse, do not count. */
  async tell(request: ControlRequest): Promise<void> {
    await this.ofAll(({ connection }) =>
      connection.ask(request).catch((error: unknown) => {
        if (!isKymoError(error)) throw error;
      }),
    );
  }

  close(): void {
    this.isClosed = true;
    for (const { connection } of this.processes.values()) connection.close();
  }

  /** @throws KymoError `process-ended` */
  private async refresh(): Promise<void> {
    await this.ofAll(({ connection }) => asked(connection));
    if (this.ended.signal.aborted)
      throw new KymoError('process-ended', 'A process of the program has ended, and the window with it.');
  }

  /** One that does not answer, as its host stands still, holds up nothing for longer than once. */
  private async findNew(): Promise<void> {
    const begun: Promise<void>[] = [];
    for (const name of await this.source.names()) {
      if (this.processes.has(name) || this.opening.has(name)) continue;
      this.opening.add(name);
      begun.push(this.open(name).finally(() => this.opening.delete(name)));
    }
    const all = Promise.all(begun).catch((error: unknown) => {
      this.failure ??= error instanceof Error ? error : new Error(String(error));
    });
    await Promise.race([all, pause(patience, undefined, { ref: false })]);
    if (this.failure !== undefined) throw this.failure;
  }

  /** A process may have ended, or be an older one of this name. */
  private async open(name: string): Promise<void> {
    let result: LiveResult | undefined;
    const before: ControlMessage[] = [];
    let observe: readonly ReturnType<JobObserver['began']>[] = [];
    const take = (message: ControlMessage): void => {
      result?.take(message);
      for (const one of observe) one(message);
    };
    const listener = (message: ControlMessage): void => {
      if (result === undefined) before.push(message);
      else take(message);
    };
    try {
      const { connection, state } = await this.source.open(name, listener);
      await this.catchUp(connection, state);
      if (this.isClosed) {
        connection.close();
        return;
      }
      result = new LiveResult(state);
      const process = { name, connection, result };
      observe = this.observers.map((observer) => observer.began(process));
      for (const message of before) take(message);
      this.processes.set(name, process);
      // It comes back, with all that it has measured: its host has another agent.
      this.over = this.over.filter(({ process: old }) => !isSameProcess(old, state));
      void connection.over.then(() => {
        this.ended.abort();
        this.processes.delete(name);
        this.over = [...this.over, process.result];
        for (const observer of this.observers) observer.ended(name);
      });
    } catch (error) {
      if (!isKymoError(error)) throw error;
    }
  }

  /** Switches what was switched before a process came; more may be meanwhile. */
  private async catchUp(connection: ProcessLink, state: ProcessState): Promise<void> {
    for (let done = 0; done < this.switches;) {
      done = this.switches;
      const switched = await switchIn(connection, state, this.switched);
      this.late = [...this.late, switched];
    }
  }

  private async ofAll<Answer>(ask: (process: Watched) => Promise<Answer>): Promise<readonly Answer[]> {
    this.signal.throwIfAborted();
    return Promise.all([...this.processes.values()].map(ask));
  }
}

function isSameProcess(a: ProcessState, b: ProcessState): boolean {
  return a.pid === b.pid && a.host === b.host && a.beginRealNanoseconds === b.beginRealNanoseconds;
}

async function asked(connection: ProcessLink): Promise<void> {
  await connection.ask({ kind: 'counters', of: 'paths', perThread: true, differences: false });
  await connection.state();
}
