/** How gaps in a series are filled (specification of performance dynamics, §4.3). */
export type MissingMethod = 'zero' | 'constant' | 'linear';

/**
 * Values without gaps. What is not finite is missing. `zero` is for regions that were not executed; `constant` (the last one before, at
 * the beginning the first one) and `linear` (ends are held) for counters that are measured in turns: what changes faster than the gaps is lost.
 * Without any value the result is 0.
 */
export function fillMissing(values: Float64Array, method: MissingMethod): Float64Array {
  const filled = values.slice();
  let before = -1;
  for (let at = 0; at <= values.length; at++) {
    if (at < values.length && !Number.isFinite(values[at])) continue;
    if (at > before + 1) fillGap(filled, before, at, method);
    before = at;
  }
  return filled;
}

/** Between two present values; -1 and the length stand for the ends. */
function fillGap(values: Float64Array, before: number, after: number, method: MissingMethod): void {
  const first = values[before] ?? values[after] ?? 0;
  const last = values[after] ?? first;
  for (let at = before + 1; at < after; at++) {
    const share = (at - before) / (after - before);
    // Weights instead of a difference: the difference of two huge values may not be a number.
    values[at] = method === 'zero' ? 0 : method === 'constant' ? first : first * (1 - share) + last * share;
  }
}
