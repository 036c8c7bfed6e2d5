import { quantile, runningMedian } from './robust';

const alarm = 0.01;

/**
 * Positions that stand out above their neighbourhood: those above the lowest gap among the residuals from a running median that noise with a tail like this one's would
 * not leave (spacings of an exponential tail, Rényi 1953).
 */
export function spikesOf(z: Float64Array, half: number): Uint8Array {
  const n = z.length;
  const flags = new Uint8Array(n);
  if (n < 6) return flags;
  const median = runningMedian(z, half);
  const r = z.map((x, i) => x - median[i]!);
  const sorted = r.slice().sort();
  const isDiscrete = new Set(z).size < Math.min(30, 0.3 * n) && n >= 20;
  const deviation = isDiscrete ? Math.sqrt(r.reduce((sum, x) => sum + x * x, 0) / n) : 0;
  const scale = Math.max(deviation, (quantile(sorted, 0.75) - quantile(sorted, 0.5)) / 0.6745, (quantile(sorted, 0.5) - quantile(sorted, 0.25)) / 0.6745 / 3, 1e-12 + 1e-6 * Math.abs(quantile(sorted, 0.5)));
  const q75 = Math.floor(0.75 * n);
  let sum = 0;
  let count = 0;
  let from = -1;
  for (let i = q75 + 1; i < n; i++) {
    const spacing = (n - i) * (sorted[i]! - sorted[i - 1]!);
    const mean = Math.max(count > 2 ? sum / count : 0, 0.35 * scale);
    const isFar = sorted[i]! > 4 * scale;
    if (count >= 2 && isFar && spacing > mean * Math.log(n / alarm) && sorted[i]! - sorted[i - 1]! > 0.5 * scale) {
      from = i;
      break;
    }
    sum += spacing;
    count++;
  }
  if (from < 0) return flags;
  const limit = sorted[from]!;
  for (let i = 0; i < n; i++) if (r[i]! >= limit) flags[i] = 1;
  // Four and more in a row are no spike, but a level.
  for (let i = 0; i < n; ) {
    let to = i + 1;
    while (to < n && flags[to] === flags[i]) to++;
    if (flags[i] === 1 && to - i >= 4) flags.fill(0, i, to);
    i = to;
  }
  return flags;
}
