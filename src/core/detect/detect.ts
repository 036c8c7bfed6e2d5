import { fitColumns, type Fit } from './fit';
import { runningMedian, quantile } from './robust';
import { spikesOf } from './spikes';
import { templateOf, type Template } from './period';
import { Whitened } from './whitened';

export interface Change {
  readonly kind: 'step' | 'ramp' | 'curve';
  /** Last position before it rises, and the first one at its new level (iterations). */
  readonly from: number;
  readonly to: number;
  readonly height: number;
}

export interface Detection {
  readonly kind: 'constant' | 'trend' | 'steps' | 'box' | 'short' | 'falls';
  readonly changes: readonly Change[];
  /** By iteration: what lies above the level before. */
  readonly excess: Float64Array;
  readonly excessSum: number;
  readonly excessSd: number;
  readonly spikes: readonly number[];
  readonly spikesExcess: number;
  readonly period?: number;
  readonly growing?: Detection['kind'];
  readonly rho: number;
  readonly sd: number;
  readonly ratio: number;
  readonly debug: unknown;
}

export const rhos = [0, 0.15, 0.3, 0.45, 0.6, 0.7, 0.78, 0.85, 0.9, 0.94, 0.97];
const bins = 512;

interface Atom { readonly kind: 'ramp' | 'box'; readonly a: number; readonly b: number; readonly gain: number; readonly rho: number; readonly ll: number; readonly height: number }

function grid(n: number, most: number): Int32Array {
  const set = new Set<number>();
  const step = Math.max(1, (n - 1) / most);
  for (let x = 0; x <= n - 1 + 1e-9; x += step) set.add(Math.round(x));
  set.add(n - 1);
  return Int32Array.from([...set].sort((x, y) => x - y));
}

const likelihood = (rss: number, n: number, rho: number, floor: number): number =>
  -0.5 * n * Math.log(Math.max(rss / n, floor)) + 0.5 * Math.log(1 - rho * rho);

/** Enough of both levels on all sides. */
const isInside = (a: number, b: number, n: number): boolean => {
  const least = Math.max(3, Math.round(n / 50));
  return a + 1 >= least && n - 1 - b >= least && b - a >= least;
};

/** Short series say nothing of long memory. */
const mostRho = (n: number): number => (n < 16 ? 0 : n < 30 ? 0.45 : n < 60 ? 0.85 : 0.94);

function bestAtom(w: Whitened, places: Int32Array, floor: number, kinds: readonly ('ramp' | 'box')[] = ['ramp', 'box']): Atom | undefined {
  let best: Atom | undefined;
  const { oneOne, oneZ, n } = w;
  for (const kind of kinds)
    for (let i = 0; i < places.length; i++)
      for (let j = i + 1; j < places.length; j++) {
        const [a, b] = [places[i]!, places[j]!];
        if (kind === 'box' && !isInside(a, b, n)) continue;
        const { bb, b1, bz } = kind === 'ramp' ? w.ramp(a, b) : w.box(a, b);
        const den = bb - (b1 * b1) / oneOne;
        if (!(den > 1e-9 * bb)) continue;
        const num = bz - (b1 * oneZ) / oneOne;
        const gain = (num * num) / den;
        if (best === undefined || gain > best.gain) best = { kind, a, b, gain, rho: w.rho, ll: 0, height: (num / den) * (kind === 'ramp' ? b - a : 1) };
      }
  return best === undefined ? undefined : { ...best, ll: likelihood(w.constantRss - best.gain, n, w.rho, floor) };
}

function bestStep(w: Whitened): Pick<Atom, 'kind' | 'a' | 'b'> | undefined {
  let best: { a: number; gain: number } | undefined;
  for (let a = 0; a < w.n - 1; a++) {
    const { bb, b1, bz } = w.ramp(a, a + 1);
    const den = bb - (b1 * b1) / w.oneOne;
    if (!(den > 1e-9 * bb)) continue;
    const num = bz - (b1 * w.oneZ) / w.oneOne;
    const gain = (num * num) / den;
    if (best === undefined || gain > best.gain) best = { a, gain };
  }
  return best === undefined ? undefined : { kind: 'ramp', a: best.a, b: best.a + 1 };
}

