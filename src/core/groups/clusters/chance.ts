/** Logarithm of the probability that at least `count` of `all` happen, each with probability `each`. */
export function logChanceOfAtLeast(count: number, all: number, each: number): number {
  if (count <= all * each) return 0;
  if (each <= 0) return -Infinity;
  // The sum of all terms by the first one, which may be too small for a number.
  let [sum, term] = [1, 1];
  for (let more = count; more < all && term > sum * 1e-9; more++) {
    term *= ((all - more) / (more + 1)) * (each / (1 - each));
    sum += term;
  }
  const first = logWays(all, count) + count * Math.log(each) + (all - count) * Math.log(1 - each);
  return Math.min(0, first + Math.log(sum));
}

/** Logarithm of the number of ways to choose some of all. */
export function logWays(all: number, chosen: number): number {
  return logFactorial(all) - logFactorial(chosen) - logFactorial(all - chosen);
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
