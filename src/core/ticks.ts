import { at } from './at';

/** Round values inside [from, to], at most `most` + 1 of them, ascending. */
export function ticks(from: number, to: number, most: number): readonly number[] {
  if (!(to > from) || !Number.isFinite(to - from) || most < 1) return [from];
  const step = roundStep((to - from) / most);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => tidy((first + index) * step));
}

/** Round whole values inside [from, to]. */
export function wholeTicks(from: number, to: number, most: number): readonly number[] {
  const step = Math.max(1, roundStep(Math.max(0, to - from) / Math.max(1, most)));
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  const values = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
  return values.length === 0 ? [Math.round(from)] : values;
}

/** Round values inside [from, to] for a logarithmic axis, ascending: powers of ten, and between few of them 2 and 5, or 3 times these. */
export function logarithmicTicks(from: number, to: number, most: number): readonly number[] {
  if (!(from > 0) || !(to > from) || !Number.isFinite(to)) return [from];
  const first = Math.floor(Math.log10(from));
  const decades = Array.from({ length: Math.floor(Math.log10(to)) - first + 1 }, (_, power) => first + power);
  const inside = (digits: readonly number[]): readonly number[] =>
    decades
      .flatMap((power) => digits.map((digit) => tidy(digit * 10 ** power)))
      .filter((value) => value >= from && value <= to);
  const choices = [inside([1, 2, 5]), inside([1, 3])];
  if (at(choices, 0).length < 2) return ticks(from, to, Math.min(4, most));
  const fitting = choices.find((values) => values.length <= most + 1);
  if (fitting !== undefined) return fitting;
  const powers = inside([1]);
  const stride = Math.max(1, Math.ceil(powers.length / (most + 1)));
  return powers.filter((_, position) => position % stride === 0);
}

/** 1, 2 or 5 times a power of ten, not below `least`. */
export function roundStep(least: number): number {
  if (!(least > 0) || !Number.isFinite(least)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((digit) => digit * power >= least * (1 - 1e-9)) ?? 10;
  return tidy(factor * power);
}

/** Removes the rounding errors of floating-point arithmetic. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
