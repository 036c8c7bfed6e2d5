import { setTimeout as pause } from 'node:timers/promises';
import { isKymoError, KymoError } from '../../core/errors';
import type { ControlMessage, ProcessState } from '../../formats/control/messages';
import { mostSwitches } from '../../formats/control/requests';
import type { WatchedPlan } from '../../measurement/backends/common/backend';
import { LiveResult, type WindowResult } from '../../measurement/results/live/liveResult';
import type { ProcessLink, ProcessSource } from '../../overlay/agent/processLink';

/** How often new processes are looked for, in milliseconds. */
const lookEvery = 20;

/** A process of the run. */
interface Watched {
  readonly connection: ProcessLink;
  readonly result: LiveResult;
}

/** The processes of a run that is under way. */
export class WatchedJob {
  private readonly processes = new Map<string, Watched>();
  private hasEnded = false;
  private ranks = 1;

  constructor(
    private readonly plan: Pick<WatchedPlan, 'program'>,
    private readonly source: ProcessSource,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Waits until all ranks can be watched.
   * @throws KymoError `not-watchable` when the run ends before
   */
  async attach(running: Promise<unknown>): Promise<void> {
    const state = { isRunning: true };
    const ended = (): void => void (state.isRunning = false);
    void running.then(ended, ended);
    for (;;) {
      this.signal.throwIfAborted();
      for (const { ranks } of await this.findNew()) this.ranks = Math.max(this.ranks, ranks);
      if (this.processes.size > 0 && this.processes.size >= this.ranks) return;
      if (!state.isRunning)
        throw new KymoError(
          'not-watchable',
          'The program ended before it could be watched. Watch a run that takes longer: a few seconds at least.',
        );
      await pause(lookEvery);
    }
  }

  /** Records the functions of these slots, and no others. @returns sites that were changed */
  async record(wanted: ReadonlySet<number>): Promise<number> {
    const all = this.plan.program.slots.map((_, slot) => ({ slot, on: wanted.has(slot) }));
    let sites = 0;
    for (let first = 0; first < all.length; first += mostSwitches) {
      const slots = all.slice(first, first + mostSwitches);
      for (const answer of await this.ofAll(({ connection }) => connection.ask({ kind: 'switch', slots })))
        if (answer.kind === 'switched') sites += answer.sites;
    }
    return sites;
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

  close(): void {
    for (const { connection } of this.processes.values()) connection.close();
  }

  /** @throws KymoError `process-ended` */
  private async refresh(): Promise<void> {
    await this.ofAll(async ({ connection }) => {
      await connection.ask({ kind: 'counters', of: 'paths', perThread: true, differences: false });
      await connection.state();
    });
    if (this.hasEnded)
      throw new KymoError('process-ended', 'A process of the program has ended, and the window with it.');
  }

  private async findNew(): Promise<readonly ProcessState[]> {
    const states: ProcessState[] = [];
    for (const name of await this.source.names()) {
      if (this.processes.has(name)) continue;
      const state = await this.open(name);
      if (state !== undefined) states.push(state);
    }
    return states;
  }

  /** A process may have ended, or be an older one of this name. */
  private async open(name: string): Promise<ProcessState | undefined> {
    let result: LiveResult | undefined;
    const before: ControlMessage[] = [];
    const listener = (message: ControlMessage): void => {
      if (result === undefined) before.push(message);
      else result.take(message);
    };
    try {
      const { connection, state } = await this.source.open(name, listener);
      result = new LiveResult(state);
      for (const message of before) result.take(message);
      this.processes.set(name, { connection, result });
      void connection.over.then(() => {
        this.hasEnded = true;
        this.processes.delete(name);
      });
      return state;
    } catch (error) {
      if (isKymoError(error)) return undefined;
      throw error;
    }
  }

  private async ofAll<Answer>(ask: (process: Watched) => Promise<Answer>): Promise<readonly Answer[]> {
    this.signal.throwIfAborted();
    return Promise.all([...this.processes.values()].map(ask));
  }
}
