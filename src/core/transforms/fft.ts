/**
 * Complex discrete Fourier transform in O(N log N), Stockham's self-sorting form with radices 4, 2, 3 and 5, for lengths without other
 * prime factors. A plan owns its tables and buffers; calls on one plan must not overlap.
 *
 * None of these packages of the npm registry (November 2026) can replace it: fft.js 4.0.4 transforms powers of two only; fft 0.2.1 takes any
 * length, but was last changed in 2012; ndarray-fft 1.0.3 needs five other packages; @stdlib/fft 0.1.1 makes tables and has no transform yet.
 */
import { atFloat } from '../at';

/** In place, forward, not normalised: X[k] = Σ x[n]·exp(-2πi·kn/N). Swapping the two arrays gives the inverse times N. */
export interface Fft {
  readonly length: number;
  transform(re: Float64Array, im: Float64Array): void;
}

/** @throws RangeError for a length that `isSmooth` refuses */
export function planFft(length: number): Fft {
  const radices = smoothFactors(length);
  if (radices === undefined) throw new RangeError(`${length} has prime factors other than 2, 3 and 5.`);
  return new StockhamFft(length, radices);
}

/** Whether there is a transform of this length: no prime factor but 2, 3 and 5. */
export function isSmooth(length: number): boolean {
  return smoothFactors(length) !== undefined;
}

/** The first length from `least` on that has a fast transform: it has at most one factor 5, whose stage is slow. */
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
      for (let group = 0; group < stage.groups; group++) {
        if (stage.radix === 4) radix4(stage, group, from, to);
        else if (stage.radix === 2) radix2(stage, group, from, to);
        else if (stage.radix === 3) radix3(stage, group, from, to);
        else radix5(stage, group, from, to);
        if (group > 0) turn(stage, group, to);
      }
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
  let next = 0;
  for (let p = 0; p < groups; p++) {
    for (let j = 1; j < radix; j++) {
      const angle = (-2 * Math.PI * ((p * j) % length)) / length;
      twiddles[next++] = Math.cos(angle);
      twiddles[next++] = Math.sin(angle);
    }
  }
  return twiddles;
}

/* One butterfly of each radix: the transform of that length, for the `stride` neighbours of a group. */

function radix2({ groups, stride }: Stage, group: number, [xr, xi]: Arrays, [yr, yi]: Arrays): void {
  const half = stride * groups;
  let from = stride * group;
  let to = 2 * from;
  for (const end = from + stride; from < end; from++, to++) {
    const ar = atFloat(xr, from);
    const ai = atFloat(xi, from);
    const br = atFloat(xr, from + half);
    const bi = atFloat(xi, from + half);
    yr[to] = ar + br;
    yi[to] = ai + bi;
    yr[to + stride] = ar - br;
    yi[to + stride] = ai - bi;
  }
}

const sine60 = Math.sqrt(0.75);

function radix3({ groups, stride }: Stage, group: number, [xr, xi]: Arrays, [yr, yi]: Arrays): void {
  const third = stride * groups;
  let from = stride * group;
  let to = 3 * from;
  for (const end = from + stride; from < end; from++, to++) {
    const ar = atFloat(xr, from);
    const ai = atFloat(xi, from);
    const br = atFloat(xr, from + third);
    const bi = atFloat(xi, from + third);
    const cr = atFloat(xr, from + 2 * third);
    const ci = atFloat(xi, from + 2 * third);
    const mr = ar - (br + cr) / 2;
    const mi = ai - (bi + ci) / 2;
    const nr = sine60 * (br - cr);
    const ni = sine60 * (bi - ci);
    yr[to] = ar + br + cr;
    yi[to] = ai + bi + ci;
    yr[to + stride] = mr + ni;
    yi[to + stride] = mi - nr;
    yr[to + 2 * stride] = mr - ni;
    yi[to + 2 * stride] = mi + nr;
  }
}

