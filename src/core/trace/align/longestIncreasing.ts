import { at, atInt } from '../../at';

/** Positions of a longest ascending part of different numbers (patience sorting). */
export function longestIncreasing(values: readonly number[]): readonly number[] {
  const before = new Int32Array(values.length);
  /** The position of the least value that ends an ascending part of each length. */
  const tails: number[] = [];
  for (const [position, value] of values.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (at(values, at(tails, middle)) < value) low = middle + 1;
      else high = middle;
    }
    before[position] = tails[low - 1] ?? -1;
    tails[low] = position;
  }
  const found: number[] = [];
  for (let position = tails.at(-1) ?? -1; position >= 0; position = atInt(before, position))
    found.push(position);
  return found.reverse();
}
