/** Quantile of sorted values. */
export function quantile(sorted: Float64Array, q: number): number {
  const at = q * (sorted.length - 1);
  const low = Math.floor(at);
  const a = sorted[low] ?? 0;
  return a + (at - low) * ((sorted[Math.min(sorted.length - 1, low + 1)] ?? a) - a);
}

/** Running median of 2·half + 1 values, fewer at the ends: symmetric ones, but at least two neighbours. */
export function runningMedian(z: Float64Array, half: number): Float64Array {
  const n = z.length;
  const out = new Float64Array(n);
  const window: number[] = [];
  let [low, high] = [0, -1];
  const place = (x: number): number => {
    let [a, b] = [0, window.length];
    while (a < b) {
      const m = (a + b) >> 1;
      if (window[m]! < x) a = m + 1;
      else b = m;
    }
    return a;
  };
  for (let i = 0; i < n; i++) {
    const reach = Math.min(half, i, n - 1 - i);
    let [from, to] = [i - reach, i + reach];
    if (reach === 0) [from, to] = i === 0 ? [0, Math.min(n - 1, 2)] : [Math.max(0, n - 3), n - 1];
    while (high < to) {
      const x = z[++high]!;
      window.splice(place(x), 0, x);
    }
    while (low > from) {
      const x = z[--low]!;
      window.splice(place(x), 0, x);
    }
    while (low < from) window.splice(place(z[low++]!), 1);
    while (high > to) window.splice(place(z[high--]!), 1);
    const m = window.length;
    out[i] = m % 2 === 1 ? window[m >> 1]! : (window[m / 2 - 1]! + window[m / 2]!) / 2;
  }
  return out;
}
