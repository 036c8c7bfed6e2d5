import { atFloat } from '../../at';

/** Sums of a metric in one place, over a burst or a run, from which rules are evaluated without storing values. */
export class Moments {
  count = 0;
  /** Values that were not measured. */
  missing = 0;
  sum = 0;
  private squares = 0;
  private largest = 0;

  /** @param raw with gaps @param filled the same without */
  add(raw: Float64Array, filled: Float64Array): void {
    this.count += filled.length;
    for (let index = 0; index < filled.length; index++) {
      const value = atFloat(filled, index);
      if (!Number.isFinite(raw[index])) this.missing++;
      this.sum += value;
      this.squares += value * value;
      if (value > this.largest) this.largest = value;
    }
  }

  merge(other: Moments): void {
    this.count += other.count;
    this.missing += other.missing;
    this.sum += other.sum;
    this.squares += other.squares;
    this.largest = Math.max(this.largest, other.largest);
  }

  figure(figure: string): number {
    if (figure === 'sum') return finite(this.sum);
    if (figure === 'largest') return this.largest;
    const mean = this.sum / this.count;
    if (figure === 'mean') return finite(mean);
    return Math.sqrt(Math.max(0, finite(this.squares / this.count - mean * mean)));
  }
}

/** Saturates at `Number.MAX_VALUE`; what no value gives, as a mean of none, is 0. */
function finite(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, value));
}
