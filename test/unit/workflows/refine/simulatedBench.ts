import { silent } from '../../../../src/core/progress';
import type { RunTime } from '../../../../src/core/cost/runTime';
import { intervalsOf, selectedKeys, type Selection } from '../../../../src/core/selection/selection';
import type { Bench, LoopInput, RunPair } from '../../../../src/workflows/refine/loop/loop.types';
import {
  costs,
  countedIn,
  graphOfProgram,
  measure,
  overheadPercent,
  sitesOf,
  truthOf,
  type SimulatedProgram,
} from '../../core/selection/simulatedProgram';

/** How long a run takes that computes for so many seconds. */
export type Machine = (computing: number, run: number) => RunTime;

/** CPU time is unknown, as on remote nodes. */
export const quiet: Machine = (wallSeconds) => ({ wallSeconds });

/** Other programs come and go: wall times are up to nine times as long, CPU times nearly what they were. */
export const loaded: Machine = (computing, run) => ({
  wallSeconds: computing * (1 + 8 * ((run * 0.618) % 1)),
  cpuSeconds: computing * (1 + 0.002 * ((run * 0.414) % 1)),
});

/** Runs of a simulated program: noise-free, so that every decision has one cause. */
export class SimulatedBench implements Bench {
  readonly runs: ('baseline' | number)[] = [];
  /** What was recorded in each measured run. */
  readonly selections: Selection[] = [];

  constructor(
    private readonly program: SimulatedProgram,
    private readonly afterRun: (runs: number) => void = () => undefined,
    private readonly machine: Machine = quiet,
    /** Which of the next runs may take turns. */
    private readonly pairs: boolean[] = [],
  ) {}

  baseline(): Promise<RunTime> {
    return this.ran('baseline', this.time(0));
  }

  async measured(iteration: number, _repetition: number, selection: Selection) {
    const selected = new Set(selectedKeys(selection));
    this.selections.push(selection);
    const overhead = overheadPercent(this.program, selected, intervalsOf(selection)) / 100;
    const time = await this.ran(iteration, this.time(overhead));
    return {
      ...time,
      profile: measure(this.program, selected, intervalsOf(selection), countedIn(selection)),
      calibration: this.program.costs ?? costs,
    };
  }

  /** In turns on one processor: whatever the machine does, it does to both. */
  async together(iteration: number, repetition: number, selection: Selection): Promise<RunPair | undefined> {
    if (this.pairs.shift() !== true) return undefined;
    const number = this.runs.length;
    await this.baseline();
    const measured = await this.measured(iteration, repetition, selection);
    const alone = this.machine(1, number);
    const stretched = (run: RunTime): RunTime => ({
      wallSeconds: 2 * run.wallSeconds * alone.wallSeconds,
      cpuSeconds: run.wallSeconds * alone.wallSeconds,
    });
    const plain = truthOf(this.program).seconds;
    const overhead =
      overheadPercent(this.program, new Set(selectedKeys(selection)), intervalsOf(selection)) / 100;
    return {
      baseline: stretched({ wallSeconds: plain }),
      measured: { ...measured, ...stretched({ wallSeconds: plain * (1 + overhead) }) },
    };
  }

  private time(overhead: number): RunTime {
    return this.machine(truthOf(this.program).seconds * (1 + overhead), this.runs.length);
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
    onRound: () => Promise.resolve(),
    ...change,
  };
}
