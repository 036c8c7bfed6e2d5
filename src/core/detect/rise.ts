/** Best rise from one level to another between two places, under first-order autoregressive noise (generalised least squares). Prototype. */
export interface Rise {
  readonly k1: number;
  readonly k2: number;
  readonly slope: number;
  readonly before: number;
  readonly after: number;
  readonly rho: number;
  readonly sigma2: number;
  /** Reduction of the squared innovations by the rise, in units of their variance. */
  readonly t: number;
  readonly logLikelihood: number;
}

export const rhos = [0, 0.15, 0.3, 0.45, 0.6, 0.7, 0.78, 0.85, 0.9, 0.94, 0.97];

/** RSS of clamp(t,k1,k2) for all pairs of breaks on a grid, at one rho. */
export function bestRise(z: Float64Array, rho: number, grid: Int32Array, direction: 1 | -1 | 0 = 0) {
  const n = z.length;
  const w0 = Math.sqrt(1 - rho * rho);
  // Transformed series: index 0 special.
  const c = 1 - rho;
  // prefix sums over t>=1 of zt, t*zt
  const S = new Float64Array(n + 1);
  const ST = new Float64Array(n + 1);
  let zz = (w0 * (z[0] ?? 0)) ** 2;
  for (let t = 1; t < n; t++) {
    const v = (z[t] ?? 0) - rho * (z[t - 1] ?? 0);
    S[t + 1] = (S[t] ?? 0) + v;
    ST[t + 1] = (ST[t] ?? 0) + v * t;
    zz += v * v;
  }
  const sum = (p: Float64Array, a: number, b: number): number => (p[b + 1] ?? 0) - (p[a] ?? 0); // inclusive, t>=1
  const one2 = w0 * w0 + (n - 1) * c * c;
  const onez = w0 * w0 * (z[0] ?? 0) + c * sum(S, 1, n - 1);
  const rss0 = zz - (onez * onez) / one2;
  let best = { k1: 0, k2: 0, gain: 0, slope: 0, level: onez / one2 };
  for (let a = 0; a < grid.length; a++)
    for (let b = a + 1; b < grid.length; b++) {
      const k1 = grid[a] ?? 0;
      const k2 = grid[b] ?? 0;
      const L = k2 - k1;
      // basis b_t = clamp(t,k1,k2)-k1. transformed: k1<t<=k2: (t-k1) - rho (t-1-k1) = c (t-k1) + rho ; t>k2: c L
      // sums over t = k1+1..k2 of (c u + rho), u=1..L
      const su = (L * (L + 1)) / 2;
      const suu = (L * (L + 1) * (2 * L + 1)) / 6;
      const tail = n - 1 - k2;
      const bb = c * c * suu + 2 * c * rho * su + rho * rho * L + tail * c * c * L * L;
      const b1 = c * (c * su + rho * L) + tail * c * c * L;
      const zin = sum(S, k1 + 1, k2);
      const tin = sum(ST, k1 + 1, k2);
      const bz = c * (tin - k1 * zin) + rho * zin + (tail > 0 ? c * L * sum(S, k2 + 1, n - 1) : 0);
      const den = bb - (b1 * b1) / one2;
      const num = bz - (b1 * onez) / one2;
      if (!(den > 1e-12)) continue;
      if (direction !== 0 && num * direction < 0) continue;
      const gain = (num * num) / den;
      if (gain > best.gain) {
        const slope = num / den;
        best = { k1, k2, gain, slope, level: (onez - slope * b1) / one2 };
      }
    }
  return { ...best, rss0, rss: rss0 - best.gain };
}

export function riseOf(z: Float64Array, grid: Int32Array): { rise: Rise; constant: { rho: number; logLikelihood: number } } {
  const n = z.length;
  let rise: Rise | undefined;
  let constant = { rho: 0, logLikelihood: -Infinity };
  for (const rho of rhos) {
    const r = bestRise(z, rho, grid);
    const ll = -0.5 * n * Math.log(Math.max(r.rss, 1e-300) / n) + 0.5 * Math.log(1 - rho * rho);
    const ll0 = -0.5 * n * Math.log(Math.max(r.rss0, 1e-300) / n) + 0.5 * Math.log(1 - rho * rho);
    if (ll0 > constant.logLikelihood) constant = { rho, logLikelihood: ll0 };
    if (rise === undefined || ll > rise.logLikelihood) {
      const sigma2 = r.rss / Math.max(1, n - 4);
      rise = {
        ...{ k1: r.k1, k2: r.k2, slope: r.slope, before: r.level, after: r.level + r.slope * (r.k2 - r.k1) },
        ...{ rho, sigma2, t: r.gain / sigma2, logLikelihood: ll },
      };
    }
  }
  return { rise: rise!, constant };
}

export function gridOf(n: number, most = 48): Int32Array {
  const step = Math.max(1, (n - 1) / most);
  const g = new Set<number>();
  for (let x = 0; x <= n - 1 + 1e-9; x += step) g.add(Math.round(x));
  g.add(n - 1);
  return Int32Array.from([...g].sort((a, b) => a - b));
}