function refined(w: Whitened, atom: Atom, step: number, floor: number): Atom {
  let best = atom;
  const { oneOne, oneZ, n } = w;
  for (let s = step; s >= 1; s = s > 1 ? Math.ceil(s / 2) : 0) {
    for (let moved = true; moved; ) {
      moved = false;
      for (const [da, db] of [[-s, 0], [s, 0], [0, -s], [0, s], [s, s], [-s, -s], [-s, s], [s, -s]] as const) {
        const [a, b] = [best.a + da, best.b + db];
        if (a < 0 || b >= n || b <= a || (best.kind === 'box' && !isInside(a, b, n))) continue;
        const { bb, b1, bz } = best.kind === 'ramp' ? w.ramp(a, b) : w.box(a, b);
        const den = bb - (b1 * b1) / oneOne;
        if (!(den > 1e-9 * bb)) continue;
        const num = bz - (b1 * oneZ) / oneOne;
        const gain = (num * num) / den;
        if (gain > best.gain * (1 + 1e-12)) {
          best = { ...best, a, b, gain, height: (num / den) * (best.kind === 'ramp' ? b - a : 1) };
          moved = true;
        }
      }
    }
    if (s === 1) break;
  }
  return { ...best, ll: likelihood(w.constantRss - best.gain, n, w.rho, floor) };
}

export function columnOf({ kind, a, b }: Pick<Atom, 'kind' | 'a' | 'b'>, n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, t) =>
    kind === 'ramp' ? Math.min(1, Math.max(0, (t - a) / (b - a))) : t > a && t <= b ? 1 : 0,
  );
}

/** Twice the gain in log-likelihood of a line, by which about 0.5 % of constant series rise. */
function lineThreshold(n: number, rho: number): number {
  return (n < 8 ? 3.5 : n < 12 ? 4.5 : n < 30 ? 6 : 8) + Math.max(0, rho - 0.7) * 8;
}

/** The same of the best ramp or box, by simulation. */
function threshold(n: number, rho: number, kind: 'ramp' | 'box'): number {
  if (n < 16) return 10;
  const long = Math.log(Math.max(1, n / 100));
  return kind === 'ramp' ? 13.5 + 0.6 * long + 7 * rho : 17.5 + 1.5 * long + 9 * rho;
}

/**
 * The series with residuals from its running median that have a normal distribution of the same scale (normal scores): tails and skew are gone, their order stays.
 * Of few different values (counts, rounded clocks) nothing is changed.
 */
function evened(z: Float64Array, median: Float64Array, weight?: Float64Array): Float64Array {
  const n = z.length;
  const res = z.map((x, i) => (x - median[i]!) * Math.sqrt(weight?.[i] ?? 1));
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => res[a]! - res[b]!);
  const sorted = Float64Array.from(order, (i) => res[i]!);
  if (n < 20 || new Set(z).size < Math.min(30, 0.3 * n)) return z;
  const scale = (quantile(sorted, 0.84) - quantile(sorted, 0.16)) / 2;
  const out = new Float64Array(n);
  const middle = quantile(sorted, 0.5);
  const runs = runsOf(res, middle, 4 * scale);
  order.forEach((i, rank) => {
    if (runs[i] === 1) {
      out[i] = z[i]!;
      return;
    }
    out[i] = median[i]! + (middle + scale * normalQuantile((rank + 0.5) / n)) / Math.sqrt(weight?.[i] ?? 1);
  });
  return out;
}

