/**
 * Orthonormal cosine transform (DCT-II and its inverse) by Makhoul's reordering on a complex Fourier transform of the same length. The
 * inverse takes two signals at once, one as the real and one as the imaginary part, which halves the cost of a stack of scales.
 */
import { atFloat } from '../at';
import { planFft, type Fft } from './fft';

export class Dct {
  private readonly fft: Fft;
  private readonly re: Float64Array;
  private readonly im: Float64Array;
  /** exp(-πi·k/2N) and the factors that make the transform orthonormal. */
  private readonly cosine: Float64Array;
  private readonly sine: Float64Array;

  constructor(readonly length: number) {
    this.fft = planFft(length);
    this.re = new Float64Array(length);
    this.im = new Float64Array(length);
    this.cosine = new Float64Array(length);
    this.sine = new Float64Array(length);
    for (let k = 0; k < length; k++) {
      this.cosine[k] = Math.cos((Math.PI * k) / (2 * length));
      this.sine[k] = -Math.sin((Math.PI * k) / (2 * length));
    }
  }

  /** coefficients[k] = c_k · Σ values[i]·cos(πk(i+½)/N), with c_0 = √(1/N) and √(2/N) else. */
  forward(values: Float64Array, coefficients: Float64Array): void {
    const { length, re, im, cosine, sine } = this;
    const half = (length + 1) >> 1;
    for (let i = 0; i < half; i++) re[i] = atFloat(values, 2 * i);
    for (let i = half; i < length; i++) re[i] = atFloat(values, 2 * (length - i) - 1);
    im.fill(0);
    this.fft.transform(re, im);
    const scale = Math.sqrt(2 / length);
    for (let k = 0; k < length; k++) {
      coefficients[k] = scale * (atFloat(re, k) * atFloat(cosine, k) - atFloat(im, k) * atFloat(sine, k));
    }
    coefficients[0] = atFloat(coefficients, 0) * Math.SQRT1_2;
  }

  /** Two inverse transforms in one. Coefficients beyond an array's end count as zero; the outputs have this plan's length. */
  inversePair(
    first: Float64Array,
    second: Float64Array,
    outFirst: Float64Array,
    outSecond: Float64Array,
  ): void {
    this.pack(first, second);
    // Swapped arrays: the inverse transform.
    this.fft.transform(this.im, this.re);
    const { length, re, im } = this;
    const half = (length + 1) >> 1;
    for (let i = 0; i < half; i++) {
      outFirst[2 * i] = atFloat(re, i);
      outSecond[2 * i] = atFloat(im, i);
    }
    for (let i = half; i < length; i++) {
      outFirst[2 * (length - i) - 1] = atFloat(re, i);
      outSecond[2 * (length - i) - 1] = atFloat(im, i);
    }
  }

  /** Spectrum of `first` + i·`second` after reordering: V[k] = (X[k] - i·X[N-k])·exp(πi·k/2N) for each. */
  private pack(first: Float64Array, second: Float64Array): void {
    const { length, re, im } = this;
    const flat = Math.sqrt(1 / length);
    re[0] = flat * (first[0] ?? 0);
    im[0] = flat * (second[0] ?? 0);
    // From `used` to N - `used`, both coefficients of a pair (k, N-k) are beyond the ends.
    const used = Math.max(1, first.length, second.length);
    if (used > length - used) {
      this.packRange(first, second, 1, length);
      return;
    }
    this.packRange(first, second, 1, used);
    re.fill(0, used, length - used + 1);
    im.fill(0, used, length - used + 1);
    this.packRange(first, second, length - used + 1, length);
  }

  private packRange(first: Float64Array, second: Float64Array, from: number, to: number): void {
    const { length, re, im, cosine, sine } = this;
    const scale = Math.sqrt(1 / (2 * length));
    for (let k = from; k < to; k++) {
      const mirrored = length - k;
      const a = k < first.length ? atFloat(first, k) : 0;
      const b = mirrored < first.length ? atFloat(first, mirrored) : 0;
      const c = k < second.length ? atFloat(second, k) : 0;
      const d = mirrored < second.length ? atFloat(second, mirrored) : 0;
      // (a - ib) + i(c - id) = (a + d) + i(c - b)
      const r = (a + d) * scale;
      const i = (c - b) * scale;
      const wr = atFloat(cosine, k);
      const wi = -atFloat(sine, k);
      re[k] = r * wr - i * wi;
      im[k] = r * wi + i * wr;
    }
  }
}
