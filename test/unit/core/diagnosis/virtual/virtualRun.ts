import { Agent, type AgentPlace } from '../../../../../src/core/diagnosis/strategies/agent';
import { FrontEnd } from '../../../../../src/core/diagnosis/strategies/frontEnd';
import type { SearchStart, ToAgent, ToFrontEnd } from '../../../../../src/core/diagnosis/strategies/messages';
import { Reduction } from '../../../../../src/core/diagnosis/strategies/reduction';
import type { Hypothesis } from '../../../../../src/core/diagnosis/hypotheses/hypothesis';
import type { SearchRules } from '../../../../../src/core/diagnosis/search/searchOptions';
import { TimeAligned } from '../../../../../src/overlay/services/timeAligned';
import { hypotheses as refinedToHosts } from './hypotheses';
import { VirtualProgram, type VirtualSpec } from './program';
import { VirtualHost, type VirtualMeasurement } from './virtualHost';

export interface VirtualOptions {
  readonly spec: VirtualSpec;
  readonly strategy: SearchStart['strategy'];
  readonly seed?: number;
  readonly rules?: Partial<SearchRules>;
  readonly hypotheses?: readonly Hypothesis[];
  readonly deepStart?: SearchStart['deepStart'];
  readonly deepStartHypotheses?: SearchStart['deepStartHypotheses'];
  readonly costLimit?: number;
  readonly isBorrowing?: boolean;
  readonly storedBytes?: number;
  /** Children of each process of the tree. */
  readonly fanOut?: number;
  /** Seconds. */
  readonly samplingInterval?: number;
  readonly delay?: number;
  readonly noise?: number;
  readonly refused?: VirtualMeasurement['refused'];
  /** Seconds after which the search is stopped. */
  readonly longest?: number;
  /** Who uses the processor: called around the code of the front end, of inner processes and of agents. */
  readonly timed?: <Result>(who: 'front end' | 'inner' | 'agent', work: () => Result) => Result;
  /** What happens during the run, at its time. */
  readonly script?: (run: VirtualRun, time: number) => void;
}

/** A process of the tree that has children: reduces what comes up, and passes on what goes down. */
interface Inner {
  readonly reduction: Reduction;
  /** Position among the inner processes of the level above. */
  readonly parent: number;
  /** What has come from its children. */
  readonly inbox: (readonly [child: number, message: ToFrontEnd])[];
}

/**
 * A search in virtual time: the synthetic program, an agent on each of its hosts, a tree of processes that reduce, and the front end. One step is one
 * sampling interval: orders arrive at agents one step later, answers at the front end at the end of the step. The same options give the same run.
 */
export class VirtualRun {
  readonly program: VirtualProgram;
  readonly frontEnd: FrontEnd;
  readonly agents: Agent[] = [];
  readonly hosts: VirtualHost[];
  readonly lost = new Set<number>();
  /** Messages from the front end, after the start and before the end of the search, and those that it received, by type. */
  readonly sent: Record<string, number> = {};
  readonly received: Record<string, number> = {};
  /** Bytes of the former, as JSON. */
  sentBytes = 0;
  /** Largest share of the time of a process that went into measuring at any moment. */
  largestCost = 0;
  time = 0;
  private readonly levels: Inner[][];
  private readonly start: SearchStart;
  private readonly places: readonly AgentPlace[];
  private orders: { readonly message: ToAgent; readonly host?: string }[] = [];
  private hasStarted = false;
  private readonly interval: number;
  private readonly hostNumber: ReadonlyMap<string, number>;

  constructor(private readonly options: VirtualOptions) {
    const {
      spec,
      strategy,
      rules,
      hypotheses = refinedToHosts,
      deepStart,
      deepStartHypotheses,
      costLimit = 1.5,
      isBorrowing = true,
      storedBytes = 0,
    } = options;
    const { seed = 1, fanOut = 8, samplingInterval = 0.2, delay = 0.4, noise = 0 } = options;
    this.program = new VirtualProgram(spec);
    this.interval = samplingInterval;
    const { hostNames, processNames } = this.program;
    this.hostNumber = new Map(hostNames.map((host, number) => [host, number]));
    this.places = hostNames.map((host, hostNumber) => ({
      host,
      hostNumber,
      firstProcess: hostNumber * spec.processesPerHost,
      processes: processNames.slice(
        hostNumber * spec.processesPerHost,
        (hostNumber + 1) * spec.processesPerHost,
      ),
    }));
    const measurement = { delay, noise, ...(options.refused && { refused: options.refused }) };
    this.hosts = hostNames.map((_, number) => new VirtualHost(this.program, number, measurement, seed));
    this.levels = levelsOf(hostNames.length, fanOut, (children) => this.innerOf(children));
    this.start = {
      strategy,
      run: spec.executable ?? 'app',
      clock: 'virtual',
      hypotheses,
      ...(rules && { rules }),
      costLimit,
      isBorrowing,
      margin: 0.02,
      reportsInUse: 2 * this.levels.length + 2,
      samplingInterval,
      storedBytes,
      ...(deepStart !== undefined && { deepStart }),
      ...(deepStartHypotheses && { deepStartHypotheses }),
    };
    this.frontEnd = new FrontEnd(this.start, this.places, this.program.searched, {
      down: (message, host) => this.send(message, host),
    });
  }

