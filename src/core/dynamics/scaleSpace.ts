/**
 * The discrete scale space of a signal (specification of performance dynamics, §6.1–6.4): smoothing with Lindeberg's discrete Gaussian
 * T(n, t) = e^-t·I_n(t), t = σ², on the signal mirrored at its ends, which the cosine transform makes a multiplication. With this kernel
 * neither first nor second differences gain sign changes towards coarser scales.
 */
import { Dct } from './dct';

/** σ of the scales: geometric from `minimum`, `stepsPerOctave` to each doubling, up to half the length; at least one. */
export function scaleSet(length: number, minimum: number, stepsPerOctave: number): Float64Array {
  const octaves = Math.log2(Math.max(1, length / 2 / minimum));
  const count = Math.floor(octaves * stepsPerOctave + 1e-9) + 1;
  return Float64Array.from({ length: count }, (_, k) => minimum * 2 ** (k / stepsPerOctave));
}

/** Frequencies that are weaker than this are zero to the last bit of what remains. */
const negligible = 1e-18;

/** Everything that smoothing signals of one length needs and that does not depend on the signal. Buffers are reused by the next call. */
export class ScaleSpacePlan {
  readonly sigmas: Float64Array;
  private readonly dct: Dct;
  /** exp(t·(cos(πk/N) - 1)) by scale, as far as it is not negligible. */
  private readonly attenuations: readonly Float64Array[];
  private readonly coefficients: Float64Array;
  private readonly attenuated: readonly [Float64Array, Float64Array];
  private readonly levels: Float64Array[] = [];

  constructor(
    readonly length: number,
    readonly sigmaMinimum: number,
    readonly stepsPerOctave: number,
  ) {
    this.sigmas = scaleSet(length, sigmaMinimum, stepsPerOctave);
    this.dct = new Dct(length);
    this.coefficients = new Float64Array(length);
    this.attenuated = [new Float64Array(length), new Float64Array(length)];
    this.attenuations = Array.from(this.sigmas, (sigma) => attenuation(length, sigma * sigma));
  }

  /** Takes a signal. Its smoothed versions are then computed from fine to coarse, when they are first asked for. */
  open(values: Float64Array): ScaleStack {
    this.dct.forward(values, this.coefficients);
    let done = 0;
    return {
      sigmas: this.sigmas,
      length: this.length,
      level: (k) => {
        for (; done <= k; done += 2) this.computePair(done);
        return this.buffer(k);
      },
    };
  }

  private computePair(k: number): void {
    const [first, second] = this.attenuated;
    this.dct.inversePair(
      this.attenuate(k, first),
      this.attenuate(k + 1, second),
      this.buffer(k),
      this.buffer(k + 1),
    );
  }

  private attenuate(k: number, into: Float64Array): Float64Array {
    const factors = this.attenuations[k];
    if (factors === undefined) return into.subarray(0, 0);
    for (let i = 0; i < factors.length; i++) into[i] = (factors[i] ?? 0) * (this.coefficients[i] ?? 0);
    return into.subarray(0, factors.length);
  }

  private buffer(k: number): Float64Array {
    return (this.levels[k] ??= new Float64Array(this.length));
  }
}

/** A signal at all scales; valid until the plan opens the next one. */
export interface ScaleStack {
  readonly sigmas: Float64Array;
  readonly length: number;
  readonly level: (k: number) => Float64Array;
}

function attenuation(length: number, t: number): Float64Array {
  const factors = new Float64Array(length);
  let used = 0;
  for (; used < length; used++) {
    // cos x - 1 = -2·sin²(x/2) keeps all digits of small x.
    const factor = Math.exp(-2 * t * Math.sin((Math.PI * used) / (2 * length)) ** 2);
    if (factor < negligible) break;
    factors[used] = factor;
  }
  return used === length ? factors : factors.slice(0, used);
}

/** The signal smoothed with σ² = t; by itself, for tests and displays. */
export function smooth(values: Float64Array, t: number): Float64Array {
  const { length } = values;
  const dct = new Dct(length);
  const coefficients = new Float64Array(length);
  dct.forward(values, coefficients);
  const factors = attenuation(length, t);
  for (let k = 0; k < length; k++)
    coefficients[k] = (coefficients[k] ?? 0) * (k < factors.length ? (factors[k] ?? 0) : 0);
  const result = new Float64Array(length);
  dct.inversePair(coefficients, new Float64Array(0), result, new Float64Array(length));
  return result;
}

const kept: ScaleSpacePlan[] = [];
const mostKept = 4;
const longestKept = 8192;

/** A plan for this length; the last few of usual lengths are kept, since series of one run have one length. */
export function planFor(length: number, sigmaMinimum: number, stepsPerOctave: number): ScaleSpacePlan {
  const at = kept.findIndex(
    (plan) =>
      plan.length === length && plan.sigmaMinimum === sigmaMinimum && plan.stepsPerOctave === stepsPerOctave,
  );
  const plan = kept[at] ?? new ScaleSpacePlan(length, sigmaMinimum, stepsPerOctave);
  if (at >= 0) kept.splice(at, 1);
  if (length <= longestKept) kept.unshift(plan);
  kept.length = Math.min(kept.length, mostKept);
  return plan;
}