/** Positions in four and more in a row that are further from the middle than this, on the same side. */
export function runsOf(res: Float64Array, middle: number, far: number): Uint8Array {
  const flags = new Uint8Array(res.length);
  for (let from = 0; from < res.length; ) {
    const side = (i: number): number => (res[i]! - middle > far ? 1 : res[i]! - middle < -far ? -1 : 0);
    let to = from + 1;
    while (to < res.length && side(to) === side(from)) to++;
    if (side(from) !== 0 && to - from >= 4) flags.fill(1, from, to);
    from = to;
  }
  return flags;
}

/** Acklam's approximation is not needed: a relative error of 5e-4 suffices (Abramowitz and Stegun 26.2.23). */
function normalQuantile(p: number): number {
  if (p > 0.5) return -normalQuantile(1 - p);
  const t = Math.sqrt(-2 * Math.log(p));
  return -(t - (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t));
}

/** Of each position 1 / the variance of its noise, relative; undefined where it does not change significantly. */
export function weightsOf(y: Float64Array, median: Float64Array): Float64Array | undefined {
  const n = y.length;
  if (n < 40) return undefined;
  const sums = new Float64Array(n + 1);
  const sizes = Float64Array.from(y, (x, t) => Math.abs(x - median[t]!));
  const far = 5 * quantile(sizes.slice().sort(), 0.68);
  for (let t = 0; t < n; t++) sums[t + 1] = sums[t]! + Math.min(sizes[t]!, far) ** 2;
  const all = sums[n]!;
  if (!(all > 0)) return undefined;
  let best = { at: 0, gain: 0 };
  const least = Math.max(15, Math.round(n / 12));
  for (let a = least; a <= n - least; a++) {
    const left = Math.max(sums[a]! / a, (1e-6 * all) / n);
    const right = Math.max((all - sums[a]!) / (n - a), (1e-6 * all) / n);
    const gain = n * Math.log(all / n) - a * Math.log(left) - (n - a) * Math.log(right);
    if (gain > best.gain) best = { at: a, gain };
  }
  if (best.gain < 20) return undefined;
  // A smooth scale: over a window of a sixth.
  const half = Math.max(10, Math.round(n / 12));
  return Float64Array.from({ length: n }, (_, t) => {
    const [a, b] = [Math.max(0, t - half), Math.min(n, t + half + 1)];
    const own = (sums[b]! - sums[a]!) / (b - a);
    return all / n / Math.max(own, (0.02 * all) / n);
  });
}

/** Segments by optimal partitioning of whitened values; ends of segments. */
function segments(w: Float64Array, rho: number, sigma2: number, penalty: number, weight?: Float64Array): number[] {
  // Innovations v_t with mean c·μ; the first of a segment is free.
  const n = w.length;
  const c = 1 - rho;
  const s = new Float64Array(n + 1);
  const q = new Float64Array(n + 1);
  const o = new Float64Array(n + 1);
  for (let t = 1; t < n; t++) {
    const v = (w[t]! - rho * w[t - 1]!) / c;
    const k = c * c * (weight?.[t] ?? 1);
    o[t + 1] = o[t]! + k;
    s[t + 1] = s[t]! + k * v;
    q[t + 1] = q[t]! + k * v * v;
  }
  s[1] = 0;
  const cost = new Float64Array(n + 1).fill(Infinity);
  const from = new Int32Array(n + 1);
  cost[0] = -penalty;
  for (let e = 1; e <= n; e++) {
    for (let b = 0; b < e; b++) {
      // Segment b … e − 1; innovations b + 1 … e − 1.
      if (e - b < 2 && n > 12) continue;
      const k = o[e]! - o[b + 1]!;
      const x = s[e]! - s[b + 1]!;
      const rss = k > 0 ? q[e]! - q[b + 1]! - (x * x) / k : 0;
      const all = cost[b]! + Math.max(0, rss) / sigma2 + penalty;
      if (all < cost[e]!) {
        cost[e] = all;
        from[e] = b;
      }
    }
  }
  const ends: number[] = [];
  for (let e = n; e > 0; e = from[e]!) ends.push(e);
  return ends.reverse();
}

