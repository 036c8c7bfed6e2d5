/**
 * Complex discrete Fourier transform in O(N log N), Stockham's self-sorting form with radices 4, 2, 3 and 5, for lengths without other
 * prime factors. A plan owns its tables and buffers; calls on one plan must not overlap.
 */

/** In place, forward, not normalised: X[k] = Σ x[n]·exp(-2πi·kn/N). Swapping the two arrays gives the inverse times N. */
export interface Fft {
  readonly length: number;
  transform(re: Float64Array, im: Float64Array): void;
}

/** @throws RangeError for a length that `isSmooth` refuses: whoever asks chooses the length */
export function planFft(length: number): Fft {
  const radices = smoothFactors(length);
  if (radices === undefined) throw new RangeError(`${length} has other prime factors than 2, 3 and 5`);
  return new StockhamFft(length, radices);
}

/** Whether there is a transform of this length: no prime factor but 2, 3 and 5. */
export function isSmooth(length: number): boolean {
  return smoothFactors(length) !== undefined;
}

/** The first length from `least` on that has a fast transform, which is little longer: at most one factor 5, whose stage is slow. */
export function fastAtLeast(least: number): number {
  let length = Math.max(1, least);
  while (length % 25 === 0 || !isSmooth(length)) length++;
  return length;
}

/** Radices whose product is the length; undefined where another prime divides it. */
function smoothFactors(length: number): number[] | undefined {
  const radices: number[] = [];
  let rest = length;
  for (const radix of [4, 2, 3, 5]) {
    while (rest > 1 && rest % radix === 0) {
      radices.push(radix);
      rest /= radix;
    }
  }
  return rest === 1 ? radices : undefined;
}

interface Stage {
  readonly radix: number;
  /** Butterflies times twiddle sets: `groups` = remaining length / radix, each over `stride` neighbours. */
  readonly groups: number;
  readonly stride: number;
  /** exp(-2πi·p·j/n) for group p and output j = 1 … radix-1, at [(p·(radix-1) + j-1)·2], real part first. */
  readonly twiddles: Float64Array;
}

type Arrays = readonly [re: Float64Array, im: Float64Array];

class StockhamFft implements Fft {
  private readonly stages: readonly Stage[];
  private readonly spare: Arrays;

  constructor(
    readonly length: number,
    radices: readonly number[],
  ) {
    let rest = length;
    this.stages = radices.map((radix) => {
      const stage = { radix, groups: rest / radix, stride: length / rest, twiddles: twiddlesOf(rest, radix) };
      rest /= radix;
      return stage;
    });
    this.spare = [new Float64Array(length), new Float64Array(length)];
  }

  transform(re: Float64Array, im: Float64Array): void {
    let from: Arrays = [re, im];
    let to = this.spare;
    for (const stage of this.stages) {
      if (stage.radix === 4) radix4(stage, from, to);
      else if (stage.radix === 2) radix2(stage, from, to);
      else if (stage.radix === 3) radix3(stage, from, to);
      else radix5(stage, from, to);
      [from, to] = [to, from];
    }
    if (from[0] !== re) {
      re.set(from[0]);
      im.set(from[1]);
    }
  }
}

function twiddlesOf(length: number, radix: number): Float64Array {
  const groups = length / radix;
  const twiddles = new Float64Array(groups * (radix - 1) * 2);
  let at = 0;
  for (let p = 0; p < groups; p++) {
    for (let j = 1; j < radix; j++) {
      const angle = (-2 * Math.PI * ((p * j) % length)) / length;
      twiddles[at++] = Math.cos(angle);
      twiddles[at++] = Math.sin(angle);
    }
  }
  return twiddles;
}

/* The `?? 0` of this file never acts: `noUncheckedIndexedAccess` does not know array bounds, and the engine compiles it away. */

