/**
 * Complex discrete Fourier transform of any length in O(N log N): Stockham's self-sorting form with radices 4, 2, 3 and 5, and
 * Bluestein's chirp for lengths with other prime factors. A plan owns its tables and buffers; calls on one plan must not overlap.
 */

/** In place, forward, not normalised: X[k] = Σ x[n]·exp(-2πi·kn/N). Swapping the two arrays gives the inverse times N. */
export interface Fft {
  readonly length: number;
  transform(re: Float64Array, im: Float64Array): void;
}

export function planFft(length: number): Fft {
  const radices = smoothFactors(length);
  return radices === undefined ? new BluesteinFft(length) : new StockhamFft(length, radices);
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
      else radixOdd(stage, from, to);
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

/** Radices 3 and 5 by their definition. */
function radixOdd({ radix, groups, stride, twiddles }: Stage, [xr, xi]: Arrays, [yr, yi]: Arrays): void {
  const step = stride * groups;
  const cosine = new Float64Array(radix);
  const sine = new Float64Array(radix);
  for (let j = 0; j < radix; j++) {
    cosine[j] = Math.cos((-2 * Math.PI * j) / radix);
    sine[j] = Math.sin((-2 * Math.PI * j) / radix);
  }
  for (let p = 0; p < groups; p++) {
    for (let q = 0; q < stride; q++) {
      const at = stride * p + q;
      const out = stride * radix * p + q;
      for (let j = 0; j < radix; j++) {
        let sumR = 0;
        let sumI = 0;
        for (let i = 0, turn = 0; i < radix; i++, turn = (turn + j) % radix) {
          const r = xr[at + i * step] ?? 0;
          const m = xi[at + i * step] ?? 0;
          const c = cosine[turn] ?? 0;
          const s = sine[turn] ?? 0;
          sumR += r * c - m * s;
          sumI += r * s + m * c;
        }
        const w = 2 * (p * (radix - 1) + j - 1);
        const wr = j === 0 ? 1 : (twiddles[w] ?? 0);
        const wi = j === 0 ? 0 : (twiddles[w + 1] ?? 0);
        yr[out + j * stride] = sumR * wr - sumI * wi;
        yi[out + j * stride] = sumR * wi + sumI * wr;
      }
    }
  }
}

/** A transform of any length as a convolution with a chirp, done with transforms of a power of two. */
class BluesteinFft implements Fft {
  private readonly inner: Fft;
  /** exp(-πi·n²/N). */
  private readonly chirp: Arrays;
  /** Transform of the conjugate chirp, laid out cyclically, divided by the inner length. */
  private readonly kernel: Arrays;
  private readonly work: Arrays;

  constructor(readonly length: number) {
    let size = 1;
    while (size < 2 * length - 1) size *= 2;
    this.inner = planFft(size);
    this.chirp = [new Float64Array(length), new Float64Array(length)];
    this.kernel = [new Float64Array(size), new Float64Array(size)];
    this.work = [new Float64Array(size), new Float64Array(size)];
    const [chirpR, chirpI] = this.chirp;
    const [kernelR, kernelI] = this.kernel;
    for (let n = 0; n < length; n++) {
      // n² modulo 2N keeps the angle small, and so the table exact for long signals.
      const angle = (Math.PI * ((n * n) % (2 * length))) / length;
      const c = Math.cos(angle);
      const s = Math.sin(angle);
      chirpR[n] = c;
      chirpI[n] = -s;
      kernelR[n] = kernelR[(size - n) % size] = c / size;
      kernelI[n] = kernelI[(size - n) % size] = s / size;
    }
    this.inner.transform(kernelR, kernelI);
  }

  transform(re: Float64Array, im: Float64Array): void {
    const [chirpR, chirpI] = this.chirp;
    const [workR, workI] = this.work;
    workR.fill(0);
    workI.fill(0);
    for (let n = 0; n < this.length; n++) multiply(re, im, chirpR, chirpI, n, workR, workI);
    this.inner.transform(workR, workI);
    const [kernelR, kernelI] = this.kernel;
    for (let k = 0; k < workR.length; k++) multiply(workR, workI, kernelR, kernelI, k, workR, workI);
    this.inner.transform(workI, workR);
    for (let n = 0; n < this.length; n++) multiply(workR, workI, chirpR, chirpI, n, re, im);
  }
}

/** out[k] = a[k]·b[k]; `out` may be `a`. */
function multiply(
  ar: Float64Array,
  ai: Float64Array,
  br: Float64Array,
  bi: Float64Array,
  k: number,
  outR: Float64Array,
  outI: Float64Array,
): void {
  const r = (ar[k] ?? 0) * (br[k] ?? 0) - (ai[k] ?? 0) * (bi[k] ?? 0);
  outI[k] = (ar[k] ?? 0) * (bi[k] ?? 0) + (ai[k] ?? 0) * (br[k] ?? 0);
  outR[k] = r;
}
