/**
 * The discrete scale space of a signal (specification of performance dynamics, §6.1–6.4): smoothing with Lindeberg's discrete Gaussian
 * T(n, t) = e^-t·I_n(t), t = σ², on the signal mirrored at its ends. With this kernel neither first nor second differences gain sign
 * changes towards coarser scales.
 */
import { smoothersFor, type SmoothedScales } from './smoothers';

/** σ of the scales: geometric from `minimum`, `stepsPerOctave` to each doubling, up to half the length; at least one. */
export function scaleSet(length: number, minimum: number, stepsPerOctave: number): Float64Array {
  const octaves = Math.log2(Math.max(1, length / 2 / minimum));
  const count = Math.floor(octaves * stepsPerOctave + 1e-9) + 1;
  return Float64Array.from({ length: count }, (_, k) => minimum * 2 ** (k / stepsPerOctave));
}

/** Everything that smoothing signals of one length needs and that does not depend on the signal. Buffers are reused by the next call. */
export class ScaleSpacePlan {
  readonly sigmas: Float64Array;
  private readonly groups: readonly SmoothedScales[];
  private readonly levels: Float64Array[] = [];

  constructor(
    readonly length: number,
    readonly sigmaMinimum: number,
    readonly stepsPerOctave: number,
  ) {
    this.sigmas = scaleSet(length, sigmaMinimum, stepsPerOctave);
    this.groups = smoothersFor(length, this.sigmas);
  }

  /** Takes a signal, which must not change. Its smoothed versions are computed from fine to coarse, when they are first asked for. */
  open(values: Float64Array): ScaleStack {
    const pairs = this.smoothedPairs(values);
    let done = 0;
    return {
      sigmas: this.sigmas,
      length: this.length,
      level: (k) => {
        for (; done <= k; done += 2) pairs.next();
        return this.buffer(k);
      },
    };
  }

  /** Makes two levels at each step. */
  private *smoothedPairs(values: Float64Array): Generator<void> {
    let k = 0;
    for (const { smoother, count } of this.groups) {
      smoother.take(values);
      for (let n = 0; n < count; n += 2, k += 2) {
        smoother.pair(n, this.buffer(k), this.buffer(k + 1));
        yield;
      }
    }
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

/** The signal smoothed with σ² = t; by itself, for tests and displays. */
export function smooth(values: Float64Array, t: number): Float64Array {
  const { length } = values;
  const [only] = smoothersFor(length, Float64Array.of(Math.sqrt(t)));
  const result = new Float64Array(length);
  only?.smoother.take(values);
  only?.smoother.pair(0, result, new Float64Array(length));
  return result;
}

const plans: ScaleSpacePlan[] = [];
const mostPlans = 4;
const longestCached = 8192;

/** A plan for this length. The last few plans of usual lengths are cached, because the series of one run have one length. */
export function planFor(length: number, sigmaMinimum: number, stepsPerOctave: number): ScaleSpacePlan {
  const index = plans.findIndex(
    (plan) =>
      plan.length === length && plan.sigmaMinimum === sigmaMinimum && plan.stepsPerOctave === stepsPerOctave,
  );
  const plan = plans[index] ?? new ScaleSpacePlan(length, sigmaMinimum, stepsPerOctave);
  if (index >= 0) plans.splice(index, 1);
  if (length <= longestCached) plans.unshift(plan);
  plans.length = Math.min(plans.length, mostPlans);
  return plan;
}