function radix2({ groups, stride, twiddles }: Stage, [xr, xi]: Arrays, [yr, yi]: Arrays): void {
  const half = stride * groups;
  for (let p = 0; p < groups; p++) {
    const wr = twiddles[2 * p] ?? 0;
    const wi = twiddles[2 * p + 1] ?? 0;
    const first = stride * p;
    const out = 2 * first;
    for (let q = 0; q < stride; q++) {
      const ar = xr[first + q] ?? 0;
      const ai = xi[first + q] ?? 0;
      const br = xr[first + q + half] ?? 0;
      const bi = xi[first + q + half] ?? 0;
      yr[out + q] = ar + br;
      yi[out + q] = ai + bi;
      const dr = ar - br;
      const di = ai - bi;
      yr[out + q + stride] = dr * wr - di * wi;
      yi[out + q + stride] = dr * wi + di * wr;
    }
  }
}

function radix4(stage: Stage, from: Arrays, to: Arrays): void {
  const { groups, twiddles } = stage;
  for (let p = 0; p < groups; p++) {
    const w = 6 * p;
    const w1r = twiddles[w] ?? 0;
    const w1i = twiddles[w + 1] ?? 0;
    const w2r = twiddles[w + 2] ?? 0;
    const w2i = twiddles[w + 3] ?? 0;
    radix4Group(stage, p, w1r, w1i, w2r, w2i, twiddles[w + 4] ?? 0, twiddles[w + 5] ?? 0, from, to);
  }
}

/** Group p, whose outputs 1 to 3 are turned by the factors w. */
function radix4Group(
  { groups, stride }: Stage,
  p: number,
  w1r: number,
  w1i: number,
  w2r: number,
  w2i: number,
  w3r: number,
  w3i: number,
  [xr, xi]: Arrays,
  [yr, yi]: Arrays,
): void {
  const quarter = stride * groups;
  let at = stride * p;
  let out = 4 * at;
  for (const end = at + stride; at < end; at++, out++) {
    const ar = xr[at] ?? 0;
    const ai = xi[at] ?? 0;
    const br = xr[at + quarter] ?? 0;
    const bi = xi[at + quarter] ?? 0;
    const cr = xr[at + 2 * quarter] ?? 0;
    const ci = xi[at + 2 * quarter] ?? 0;
    const dr = xr[at + 3 * quarter] ?? 0;
    const di = xi[at + 3 * quarter] ?? 0;
    const sr = ar + cr;
    const si = ai + ci;
    const tr = ar - cr;
    const ti = ai - ci;
    const ur = br + dr;
    const ui = bi + di;
    const vr = br - dr;
    const vi = bi - di;
    yr[out] = sr + ur;
    yi[out] = si + ui;
    // -i·v turns the quarter.
    const er = tr + vi;
    const ei = ti - vr;
    yr[out + stride] = er * w1r - ei * w1i;
    yi[out + stride] = er * w1i + ei * w1r;
    const fr = sr - ur;
    const fi = si - ui;
    yr[out + 2 * stride] = fr * w2r - fi * w2i;
    yi[out + 2 * stride] = fr * w2i + fi * w2r;
    const gr = tr - vi;
    const gi = ti + vr;
    yr[out + 3 * stride] = gr * w3r - gi * w3i;
    yi[out + 3 * stride] = gr * w3i + gi * w3r;
  }
}

const sine60 = Math.sqrt(0.75);

function radix3({ groups, stride, twiddles }: Stage, [xr, xi]: Arrays, [yr, yi]: Arrays): void {
  const third = stride * groups;
  for (let p = 0; p < groups; p++) {
    const w1r = twiddles[4 * p] ?? 0;
    const w1i = twiddles[4 * p + 1] ?? 0;
    const w2r = twiddles[4 * p + 2] ?? 0;
    const w2i = twiddles[4 * p + 3] ?? 0;
    let at = stride * p;
    let out = 3 * at;
    for (const end = at + stride; at < end; at++, out++) {
      const ar = xr[at] ?? 0;
      const ai = xi[at] ?? 0;
      const br = xr[at + third] ?? 0;
      const bi = xi[at + third] ?? 0;
      const cr = xr[at + 2 * third] ?? 0;
      const ci = xi[at + 2 * third] ?? 0;
      const sr = br + cr;
      const si = bi + ci;
      const mr = ar - sr / 2;
      const mi = ai - si / 2;
      const nr = sine60 * (br - cr);
      const ni = sine60 * (bi - ci);
      yr[out] = ar + sr;
      yi[out] = ai + si;
      const er = mr + ni;
      const ei = mi - nr;
      yr[out + stride] = er * w1r - ei * w1i;
      yi[out + stride] = er * w1i + ei * w1r;
      const fr = mr - ni;
      const fi = mi + nr;
      yr[out + 2 * stride] = fr * w2r - fi * w2i;
      yi[out + 2 * stride] = fr * w2i + fi * w2r;
    }
  }
}

