import { atFloat } from '../../at';
import { percentile, type Percentiles } from '../../groups/percentiles';

/** The box plot of a row: how its value is distributed over locations. */
export interface RowSpread extends Percentiles {
  readonly minimum: number;
  readonly maximum: number;
  readonly mean: number;
  /** Values below the 2nd and above the 98th percentile, ascending; only where asked for. */
  readonly outliers?: Float64Array;
}

/** @param values one per location, at least one */
export function rowSpread(values: Float64Array, withOutliers = false): RowSpread {
  const sorted = values.slice().sort();
  const of = (percent: number): number => percentile(sorted, percent);
  const [p2, p98] = [of(2), of(98)];
  let sum = 0;
  for (const value of sorted) sum += value;
  return {
    ...{ p2, lower: of(25), median: of(50), upper: of(75), p98 },
    minimum: atFloat(sorted, 0),
    maximum: atFloat(sorted, sorted.length - 1),
    mean: sum / sorted.length,
    ...(withOutliers && { outliers: sorted.filter((value) => value < p2 || value > p98) }),
  };
}

/**
 * What a row costs by being unbalanced: its time × its relative spread, Σt · (P98 − P2) / mean, which is n · (P98 − P2).
 * @param values one per location
 */
export function imbalanceOf(values: Float64Array): number {
  const sorted = values.slice().sort();
  return values.length * (percentile(sorted, 98) - percentile(sorted, 2));
}

/** Parts of a box plot, from the lowest values to the highest, and all above the median. */
export type SpreadPart =
  | 'below'
  | 'lowerWhisker'
  | 'lowerBox'
  | 'upperBox'
  | 'upperWhisker'
  | 'above'
  | 'upperHalf';

/** The least and the greatest value of a part, both of them included; a value may be in two parts. */
export function rangeOfPart(
  { minimum, p2, lower, median, upper, p98, maximum }: Omit<RowSpread, 'mean'>,
  part: SpreadPart,
): readonly [low: number, high: number] {
  switch (part) {
    case 'below':
      return [minimum, p2];
    case 'lowerWhisker':
      return [p2, lower];
    case 'lowerBox':
      return [lower, median];
    case 'upperBox':
      return [median, upper];
    case 'upperWhisker':
      return [upper, p98];
    case 'above':
      return [p98, maximum];
    case 'upperHalf':
      return [median, maximum];
  }
}

/** Positions of the values of a part. Whiskers and box include their ends, so that each percentile has its locations; what is outside does not. */
export function positionsOfPart(
  values: Float64Array,
  spread: Omit<RowSpread, 'mean'>,
  part: SpreadPart,
): readonly number[] {
  const [low, high] = rangeOfPart(spread, part);
  const isIn = (value: number): boolean => {
    if (part === 'below') return value < high;
    if (part === 'above' || part === 'upperHalf') return value > low;
    return value >= low && value <= high;
  };
  return [...values.keys()].filter((position) => isIn(atFloat(values, position)));
}

/**
 * The part at a value; undefined where no values are.
 * @param tolerance what is so near to the plot is in it; a third of it separates values outside of the whiskers from these
 */
export function partAt(spread: RowSpread, value: number, tolerance = 0): SpreadPart | undefined {
  const { minimum, p2, lower, median, upper, p98, maximum } = spread;
  if (value < p2) return outsideAt(p2 - value, p2 - minimum, tolerance, 'below', 'lowerWhisker');
  if (value > p98) return outsideAt(value - p98, maximum - p98, tolerance, 'above', 'upperWhisker');
  if (value < lower) return 'lowerWhisker';
  if (value < median) return 'lowerBox';
  return value <= upper ? 'upperBox' : 'upperWhisker';
}

/** @param distance from the whisker @param reach distance of the farthest value from it */
function outsideAt(
  distance: number,
  reach: number,
  tolerance: number,
  outside: SpreadPart,
  whisker: SpreadPart,
): SpreadPart | undefined {
  if (distance > reach + tolerance) return undefined;
  return reach > 0 && distance > tolerance / 3 ? outside : whisker;
}
