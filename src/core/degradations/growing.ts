import type { Burst, Series } from '../series/series';
import { contextKey } from '../series/series';
import type { DynamicsAnalysis } from './analysis';
import { type AnalysisPause } from './analysis';
import type { DynamicsOptions } from './model/options';
import type { DynamicsResult } from './model/result';

type Settings = Pick<DynamicsOptions, 'burst' | 'wholeRun'>;

/**
 * The dynamics of a run that is not over. Whatever the pieces in which its iterations arrive, and however often it is asked meanwhile, the result of
 * all of them is that of `DynamicsAnalysis` on the same bursts. Memory depends on the number of places and not on the number of iterations.
 */
export class GrowingAnalysis {
  private analysis: DynamicsAnalysis;
  /** Bursts of a run that is short so far, which is analysed anew with the iterations behind them. */
  private whole: Burst[] = [];
  private open: OpenBurst;

  /** @param make an analysis without data, the same each time */
  constructor(
    private readonly make: () => DynamicsAnalysis,
    private readonly settings: Settings,
  ) {
    this.analysis = make();
    this.open = new OpenBurst(0, settings.burst);
  }

  /** Iterations that have arrived. */
  get iterations(): number {
    return this.open.first + this.open.length;
  }

  /** The next iterations, as many as there are. A context that is not in it took no time in them. @throws RangeError when iterations are missing */
  add(piece: Burst): void {
    if (piece.first !== this.iterations)
      throw new RangeError(`Iteration ${piece.first} follows ${this.iterations}.`);
    for (let from = 0; from < piece.length;) {
      from += this.open.take(piece, from);
      if (this.open.length === this.settings.burst) this.close();
    }
  }

  /**
   * What the iterations so far show, and how many these are: in a long run, those up to the last full burst.
   * @param pause as of `DynamicsAnalysis.finishInSteps`; no iterations may be added before the answer
   */
  async soFar(pause: AnalysisPause, unit = 's'): Promise<DynamicsResult> {
    return (this.isShort ? this.again() : this.analysis).finishInSteps(pause, unit);
  }

  /** What all iterations show; none may follow. */
  async finish(pause: AnalysisPause, unit = 's'): Promise<DynamicsResult> {
    if (this.open.length > 0) this.analysis.addBurst(this.open.burst());
    return this.analysis.finishInSteps(pause, unit);
  }

  private get isShort(): boolean {
    return this.iterations <= this.settings.wholeRun;
  }

  private close(): void {
    const burst = this.open.burst();
    this.analysis.addBurst(burst);
    this.open = new OpenBurst(burst.first + burst.length, this.settings.burst);
    if (this.isShort) this.whole.push(burst);
    else this.whole = [];
  }

  private again(): DynamicsAnalysis {
    const analysis = this.make();
    for (const burst of this.whole) analysis.addBurst(burst);
    if (this.open.length > 0) analysis.addBurst(this.open.burst());
    return analysis;
  }
}

/** Iterations that are not yet as many as are analysed together. */
class OpenBurst {
  length = 0;
  private readonly series = new Map<string, Series>();

  constructor(
    readonly first: number,
    private readonly most: number,
  ) {}

  /** Takes what fits. @returns how many iterations */
  take(piece: Burst, from: number): number {
    const count = Math.min(piece.length - from, this.most - this.length);
    for (const { context, values } of piece.series) {
      const key = contextKey(context);
      let own = this.series.get(key);
      if (own === undefined) this.series.set(key, (own = { context, values: new Float64Array(this.most) }));
      own.values.set(values.subarray(from, from + count), this.length);
    }
    this.length += count;
    return count;
  }

  burst(): Burst {
    const { first, length } = this;
    const series = [...this.series.values()].map(({ context, values }) => ({
      context,
      values: values.subarray(0, length),
    }));
    return { first, length, series };
  }
}
