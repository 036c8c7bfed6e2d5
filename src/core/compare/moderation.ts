/** A variance of its own, and the degrees of freedom behind it. */
export interface OwnVariance {
  readonly variance: number;
  readonly freedom: number;
}

/** What the variances of all rows tell about that of each. */
export interface Prior {
  readonly variance: number;
  /** As many further measurements it is worth; infinite: all rows vary alike; 0: nothing is known. */
  readonly freedom: number;
}

/**
 * The distribution that the true variances come from, a scaled inverse chi-square one, by the moments of the logarithms of the measured variances (G. K. Smyth,
 * Linear models and empirical Bayes methods, Statistical Applications in Genetics and Molecular Biology 3 (2004), §6.2). Few repetitions say little about
 * the noise of one function, and those of all functions much.
 */
export function priorOf(rows: readonly OwnVariance[]): Prior {
  const usable = rows.filter(({ variance, freedom }) => freedom > 0 && variance > 0);
  if (usable.length < 2) return { variance: usable[0]?.variance ?? 0, freedom: 0 };
  const logs = usable.map(
    ({ variance, freedom }) => Math.log(variance) - digamma(freedom / 2) + Math.log(freedom / 2),
  );
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  const spread = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1);
  const byChance = usable.reduce((sum, { freedom }) => sum + trigamma(freedom / 2), 0) / usable.length;
  const excess = spread - byChance;
  if (excess <= 0) return { variance: Math.exp(mean), freedom: Infinity };
  const freedom = 2 * inverseTrigamma(excess);
  return { variance: Math.exp(mean + digamma(freedom / 2) - Math.log(freedom / 2)), freedom };
}

/** The variance of a row in the light of all rows. */
export function moderated({ variance, freedom }: OwnVariance, prior: Prior): OwnVariance {
  if (prior.freedom === Infinity) return { variance: prior.variance, freedom: Infinity };
  const whole = prior.freedom + freedom;
  if (whole <= 0) return { variance: 0, freedom: 0 };
  return {
    variance: (prior.freedom * prior.variance + freedom * variance) / whole,
    freedom: whole,
  };
}

/** Derivative of the logarithm of the gamma function: recurrence, then the asymptotic series (Abramowitz and Stegun, 6.3.18). */
export function digamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < 8; at++) sum -= 1 / at;
  const square = 1 / (at * at);
  const series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)));
  return sum + Math.log(at) - 1 / (2 * at) - series;
}

/** Its derivative (6.4.12). */
export function trigamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < 8; at++) sum += 1 / (at * at);
  const square = 1 / (at * at);
  const series = 1 / 6 - square * (1 / 30 - square * (1 / 42 - square / 30));
  return sum + 1 / at + square / 2 + (square / at) * series;
}

/** The x with trigamma(x) = y > 0, by bisection of its logarithm: trigamma falls strictly. */
function inverseTrigamma(y: number): number {
  let [low, high] = [1e-8, 1e8];
  for (let step = 0; step < 200; step++) {
    const middle = Math.sqrt(low * high);
    if (trigamma(middle) > y) low = middle;
    else high = middle;
  }
  return Math.sqrt(low * high);
}
