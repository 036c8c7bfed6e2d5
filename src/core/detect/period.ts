/** A part that repeats every `period` positions. */
export interface Template {
  readonly period: number;
  readonly phases: Float64Array;
  /** By Bayes' information criterion, beyond nothing periodic. */
  readonly gain: number;
}

const mostPeriod = 256;

/** The most probable period of a series whose drift is removed by a moving mean of just one period; undefined: none. */
export function templateOf(z: Float64Array): Template | undefined {
  const n = z.length;
  const sums = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) sums[i + 1] = sums[i]! + z[i]!;
  let best: Template | undefined;
  if (n < 12) return undefined;
  const last = Math.min(mostPeriod, Math.floor(n / 4));
  for (let p = 2; p <= last; p++) {
    const phases = new Float64Array(p);
    const counts = new Float64Array(p);
    let squares = 0;
    const from = p >> 1;
    const to = n - (p >> 1) - 1;
    let m = 0;
    for (let i = from; i <= to; i++) {
      // Of even periods, the two at the ends count half.
      const low = i - (p >> 1);
      const high = i + (p >> 1);
      const mean =
        p % 2 === 1
          ? (sums[high + 1]! - sums[low]!) / p
          : (sums[high + 1]! - sums[low]! - (z[low]! + z[high]!) / 2) / p;
      const r = z[i]! - mean;
      const phase = i % p;
      phases[phase]! += r;
      counts[phase]! += 1;
      squares += r * r;
      m++;
    }
    if (m < 3 * p) continue;
    let explained = 0;
    for (let k = 0; k < p; k++) {
      if (counts[k]! > 0) {
        explained += (phases[k]! * phases[k]!) / counts[k]!;
        phases[k]! /= counts[k]!;
      }
    }
    const rest = Math.max(squares - explained, squares * 1e-9);
    if (!(squares > 0)) continue;
    // What the moving mean leaves of the variance of white noise; of a part with this period it leaves all.
    const left = 1 - 1 / p - (p % 2 === 0 ? 1 / (2 * p * p) : 0);
    const gain = m * Math.log1p((left * explained) / rest) - (p - 1) * Math.log(m) - 2 * Math.log(last);
    if (gain > 16 && (best === undefined || gain > best.gain)) best = { period: p, phases, gain };
  }
  return best;
}
