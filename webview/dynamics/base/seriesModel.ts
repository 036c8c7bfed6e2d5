import { explainSeries, type SeriesExplanation } from '../../../src/core/signal/explainSeries';
import { smooth } from '../../../src/core/transforms/scaleSpace';
import type { Episode, Pattern } from '../../../src/core/signal/signal';
import type { SeriesDetail, SeriesRow } from '../../../src/core/views/dynamicsPieces';

/** One series for drawing. Positions are iterations from 0. */
export class SeriesModel {
  readonly highest: number;
  readonly lowest: number;
  /** The values with 0 for iterations that were not measured, as in the analysis. */
  private filled: Float64Array | undefined;
  private explained: SeriesExplanation | undefined;

  constructor(
    /** Position in the analysis. */
    readonly position: number,
    readonly row: SeriesRow,
    readonly detail: SeriesDetail,
    readonly iterations: number,
  ) {
    let highest = -Infinity;
    let lowest = Infinity;
    for (const value of detail.values) {
      if (!Number.isFinite(value)) continue;
      if (value > highest) highest = value;
      if (value < lowest) lowest = value;
    }
    this.highest = Number.isFinite(highest) ? highest : 0;
    this.lowest = Number.isFinite(lowest) ? lowest : 0;
  }

  get step(): number {
    return this.detail.iterationsPerValue;
  }

  /** The value at an iteration; undefined: not measured. */
  value(iteration: number): number | undefined {
    return finite(this.detail.values[Math.floor(iteration / this.step)]);
  }

  /** First and last iteration of a value. */
  extent(index: number): readonly [number, number] {
    return [index * this.step, Math.min(this.iterations, (index + 1) * this.step) - 1];
  }

  /** The values without gaps. */
  get signal(): Float64Array {
    this.filled ??= this.detail.values.map((value) => (Number.isFinite(value) ? value : 0));
    return this.filled;
  }

  /** The steps of the analysis to its result; computed on first use. */
  get explanation(): SeriesExplanation {
    this.explained ??= explainSeries(this.signal);
    return this.explained;
  }

  /** @param sigma standard deviation of the kernel, in iterations */
  smoothed(sigma: number): Float64Array {
    const own = sigma / this.step;
    return smooth(this.signal, own * own);
  }

  episodeAt(iteration: number): Episode | undefined {
    return this.detail.episodes.find(({ from, to }) => iteration >= from && iteration <= to);
  }

  patternsAt(iteration: number): readonly Pattern[] {
    return this.detail.patterns.filter(({ from, to }) => iteration >= from && iteration <= to);
  }
}

function finite(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}
