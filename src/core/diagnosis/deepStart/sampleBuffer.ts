import type { ResourcePath } from '../resources/focus';
import type { SearchCommand } from '../search/messages';
import type { StackSample } from './functionCountGraph';

/** Walks the stacks of the processes in a part of `Machine` once: a sample of each. */
export type WalkStacks = (machine: ResourcePath) => readonly StackSample[];

/**
 * Stack samples of the processes that are measured, until the search asks for them. Stacks are walked whenever what is measured changes, because a
 * process stops at that moment anyway ([D 6.1], specification 7.2).
 */
export class SampleBuffer {
  private readonly enabled = new Map<number, ResourcePath>();
  private waiting: StackSample[] = [];

  constructor(private readonly walk: WalkStacks) {}

  /** What a search asked for is being done: a sample of each process that it concerns. */
  onCommand(command: SearchCommand): void {
    if (command.type === 'enable') {
      this.enabled.set(command.experiment, command.focus.Machine);
      this.take(command.focus.Machine);
      return;
    }
    const machine = this.enabled.get(command.experiment);
    if (machine !== undefined) this.take(machine);
    this.enabled.delete(command.experiment);
  }

  /** A sample of each process in a part of `Machine`, at a time that nothing but a clock decides. */
  take(machine: ResourcePath): void {
    for (const sample of this.walk(machine)) this.waiting.push(sample);
  }

  /** All samples since the last call. */
  poll(): readonly StackSample[] {
    const samples = this.waiting;
    this.waiting = [];
    return samples;
  }
}
