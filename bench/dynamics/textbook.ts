/**
 * What a script of textbook parts finds in a series: Hampel's filter, segments by PELT with an inflated penalty, a flat, linear, flat fit on a grid, Bayes' information criterion
 * with an effective number of values, Mann and Kendall's test under autocorrelation, and a period by gaps or by autocorrelation. What Kymo's detector is measured against.
 */
import type { Answer } from '../../test/fixtures/dynamics/judge';

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const rssOf = (y: readonly number[], model: readonly number[]): number =>
  y.reduce((sum, value, i) => sum + (value - model[i]!) ** 2, 0);

function hampel(y: readonly number[]): readonly number[] {
  return y.flatMap((value, i) => {
    const around = y.slice(Math.max(0, i - 10), i + 11);
    const middle = median(around);
    const scale = 1.4826 * median(around.map((one) => Math.abs(one - middle)));
    return value - middle > 5 * Math.max(scale, 1e-9 * Math.abs(middle)) ? [i] : [];
  });
}

function line(x: readonly number[], y: readonly number[]): readonly number[] {
  const [mx, my] = [mean(x), mean(y)];
  const xx = x.reduce((sum, own) => sum + (own - mx) ** 2, 0);
  const slope = xx > 0 ? x.reduce((sum, own, i) => sum + (own - mx) * (y[i]! - my), 0) / xx : 0;
  return x.map((own) => my + slope * (own - mx));
}

function pelt(y: readonly number[], penalty: number): readonly number[] {
  const n = y.length;
  const [s, q] = [[0], [0]];
  y.forEach((value, i) => {
    s.push(s[i]! + value);
    q.push(q[i]! + value * value);
  });
  const cost = (a: number, b: number): number => q[b]! - q[a]! - (s[b]! - s[a]!) ** 2 / (b - a);
  const best = [-penalty];
  const from: number[] = [0];
  let candidates = [0];
  for (let end = 1; end <= n; end++) {
    const all = candidates.map((a) => best[a]! + cost(a, end) + penalty);
    const least = Math.min(...all);
    best[end] = least;
    from[end] = candidates[all.indexOf(least)]!;
    candidates = [...candidates.filter((_, i) => all[i]! - penalty <= least), end];
  }
  const ends: number[] = [];
  for (let end = from[n]!; end > 0; end = from[end]!) ends.push(end);
  return ends.reverse();
}

function regularGap(places: readonly number[]): number | undefined {
  const gaps = places.slice(1).map((place, i) => place - places[i]!);
  if (gaps.length <= 2) return undefined;
  const gap = median(gaps);
  return gaps.filter((one) => Math.abs(one - gap) <= 0.3 * gap).length > 0.7 * gaps.length ? gap : undefined;
}

interface Candidate {
  readonly shape: Answer['shape'];
  readonly model: readonly number[];
  readonly k: number;
  readonly from: number;
  readonly to: number;
}

/** Of a constant, steps, a line, and lines that are flat before or behind, by Bayes' information criterion. */
function bestModel(
  z: readonly number[],
  variance: number,
  rho: number,
): { readonly ends: readonly number[]; readonly stepModel: readonly number[]; readonly best: Candidate } {
  const m = z.length;
  const x = z.map((_, i) => i);
  const inflated = (1 + rho) / (1 - rho);
  const effective = Math.max(4, m / inflated);
  const bic = (rss: number, parameters: number): number =>
    effective * Math.log(Math.max(rss / m, 1e-18)) + parameters * Math.log(effective);
  const ends = pelt(z, 3 * Math.log(m) * variance * inflated);
  const stepModel = z.map((_, i) => {
    const a = [...ends].reverse().find((end) => end <= i) ?? 0;
    const b = ends.find((end) => end > i) ?? m;
    return mean(z.slice(a, b));
  });
  const candidates: Candidate[] = [
    { shape: 'constant', model: z.map(() => mean(z)), k: 1, from: 0, to: 0 },
    { shape: 'steps', model: stepModel, k: 2 * ends.length + 1, from: 0, to: 0 },
    { shape: 'trend', model: line(x, z), k: 2, from: 0, to: m - 1 },
  ];
  for (let i = 0; i <= 20; i++)
    for (let j = i + 1; j <= 20; j++) {
      const [a, b] = [Math.round((i * (m - 1)) / 20), Math.round((j * (m - 1)) / 20)];
      const clamped = x.map((t) => Math.min(b, Math.max(a, t)));
      const k = 2 + Number(a > 0) + Number(b < m - 1);
      candidates.push({ shape: 'trend', model: line(clamped, z), k, from: a, to: b });
    }
  const best = candidates.reduce((least, one) =>
    bic(rssOf(z, one.model), one.k) < bic(rssOf(z, least.model), least.k) ? one : least,
  );
  return { ends, stepModel, best };
}

