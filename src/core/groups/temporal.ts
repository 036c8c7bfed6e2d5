import { atFloat } from '../at';

/**
 * How alike the times of two processes are, which says nothing of what they call: sum of minima by sum of maxima (Ruzicka), the Jaccard index where all
 * times are 0 or 1. 1 where nothing took time.
 * @param rows seconds by process, not negative, a row for each function
 */
export function temporalSimilarity(rows: readonly Float64Array[], a: number, b: number): number {
  let [least, largest] = [0, 0];
  for (const row of rows) {
    const [one, other] = [atFloat(row, a), atFloat(row, b)];
    least += Math.min(one, other);
    largest += Math.max(one, other);
  }
  return largest === 0 ? 1 : least / largest;
}

/** Similarity of the times of processes and of the one that stands for them: of the one least alike, and the mean. */
export function temporalSimilarities(
  rows: readonly Float64Array[],
  members: readonly number[],
  representative: number,
): { readonly least: number; readonly mean: number } {
  let [least, sum] = [1, 0];
  for (const member of members) {
    const similarity = temporalSimilarity(rows, member, representative);
    least = Math.min(least, similarity);
    sum += similarity;
  }
  return { least, mean: members.length === 0 ? 1 : sum / members.length };
}
