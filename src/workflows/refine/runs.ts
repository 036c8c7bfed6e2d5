import type { WorkPhase } from '../../core/progress';
import { baselineNoise, median, overheadOf } from '../../core/selection/overhead';
import type { Selection } from '../../core/selection/selection';
import type { Bench, LoopInput, MeasuredRun } from './loop';

/** An iteration that looks into the unknown and turns out this many times over the target is not repeated. */
const hopeless = 3;

/** Runs and their bookkeeping: what was run, how long it took, and what is left to do. */
export class Runs {
  readonly baselines: number[] = [];
  spentSeconds = 0;
  private lastIterationSeconds = 0;
  private iterationsDone = 0;

  constructor(
    private readonly input: LoopInput,
    private readonly bench: Bench,
  ) {}

  async baseline(): Promise<void> {
    this.input.signal.throwIfAborted();
    const repetition = this.baselines.length + 1;
    this.report(`Baseline run ${repetition}`, 0);
    const seconds = await this.bench.baseline(repetition);
    this.baselines.push(seconds);
    this.spentSeconds += seconds;
  }

  /** The measured runs of an iteration, with baseline runs between them while there are fewer of these. */
  async iteration(index: number, selection: Selection, exploring: boolean): Promise<readonly MeasuredRun[]> {
    const { repetitions } = this.input;
    const before = this.spentSeconds;
    const measured: MeasuredRun[] = [];
    // One more baseline run in each later iteration shows whether the machine has drifted; with few repetitions it would cost too much.
    const wantedBaselines = index === 0 ? repetitions : this.baselines.length + (repetitions >= 3 ? 1 : 0);
    for (let repetition = 1; repetition <= repetitions; repetition++) {
      this.input.signal.throwIfAborted();
      this.report(`Iteration ${index}, run ${repetition} of ${repetitions}`, (repetition - 1) / repetitions);
      const run = await this.bench.measured(index, repetition, selection);
      measured.push(run);
      this.spentSeconds += run.wallSeconds;
      if (this.baselines.length < wantedBaselines) await this.baseline();
      if (exploring && this.isHopeless(measured)) break;
    }
    while (this.baselines.length < wantedBaselines) await this.baseline();
    this.lastIterationSeconds = this.spentSeconds - before;
    this.iterationsDone++;
    return measured;
  }

  /** Tells that an iteration is digested and the next one is being decided. */
  deciding(index: number): void {
    this.report(`Deciding after iteration ${index}`, 0, 'deciding');
  }

  expectedIterationSeconds(): number {
    return Math.min(this.lastIterationSeconds, 1.2 * this.input.repetitions * median(this.baselines));
  }

  private isHopeless(measured: readonly MeasuredRun[]): boolean {
    const { percent } = overheadOf(
      measured.map((run) => run.wallSeconds),
      this.baselines,
    );
    return percent > hopeless * this.input.overheadPercent + baselineNoise(this.baselines).percent;
  }

  private report(message: string, partOfIteration: number, phase: WorkPhase = 'running'): void {
    const { maximumIterations, repetitions, progress } = this.input;
    const all = maximumIterations;
    const done = this.iterationsDone + partOfIteration;
    const perRun = this.baselines.length === 0 ? undefined : median(this.baselines);
    progress.report({
      message,
      phase,
      fraction: Math.min(1, done / all),
      ...(perRun === undefined ? {} : { remainingSeconds: (all - done) * repetitions * perRun }),
    });
  }
}
