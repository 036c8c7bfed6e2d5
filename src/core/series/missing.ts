/** How gaps in a series are filled (specification of performance dynamics, §4.3). */
export type MissingMethod = 'zero' | 'constant' | 'linear';

/**
 * Fills the gaps, which are the values that are not finite. `zero` is for regions that were not executed. `constant` (the last value before
 * the gap, at the beginning the first one) and `linear` (constant at the ends) are for counters that are measured in turns; changes that
 * are shorter than a gap are lost. Without any value the result is 0.
 */
export function fillMissing(values: Float64Array, method: MissingMethod): Float64Array {
  const filled = values.slice();
  let before = -1;
  for (let index = 0; index <= values.length; index++) {
    if (index < values.length && !Number.isFinite(values[index])) continue;
    fillGap(filled, before, index, method);
    before = index;
  }
  return filled;
}

/** Between two present values; -1 and the length stand for the ends. */
function fillGap(values: Float64Array, before: number, after: number, method: MissingMethod): void {
  const first = values[before] ?? values[after] ?? 0;
  const last = values[after] ?? first;
  for (let index = before + 1; index < after; index++) {
    const share = (index - before) / (after - before);
    // Weights instead of a difference: the difference of two huge values may not be a number.
    values[index] =
      method === 'zero' ? 0 : method === 'constant' ? first : first * (1 - share) + last * share;
  }
}
