/** Median of typed arrays: the middle element, or the mean of the two in the middle. */
import { atFloat } from '../at';

/** Reorders the array, in linear time on average. 0 without values; no NaN. */
export function medianInPlace(values: Float64Array): number {
  const { length } = values;
  if (length === 0) return 0;
  const middle = length >> 1;
  const upper = select(values, middle);
  if (length % 2 === 1) return upper;
  let lower = atFloat(values, 0);
  for (let i = 1; i < middle; i++) lower = Math.max(lower, atFloat(values, i));
  return lower / 2 + upper / 2;
}

/** Median of values[from … to], both inclusive and clamped to the array, which does not change. */
export function medianOf(values: Float64Array, from: number, to: number): number {
  return medianInPlace(values.slice(Math.max(0, from), to + 1));
}

/** Value of the given rank; all before it in the array are then not larger, all behind it not smaller. Hoare's selection with the median of three. */
export function select(values: Float64Array, rank: number): number {
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    const [toLeft, toRight] = partition(values, left, right);
    if (rank <= toLeft) right = toLeft;
    else if (rank >= toRight) left = toRight;
    else break;
  }
  return atFloat(values, rank);
}

/** Afterwards values up to the first result are at most, from the second one on at least, the pivot, which is between them. */
function partition(values: Float64Array, left: number, right: number): readonly [number, number] {
  const pivot = medianOfThree(
    atFloat(values, left),
    atFloat(values, (left + right) >> 1),
    atFloat(values, right),
  );
  let i = left;
  let j = right;
  while (i <= j) {
    while (atFloat(values, i) < pivot) i++;
    while (atFloat(values, j) > pivot) j--;
    if (i > j) break;
    const swapped = atFloat(values, i);
    values[i++] = atFloat(values, j);
    values[j--] = swapped;
  }
  return [j, i];
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
