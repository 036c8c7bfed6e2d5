import type { WorkPhase } from '../../../core/progress';
import { present } from '../../../core/present';
import { median, type OverheadEstimate } from '../../../core/cost/overhead';
import { decisionClock, type RunTime } from '../../../core/cost/runTime';
import type { Selection } from '../../../core/selection/selection';
import { overheadBy, type Evidence } from './digest';
import type { Bench, LoopInput, MeasuredRun } from './loop.types';

/** A round with functions of unknown cost is not repeated if its overhead exceeds the target by this factor. */
const hopeless = 3;

/** Additional pairs of runs for a round if the scatter leaves open whether its overhead exceeds the target. */
const mostMore = 4;

/** Number of baseline runs that count, at least the repetitions: older runs met another state of the machine. */
const leastBaselines = 3;

/** Runs, their durations, and the remaining work. */
export class Runs {
  readonly baselines: RunTime[] = [];
  spentSeconds = 0;
  private lastIterationSeconds = 0;
  private iterationsDone = 0;
  /** The part of the work that was reported last. */
  private fraction = 0;

  constructor(
    private readonly input: LoopInput,
    private readonly bench: Bench,
  ) {}

  async baseline(): Promise<void> {
    this.input.signal.throwIfAborted();
    const repetition = this.baselines.length + 1;
    this.report(`Baseline run ${repetition}`, 0);
    const run = await this.bench.baseline(repetition);
    this.baselines.push(run);
    this.spentSeconds += run.wallSeconds;
  }

  /**
   * Runs a round: measured runs, with baseline runs between them up to the same number, then one more baseline for each round.
   * @param done number of runs of this round before the refinement was resumed; they are read, each with its paired run
   */
  async iteration(index: number, selection: Selection, exploring: boolean, done?: number): Promise<Evidence> {
    const { repetitions } = this.input;
    const before = this.spentSeconds;
    const measured: MeasuredRun[] = [];
    let pairs = 0;
    const wantedBaselines = index === 0 ? repetitions : this.baselines.length + 1;
    let planned = Math.min(done ?? repetitions, repetitions + mostMore);
    for (let repetition = 1; repetition <= planned; repetition++) {
      this.input.signal.throwIfAborted();
      this.report(`Round ${index}, run ${repetition} of ${planned}`, (repetition - 1) / planned);
      const pair = await this.bench.together?.(index, repetition, selection, this.baselines.length + 1);
      if (pair === undefined) {
        const run = await this.bench.measured(index, repetition, selection);
        measured.push(run);
        this.spentSeconds += run.wallSeconds;
        if (this.baselines.length < wantedBaselines) await this.baseline();
      } else {
        pairs++;
        measured.push(pair.measured);
        this.baselines.push(pair.baseline);
        this.spentSeconds += Math.max(pair.baseline.wallSeconds, pair.measured.wallSeconds);
      }
      if (done !== undefined) continue;
      if (exploring && this.isHopeless(measured, pairs)) break;
      const last = !exploring && pairs === planned;
      if (last && planned < repetitions + mostMore && this.isUndecided(measured, pairs)) planned++;
    }
    while (this.baselines.length < wantedBaselines) await this.baseline();
    this.lastIterationSeconds = this.spentSeconds - before;
    this.iterationsDone++;
    return { measured, ...this.besideOf(measured, pairs), baselines: [...this.baselines] };
  }

  /** Reports that a round is evaluated and the next one is being decided. */
  deciding(index: number): void {
    this.report(`Deciding after round ${index}`, 0, 'deciding');
  }

  expectedIterationSeconds(): number {
    return Math.min(this.lastIterationSeconds, 1.2 * this.input.repetitions * this.baselineSeconds());
  }

  private besideOf(measured: readonly MeasuredRun[], pairs: number): Pick<Evidence, 'beside' | 'paired'> {
    const paired = pairs === measured.length;
    const count = paired ? pairs : Math.max(leastBaselines, this.input.repetitions);
    return { beside: this.baselines.slice(-count), paired };
  }

  private baselineSeconds(): number {
    return median(this.baselines.map((run) => run.wallSeconds));
  }

  private isHopeless(measured: readonly MeasuredRun[], pairs: number): boolean {
    const { percent, doubtPercent } = this.overheadOf(measured, pairs);
    return percent > hopeless * this.input.overheadPercent + doubtPercent;
  }

  private isUndecided(measured: readonly MeasuredRun[], pairs: number): boolean {
    if (measured.length < 2 || this.spentSeconds >= this.input.budgetSeconds) return false;
    const { percent, doubtPercent } = this.overheadOf(measured, pairs);
    return Math.abs(percent - this.input.overheadPercent) <= doubtPercent;
  }

  private overheadOf(measured: readonly MeasuredRun[], pairs: number): OverheadEstimate {
    const evidence = { measured, ...this.besideOf(measured, pairs) };
    return overheadBy(decisionClock([...measured, ...evidence.beside]), evidence);
  }

  private report(message: string, partOfIteration: number, phase: WorkPhase = 'running'): void {
    const { maximumIterations, repetitions, progress } = this.input;
    const all = maximumIterations;
    const done = this.iterationsDone + partOfIteration;
    // The number of runs of a round grows while it runs, and a baseline run is between two of them.
    this.fraction = Math.max(this.fraction, Math.min(1, done / all));
    progress.report({
      message,
      phase,
      fraction: this.fraction,
      ...present({ remainingSeconds: this.remainingSeconds((1 - this.fraction) * all * repetitions) }),
    });
  }

  /** At most what the budget has left: it ends the refinement before. */
  private remainingSeconds(runs: number): number | undefined {
    if (this.baselines.length === 0) return undefined;
    return Math.min(runs * this.baselineSeconds(), Math.max(0, this.input.budgetSeconds - this.spentSeconds));
  }
}
