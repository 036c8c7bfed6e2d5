/**
 * Three ways to smooth a signal that is mirrored at its ends with Lindeberg's discrete Gaussian T(n, t) = e^-t·I_n(t), whose transform is
 * exp(t·(cos ω - 1)). They give the same to rounding; which is fastest depends on the length and on how much is smoothed.
 */
import { atFloat } from '../at';
import { Dct } from './dct';
import { isSmooth, planFft, fastAtLeast, type Fft } from './fft';

/** Smooths a signal at neighbouring scales, two at a time. */
export interface Smoother {
  /** Takes the signal that the following calls smooth. */
  take(values: Float64Array): void;
  /** The signal at the smoother's scales `n` and `n + 1`; where there is no such scale, zeros or what was there. */
  pair(n: number, first: Float64Array, second: Float64Array): void;
}

/** A smoother, and how many scales it has. */
export interface SmoothedScales {
  readonly smoother: Smoother;
  readonly count: number;
}

/** Frequencies that are weaker than this, and kernels beyond it, are zero to the last bit of what remains. */
const negligible = 1e-18;
/** Sums over so few frequencies are faster than transforms. */
const fewFrequencies = 48;
/** Scales share a transform if they need at least this share of its length: taking the signal anew costs a transform, too. */
const worthSharing = 0.8;

/** Smoothers for all scales, whose σ do not fall; all but the last have an even number of scales. */
export function smoothersFor(length: number, sigmas: Float64Array): readonly SmoothedScales[] {
  if (isSmooth(length)) return [{ smoother: new CosineSmoother(length, sigmas), count: sigmas.length }];
  const groups: SmoothedScales[] = [];
  const tables = Array.from(sigmas, (sigma) => attenuation(sigma * sigma, 2 * length, length));
  let end = sigmas.length;
  let start = end + (end % 2);
  while (start > 0 && (tables[start - 2]?.length ?? 0) <= fewFrequencies) start -= 2;
  if (start < end)
    groups.unshift({ smoother: new FewFrequencies(length, tables.slice(start)), count: end - start });
  for (end = Math.min(start, end); end > 0; end = start) {
    const size = paddedLength(length, atFloat(sigmas, end - 1));
    start = end - 1 - ((end - 1) % 2);
    while (start > 0 && paddedLength(length, atFloat(sigmas, start - 1)) >= worthSharing * size) start -= 2;
    const own = sigmas.subarray(start, end);
    groups.unshift({ smoother: new PaddedSmoother(length, size, own), count: end - start });
  }
  return groups;
}

/** exp(t·(cos ω - 1)) at ω = 2πk/period for k below `count`, as far as it is not negligible. */
function attenuation(t: number, period: number, count: number): Float64Array {
  const factors = new Float64Array(count);
  let used = 0;
  for (; used < count; used++) {
    // cos x - 1 = -2·sin²(x/2) keeps all digits of small x.
    const factor = Math.exp(-2 * t * Math.sin((Math.PI * used) / period) ** 2);
    if (factor < negligible) break;
    factors[used] = factor;
  }
  return used === count ? factors : factors.slice(0, used);
}

/** Products go into the array's beginning, which is returned. */
function attenuated(
  coefficients: Float64Array,
  factors: Float64Array | undefined,
  into: Float64Array,
): Float64Array {
  if (factors === undefined) return into.subarray(0, 0);
  for (let k = 0; k < factors.length; k++) into[k] = atFloat(factors, k) * atFloat(coefficients, k);
  return into.subarray(0, factors.length);
}

/** For lengths that have a transform: the cosine transform has the mirroring in it. */
class CosineSmoother implements Smoother {
  private readonly dct: Dct;
  private readonly attenuations: readonly Float64Array[];
  private readonly coefficients: Float64Array;
  private readonly work: readonly [Float64Array, Float64Array];

