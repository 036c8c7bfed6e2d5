import type { Agent } from '../../../../../src/core/diagnosis/strategies/agent';
import type { MeasurementCommand } from '../../../../../src/core/diagnosis/strategies/messages';
import type { Focus } from '../../../../../src/core/diagnosis/resources/focus';
import { randomNumbers } from '../../../../../src/core/randomNumbers';
import type { VirtualProgram } from './program';

interface Measured {
  readonly focus: Focus;
  readonly value: (start: number, end: number) => number;
  readonly cost: number;
  readonly processes: readonly number[];
  /** When inserting it is done. */
  readonly accepted: number;
  isAccepted: boolean;
}

export interface VirtualMeasurement {
  /** Seconds between a request and its first data: from half of it to one and a half. */
  readonly delay: number;
  /** Most of a sample's value that is random, as a share of it. */
  readonly noise: number;
  /** Why a metric cannot be measured there, if it cannot. */
  readonly refused?: (host: string, metric: string, focus: Focus) => string | undefined;
}

/** The measurement on one host of the synthetic program: inserts with a delay, and samples each metric in each interval. */
export class VirtualHost {
  private readonly measured = new Map<string, Measured>();
  private readonly first: number;
  private readonly random: () => number;
  private readonly commands: MeasurementCommand[] = [];
  private readonly called = new Set<string>();
  private tags = 0;

  constructor(
    private readonly program: VirtualProgram,
    readonly number: number,
    private readonly measurement: VirtualMeasurement,
    seed: number,
  ) {
    this.first = number * program.spec.processesPerHost;
    this.random = randomNumbers(seed * 65_537 + number);
  }

  readonly command = (command: MeasurementCommand): void => void this.commands.push(command);

  /** Shares of the time of each process that go into measuring. */
  get costs(): readonly number[] {
    const costs = Array.from({ length: this.program.spec.processesPerHost }, () => 0);
    for (const { cost, processes, isAccepted } of this.measured.values())
      if (isAccepted) for (const process of processes) costs[process - this.first]! += cost;
    return costs;
  }

  /** All that happened in [start, end), which the agent sees at its end. */
  step(agent: Agent, start: number, end: number): void {
    for (const [data, one] of this.measured) {
      if (!one.isAccepted && one.accepted <= start) {
        one.isAccepted = true;
        agent.measured(end, { type: 'accepted', data });
        this.discover(agent, end, one.focus);
      }
      if (one.isAccepted && this.measured.has(data))
        agent.measured(end, { type: 'sample', data, value: this.noisy(one.value(start, end)), start, end });
    }
    this.announceTags(agent, start, end);
    agent.measured(end, { type: 'cost', shares: this.costs });
    agent.tick(end);
    this.carryOut(agent, end);
  }

  /** Walks the stacks of the processes whose instrumentation changes, as it must to change it. */
  carryOut(agent: Agent, time: number): void {
    for (const command of this.commands.splice(0)) {
      const focus = command.type === 'measure' ? command.focus : this.measured.get(command.data)?.focus;
      if (focus === undefined) continue;
      const processes = this.program.processesIn(focus.Machine);
      agent.measured(time, {
        type: 'stacks',
        stacks: processes.map((process) => ({
          machine: [this.program.hostNames[this.number]!, this.program.processNames[process]!],
          functions: this.program.stack(process, time, this.random),
        })),
      });
      const message = command.type === 'measure' ? this.refused(command) : undefined;
      if (message !== undefined) agent.measured(time, { type: 'failed', data: command.data, message });
      else if (command.type === 'end') this.measured.delete(command.data);
      else
        this.measured.set(command.data, {
          focus,
          value: this.program.gauge(command.metric, focus),
          cost: this.program.cost(focus),
          processes,
          accepted: time + this.measurement.delay * (0.5 + this.random()),
          isAccepted: false,
        });
    }
  }

  private refused({
    metric,
    focus,
  }: Extract<MeasurementCommand, { readonly type: 'measure' }>): string | undefined {
    return this.measurement.refused?.(this.program.hostNames[this.number]!, metric, focus);
  }

  private noisy(value: number): number {
    return value * (1 + this.measurement.noise * (2 * this.random() - 1));
  }

  /** Calls through pointers are found in functions that are measured. */
  private discover(agent: Agent, time: number, { Code }: Focus): void {
    if (Code.length === 0 || this.called.has(Code.join('/'))) return;
    this.called.add(Code.join('/'));
    for (const callee of this.program.indirectCalls(Code))
      agent.measured(time, { type: 'call', caller: Code, callee });
  }

  private announceTags(agent: Agent, start: number, end: number): void {
    const { tagsPerSecond = 0 } = this.program.spec;
    const count = Math.floor(tagsPerSecond * end) - Math.floor(tagsPerSecond * start);
    for (let i = 0; i < count; i++)
      agent.measured(end, {
        type: 'resource',
        tree: 'SyncObject',
        parent: ['Message'],
        name: `world:${1e6 + this.tags++}`,
      });
  }
}
