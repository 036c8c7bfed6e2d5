import { at } from '../../at';
import { assertNever } from '../../errors';
import { getOrMake } from '../../getOrMake';
import { present } from '../../present';
import { largestOf } from '../../sums';
import { LocalBudget } from '../budget/budgets';
import type { CostReport } from '../budget/costReport';
import { HostCosts, type Reservation } from '../budget/hostCosts';
import type { Focus, ResourcePath } from '../resources/focus';
import type { SearchCommand, SearchEvent, SearchedProgram } from '../search/messages';
import { largestCost } from '../search/largestCost';
import type { ObservedCost, SearchRecord } from '../search/searchRecord';
import { DataManager, type DataSample } from './dataManager';
import { DiscoveryQueue } from './discoveryQueue';
import { limitsOf } from './limits';
import { LocalSearch } from './localSearch';
import type {
  Discovery,
  MeasurementCommand,
  MeasurementEvent,
  SearchStart,
  ToAgent,
  ToFrontEnd,
} from './messages';

/** The host of an agent. */
export interface AgentPlace {
  readonly host: string;
  readonly processes: readonly string[];
  /** Numbers that no other host and no other process has, as ranks. */
  readonly hostNumber: number;
  readonly firstProcess: number;
  /** Its processes are those of all hosts: it sees a program whose processes are all known in one place. */
  readonly isWhole?: true;
}

export interface AgentSinks {
  readonly up: (message: ToFrontEnd) => void;
  readonly measure: (command: MeasurementCommand) => void;
}

interface RemoteRequest {
  readonly isGlobal: boolean;
  readonly reservation: Reservation;
  readonly processes: number;
}

/** Seconds after which costs are reported though no sample travels. */
const heartbeat = 1;

/**
 * The part of the search on one host ([D 5.1], specification 5.8): measures what the front end asks for, and searches by itself what is delegated to it, or
 * all, by the strategy. Requests of both are charged to the processes that they disturb. It knows no clock, no connection and no program: messages
 * and events go in with their time, in seconds since the search began, and messages and commands come out.
 */
export class Agent {
  private readonly costs: HostCosts;
  private readonly data: DataManager;
  private readonly remote = new Map<string, RemoteRequest>();
  private readonly local: LocalSearch | undefined;
  private readonly metrics: ReadonlyMap<string, string | undefined>;
  private readonly discoveries: DiscoveryQueue;
  private readonly processesOf = new Map<number, readonly number[]>();
  private readonly queued: SearchCommand[] = [];
  private isApplying = false;
  private report: CostReport;
  private reportedAt = 0;
  private sentAt = 0;
  private isSteady: boolean | undefined;
  private largest: ObservedCost | undefined;
  private hasStopped = false;

  constructor(
    private readonly start: SearchStart,
    private readonly place: AgentPlace,
    program: SearchedProgram,
    private readonly sinks: AgentSinks,
  ) {
    const { strategy, hypotheses, reportsInUse, margin, storedBytes, samplingInterval } = start;
    const staleness = strategy === 'partially distributed' ? { reports: reportsInUse, margin } : undefined;
    this.costs = new HostCosts(limitsOf(start), place.processes.length, staleness);
    this.report = this.costs.report();
    this.data = new DataManager(storedBytes);
    this.discoveries = new DiscoveryQueue(samplingInterval);
    this.metrics = new Map(hypotheses.map(({ id, metric }) => [id, metric]));
    if (strategy === 'centralised') return;
    const budget = new LocalBudget(this.costs, (experiment) => this.processesOfExperiment(experiment));
    this.local = new LocalSearch(start, place, program, budget);
    if (strategy === 'truly distributed') this.apply(0, this.local.begin());
  }

  /** How often the agent's own search has concluded anything. */
  get conclusions(): number {
    return this.local?.conclusions ?? 0;
  }

  /** What the agent's own search knows; absent where it makes none. */
  get record(): SearchRecord | undefined {
    return this.local && { ...this.local.record, ...present({ largestCost: this.largest }) };
  }

  /** The largest cost that was observed in any process of the host until the search was stopped; undefined before the first observation. */
  get largestCost(): ObservedCost | undefined {
    return this.largest;
  }