/** By the median of the innovations, which jumps do not change. */
function innovationVariance(y: Float64Array, rho: number): number {
  const v = Float64Array.from({ length: y.length - 1 }, (_, t) => y[t + 1]! - rho * y[t]!);
  const middle = quantile(v.slice().sort(), 0.5);
  const differences = rho > 0.5 ? v.map((x) => Math.abs(x - middle)) : v.slice(1).map((x, t) => Math.abs(x - v[t]!) / Math.SQRT2);
  return (quantile(differences.sort(), 0.5) / 0.6745) ** 2;
}

interface Family { readonly name: string; readonly columns: readonly Float64Array[]; readonly atoms: readonly Pick<Atom, 'kind' | 'a' | 'b'>[]; readonly params: number; readonly curve?: true }

interface Scored extends Family { readonly rho: number; readonly fit: Fit; readonly ll: number; readonly score: number }

/** What the heights of spikes do: they may grow while what is between them does not. */
function heightsOf(spikes: readonly number[], excess: Float64Array): Detection['kind'] | undefined {
  const { chosen } = explain(Float64Array.from(spikes, (i) => excess[i]!), 1);
  if (chosen === undefined || chosen.atoms.length === 0 || chosen.atoms.some((_, j) => chosen.fit.coefficients[j + 1]! < 0)) return undefined;
  return chosen.name === 'step' || chosen.name === 'steps' ? 'steps' : 'trend';
}

interface Explained {
  readonly n: number;
  readonly chosen?: Scored;
  readonly ratio: number;
  readonly score: number;
  readonly gate: { readonly constantRho: number; readonly lineLr: number; readonly lrs: readonly number[]; readonly atom: Atom | undefined };
}

export const halfOf = (n: number): number => Math.min(12, Math.max(2, Math.floor(n / 8)));

/** At each position the running median of those that are not flagged. */
function medianOfOthers(z: Float64Array, flags: Uint8Array): Float64Array {
  const rest = z.filter((_, i) => flags[i] !== 1);
  const median = runningMedian(rest, halfOf(rest.length));
  let at = 0;
  return Float64Array.from(z, (_, i) => median[Math.min(flags[i] === 1 ? at : at++, median.length - 1)]!);
}

const modelOf = (chosen: Scored, n: number): Float64Array =>
  Float64Array.from({ length: n }, (_, k) => chosen.columns.reduce((s, col, j) => s + chosen.fit.coefficients[j]! * col[k]!, 0));

/** What describes the series best; twice: first with noise as it is around a running median, then as around what was found. */
function explain(z: Float64Array, width: number): Explained {
  const first = explainOver(z, width, runningMedian(z, halfOf(z.length)), undefined);
  if (first.chosen === undefined) return first;
  const model = modelOf(first.chosen, first.n);
  const base = z.map((_, i) => model[Math.min(first.n - 1, Math.floor(i / width))]!);
  return { ...explainOver(z, width, base, first.chosen), ratio: first.ratio, gate: first.gate };
}

interface Gate {
  readonly whites: readonly Whitened[];
  readonly constant: { readonly rho: number; readonly ll: number };
  readonly atom: Atom | undefined;
  /** From 1 on, something changes. */
  readonly ratio: number;
  readonly lineLr: number;
  readonly lrs: readonly number[];
}