export function textbook(values: Float64Array): Answer {
  const places = [...values.keys()].filter((i) => Number.isFinite(values[i]!) && values[i] !== 0);
  let y = places.map((i) => values[i]!);
  const outliers = new Set(hampel(y));
  const level0 = median(y);
  const spikes = [...outliers].map((i) => ({ at: places[i]!, base: level0, height: y[i]! - level0 }));
  const period = regularGap(spikes.map(({ at }) => at));
  const kept = places.filter((_, i) => !outliers.has(i));
  y = y.filter((_, i) => !outliers.has(i));
  const n = y.length;
  const model = values.map(() => NaN);
  const nothing = (shape: Answer['shape']): Answer => ({
    shape,
    changes: [],
    model,
    spikes,
    ...(period === undefined ? {} : { period }),
  });
  if (n < 6) return nothing('short');
  // Very long series by means.
  const width = Math.ceil(n / 1000);
  const z = Array.from({ length: Math.floor(n / width) }, (_, k) =>
    mean(y.slice(k * width, (k + 1) * width)),
  );
  const m = z.length;
  const x = z.map((_, i) => i);
  const smooth = z.map((_, i) =>
    mean(
      line(
        x.slice(Math.max(0, i - Math.ceil(m / 8)), i + Math.ceil(m / 8) + 1),
        z.slice(Math.max(0, i - Math.ceil(m / 8)), i + Math.ceil(m / 8) + 1),
      ).slice(Math.min(i, Math.ceil(m / 8)), Math.min(i, Math.ceil(m / 8)) + 1),
    ),
  );
  const r = z.map((value, i) => value - smooth[i]!);
  const variance = Math.max(mean(r.map((one) => one * one)), 1e-18);
  const rho = Math.min(0.95, Math.max(0, mean(r.slice(1).map((one, i) => one * r[i]!)) / variance));
  const inflated = (1 + rho) / (1 - rho);
  const { ends, stepModel, best } = bestModel(z, variance, rho);
  if (best.shape === 'constant' || (best.shape === 'steps' && ends.length === 0)) return nothing('constant');
  let concordant = 0;
  for (let i = 0; i < m; i++) for (let j = i + 1; j < m; j++) concordant += Math.sign(z[j]! - z[i]!);
  const kendall = concordant / Math.sqrt(((m * (m - 1) * (2 * m + 5)) / 18) * inflated);
  if (best.shape === 'trend' && kendall < 3.29 && m > 12)
    return nothing(kendall < -3.29 ? 'falling' : 'constant');
  kept.forEach((place, i) => {
    model[place] = best.model[Math.min(m - 1, Math.floor(i / width))]!;
  });
  const placeOf = (k: number): number => kept[Math.min(n - 1, (k + 1) * width - 1)]!;
  const changes =
    best.shape === 'steps'
      ? ends.map((end) => ({
          kind: 'step' as const,
          from: placeOf(end - 1),
          to: placeOf(end),
          height: stepModel[end]! - stepModel[end - 1]!,
        }))
      : [
          {
            kind: 'ramp' as const,
            from: placeOf(best.from),
            to: placeOf(best.to),
            height: best.model[m - 1]! - best.model[0]!,
          },
        ];
  const isUp = changes.some(({ height }) => height > 0);
  if (!isUp) return nothing('falling');
  const first = best.shape === 'steps' ? ends.find((end) => stepModel[end]! > stepModel[end - 1]!)! - 1 : 0;
  return { ...nothing(best.shape), changes, level: best.model[first]! };
}