function radix4({ groups, stride }: Stage, group: number, [xr, xi]: Arrays, [yr, yi]: Arrays): void {
  const quarter = stride * groups;
  let from = stride * group;
  let to = 4 * from;
  for (const end = from + stride; from < end; from++, to++) {
    const ar = atFloat(xr, from);
    const ai = atFloat(xi, from);
    const br = atFloat(xr, from + quarter);
    const bi = atFloat(xi, from + quarter);
    const cr = atFloat(xr, from + 2 * quarter);
    const ci = atFloat(xi, from + 2 * quarter);
    const dr = atFloat(xr, from + 3 * quarter);
    const di = atFloat(xi, from + 3 * quarter);
    yr[to] = ar + cr + (br + dr);
    yi[to] = ai + ci + (bi + di);
    yr[to + stride] = ar - cr + (bi - di);
    yi[to + stride] = ai - ci - (br - dr);
    yr[to + 2 * stride] = ar + cr - (br + dr);
    yi[to + 2 * stride] = ai + ci - (bi + di);
    yr[to + 3 * stride] = ar - cr - (bi - di);
    yi[to + 3 * stride] = ai - ci + (br - dr);
  }
}

const cosine72 = (Math.sqrt(5) - 1) / 4;
const cosine144 = -(Math.sqrt(5) + 1) / 4;
const sine72 = Math.sqrt(1 - cosine72 * cosine72);
const sine144 = Math.sqrt(1 - cosine144 * cosine144);

function radix5({ groups, stride }: Stage, group: number, [xr, xi]: Arrays, [yr, yi]: Arrays): void {
  const fifth = stride * groups;
  let from = stride * group;
  let to = 5 * from;
  for (const end = from + stride; from < end; from++, to++) {
    const ar = atFloat(xr, from);
    const ai = atFloat(xi, from);
    const br = atFloat(xr, from + fifth);
    const bi = atFloat(xi, from + fifth);
    const cr = atFloat(xr, from + 2 * fifth);
    const ci = atFloat(xi, from + 2 * fifth);
    const dr = atFloat(xr, from + 3 * fifth);
    const di = atFloat(xi, from + 3 * fifth);
    const er = atFloat(xr, from + 4 * fifth);
    const ei = atFloat(xi, from + 4 * fifth);
    const sr = br + er;
    const si = bi + ei;
    const tr = cr + dr;
    const ti = ci + di;
    yr[to] = ar + sr + tr;
    yi[to] = ai + si + ti;
    // Outputs 1 and 4 are m - i·u and m + i·u, outputs 2 and 3 n - i·v and n + i·v.
    const mr = ar + cosine72 * sr + cosine144 * tr;
    const mi = ai + cosine72 * si + cosine144 * ti;
    const nr = ar + cosine144 * sr + cosine72 * tr;
    const ni = ai + cosine144 * si + cosine72 * ti;
    const ur = sine72 * (br - er) + sine144 * (cr - dr);
    const ui = sine72 * (bi - ei) + sine144 * (ci - di);
    const vr = sine144 * (br - er) - sine72 * (cr - dr);
    const vi = sine144 * (bi - ei) - sine72 * (ci - di);
    yr[to + stride] = mr + ui;
    yi[to + stride] = mi - ur;
    yr[to + 2 * stride] = nr + vi;
    yi[to + 2 * stride] = ni - vr;
    yr[to + 3 * stride] = nr - vi;
    yi[to + 3 * stride] = ni + vr;
    yr[to + 4 * stride] = mr - ui;
    yi[to + 4 * stride] = mi + ur;
  }
}

/** Multiplies the outputs of a group from the second on by their factors, which are all 1 in the first group. */
function turn({ radix, stride, twiddles }: Stage, group: number, [yr, yi]: Arrays): void {
  let factor = 2 * group * (radix - 1);
  for (let j = 1; j < radix; j++, factor += 2) {
    const wr = atFloat(twiddles, factor);
    const wi = atFloat(twiddles, factor + 1);
    const first = stride * (radix * group + j);
    for (let to = first; to < first + stride; to++) {
      const r = atFloat(yr, to);
      const i = atFloat(yi, to);
      yr[to] = r * wr - i * wi;
      yi[to] = r * wi + i * wr;
    }
  }
}
