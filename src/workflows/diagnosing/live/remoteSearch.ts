import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { CodeTree } from '../../../core/diagnosis/live/codeTree';
import { shareOfSlowDown } from '../../../core/diagnosis/search/costThrottle';
import { SearchedSeat } from '../../../core/diagnosis/live/searchedSeat';
import { pushTo } from '../../../core/remembered';
import type { WatchedFolder } from '../../../overlay/agent/agentSession';
import { processesOfHost } from '../../../overlay/agent/localProcesses';
import { isSameHost } from '../../../overlay/agent/processSocket';
import type { HostSearch } from '../../../overlay/agent/searchSession';
import { WatchedJob } from '../../online/watchedJob';
import { WatchingPace } from '../../online/watchingPace';
import { JobStacks } from './jobStacks';
import { readProgram } from './programFile';
import { Recording } from './recording';
import { searchedProgram } from './searchedProgram';
import { readOrder, type SearchOrder, type SearchReport } from './searchMessages';
import { windowSeconds } from './settings';

type Begin = Extract<SearchOrder, { readonly kind: 'begin' }>;

/** A record is sent at most so often: it is of the whole search of this host; seconds. */
const recordEvery = 2;

/** The search in the processes of this host, in an agent beside them: the front end sends orders, and is sent what is found. */
export class RemoteSearch implements HostSearch {
  private readonly end = new AbortController();
  private readonly signal: AbortSignal;
  private readonly waiting: SearchOrder[] = [];
  private obey: ((order: SearchOrder) => void) | undefined;
  private host = hostname();

  constructor(
    private readonly watched: WatchedFolder,
    private readonly send: (text: string) => void,
    signal: AbortSignal,
  ) {
    this.signal = AbortSignal.any([signal, this.end.signal]);
  }

  order(text: string): void {
    const order = readOrder(text);
    if (order === undefined) return;
    if (order.kind === 'begin') {
      if (!isSameHost(order.place.host, hostname())) return;
      this.host = order.place.host;
      void this.search(order).catch((error: unknown) => {
        if (this.signal.aborted) return;
        this.report({
          kind: 'failed',
          host: this.host,
          message: error instanceof Error ? error.message : String(error),
        });
      });
    } else if (order.host !== undefined && !isSameHost(order.host, this.host)) return;
    else if (this.obey === undefined) this.waiting.push(order);
    else this.obey(order);
  }

  close(): void {
    this.end.abort();
  }

  private async search(begin: Begin): Promise<void> {
    const { folder, token } = this.watched;
    const { program, sites } = await readProgram(folder);
    const stacks = new JobStacks(program.graph);
    const job = new WatchedJob({ program }, processesOfHost(folder, token), this.signal, [stacks]);
    try {
      await this.follow(begin, { job, stacks, program, sites });
    } finally {
      job.close();
    }
  }

  private async follow(
    { start, place, machine, time, recorded: known, fixed }: Begin,
    { job, stacks, program, sites }: Searched,
  ): Promise<void> {
    const origin = performance.now() - 1000 * time;
    const recorded = new Set(known);
    const slotsOf = new Map<string, number[]>();
    program.slots.forEach((key, slot) => {
      pushTo(slotsOf, key, slot);
    });
    const recording = new Recording({
      ...{ job, program, sites, run: start.run, fixed: new Set(fixed), recorded: () => recorded },
      switch: async (on, off) => {
        const slots = (keys: readonly string[], isOn: boolean): readonly (readonly [number, boolean])[] =>
          keys.flatMap((key) => (slotsOf.get(key) ?? []).map((slot) => [slot, isOn] as const));
        await job.switch(new Map([...slots(on, true), ...slots(off, false)]));
        for (const key of on) recorded.add(key);
        for (const key of off) recorded.delete(key);
        this.report({ kind: 'switched', host: this.host, on, off });
      },
    });
    const code = new CodeTree(program.graph, (key) => slotsOf.has(key));
    const names = new Map(machine);
    const cost = (key: string): number => (recorded.has(key) ? 0 : recording.cost(key));
    const seat = new SearchedSeat({
      ...{ start, place, code, machine: names, program: searchedProgram({ code, cost, machine: names }) },
      up: (message) => {
        // Its record is sent instead, of which the front end folds what it wants.
        if (message.type !== 'results') this.report({ kind: 'answer', host: this.host, message });
      },
    });
    const now = (): number => (performance.now() - origin) / 1000;
    this.obey = (order) => {
      if (order.kind === 'order') seat.receive(now(), order.message);
    };
    for (const order of this.waiting.splice(0)) this.obey(order);
    if (start.deepStart !== undefined) await stacks.begin(code.names);
    let sent = 0;
    const pace = new WatchingPace();
    for (;;) {
      pace.begin();
      await job.look();
      const look = recording.look();
      if (look.windows.length > 0) {
        const window = await recording.window(look.windows, look, origin);
        const costs = recording.costs(look);
        const shares = place.processes.map((process) => costs.get(process) ?? 0);
        const tooDear = recording.tooDear(look, shareOfSlowDown(start.costLimit));
        seat.take(window, shares, stacks.take(), tooDear);
        await recording.follow(seat.wanted);
      }
      const { record } = seat.agent;
      if (record !== undefined && now() >= sent + recordEvery) {
        sent = now();
        this.report({ kind: 'record', host: this.host, record });
      }
      await pause(pace.pause(windowSeconds), undefined, { signal: this.signal });
    }
  }

  private report(report: SearchReport): void {
    this.send(JSON.stringify(report));
  }
}

interface Searched extends Awaited<ReturnType<typeof readProgram>> {
  readonly job: WatchedJob;
  readonly stacks: JobStacks;
}
