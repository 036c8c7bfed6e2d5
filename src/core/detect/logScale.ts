/** Series of which noise grows with the level, over a wide range: noise in their logarithms is alike everywhere. */
import { atFloat } from '../at';
import { present } from '../present';
import { medianInPlace, medianOf } from '../transforms/median';
import type { Detection } from './detect';
import { differenceScale, quantile } from './robust';

const windows = 16;
const fewestInWindow = 4;
/** High levels by low ones; over a smaller range the scale makes little difference. */
const leastRange = 4;
/** Exponent with which noise grows with the level: halfway between noise that is added and noise that multiplies. */
const leastExponent = 1 / 2;

/** @param values all of which are executed */
export function isMultiplied(values: Float64Array): boolean {
  const width = Math.floor(values.length / windows);
  if (width < fewestInWindow || values.some((value) => value <= 0)) return false;
  const parts = Array.from({ length: windows }, (_, window) =>
    values.subarray(window * width, (window + 1) * width),
  ).map((part) => ({ level: medianOf(part, 0, width), noise: differenceScale(part) }));
  const levels = Float64Array.from(parts, ({ level }) => level).sort();
  const [low, high] = [quantile(levels, 0.1), quantile(levels, 0.9)];
  if (high < leastRange * low) return false;
  const middle = Math.sqrt(low * high);
  const noiseOf = (isHigh: boolean): number =>
    medianInPlace(
      Float64Array.from(
        parts.filter(({ level }) => level >= middle === isHigh),
        ({ noise }) => noise,
      ),
    );
  const [few, much] = [noiseOf(false), noiseOf(true)];
  return much > 0 && much >= few * (high / low) ** leastExponent;
}

/** Logarithms that are above 0, where something was executed. */
export class LogScale {
  private readonly unit: number;

  constructor(private readonly values: Float64Array) {
    this.unit = values.reduce((least, value) => (value > 0 ? Math.min(least, value) : least), Infinity);
  }

  get logarithms(): Float64Array {
    return this.values.map((value) => (value > 0 ? 1 + Math.log(value / this.unit) : value));
  }

  /** What was found in the logarithms, as it is in the values. */
  ofValues({ excess, ...found }: Detection): Detection {
    const model = found.model.map((logarithm) => this.value(logarithm));
    const at = (position: number): number => atFloat(model, position);
    const deviations = this.values
      .map((value, i) => (value > 0 ? Math.abs(value - at(i)) : NaN))
      .filter((size) => Number.isFinite(size));
    const level = found.level === undefined ? undefined : this.value(found.level);
    return {
      ...found,
      model,
      changes: found.changes.map((change) => ({ ...change, height: at(change.to) - at(change.from) })),
      spikes: found.spikes.map(({ at: position, base, height }) => {
        const below = this.value(base);
        return { at: position, base: below, height: this.value(base + height) - below };
      }),
      noise: deviations.length === 0 ? 0 : quantile(deviations.sort(), 0.6827),
      ...present({ level, excess: this.excess(excess, found) }),
    };
  }

  /** The deviation is what the cost changes by when the rise in logarithms is as much larger as it is uncertain. */
  private excess(known: Detection['excess'], { level, model }: Detection): Detection['excess'] {
    if (known === undefined || level === undefined) return undefined;
    const base = this.value(level);
    const cost = (factor: number): number =>
      model.reduce(
        (sum, own) => (own > level ? sum + this.value(level + factor * (own - level)) - base : sum),
        0,
      );
    const value = cost(1);
    const slope = (cost(1 + nudge) - value) / nudge;
    return { value, deviation: (slope * known.deviation) / known.value };
  }

  private value(logarithm: number): number {
    return logarithm === 0 ? 0 : this.unit * Math.exp(logarithm - 1);
  }
}

/** Relative: for a difference quotient. */
const nudge = 1e-3;