/** Whether the series is more than constant, by the best line, ramp and box. */
export function gateOf(y: Float64Array, floor: number, weight: Float64Array | undefined): Gate {
  const n = y.length;
  const places = grid(n, 48);
  const whites = rhos.filter((rho) => rho <= mostRho(n)).map((rho) => new Whitened(y, rho, weight));
  const constant = whites.reduce((best, w) => {
    const ll = likelihood(w.constantRss, n, w.rho, floor);
    return ll > best.ll ? { rho: w.rho, ll } : best;
  }, { rho: 0, ll: -Infinity });
  const bestOf = (kind: 'ramp' | 'box'): Atom | undefined => {
    let best: Atom | undefined;
    let own: Whitened | undefined;
    for (const w of whites) {
      const one = bestAtom(w, places, floor, [kind]);
      if (one !== undefined && (best === undefined || one.ll > best.ll)) [best, own] = [one, w];
    }
    return best === undefined || own === undefined ? undefined : refined(own, best, Math.max(1, Math.round(n / 96)), floor);
  };
  const small = n < 30 ? (n / Math.max(1, n - 4)) : 1;
  const gains = (['ramp', 'box'] as const).map((kind) => {
    const own = bestOf(kind);
    const gain = own === undefined ? 0 : (2 * (own.ll - constant.ll)) / small;
    return { own, gain, ratio: gain / threshold(n, constant.rho, kind) };
  });
  const { own: atom, ratio } = gains.reduce((a, b) => (b.ratio > a.ratio ? b : a));
  let lineLl = -Infinity;
  let lineUp = false;
  for (const w of whites) {
    const { bb, b1, bz } = w.ramp(0, n - 1);
    const den = bb - (b1 * b1) / w.oneOne;
    const num = bz - (b1 * w.oneZ) / w.oneOne;
    const ll = likelihood(w.constantRss - (num * num) / den, n, w.rho, floor);
    if (ll > lineLl) { lineLl = ll; lineUp = num > 0; }
  }
  const lineLr = lineUp ? (2 * (lineLl - constant.ll)) / small : 0;
  return { whites, constant, atom, ratio: Math.max(ratio, lineLr / lineThreshold(n, constant.rho)), lineLr, lrs: gains.map(({ gain }) => gain) };
}

/** Means of so many values each. */
function binned(z: Float64Array, width: number): Float64Array {
  return Float64Array.from({ length: Math.floor(z.length / width) }, (_, k) => {
    let s = 0;
    for (let j = 0; j < width; j++) s += z[k * width + j]!;
    return s / width;
  });
}

/** Residuals beyond 3.5 standard deviations of their side are as far as that. */
export function clipped(z: Float64Array, base: Float64Array): Float64Array {
  const sorted = z.map((x, i) => x - base[i]!).sort();
  const middle = quantile(sorted, 0.5);
  const [up, down] = [quantile(sorted, 0.84) - middle, middle - quantile(sorted, 0.16)];
  const runs = runsOf(z.map((x, i) => x - base[i]!), middle, 4 * Math.min(up, down));
  return z.map((x, i) =>
    runs[i] === 1 ? x : base[i]! + Math.min(middle + 3.5 * up, Math.max(middle - 3.5 * down, x - base[i]!)),
  );
}

