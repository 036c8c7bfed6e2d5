/** Coefficients of Lanczos' series for g = 7 (Godfrey). */
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** Beyond, it is the normal distribution to more digits than matter. */
const mostFreedom = 1e7;

/** Natural logarithm of the gamma function of a positive number. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const [first = 1, ...others] = lanczos;
  const sum = others.reduce((total, coefficient, i) => total + coefficient / (x + i), first);
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/**
 * Probability that Student's t has at least this absolute value. `freedom` may be no whole number; infinite: the normal distribution.
 * By the regularised incomplete beta function I_x(freedom/2, 1/2) at x = freedom / (freedom + t²) (Abramowitz and Stegun, 26.7.1).
 */
export function tailOfT(t: number, freedom: number): number {
  if (Number.isNaN(t)) return 1;
  const limited = Math.min(freedom, mostFreedom);
  return incompleteBeta(limited / (limited + t * t), limited / 2, 0.5);
}

/** The t that is exceeded, in either direction, with this probability; by Newton's method, which comes from below: tails fall, and ever more slowly. */
export function quantileOfT(probability: number, freedom: number): number {
  const limited = Math.min(freedom, mostFreedom);
  const atZero = Math.exp(logGamma((limited + 1) / 2) - logGamma(limited / 2)) / Math.sqrt(limited * Math.PI);
  let t = 0;
  while (t < 1e12) {
    const density = atZero * Math.exp(((limited + 1) / -2) * Math.log1p((t * t) / limited));
    const step = (tailOfT(t, freedom) - probability) / (2 * density);
    t += Math.max(0, step);
    if (!(step > 1e-12 * t)) break;
  }
  return Math.min(t, 1e12);
}

/** Regularised incomplete beta function, by the continued fraction (26.5.8) in Lentz's form. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges quickly below the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  const tiny = 1e-300;
  const away = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const step = d * c;
    fraction *= step;
    if (Math.abs(step - 1) < 1e-14) break;
  }
  return (front * fraction) / a;
}