  /** Processes between the front end and the agents. */
  get innerCount(): number {
    return this.levels.slice(0, -1).reduce((sum, { length }) => sum + length, 0);
  }

  /** Until the search is complete, or for as long as it may take. @returns whether it is complete */
  run(): boolean {
    const { longest = 2000, script } = this.options;
    this.begin();
    while (this.time < longest && this.frontEnd.state !== 'complete') {
      this.step();
      script?.(this, this.time);
    }
    return this.frontEnd.state === 'complete';
  }

  begin(): void {
    const { timed = call } = this.options;
    timed('front end', () => this.frontEnd.begin());
    this.hasStarted = true;
  }

  step(): void {
    const { timed = call } = this.options;
    const end = Math.round((this.time + this.interval) * 1e6) / 1e6;
    const orders = this.orders;
    this.orders = [];
    timed('agent', () => this.deliver(orders, end));
    timed('agent', () => {
      this.agents.forEach((agent, number) => {
        if (!this.lost.has(number)) this.hosts[number]!.step(agent, this.time, end);
      });
    });
    for (const { type, request } of orders.map(({ message }) => ({ request: -1, ...message })))
      if (type === 'disable') for (const { reduction } of this.levels.flat()) reduction.disabled(request);
    for (let level = 0; level + 1 < this.levels.length; level++)
      timed('inner', () =>
        this.reduce(level, (parent, child, message) => {
          this.levels[level + 1]![parent]!.inbox.push([child, message]);
        }),
      );
    this.time = end;
    for (const shares of this.hosts.map(({ costs }) => costs))
      this.largestCost = Math.max(this.largestCost, ...shares);
    timed('front end', () => {
      this.reduce(this.levels.length - 1, (_parent, _child, message) => this.receive(message));
      this.frontEnd.tick(end);
    });
  }

  /** The agent of a host is lost: its connection ends, and nothing of it comes any more. */
  lose(number: number): void {
    this.lost.add(number);
    const fanOut = this.options.fanOut ?? 8;
    const parent = this.levels[0]![Math.floor(number / fanOut)]!;
    for (const message of parent.reduction.leave(number)) parent.inbox.push([passThrough, message]);
    this.frontEnd.lost(this.time, this.program.hostNames[number]!);
  }

  private innerOf(children: readonly number[]): Reduction {
    return new Reduction(children, this.interval, (all, start) => {
      const width = this.interval;
      const first = Math.round(start / width) * width;
      return new TimeAligned({
        children: all,
        intervals: { kind: 'fixed', width },
        operation: 'mean',
        quantity: 'level',
        start: first,
      });
    });
  }

  private reduce(level: number, pass: (parent: number, child: number, message: ToFrontEnd) => void): void {
    this.levels[level]!.forEach(({ reduction, parent, inbox }, number) => {
      const up = (messages: readonly ToFrontEnd[]): void => {
        for (const message of messages) pass(parent, number, message);
      };
      for (const [child, message] of inbox.splice(0))
        up(child === passThrough ? [message] : reduction.push(child, message));
      up(reduction.take());
    });
  }

  private send(message: ToAgent, host?: string): void {
    this.orders.push({ message, ...(host !== undefined && { host }) });
    if (!this.hasStarted && message.type === 'start') return;
    this.sent[message.type] = (this.sent[message.type] ?? 0) + 1;
    this.sentBytes += JSON.stringify(message).length;
  }

  private receive(message: ToFrontEnd): void {
    const kind = message.type === 'sample' && !message.isGlobal ? 'sample of a host' : message.type;
    this.received[kind] = (this.received[kind] ?? 0) + 1;
    this.frontEnd.receive(this.time, message);
  }

  private deliver(orders: typeof this.orders, time: number): void {
    for (const { message, host } of orders) {
      if (message.type === 'start')
        for (const place of this.places) this.agents.push(this.agentOf(place, message.start));
      const to = host === undefined ? this.agents.keys() : [this.hostNumber.get(host)!];
      for (const number of to) if (!this.lost.has(number)) this.agents[number]!.receive(time, message);
    }
  }

  private agentOf(place: AgentPlace, start: SearchStart): Agent {
    const { fanOut = 8 } = this.options;
    const { inbox } = this.levels[0]![Math.floor(place.hostNumber / fanOut)]!;
    return new Agent(start, place, this.program.searched, {
      up: (message) => void inbox.push([place.hostNumber, message]),
      measure: this.hosts[place.hostNumber]!.command,
    });
  }
}

const passThrough = -1;

function call<Result>(_who: string, work: () => Result): Result {
  return work();
}

/** A tree over hosts, the level above them first; the last one is the front end alone. */
function levelsOf(
  hosts: number,
  fanOut: number,
  make: (children: readonly number[]) => Reduction,
): Inner[][] {
  const levels: Inner[][] = [];
  for (let below = hosts; levels.length === 0 || below > 1;) {
    const count = Math.ceil(below / fanOut);
    const children = Array.from({ length: below }, (_, i) => i);
    levels.push(
      Array.from({ length: count }, (_, i) => ({
        reduction: make(children.slice(i * fanOut, (i + 1) * fanOut)),
        parent: Math.floor(i / fanOut),
        inbox: [],
      })),
    );
    below = count;
  }
  return levels;
}