  constructor(length: number, sigmas: Float64Array) {
    this.dct = new Dct(length);
    this.attenuations = Array.from(sigmas, (sigma) => attenuation(sigma * sigma, 2 * length, length));
    this.coefficients = new Float64Array(length);
    this.work = [new Float64Array(length), new Float64Array(length)];
  }

  take(values: Float64Array): void {
    this.dct.forward(values, this.coefficients);
  }

  pair(n: number, first: Float64Array, second: Float64Array): void {
    const { attenuations, coefficients, work } = this;
    this.dct.inversePair(
      attenuated(coefficients, attenuations[n], work[0]),
      attenuated(coefficients, attenuations[n + 1], work[1]),
      first,
      second,
    );
  }
}

/** Length of a transform in which the signal and what the kernel reaches beyond its ends have room. */
function paddedLength(length: number, sigma: number): number {
  return fastAtLeast(length + 2 * kernelReach(sigma * sigma));
}

/** How far from its middle T(n, t) matters: its tails are below exp(√(t² + n²) - t - n·arsinh(n/t)) (Chernoff's bound). */
function kernelReach(t: number): number {
  const least = Math.log(negligible);
  let n = 1;
  while (t > 0 && Math.sqrt(t * t + n * n) - t - n * Math.asinh(n / t) > least) n++;
  return n;
}

/**
 * For any length, while the kernel is short: a cyclic convolution of the signal with mirrored ends in a longer transform. One inverse
 * transform makes two scales, as its real and its imaginary part.
 */
class PaddedSmoother implements Smoother {
  private readonly fft: Fft;
  /** Divided by the transform's length. */
  private readonly attenuations: readonly Float64Array[];
  private readonly spectrum: readonly [re: Float64Array, im: Float64Array];
  private readonly work: readonly [re: Float64Array, im: Float64Array];

  constructor(
    private readonly length: number,
    size: number,
    sigmas: Float64Array,
  ) {
    this.fft = planFft(size);
    this.attenuations = Array.from(sigmas, (sigma) =>
      attenuation(sigma * sigma, size, (size >> 1) + 1).map((factor) => factor / size),
    );
    this.spectrum = [new Float64Array(size), new Float64Array(size)];
    this.work = [new Float64Array(size), new Float64Array(size)];
  }

  /** The mirrored end follows the signal, the mirrored beginning is at the transform's end, which cyclically is before it. */
  take(values: Float64Array): void {
    const { length } = this;
    const [re, im] = this.spectrum;
    const last = re.length - 1;
    re.set(values);
    im.fill(0);
    // The signal is mirrored again where the kernel reaches further than that.
    for (let n = 0; 2 * n < re.length - length; n++) {
      const isReversed = Math.floor(n / length) % 2 === 0;
      const along = n % length;
      const back = length - 1 - along;
      re[length + n] = atFloat(values, isReversed ? back : along);
      re[last - n] = atFloat(values, isReversed ? along : back);
    }
    this.fft.transform(re, im);
  }

  pair(n: number, first: Float64Array, second: Float64Array): void {
    const [re, im] = this.work;
    const own = this.attenuations[n] ?? noFactors;
    const other = this.attenuations[n + 1] ?? noFactors;
    const used = Math.max(own.length, other.length);
    if (used < re.length - used) {
      re.fill(0, used, re.length - used + 1);
      im.fill(0, used, re.length - used + 1);
    }
    for (let k = 0; k < used; k++) this.attenuate(k, own[k] ?? 0, other[k] ?? 0);
    // Swapped arrays: the inverse transform.
    this.fft.transform(im, re);
    first.set(re.subarray(0, this.length));
    second.set(im.subarray(0, this.length));
  }

