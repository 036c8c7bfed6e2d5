import { roundStep } from '../../../src/core/ticks';
import type { Span } from './span';

export interface Tick {
  /** Seconds. */
  readonly at: number;
  readonly label: string;
}

export interface Axis {
  readonly ticks: readonly Tick[];
  /** What all labels are added to, where moments in full would be too long: `12.345 s`. */
  readonly base?: string;
}

const units: readonly (readonly [factor: number, name: string])[] = [
  [1, 's'],
  [1e-3, 'ms'],
  [1e-6, 'µs'],
  [1e-9, 'ns'],
];
/** More of them make labels longer than the space between them. */
const mostDecimals = 3;

/** Round moments inside a part of the trace, at most `most` + 1 of them. */
export function axisOf({ from, to }: Span, most: number): Axis {
  const step = roundStep((to - from) / Math.max(1, most));
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  const positions = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const [factor, name] = unitOf(to);
  const decimals = decimalsOf(step / factor);
  if (decimals <= mostDecimals)
    return {
      ticks: positions.map((position) => ({
        at: position * step,
        label: `${((position * step) / factor).toFixed(decimals)} ${name}`,
      })),
    };
  const [small, smallName] = unitOf(step);
  const thousand = Math.round((1000 * small) / step);
  const base = Math.floor(first / thousand);
  return {
    ticks: positions.map((position) => ({
      at: position * step,
      label: `+${((position - base * thousand) * (step / small)).toFixed(decimalsOf(step / small))} ${smallName}`,
    })),
    base: `${((base * 1000 * small) / factor).toFixed(decimalsOf((1000 * small) / factor))} ${name}`,
  };
}

/** A moment with so many digits that those `resolution` seconds apart differ: `12.345678 s`. */
export function momentText(seconds: number, resolution: number): string {
  if (seconds === 0) return '0 s';
  const [factor, name] = unitOf(Math.abs(seconds));
  const decimals = decimalsFor(resolution / factor);
  return `${(seconds / factor).toFixed(decimals)} ${name}`;
}

/** `1.20 – 3.45 s`, with the digits that a part of this length needs. */
export function spanText({ from, to }: Span): string {
  const [factor, name] = unitOf(to);
  const decimals = decimalsFor((to - from) / 100 / factor);
  return `${(from / factor).toFixed(decimals)} – ${(to / factor).toFixed(decimals)} ${name}`;
}

function unitOf(seconds: number): readonly [factor: number, name: string] {
  return units.find(([factor]) => seconds >= factor * (1 - 1e-9)) ?? [1e-9, 'ns'];
}

/** Decimals with which values that differ by this are written differently. */
function decimalsFor(resolution: number): number {
  return Math.min(9, Math.max(0, Math.ceil(-Math.log10(Math.max(resolution, 1e-12)) - 1e-9)));
}

function decimalsOf(step: number): number {
  return Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
}
