import type { StackSample } from '../deepStart/functionCountGraph';
import { Agent, type AgentPlace } from '../strategies/agent';
import type { SearchStart, ToAgent, ToFrontEnd } from '../strategies/messages';
import type { SearchedProgram } from '../search/messages';
import type { CodeTree } from './codeTree';
import { Discoveries } from './discoveries';
import { HostMeasurement } from './hostMeasurement';
import type { LiveWindow } from './liveWindow';

export interface SeatOptions {
  readonly start: SearchStart;
  readonly place: AgentPlace;
  readonly program: SearchedProgram;
  readonly code: CodeTree;
  /** Names below each resource of the machine that are known from the start, by `pathKey`. */
  readonly machine: ReadonlyMap<string, readonly string[]>;
  readonly up: (message: ToFrontEnd) => void;
}

/** An agent with the measurement on its host: windows and orders go in, messages to the front end and functions to record come out. */
export class SearchedSeat {
  readonly agent: Agent;
  private readonly measurement: HostMeasurement;
  private readonly discoveries: Discoveries;

  constructor({ start, place, program, code, machine, up }: SeatOptions) {
    const { minTimeToTrue = 0, minTimeToFalse = 0 } = start.rules ?? {};
    const mostWindows = Math.ceil(Math.max(minTimeToTrue, minTimeToFalse) / start.samplingInterval) + 1;
    this.measurement = new HostMeasurement(code.names, mostWindows);
    this.discoveries = new Discoveries(code, machine);
    this.agent = new Agent(start, place, program, { up, measure: this.measurement.command });
  }

  /** Keys of the functions that must be recorded from now on. */
  get wanted(): ReadonlySet<string> {
    return this.measurement.wanted;
  }

  receive(time: number, message: ToAgent): void {
    this.agent.receive(time, message);
    this.deliver(time);
  }

  /**
   * @param costs shares of the processor time of each process of the place that recording for the search took
   * @param stacks samples of them since the last window
   * @param tooDear functions that must not be recorded any more, by key, and why
   */
  take(
    window: LiveWindow,
    costs: readonly number[],
    stacks: readonly StackSample[],
    tooDear: ReadonlyMap<string, string>,
  ): void {
    const time = window.end;
    if (stacks.length > 0) this.agent.measured(time, { type: 'stacks', stacks });
    for (const discovery of this.discoveries.in(window)) this.agent.measured(time, discovery);
    this.measurement.add(window);
    this.measurement.giveUp(tooDear);
    this.deliver(time);
    this.agent.measured(time, { type: 'cost', shares: costs });
    this.agent.tick(time);
    this.deliver(time);
  }

  end(time: number): void {
    this.measurement.end();
    this.deliver(time);
    this.agent.measured(time, { type: 'ended' });
    this.agent.tick(time);
  }

  /** Answers may lead to further requests, which are answered by what was recorded before. */
  private deliver(time: number): void {
    for (
      let events = this.measurement.takeEvents();
      events.length > 0;
      events = this.measurement.takeEvents()
    )
      for (const event of events) this.agent.measured(time, event);
  }
}
