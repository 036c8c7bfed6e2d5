import { at } from '../../at';
import { firstPosition } from '../../firstPosition';
import { getOrMake } from '../../getOrMake';
import { randomNumbers } from '../../randomNumbers';
import { isWithin } from '../resources/containment';
import type { ResourcePath } from '../resources/focus';
import { printResource } from '../resources/focusText';
import type { StackSample } from './functionCountGraph';
import type { WalkStacks } from './sampleBuffer';

/** A stack that a process has for a part of its time. */
export interface WeightedStack extends StackSample {
  /** Relative to the other stacks of its process, for example in seconds; one that is not above 0 is never drawn. */
  readonly weight: number;
}

interface DrawnProcess {
  readonly machine: ResourcePath;
  readonly stacks: StackSample[];
  /** Sums of the weights up to each stack. */
  readonly ends: number[];
}

/**
 * Samples of a program that does not run now, as of a measured profile or a model: each is drawn from the stacks of its process by
 * their weights. The same seed draws the same samples.
 */
export function drawStacks(stacks: Iterable<WeightedStack>, seed: number): WalkStacks {
  const processes = new Map<string, DrawnProcess>();
  for (const stack of stacks) {
    if (!(stack.weight > 0)) continue;
    const machine = stack.machine.slice(0, 2);
    const process = getOrMake(processes, printResource('Machine', machine), () => ({
      machine,
      stacks: [],
      ends: [],
    }));
    process.ends.push((process.ends.at(-1) ?? 0) + stack.weight);
    process.stacks.push(stack);
  }
  const random = randomNumbers(seed);
  return (machine) => {
    const scope = machine.slice(0, 2);
    return [...processes.values()]
      .filter((process) => isWithin(process.machine, scope))
      .map((process) => draw(process, random()));
  };
}

/** @param number in [0, 1) */
function draw({ stacks, ends }: DrawnProcess, number: number): StackSample {
  const position = number * (ends.at(-1) ?? 0);
  return at(
    stacks,
    firstPosition(ends.length - 1, (index) => at(ends, index) > position),
  );
}
