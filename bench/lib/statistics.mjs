/** Of numbers; NaN of none. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Confidence interval of the median, at least 95 % where the number of values allows (below six: all of them), from order
 * statistics: no assumption about the distribution (Conover, Practical Nonparametric Statistics, section 3.2).
 */
export function medianInterval(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  let tail = 0.5 ** n;
  let probability = tail;
  let skip = 0;
  // Binomial(n, 1/2): probability that at most `skip` values lie below the median.
  for (;;) {
    probability = (probability * (n - skip)) / (skip + 1);
    if (tail + probability > 0.025 || skip + 1 >= n / 2) break;
    tail += probability;
    skip++;
  }
  return [sorted[skip], sorted[n - 1 - skip]];
}
