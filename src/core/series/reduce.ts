/** How a series becomes one number (default dynamic context; specification of performance dynamics, §2 and §4.2). */
export type Reduction = 'sum' | 'average' | 'stddev';

/** Of the finite values; 0 without any. `stddev` is that of the values themselves (population). */
export function reduceSeries(values: Float64Array, reduction: Reduction = 'sum'): number {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    sum += value;
    count++;
  }
  if (reduction === 'sum' || count === 0) return sum;
  return reduction === 'average' ? sum / count : deviation(values, sum / count, count);
}

/** Relative to the largest difference, so that squares of huge values do not overflow. */
function deviation(values: Float64Array, mean: number, count: number): number {
  let largest = 0;
  for (const value of values) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value - mean));
  if (largest === 0) return 0;
  let squares = 0;
  for (const value of values) if (Number.isFinite(value)) squares += ((value - mean) / largest) ** 2;
  return largest * Math.sqrt(squares / count);
}
