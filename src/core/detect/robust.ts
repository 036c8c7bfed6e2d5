import { at, atByte, atFloat, atInt } from '../at';
import { select } from '../transforms/median';

/** Quantile of sorted values, between neighbours linearly. */
export function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const value = atFloat(sorted, low);
  return place === low ? value : value + (place - low) * (atFloat(sorted, low + 1) - value);
}

/** The same of values in any order, which it changes, in linear time. */
export function quantileInPlace(values: Float64Array, share: number): number {
  const place = share * (values.length - 1);
  const low = Math.floor(place);
  const value = select(values, low);
  if (place === low) return value;
  let next = Infinity;
  for (let i = low + 1; i < values.length; i++) next = Math.min(next, atFloat(values, i));
  return value + (place - low) * (next - value);
}

/** Bits of a digit of the radix sort. */
const digitBits = 11;
const largestDigit = 2 ** digitBits - 1;

/** Positions of the values, the smallest first: radix sort of their bits, in a third of the time of a sort and a search for each value. */
export function ascending(values: Float64Array): Int32Array {
  const { length } = values;
  const words = new Int32Array(values.slice().buffer);
  let [order, next] = [new Int32Array(length), new Int32Array(length)];
  for (let i = 0; i < length; i++) {
    order[i] = i;
    // The bits of a negative number are larger the smaller it is.
    const high = atInt(words, 2 * i + 1);
    if (high < 0) words[2 * i] = ~atInt(words, 2 * i);
    words[2 * i + 1] = high < 0 ? ~high : high | (1 << 31);
  }
  const starts = new Int32Array(largestDigit + 1);
  for (let word = 0; word < 2; word++)
    for (let shift = 0; shift < 32; shift += digitBits) {
      starts.fill(0);
      for (let i = word; i < words.length; i += 2) {
        const digit = (atInt(words, i) >>> shift) & largestDigit;
        starts[digit] = atInt(starts, digit) + 1;
      }
      for (let digit = 0, sum = 0; digit <= largestDigit; digit++) {
        sum += atInt(starts, digit);
        starts[digit] = sum - atInt(starts, digit);
      }
      for (let rank = 0; rank < length; rank++) {
        const i = atInt(order, rank);
        const digit = (atInt(words, 2 * i + word) >>> shift) & largestDigit;
        const place = atInt(starts, digit);
        starts[digit] = place + 1;
        next[place] = i;
      }
      [order, next] = [next, order];
    }
  return order;
}

/** Quantile of the normal distribution to 5e-4 (Abramowitz and Stegun, 26.2.23). @param probability between 0 and 1, exclusive */
export function normalQuantile(probability: number): number {
  if (probability > 0.5) return -normalQuantile(1 - probability);
  const t = Math.sqrt(-2 * Math.log(probability));
  const above = 2.515517 + 0.802853 * t + 0.010328 * t * t;
  return above / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t) - t;
}

/** Values on each side of the middle of a running median, for a series of this length. */
export function medianReach(length: number): number {
  return Math.min(12, Math.max(2, Math.floor(length / 8)));
}

/** Running median of `reach` values on both sides; of fewer near the ends, but of three at least: a level that changes shortly before an end stays one. */
export function runningMedian(values: Float64Array, reach = medianReach(values.length)): Float64Array {
  const last = values.length - 1;
  const result = new Float64Array(values.length);
  const window = new SortedWindow(2 * reach + 2);
  let [low, high] = [0, -1];
  for (let i = 0; i <= last; i++) {
    const own = Math.max(1, Math.min(reach, i, last - i));
    const from = Math.max(0, Math.min(i - own, last - 2 * own));
    const to = Math.min(last, Math.max(i + own, 2 * own));
    while (high < to && low < from) window.replace(atFloat(values, low++), atFloat(values, ++high));
    while (high < to) window.add(atFloat(values, ++high));
    while (low < from) window.remove(atFloat(values, low++));
    result[i] = window.median();
  }
  return result;
}

/** A few values in order. */
class SortedWindow {
  readonly #values: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#values = new Float64Array(capacity);
  }

  add(value: number): void {
    const values = this.#values;
    let i = this.#size++;
    for (; i > 0 && atFloat(values, i - 1) > value; i--) values[i] = atFloat(values, i - 1);
    values[i] = value;
  }

  remove(value: number): void {
    const values = this.#values;
    this.#size--;
    for (let i = this.#placeOf(value); i < this.#size; i++) values[i] = atFloat(values, i + 1);
  }

  /** Moves the values in between only. */
  replace(value: number, by: number): void {
    const values = this.#values;
    const last = this.#size - 1;
    let i = this.#placeOf(value);
    for (; i < last && atFloat(values, i + 1) < by; i++) values[i] = atFloat(values, i + 1);
    for (; i > 0 && atFloat(values, i - 1) > by; i--) values[i] = atFloat(values, i - 1);
    values[i] = by;
  }

  #placeOf(value: number): number {
    let i = 0;
    while (atFloat(this.#values, i) < value) i++;
    return i;
  }

  median(): number {
    const middle = this.#size >> 1;
    const upper = atFloat(this.#values, middle);
    return this.#size % 2 === 1 ? upper : (atFloat(this.#values, middle - 1) + upper) / 2;
  }
}

/** Standard deviation of noise without memory by second differences, which a slope does not change. */
export function differenceScale(values: Float64Array): number {
  if (values.length < 3) return 0;
  const sizes = new Float64Array(values.length - 2);
  for (let i = 0; i < sizes.length; i++)
    sizes[i] = Math.abs(atFloat(values, i) - 2 * atFloat(values, i + 1) + atFloat(values, i + 2));
  return quantileInPlace(sizes, 0.5) / normalQuantile(0.75) / Math.sqrt(6);
}

/** At each position the running median of the values that are not flagged. */
export function medianOfOthers(values: Float64Array, flags: Uint8Array): Float64Array {
  const median = runningMedian(values.filter((_, i) => atByte(flags, i) === 0));
  const result = new Float64Array(values.length);
  for (let i = 0, next = 0; i < values.length; i++)
    result[i] = atFloat(median, Math.min(median.length - 1, atByte(flags, i) === 0 ? next++ : next));
  return result;
}

export function valuesAt(values: Float64Array, positions: readonly number[]): Float64Array {
  const result = new Float64Array(positions.length);
  for (let i = 0; i < result.length; i++) result[i] = atFloat(values, at(positions, i));
  return result;
}

/** What is left of values without a base. */
export function difference(values: Float64Array, base: Float64Array): Float64Array {
  const result = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) result[i] = atFloat(values, i) - atFloat(base, i);
  return result;
}

/** Whether the values are counts or rounded, so that most of them are equal to others. */
export function isDiscrete(values: Float64Array): boolean {
  const most = Math.min(30, 0.3 * values.length);
  const different = new Set<number>();
  for (const value of values) if (different.add(value).size >= most) return false;
  return true;
}