  /** Cost of each process of the host: local, global and total shares of its time. */
  get processCosts(): readonly (Omit<CostReport, 'isLocalWaiting'> & { readonly process: string })[] {
    return this.place.processes.map((process, position) => ({ process, ...this.costs.use(position) }));
  }

  /** Bytes of samples that are stored for later requests. */
  get storedBytes(): number {
    return this.data.bytes;
  }

  receive(time: number, message: ToAgent): void {
    switch (message.type) {
      case 'start':
        break;
      case 'delegate':
        if (this.local !== undefined) this.apply(time, this.local.delegate(time, message));
        break;
      case 'enable':
        this.enable(time, message);
        break;
      case 'disable':
        this.disable(message.request);
        break;
      case 'global waiting':
        this.costs.setWaiting('global', message.isWaiting);
        this.search({ type: 'time', time });
        break;
      case 'threshold':
      case 'pause':
      case 'resume':
      case 'stop':
        this.hasStopped ||= message.type === 'stop';
        this.search({ ...message, time });
        break;
      default:
        assertNever(message);
    }
  }

  measured(time: number, event: MeasurementEvent): void {
    switch (event.type) {
      case 'accepted':
      case 'deferred':
        this.data.answered(event.data, event.type);
        this.answer(time, event.data, event.type);
        break;
      case 'failed':
        this.fail(time, event);
        break;
      case 'sample':
        this.data.store(event.data, event);
        for (const request of this.data.requestsOf(event.data)) this.deliver(time, request, event);
        break;
      case 'cost':
        this.costs.observe(event.shares);
        this.observed(time, largestOf(event.shares));
        break;
      case 'stacks':
        this.local?.addStacks(event.stacks);
        // The front end makes the experiments with the whole program.
        if (this.start.strategy !== 'truly distributed' && this.start.deepStart !== undefined)
          this.sinks.up(event);
        break;
      case 'resource':
      case 'call':
        this.discovered(time, event);
        break;
      case 'ended':
        this.search({ type: 'ended', time });
        break;
      default:
        assertNever(event);
    }
  }

  /** At least once per sampling interval: reports costs, sends what has changed, and lets the search see the time. */
  tick(time: number): void {
    this.renewReport(time);
    for (const discovery of this.discoveries.take()) this.sinks.up(discovery);
    if (this.local !== undefined) {
      this.search({ type: 'time', time });
      this.apply(time, this.local.proceed(time));
      const change = this.local.takeChange(time);
      if (change !== undefined) this.sinks.up({ type: 'results', change });
      if (this.local.isSteady !== this.isSteady) {
        this.isSteady = this.local.isSteady;
        this.sinks.up({ type: 'steady', isSteady: this.isSteady });
      }
    }
    if (this.start.strategy === 'truly distributed' || time - this.sentAt < heartbeat - 1e-9) return;
    this.sentAt = time;
    this.sinks.up({ type: 'cost', cost: this.report });
  }

  /** All results are sent the next time: a process between was lost. */
  sendAll(time: number): void {
    this.local?.sendAll(time);
    this.isSteady = undefined;
  }

  private observed(time: number, share: number): void {
    // What recording costs after the search is not its cost.
    if (this.hasStopped) return;
    this.largest = largestCost([this.largest, { share, time }]);
    this.search({ type: 'cost', time, share });
  }

  private search(event: SearchEvent): void {
    if (this.local !== undefined) this.apply(event.time, this.local.handle(event));
  }

  /** Stored samples may let a search conclude, and ask for more, while its commands are carried out. */
  private apply(time: number, commands: readonly SearchCommand[]): void {
    this.queued.push(...commands);
    if (this.isApplying) return;
    this.isApplying = true;
    for (let command = this.queued.shift(); command !== undefined; command = this.queued.shift()) {
      const request = `local ${command.experiment}`;
      if (command.type === 'disable') this.release(request);
      else this.request(time, request, this.metrics.get(command.hypothesis) ?? '', command.focus);
    }
    this.isApplying = false;
  }

