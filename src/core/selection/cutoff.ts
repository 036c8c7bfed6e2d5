import { assertNever } from '../errors';

/** Where the static selection cuts the histogram of inclusive statements (PGIS; `half-max` is its option `max`). */
export type Cutoff = 'unique-median' | 'median' | 'half-max';

export const cutoffs: readonly Cutoff[] = ['unique-median', 'median', 'half-max'];

/**
 * The threshold: `unique-median` is the element ⌊k/2⌋ of the k sorted distinct values, `median` the element ⌊N/2⌋ of all N
 * values, `half-max` half of the largest, rounded down. 0 when there are no values.
 */
export function cutoffThreshold(values: Iterable<number>, cutoff: Cutoff): number {
  const sorted = Float64Array.from(values).sort();
  switch (cutoff) {
    case 'unique-median': {
      const distinct = sorted.filter((value, index) => index === 0 || value !== sorted[index - 1]);
      return distinct[Math.floor(distinct.length / 2)] ?? 0;
    }
    case 'median':
      return sorted[Math.floor(sorted.length / 2)] ?? 0;
    case 'half-max':
      return Math.floor((sorted.at(-1) ?? 0) / 2);
    default:
      return assertNever(cutoff);
  }
}
