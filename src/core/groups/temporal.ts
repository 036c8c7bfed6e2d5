import { atFloat } from '../at';
import { sumOf } from '../sums';

/**
 * How alike the times of two processes are, which says nothing of what they call: sum of minima by sum of maxima (Ruzicka), the Jaccard index where all
 * times are 0 or 1. 1 where nothing took time.
 * @param a seconds, not negative, by function or call path
 * @param b the same of another process
 */
export function temporalSimilarity(a: Float64Array, b: Float64Array): number {
  return ruzicka(a, 1, b, 1);
}

/** The same of the shares that each function has of the time of its process: how much time the whole took does not matter. */
export function temporalShareSimilarity(a: Float64Array, b: Float64Array): number {
  const [wholeA, wholeB] = [sumOf(a), sumOf(b)];
  return ruzicka(a, wholeA === 0 ? 0 : 1 / wholeA, b, wholeB === 0 ? 0 : 1 / wholeB);
}

function ruzicka(a: Float64Array, scaleA: number, b: Float64Array, scaleB: number): number {
  let [least, largest] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    const [one, other] = [atFloat(a, i) * scaleA, atFloat(b, i) * scaleB];
    least += Math.min(one, other);
    largest += Math.max(one, other);
  }
  return largest === 0 ? 1 : least / largest;
}
