import type { CurveAxis } from '../../charts/curves';
import { logarithmicTicks, ticks } from '../../../src/core/ticks';

/** A linear or logarithmic scale: what is drawn are `place`s, which are equally wide. */
export interface Scale {
  readonly place: (value: number) => number;
  readonly axis: CurveAxis;
  readonly pixel: (value: number) => number;
}

export function scaleOf(
  [low, high]: readonly [number, number],
  options: {
    readonly isLogarithmic: boolean;
    readonly mostTicks: number;
    readonly format: (value: number) => string;
    /** Pixel of the lowest value, and the distance from there to the highest one. */
    readonly start: number;
    readonly length: number;
  },
): Scale {
  const { isLogarithmic, mostTicks, format, start, length } = options;
  const place = isLogarithmic ? (value: number) => (value > 0 ? Math.log10(value) : NaN) : Number;
  const [first, last] = [place(low), place(high)];
  const marks = isLogarithmic ? logarithmicTicks(low, high, mostTicks) : ticks(low, high, mostTicks);
  return {
    place,
    axis: {
      range: [first, last],
      ticks: marks.map(place),
      format: (at) => format(isLogarithmic ? Number((10 ** at).toPrecision(6)) : at),
    },
    pixel: (value) => start + ((place(value) - first) / (last - first)) * length,
  };
}