function explainOver(z: Float64Array, width: number, base: Float64Array, chosenBefore: Scored | undefined): Explained {
  const y = binned(evened(z, base, weightsOf(z, base)), width);
  const n = y.length;
  const bases = binned(base, width);
  // Rounding of clocks: no variance is smaller.
  const floor = Math.max((1e-5 * Math.abs(quantile(y.slice().sort(), 0.5))) ** 2, 1e-300);
  const weight = weightsOf(y, bases);
  const places = grid(n, 48);
  // 5. The gate: with noise made normal, for tails and skew, and as it is, for switching between levels.
  const gate = gateOf(y, floor, weight);
  const { constant, whites, atom } = gate;
  const white = (rho: number): Whitened => whites.find((w) => w.rho === rho)!;
  const debugGate = { lineLr: gate.lineLr, lrs: gate.lrs, atom, constantRho: constant.rho };
  const constantScore = 2 * constant.ll - 2 * Math.log(n);
  let { ratio } = gate;
  if (chosenBefore === undefined && ratio >= 1) {
    const raw = binned(clipped(z, base), width);
    ratio = Math.min(ratio, gateOf(raw, floor, undefined).ratio);
  }
  const facts = { n, ratio, gate: debugGate };
  if (chosenBefore === undefined && (atom === undefined || ratio < 1)) return { ...facts, score: constantScore };
  // 6. Families.
  const one = new Float64Array(n).fill(1);
  const families: Family[] = [];
  const add = (name: string, atoms: readonly Pick<Atom, 'kind' | 'a' | 'b'>[], params: number): void => {
    families.push({ name, atoms, columns: [one, ...atoms.map((x) => columnOf(x, n))], params });
  };
  const penaltyUnit = Math.log(n);
  const grown = whites.map(({ rho }) => rho);
  for (const rho of new Set([0, atom?.rho ?? 0, constant.rho])) {
    const w = white(rho);
    const ramp = bestAtom(w, places, floor, ['ramp']);
    if (ramp !== undefined) {
      const fine = refined(w, ramp, Math.max(1, Math.round(n / 96)), floor);
      add('ramp', [fine], 2);
      // A second one on what is left.
      const first = columnOf(fine, n);
      const f = fitColumns(y, [one, first], rho, weight);
      const left = y.map((x, t) => x - f.coefficients[1]! * first[t]!);
      const w2 = new Whitened(left, rho, weight);
      const second = bestAtom(w2, places, floor, ['ramp']);
      if (second !== undefined && n >= 16) {
        const fine2 = refined(w2, second, Math.max(1, Math.round(n / 96)), floor);
        const left1 = y.map((x, t) => x - (fine2.height * columnOf(fine2, n)[t]!));
        const w1 = new Whitened(left1, rho, weight);
        const again = refined(w1, { ...fine, gain: 0 }, Math.max(1, Math.round(n / 48)), floor);
        add('ramps', [again, fine2], 5);
      }
    }
    const box = bestAtom(w, places, floor, ['box']);
    if (box !== undefined) add('box', [refined(w, box, Math.max(1, Math.round(n / 96)), floor)], 2);
    const line = { kind: 'ramp' as const, a: 0, b: n - 1 };
    add('line', [line], 0);
    const step = bestStep(w);
    if (step !== undefined) add('step', [step], 1);
    const ends = segments(y, rho, Math.max(innovationVariance(y, rho), floor), 3 * penaltyUnit + 3, weight);
    if (ends.length > 1 && ends.length <= 40) add('steps', ends.slice(0, -1).map((e) => ({ kind: 'ramp' as const, a: e - 1, b: e })), ends.length - 1);
  }
  const t = Float64Array.from({ length: n }, (_, i) => i / n);
  for (const [name, g] of [
    ['log', (x: number, s: number) => Math.log(1 + x / s)],
    ['exp', (x: number, s: number) => Math.expm1(x / s) * s],
    ['sqrt', (x: number) => Math.sqrt(x)],
  ] as const)
    for (const s of name === 'sqrt' ? [1] : [0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8])
      if (!(name === 'exp' && s < 0.05)) families.push({ name, atoms: [], columns: [one, t.map((x) => g(x, s))], params: name === 'sqrt' ? 1 : 2, curve: true });
  let best: Scored | undefined;
  for (const family of families) {
    let own = undefined as { rho: number; fit: Fit; ll: number } | undefined;
    const tried = new Set<number>();
    const at = (index: number): void => {
      const rho = grown[index];
      if (rho === undefined || tried.has(index)) return;
      tried.add(index);
      const fit = fitColumns(y, family.columns, rho, weight);
      const ll = likelihood(fit.rss, n, rho, floor);
      if (own === undefined || ll > own.ll) own = { rho, fit, ll };
    };
    [0, Math.floor(grown.length / 2), grown.length - 1].forEach(at);
    for (let before = -1; tried.size !== before; ) {
      before = tried.size;
      const middle = grown.indexOf((own as { rho: number } | undefined)?.rho ?? 0);
      at(middle - 1);
      at(middle + 1);
    }
    const score = 2 * own!.ll - (family.params * (1 + own!.rho) + family.columns.length) * penaltyUnit;
    if (best === undefined || score > best.score) best = { ...family, ...own!, score };
  }
  return { ...facts, chosen: best!, score: best!.score };
}

