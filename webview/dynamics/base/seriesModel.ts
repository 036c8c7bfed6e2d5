import { explainSeries, type SeriesExplanation } from '../../../src/core/signal/explainSeries';
import { atFloat } from '../../../src/core/at';
import { smooth } from '../../../src/core/transforms/scaleSpace';
import type { Episode, Pattern } from '../../../src/core/signal/signal';
import type { SeriesDetail, SeriesRow } from '../../../src/core/views/dynamicsPieces';
import { patternName } from './words';

/** Where a finding begins or ends: most likely, and the range that contains that place with a probability of 95 %. */
export interface Border {
  readonly pattern: Pattern;
  readonly ends: boolean;
  readonly place: number;
  readonly range: readonly [first: number, last: number];
  /** The value there. */
  readonly level: number;
}

/** One series for drawing. Positions are iterations from 0. */
export class SeriesModel {
  readonly highest: number;
  readonly lowest: number;
  /** The values with 0 for iterations that were not measured, as in the analysis. */
  private filled: Float64Array | undefined;
  private steps: SeriesExplanation | undefined;
  private rest: SeriesModel | undefined;

  constructor(
    /** Position in the analysis. */
    readonly position: number,
    readonly row: SeriesRow,
    readonly detail: SeriesDetail,
    readonly iterations: number,
    /** The values are what an explanation leaves of others. */
    readonly isResidual = false,
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

  /** What explains the value at an iteration; undefined: not known. */
  explained(iteration: number): number | undefined {
    return finite(this.detail.model?.[Math.floor(iteration / this.step)]);
  }

  /** The values less what explains them, as a series of its own; undefined where nothing explains them. */
  get residuals(): SeriesModel | undefined {
    const { values, model } = this.detail;
    if (model === undefined) return undefined;
    this.rest ??= new SeriesModel(
      this.position,
      this.row,
      { ...this.detail, values: values.map((value, i) => value - atFloat(model, i)) },
      this.iterations,
      true,
    );
    return this.rest;
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
    this.steps ??= explainSeries(this.signal);
    return this.steps;
  }

  /** @param sigma standard deviation of the kernel, in iterations */
  smoothed(sigma: number): Float64Array {
    const own = sigma / this.step;
    return smooth(this.signal, own * own);
  }

  episodeAt(iteration: number): Episode | undefined {
    return this.detail.episodes.find(({ from, to }) => iteration >= from && iteration <= to);
  }

  /** Where findings begin and end, as far as that is known. */
  get borders(): readonly Border[] {
    return this.detail.patterns.flatMap((pattern) => {
      const { onset, end, levels, from, to, core = [from, to] } = pattern;
      const levelOf = (level: number): number => (this.isResidual ? 0 : level);
      return [
        ...(onset === undefined
          ? []
          : [{ pattern, ends: false, place: core[0], range: onset, level: levelOf(levels[0]) }]),
        ...(end === undefined
          ? []
          : [{ pattern, ends: true, place: core[1], range: end, level: levelOf(levels[1]) }]),
      ];
    });
  }

  /** `trend may begin here` or `trend most likely begins here` for each finding of which that is known at a value. */
  borderWords(index: number): string {
    const [first, last] = this.extent(index);
    return this.borders
      .filter(({ range: [from, to] }) => from <= last && to >= first)
      .map(({ pattern, ends, place }) => {
        const verb = ends ? 'end' : 'begin';
        const isLikely = place >= first && place <= last;
        return `${patternName(pattern)} ${isLikely ? `most likely ${verb}s here` : `may ${verb} here`}`;
      })
      .join(', ');
  }

  patternsAt(iteration: number): readonly Pattern[] {
    return this.detail.patterns.filter(({ from, to }) => iteration >= from && iteration <= to);
  }
}

function finite(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}