  /** Spectrum · (a + ib) at the frequencies k and -k, where that of a real signal is conjugate. */
  private attenuate(k: number, a: number, b: number): void {
    const [re, im] = this.work;
    const [spectrumR, spectrumI] = this.spectrum;
    const r = atFloat(spectrumR, k);
    const i = atFloat(spectrumI, k);
    const mirrored = k === 0 ? 0 : re.length - k;
    re[mirrored] = r * a + i * b;
    im[mirrored] = r * b - i * a;
    re[k] = r * a - i * b;
    im[k] = r * b + i * a;
  }
}

const noFactors = new Float64Array(0);

/** For any length, when little but the lowest frequencies is left: sums of their cosines. */
class FewFrequencies implements Smoother {
  /** Number of frequencies in use, rounded up to an even number. */
  private readonly count: number;
  /** cos(πk(n+½)/N) at [n·count + k], for the first half of the samples: the second is the same with changed signs for odd k. */
  private readonly cosines: Float64Array;
  private readonly coefficients: Float64Array;
  private readonly work: readonly [Float64Array, Float64Array];

  constructor(
    private readonly length: number,
    private readonly attenuations: readonly Float64Array[],
  ) {
    const most = attenuations[0]?.length ?? 0;
    this.count = most + (most % 2);
    this.cosines = cosineTable(length, this.count);
    this.coefficients = new Float64Array(this.count);
    this.work = [new Float64Array(this.count), new Float64Array(this.count)];
  }

  take(values: Float64Array): void {
    const { length, count, cosines, coefficients } = this;
    coefficients.fill(0);
    for (let n = 0, at = 0; 2 * n < length; n++) {
      const left = atFloat(values, n);
      // The sample in the middle has no partner.
      const right = 2 * n + 1 === length ? 0 : atFloat(values, length - 1 - n);
      const sum = left + right;
      const difference = left - right;
      for (let k = 0; k < count; k += 2, at += 2) {
        coefficients[k] = atFloat(coefficients, k) + sum * atFloat(cosines, at);
        coefficients[k + 1] = atFloat(coefficients, k + 1) + difference * atFloat(cosines, at + 1);
      }
    }
    for (let k = 0; k < count; k++) coefficients[k] = atFloat(coefficients, k) * ((k === 0 ? 1 : 2) / length);
  }

  pair(n: number, first: Float64Array, second: Float64Array): void {
    const { length, attenuations, coefficients, work } = this;
    for (const half of work) half.fill(0);
    const used = attenuated(coefficients, attenuations[n], work[0]).length;
    attenuated(coefficients, attenuations[n + 1], work[1]);
    for (let at = 0; 2 * at < length; at++) this.sumAt(at, used, first, second);
  }

  /** Sample n and its mirror image, of both signals: the sums over even and over odd frequencies, added and subtracted. */
  private sumAt(n: number, used: number, first: Float64Array, second: Float64Array): void {
    const { length, count, cosines, work } = this;
    const [a, b] = work;
    let evenA = 0;
    let oddA = 0;
    let evenB = 0;
    let oddB = 0;
    for (let k = 0, at = n * count; k < used; k += 2, at += 2) {
      const even = atFloat(cosines, at);
      const odd = atFloat(cosines, at + 1);
      evenA += atFloat(a, k) * even;
      oddA += atFloat(a, k + 1) * odd;
      evenB += atFloat(b, k) * even;
      oddB += atFloat(b, k + 1) * odd;
    }
    first[length - 1 - n] = evenA - oddA;
    second[length - 1 - n] = evenB - oddB;
    first[n] = evenA + oddA;
    second[n] = evenB + oddB;
  }
}

function cosineTable(length: number, count: number): Float64Array {
  const period = 4 * length;
  const turn = Float64Array.from({ length: period }, (_, n) => Math.cos((2 * Math.PI * n) / period));
  const table = new Float64Array(((length + 1) >> 1) * count);
  for (let n = 0, at = 0; 2 * n < length; n++)
    for (let k = 0; k < count; k++) table[at++] = atFloat(turn, (k * (2 * n + 1)) % period);
  return table;
}
