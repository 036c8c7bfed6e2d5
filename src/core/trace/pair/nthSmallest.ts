import { atFloat } from '../../at';

/**
 * The value that is at a position once all are in ascending order, in linear time (Hoare's selection). Puts the values in another order.
 * @param values none of them NaN
 */
export function nthSmallest(values: Float64Array, position: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const pivot = atFloat(values, (low + high) >>> 1);
    let [i, j] = [low, high];
    while (i <= j) {
      while (atFloat(values, i) < pivot) i++;
      while (atFloat(values, j) > pivot) j--;
      if (i > j) break;
      const value = atFloat(values, i);
      values[i++] = atFloat(values, j);
      values[j--] = value;
    }
    if (position <= j) high = j;
    else if (position >= i) low = i;
    else break;
  }
  return atFloat(values, position);
}