const cosine72 = (Math.sqrt(5) - 1) / 4;
const cosine144 = -(Math.sqrt(5) + 1) / 4;
const sine72 = Math.sqrt(1 - cosine72 * cosine72);
const sine144 = Math.sqrt(1 - cosine144 * cosine144);

function radix5(stage: Stage, from: Arrays, to: Arrays): void {
  for (let p = 0; p < stage.groups; p++) radix5Group(stage, p, from, to);
}

function radix5Group(stage: Stage, p: number, [xr, xi]: Arrays, [yr, yi]: Arrays): void {
  const { groups, stride } = stage;
  const fifth = stride * groups;
  let at = stride * p;
  let out = 5 * at;
  for (const end = at + stride; at < end; at++, out++) {
    const ar = xr[at] ?? 0;
    const ai = xi[at] ?? 0;
    const br = xr[at + fifth] ?? 0;
    const bi = xi[at + fifth] ?? 0;
    const cr = xr[at + 2 * fifth] ?? 0;
    const ci = xi[at + 2 * fifth] ?? 0;
    const dr = xr[at + 3 * fifth] ?? 0;
    const di = xi[at + 3 * fifth] ?? 0;
    const er = xr[at + 4 * fifth] ?? 0;
    const ei = xi[at + 4 * fifth] ?? 0;
    const sr = br + er;
    const si = bi + ei;
    const tr = cr + dr;
    const ti = ci + di;
    yr[out] = ar + sr + tr;
    yi[out] = ai + si + ti;
    // Outputs 1 and 4 are m - i·u and m + i·u, outputs 2 and 3 n - i·v and n + i·v.
    const mr = ar + cosine72 * sr + cosine144 * tr;
    const mi = ai + cosine72 * si + cosine144 * ti;
    const nr = ar + cosine144 * sr + cosine72 * tr;
    const ni = ai + cosine144 * si + cosine72 * ti;
    const ur = sine72 * (br - er) + sine144 * (cr - dr);
    const ui = sine72 * (bi - ei) + sine144 * (ci - di);
    const vr = sine144 * (br - er) - sine72 * (cr - dr);
    const vi = sine144 * (bi - ei) - sine72 * (ci - di);
    yr[out + stride] = mr + ui;
    yi[out + stride] = mi - ur;
    yr[out + 2 * stride] = nr + vi;
    yi[out + 2 * stride] = ni - vr;
    yr[out + 3 * stride] = nr - vi;
    yi[out + 3 * stride] = ni + vr;
    yr[out + 4 * stride] = mr - ui;
    yi[out + 4 * stride] = mi + ur;
  }
  turn(stage, p, yr, yi);
}

/** Turns the outputs from 1 on of group p by its factors, which of the first group are all 1. */
function turn({ radix, stride, twiddles }: Stage, p: number, yr: Float64Array, yi: Float64Array): void {
  if (p === 0) return;
  let w = 2 * p * (radix - 1);
  for (let j = 1; j < radix; j++, w += 2) {
    const wr = twiddles[w] ?? 0;
    const wi = twiddles[w + 1] ?? 0;
    const first = stride * (radix * p + j);
    for (let out = first; out < first + stride; out++) {
      const r = yr[out] ?? 0;
      const i = yi[out] ?? 0;
      yr[out] = r * wr - i * wi;
      yi[out] = r * wi + i * wr;
    }
  }
}
