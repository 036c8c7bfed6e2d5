import { silent } from '../../../../src/core/progress';
import { selectedKeys, type Selection } from '../../../../src/core/selection/selection';
import type { Bench, LoopInput } from '../../../../src/workflows/refine/loop';
import {
  costs,
  graphOfProgram,
  measure,
  overheadPercent,
  sitesOf,
  truthOf,
  type SimulatedProgram,
} from '../../core/selection/simulatedProgram';

/** Runs of a simulated program: noise-free, so that every decision has one cause. */
export class SimulatedBench implements Bench {
  readonly runs: ('baseline' | number)[] = [];
  /** What was recorded in each measured run. */
  readonly selections: Selection[] = [];

  constructor(
    private readonly program: SimulatedProgram,
    private readonly afterRun: (runs: number) => void = () => undefined,
  ) {}

  baseline(): Promise<number> {
    return this.ran('baseline', truthOf(this.program).seconds);
  }

  async measured(iteration: number, _repetition: number, selection: Selection) {
    const selected = new Set(selectedKeys(selection));
    this.selections.push(selection);
    const overhead = overheadPercent(this.program, selected) / 100;
    const wallSeconds = await this.ran(iteration, truthOf(this.program).seconds * (1 + overhead));
    return {
      wallSeconds,
      profile: measure(this.program, selected),
      calibration: this.program.costs ?? costs,
    };
  }

  private ran<T>(run: 'baseline' | number, value: T): Promise<T> {
    this.runs.push(run);
    this.afterRun(this.runs.length);
    return Promise.resolve(value);
  }
}

/** What the refinement of a simulated program begins with: 5 % of overhead, and as much time as it wants. */
export function simulatedInput(program: SimulatedProgram, change: Partial<LoopInput> = {}): LoopInput {
  return {
    graph: graphOfProgram(program),
    sites: sitesOf(program),
    options: {},
    overheadPercent: 5,
    maximumIterations: 5,
    repetitions: 1,
    budgetSeconds: 1e9,
    signal: new AbortController().signal,
    progress: silent,
    onIteration: () => Promise.resolve(),
    ...change,
  };
}
