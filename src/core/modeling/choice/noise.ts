import { at, atFloat } from '../../at';
import { medianInPlace } from '../../transforms/median';
import type { Measure, MeasuredPoint } from '../measurements';

/** What a series shows at its points, and how far its repetitions are apart. All columns have an element for each point. */
export interface Observed {
  readonly points: readonly (readonly number[])[];
  /** The value that is modelled, in the unit of the metric. */
  readonly ys: Float64Array;
  readonly repetitions: Float64Array;
  /** Σ (repetition − value)², of repetitions that are not further away than noise makes them. */
  readonly squares: Float64Array;
  /** The smallest size that noise is relative to: half of the smallest value that is not 0. */
  readonly floor: number;
}

/** Repetitions further away than this many standard deviations count as if they were at that distance (Huber, 1964). */
const huberLimit = 2;
/** Scale of the median distance of normal noise. */
const normalScale = 1.4826;
const huberSteps = 8;

/**
 * The values of a series. In place of the mean stands Huber's estimate of location, which is the mean while no repetition is far from the others; a
 * repetition that was disturbed does not move it.
 */
export function observed(points: readonly MeasuredPoint[], measure: Measure): Observed {
  const scale = measure === 'mean' ? relativeScale(points) : undefined;
  const located = points.map((point) => locate(point, measure, scale));
  const ys = Float64Array.from(located, ({ y }) => y);
  const sizes = Array.from(ys, Math.abs).filter((size) => size > 0);
  return {
    points: points.map(({ point }) => point),
    ys,
    // Some formats do not state how many there were.
    repetitions: Float64Array.from(points, ({ repetitions }) => (repetitions >= 1 ? repetitions : 1)),
    squares: Float64Array.from(located, ({ squares }) => squares),
    floor: sizes.length === 0 ? 0 : sizes.reduce((least, size) => Math.min(least, size)) / 2,
  };
}

interface Located {
  readonly y: number;
  readonly squares: number;
}

function locate(point: MeasuredPoint, measure: Measure, scale: number | undefined): Located {
  const { values, deviation, repetitions } = point;
  const squares = values === undefined ? deviation ** 2 * repetitions : squaresOf(values);
  if (measure === 'minimum' || measure === 'maximum') return { y: point[measure], squares };
  if (values === undefined || scale === undefined) {
    const y = point[measure];
    return { y, squares: squares + repetitions * (point.mean - y) ** 2 };
  }
  const middle = medianInPlace(Float64Array.from(values));
  const limit = huberLimit * scale * Math.abs(middle);
  let y = middle;
  let clipped = 0;
  for (let step = 0; step < huberSteps; step++) {
    let sum = 0;
    clipped = 0;
    for (const value of values) {
      const distance = Math.max(-limit, Math.min(limit, value - y));
      sum += distance;
      clipped += distance ** 2;
    }
    y += sum / values.length;
  }
  return { y, squares: clipped };
}

function squaresOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

/** Standard deviation of the repetitions relative to their median, from the distances at all points; undefined when there are too few to see it. */
function relativeScale(points: readonly MeasuredPoint[]): number | undefined {
  const distances = points.flatMap(({ values = [] }) => {
    const median = medianInPlace(Float64Array.from(values));
    return values.length < 3 || median === 0 ? [] : values.map((value) => Math.abs(value / median - 1));
  });
  // The repetition that is the median has no distance, in each point.
  const seen = Float64Array.from(distances.filter((distance) => distance > 0));
  return seen.length < 6 ? undefined : normalScale * medianInPlace(seen);
}

/** Weights of points for noise in proportion to `sizes`: repetitions over squared size. */
export function weightsFor({ repetitions, floor }: Observed, sizes: Float64Array): Float64Array {
  return sizes.map((size, i) => atFloat(repetitions, i) / Math.max(Math.abs(size), floor) ** 2);
}

/** Σ of the squares of repetitions relative to `sizes`. */
export function relativeSquares({ squares, floor }: Observed, sizes: Float64Array): number {
  return squares.reduce((sum, square, i) => sum + square / Math.max(Math.abs(at(sizes, i)), floor) ** 2, 0);
}
