/** Probability that a value of Student's distribution is below `t`, by Wallace's transformation (1959) to the normal distribution; its error is below 0.003. */
export function studentBelow(t: number, degrees: number): number {
  if (degrees > 200) return normalBelow(t);
  const size = ((8 * degrees + 1) / (8 * degrees + 3)) * Math.sqrt(degrees * Math.log1p((t * t) / degrees));
  return normalBelow(t < 0 ? -size : size);
}

/** Probability that a normal value is below `z`: Abramowitz and Stegun, 26.2.17; its error is below 1e-7. */
export function normalBelow(z: number): number {
  const k = 1 / (1 + 0.2316419 * Math.abs(z));
  const series =
    k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return z < 0 ? tail : 1 - tail;
}