  private enable(time: number, message: Extract<ToAgent, { readonly type: 'enable' }>): void {
    const { request, metric, focus, cost, isGlobal } = message;
    const processes = this.processesIn(focus.Machine);
    const reservation = this.costs.reserve('global', cost, processes);
    this.remote.set(`remote ${request}`, { isGlobal, reservation, processes: processes.length });
    this.request(time, `remote ${request}`, metric, focus);
  }

  private disable(request: number): void {
    const key = `remote ${request}`;
    const known = this.remote.get(key);
    if (known === undefined) return;
    this.costs.release(known.reservation);
    this.remote.delete(key);
    this.release(key);
  }

  private request(time: number, request: string, metric: string, focus: Focus): void {
    // On this host, the whole machine is the host.
    const isHere = focus.Machine.length === 0 && this.place.isWhole !== true;
    const own = isHere ? { ...focus, Machine: [this.place.host] } : focus;
    const { data, isNew, state, stored } = this.data.request(request, { metric, focus: own });
    if (isNew) this.sinks.measure({ type: 'measure', data, metric, focus: own });
    if (state === 'asked') return;
    this.answerTo(time, request, state);
    for (const sample of stored) this.deliver(time, request, sample);
  }

  private release(request: string): void {
    const data = this.data.release(request);
    if (data !== undefined) this.sinks.measure({ type: 'end', data });
  }

  private answer(time: number, data: string, type: 'accepted' | 'deferred'): void {
    for (const request of this.data.requestsOf(data)) this.answerTo(time, request, type);
  }

  private answerTo(time: number, request: string, type: 'accepted' | 'deferred'): void {
    const remote = this.remote.get(request);
    const number = numberOf(request);
    if (remote === undefined) this.search({ type, time, experiment: number });
    else if (type === 'deferred') this.sinks.up({ type, request: number });
    else
      this.sinks.up({ type: 'reply', request: number, isGlobal: remote.isGlobal, accepted: 1, failures: [] });
  }

  private fail(
    time: number,
    { data, message }: Extract<MeasurementEvent, { readonly type: 'failed' }>,
  ): void {
    for (const request of this.data.requestsOf(data)) {
      const number = numberOf(request);
      const remote = this.remote.get(request);
      this.data.release(request);
      if (remote === undefined) {
        this.search({ type: 'failed', time, experiment: number, message });
        continue;
      }
      this.costs.release(remote.reservation);
      this.remote.delete(request);
      const failures = [{ host: this.place.host, message }];
      this.sinks.up({ type: 'reply', request: number, isGlobal: remote.isGlobal, accepted: 0, failures });
    }
  }

  private deliver(time: number, request: string, { value, start, end }: DataSample): void {
    const remote = this.remote.get(request);
    const number = numberOf(request);
    if (remote === undefined) {
      this.search({ type: 'sample', time, experiment: number, value, start, end });
      return;
    }
    this.costs.arrive(remote.reservation);
    this.renewReport(time);
    this.sentAt = time;
    const { isGlobal, processes } = remote;
    this.sinks.up({
      type: 'sample',
      request: number,
      isGlobal,
      value,
      start,
      end,
      processes,
      cost: this.report,
    });
  }

  private discovered(time: number, event: Discovery): void {
    this.search({ ...event, time });
    if (this.start.strategy !== 'truly distributed') this.discoveries.add(event);
  }

  /** One report for each sampling interval: the window of `HostCosts` counts them. */
  private renewReport(time: number): void {
    if (time - this.reportedAt < this.start.samplingInterval - 1e-9) return;
    this.reportedAt = time;
    this.report = this.costs.report();
  }

  /** Asked each time that an experiment waits for its admission. */
  private processesOfExperiment(experiment: number): readonly number[] {
    return getOrMake(this.processesOf, experiment, () =>
      this.processesIn(this.local?.machineOf(experiment) ?? []),
    );
  }

  private processesIn([, process]: ResourcePath): readonly number[] {
    const all = this.place.processes.map((_, position) => position);
    return process === undefined || this.start.measuresHosts === true
      ? all
      : all.filter((position) => at(this.place.processes, position) === process);
  }
}

const numberOf = (request: string): number => Number(request.slice(request.indexOf(' ') + 1));