export function detect(values: Float64Array): Detection {
  const all = values.length;
  const excess = new Float64Array(all);
  const nothing = (kind: Detection['kind'], more: Partial<Detection> = {}): Detection => ({
    kind, changes: [], excess, excessSum: 0, excessSd: 0, spikes: [], spikesExcess: 0, rho: 0, sd: 0, ratio: 0, debug: undefined, ...more,
  });
  // 1. What is missing, and what was skipped.
  let positions: number[] = [];
  for (let i = 0; i < all; i++) if (Number.isFinite(values[i]!)) positions.push(i);
  let leading = 0;
  while (leading < positions.length && values[positions[leading]!] === 0) leading++;
  const zeros = positions.filter((i) => values[i] === 0).length;
  const isLate = leading >= 5 && leading >= 0.03 * positions.length && zeros - leading < 0.05 * (positions.length - leading);
  const counts = positions.length - zeros;
  if (counts === 0) return nothing('constant');
  if (zeros > 0) positions = positions.filter((i) => values[i] !== 0);
  if (positions.length < 5) return nothing('short');
  let z: Float64Array = Float64Array.from(positions, (i) => values[i]!);
  // 2. Periodic spikes leave.
  const spikes: number[] = [];
  let spikesExcess = 0;
  let period: number | undefined;
  let wave: Template | undefined;
  const template = templateOf(z);
  const leave = (flags: Uint8Array, base: Float64Array, isKept: boolean): void => {
    flags.forEach((flag, i) => {
      if (flag !== 1) return;
      spikes.push(positions[i]!);
      const over = Math.max(0, z[i]! - base[i]!);
      spikesExcess += over;
      excess[positions[i]!]! += over;
    });
    if (isKept) return;
    positions = positions.filter((_, i) => flags[i] !== 1);
    z = z.filter((_, i) => flags[i] !== 1);
  };
  if (template !== undefined) {
    const sorted = template.phases.slice().sort();
    // Phases that stand out above a gap: spikes.
    let gap = 0;
    let limit = Infinity;
    for (let i = Math.max(1, Math.floor(sorted.length / 2)); i < sorted.length; i++) {
      const d = sorted[i]! - sorted[i - 1]!;
      if (d > gap) { gap = d; limit = sorted[i]!; }
    }
    const below = sorted.filter((x) => x < limit);
    const range = below[below.length - 1]! - below[0]!;
    if (gap > 2 * range || sorted.length <= 3) {
      period = template.period;
      const flags = Uint8Array.from(z, (_, i) => (template.phases[i % template.period]! >= limit ? 1 : 0));
      leave(flags, medianOfOthers(z, flags), false);
    } else wave = template;
  }
  // 3. Other spikes stay in the series, where their size does not count.
  if (z.length >= 6) {
    const flags = spikesOf(z, halfOf(z.length));
    if (flags.includes(1)) {
      const base = medianOfOthers(z, flags);
      leave(flags, base, true);
      if (z.length < 40) z = z.map((x, i) => (flags[i] === 1 ? base[i]! : x));
    }
  }
  const growing = spikes.length >= 8 && spikes.length < z.length / 2 && period !== undefined ? heightsOf(spikes, excess) : undefined;
  const n0 = z.length;
  const common = { spikes, spikesExcess, ...(period === undefined ? {} : { period }), ...(growing === undefined ? {} : { growing }) };
  if (n0 < 5) return nothing('short', common);
  // 4. With a wave, or without one.
  const width = Math.max(1, Math.ceil(n0 / bins));
  let explained = explain(z, width);
  const { n } = explained;
  if (wave !== undefined) {
    const { phases } = wave;
    const rest = z.map((x, i) => x - phases[i % phases.length]!);
    const other = explain(rest, width);
    // Both of the same number of values: the wave costs a parameter for each phase.
    const cost = phases.length * Math.log(n0 / phases.length);
    // A staircase is a line and a saw tooth.
    const { chosen: without } = explained;
    const isStairs = without?.name === 'steps' && without.atoms.every((_, j) => without.fit.coefficients[j + 1]! > 0);
    if (!isStairs && other.score - cost * (n / n0) > explained.score) {
      explained = other;
      period = phases.length;
      const least = phases.reduce((a, b) => Math.min(a, b));
      positions.forEach((p, i) => { excess[p]! += phases[i % phases.length]! - least; });
    }
  }
  const facts = { ...common, ...(period === undefined ? {} : { period }) };
  const { chosen, ratio, gate: debugGate } = explained;
  if (chosen === undefined) {
    if (isLate) return late(nothing('steps', facts), values, leading, positions[0]!);
    return nothing('constant', { ...facts, rho: debugGate.constantRho, ratio, debug: debugGate });
  }
  const model = modelOf(chosen, n);
  const sd = Math.sqrt(chosen.fit.rss / Math.max(1, n - chosen.columns.length)) / Math.sqrt(1 - chosen.rho ** 2);
  // 7. What rises.
  const atoms = chosen.atoms.map((x, j) => ({ ...x, height: chosen.fit.coefficients[j + 1]! }));
  const toIteration = (k: number): number => positions[Math.min(n0 - 1, k * width + (width > 1 ? width - 1 : 0))]!;
  const changes: Change[] = atoms.map(({ kind, a, b, height }) => ({
    kind: kind === 'box' || b - a <= Math.max(2, Math.min(5, Math.round(n / 40))) ? ('step' as const) : ('ramp' as const),
    from: toIteration(a), to: toIteration(b), height,
  }));
  const ups = atoms.filter(({ height }) => height > 0).length;
  // Two levels that it changes between, again and again: information.
  const isSwitching = chosen.name === 'steps' && ups >= 2 && atoms.length - ups >= 2;
  const isUp = !isSwitching && atoms.some(({ height }) => height > 0) || (chosen.curve === true && chosen.fit.coefficients[1]! > 0);
  // Above the level before the first rise.
  const level = chosen.curve === true ? model[0]! : levelBefore(model, atoms);
  const over = model.map((x) => Math.max(0, x - level));
  let excessSum = 0;
  positions.forEach((p, i) => {
    const k = Math.min(n - 1, Math.floor(i / width));
    excess[p]! += isUp ? over[k]! : 0;
    excessSum += isUp ? over[k]! : 0;
  });
  const kind: Detection['kind'] = !isUp ? 'falls'
    : chosen.name === 'box' ? 'box'
    : changes.length > 0 && changes.every((x) => x.kind === 'step') ? 'steps' : 'trend';
  const result = { ...nothing(kind, common), changes: changes.filter(({ height }) => height > 0), excess, excessSum, rho: chosen.rho, sd, ratio, debug: { name: chosen.name, ...debugGate, atoms } };
  return isLate ? late(result, values, leading, positions[0]!) : result;
}

function levelBefore(model: Float64Array, atoms: readonly { kind: 'ramp' | 'box'; a: number; height: number }[]): number {
  const firstRise = atoms.filter(({ height }) => height > 0).reduce((least, { a }) => Math.min(least, a), Infinity);
  if (!Number.isFinite(firstRise)) return Infinity;
  return model[Math.max(0, Math.min(model.length - 1, firstRise))]!;
}

function late(result: Detection, values: Float64Array, leading: number, first: number): Detection {
  const excess = values.map((x) => (x > 0 ? x : 0));
  return { ...result, kind: 'steps', changes: [{ kind: 'step', from: first - 1, to: first, height: 1 }, ...result.changes], excess, excessSum: excess.reduce((a, b) => a + b, 0), debug: { leading } };
}
