/** Numbers of rare events by chance: Poisson's distribution, to which the binomial one tends and which is wider, so that chance explains rather more. */

/** Probability of at least `count` events where `mean` are expected. */
export function chanceOfAtLeast(count: number, mean: number): number {
  if (count <= 0 || mean >= count) return 1;
  if (mean <= 0) return 0;
  let term = Math.exp(count * Math.log(mean) - mean - logFactorial(count));
  let sum = 0;
  // Terms shrink by more than mean / count each.
  for (let events = count; term > sum * 1e-9;) {
    sum += term;
    events++;
    term *= mean / events;
  }
  return sum;
}

/** The smallest number of events that has less than `chance`. */
export function surprisingCount(mean: number, chance: number): number {
  let count = Math.floor(mean) + 1;
  while (chanceOfAtLeast(count, mean) >= chance) count++;
  return count;
}

/** ln(n!), by Stirling's series from 10 on: nine digits. */
export function logFactorial(n: number): number {
  if (n < 10) {
    let product = 1;
    for (let factor = 2; factor <= n; factor++) product *= factor;
    return Math.log(product);
  }
  const x = n + 1;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * x) - 1 / (360 * x ** 3);
}
