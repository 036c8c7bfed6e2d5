/** Generalised least squares of a few columns under AR(1) noise. */
export interface Fit {
  readonly coefficients: Float64Array;
  /** Inverse of the normal matrix: times σ² the covariance. */
  readonly inverse: readonly Float64Array[];
  readonly rss: number;
}

export function fitColumns(
  z: Float64Array,
  columns: readonly Float64Array[],
  rho: number,
  weight?: Float64Array,
): Fit {
  const n = z.length;
  const m = columns.length;
  const w0 = Math.sqrt(1 - rho * rho);
  const white = (x: Float64Array): Float64Array => {
    const out = new Float64Array(n);
    out[0] = w0 * (x[0] ?? 0) * Math.sqrt(weight?.[0] ?? 1);
    for (let t = 1; t < n; t++) out[t] = ((x[t] ?? 0) - rho * (x[t - 1] ?? 0)) * Math.sqrt(weight?.[t] ?? 1);
    return out;
  };
  const v = white(z);
  const cols = columns.map(white);
  const dot = (a: Float64Array, b: Float64Array): number => {
    let s = 0;
    for (let t = 0; t < n; t++) s += (a[t] ?? 0) * (b[t] ?? 0);
    return s;
  };
  const a = cols.map((one) => Float64Array.from([...cols.map((other) => dot(one, other)), ...cols.map((x) => (x === one ? 1 : 0)), dot(one, v)]));
  // Gauss and Jordan.
  for (let i = 0; i < m; i++) {
    const p = a[i]![i]!;
    const row = a[i]!;
    const inv = 1 / (Math.abs(p) > 1e-300 ? p : 1e-300);
    for (let k = 0; k < row.length; k++) row[k]! *= inv;
    for (let j = 0; j < m; j++) {
      if (j === i) continue;
      const f = a[j]![i]!;
      if (f !== 0) for (let k = 0; k < row.length; k++) a[j]![k]! -= f * row[k]!;
    }
  }
  const coefficients = Float64Array.from(a, (row) => row[2 * m]!);
  const rest = v.slice();
  cols.forEach((col, i) => {
    for (let t = 0; t < n; t++) rest[t]! -= coefficients[i]! * col[t]!;
  });
  return { coefficients, inverse: a.map((row) => row.slice(m, 2 * m)), rss: dot(rest, rest) };
}
