import { atFloat } from '../../core/at';
import { checkSample, type Sample } from './sample';
import { ServiceError } from './serviceError';

/**
 * Deltas over time in a fixed number of bins (Roth 2005, section 2.2). When a sample ends after the last bin, adjacent bins are merged and the
 * width doubles, as often as needed; the sources then sample half as often, so that memory and data rate stay bounded however long
 * a program runs.
 */
export class FoldingHistogram {
  private readonly sums: Float64Array;
  private width: number;

  /**
   * @param bins an even number
   * @param initialWidth seconds
   * @param start of the first bin, in seconds
   */
  constructor(
    bins: number,
    initialWidth: number,
    readonly start: number,
  ) {
    if (!(Number.isInteger(bins) && bins >= 2 && bins % 2 === 0 && bins <= 65_536))
      throw new ServiceError('bad-time', `A histogram has an even number of bins up to 65536, not ${bins}.`);
    if (!(initialWidth >= 1e-6 && initialWidth <= 1e9 && Math.abs(start) <= 1e10))
      throw new ServiceError('bad-time', `Bins of ${initialWidth} s from ${start} s are not possible.`);
    this.sums = new Float64Array(bins);
    this.width = initialWidth;
  }

  /** Seconds of a bin: the interval at which the sources sample. */
  get binSeconds(): number {
    return this.width;
  }

  /** The sum of each bin. */
  get bins(): Readonly<Float64Array> {
    return this.sums;
  }

  /**
   * Adds a sample, in proportion to the overlap with each bin.
   *
   * @returns how often the bins were merged
   * @throws ServiceError `bad-sample`, also for one that begins before the first bin
   */
  add(sample: Sample): number {
    checkSample(sample, Infinity);
    if (sample.start < this.start)
      throw new ServiceError(
        'bad-sample',
        `A sample from ${sample.start} s begins before the first bin, at ${this.start} s.`,
      );
    let folds = 0;
    while (sample.end > this.start + this.sums.length * this.width) {
      this.fold();
      folds++;
    }
    this.spread(sample);
    return folds;
  }

  private fold(): void {
    const half = this.sums.length / 2;
    for (let bin = 0; bin < half; bin++)
      this.sums[bin] = atFloat(this.sums, 2 * bin) + atFloat(this.sums, 2 * bin + 1);
    this.sums.fill(0, half);
    this.width *= 2;
  }

  private spread({ value, start, end }: Sample): void {
    const last = Math.max(this.binAt(start), Math.ceil((end - this.start) / this.width) - 1);
    let rest = value;
    for (let bin = this.binAt(start); bin < last; bin++) {
      const border = this.start + (bin + 1) * this.width;
      const from = Math.max(start, border - this.width);
      const part = Math.max(0, (value * (border - from)) / (end - start));
      this.sums[bin] = atFloat(this.sums, bin) + part;
      rest -= part;
    }
    // The last bin has the rest, so that the sum is preserved.
    this.sums[last] = atFloat(this.sums, last) + rest;
  }

  private binAt(time: number): number {
    return Math.min(this.sums.length - 1, Math.floor((time - this.start) / this.width));
  }
}
