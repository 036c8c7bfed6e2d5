/**
 * Several steps in one direction: the least-squares levels between break points, which are found one after the other (binary
 * segmentation) and then each moved to where it fits best between its neighbours. Adaptive meshes and leaking buffers make such series,
 * in which "flat, straight, flat" sees one trend, or the largest step only.
 */
import { at, atFloat } from '../../at';
import { heightAt, type Direction } from './direction';

/** Between the samples `at` and `at + 1`; levels are means of what is beside it, mirrored as the values were. */
export interface Stair {
  readonly at: number;
  readonly low: number;
  readonly high: number;
}

export interface Stairs {
  readonly steps: readonly Stair[];
  /** R² of the levels. */
  readonly fit: number;
}

/**
 * Logarithms of the length that a step has to save: a level, a place, and more, for there are many pairs of places to choose from. With
 * less, noisy curves fall into stairs.
 */
const perStep = 5;
/** More steps are a trend that goes by steps. */
const mostSteps = 4;

/**
 * Steps in values[first … last] · direction, at least two, if levels explain clearly more than a fit with R² `trendFit` does (Schwarz's
 * criterion), all lead up, and none is itself a ramp. Places count in `values`. `shortest`: samples that a level has at least.
 */
export function findStairs(
  values: Float64Array,
  [first, last]: readonly [number, number],
  direction: Direction,
  trendFit: number,
  shortest: number,
): Stairs | undefined {
  const stretch = new Stretch(values, first, last, direction);
  const { length } = stretch;
  const all = stretch.unexplained(0, length);
  const rounding = stretch.rounding();
  const cost = (unexplained: number, perLog: number): number =>
    length * Math.log(Math.max(unexplained, rounding)) + perLog * Math.log(length);
  // Two break points of the trend and the level after it.
  const ofTrend = cost((1 - trendFit) * all, 5);

  let breaks: readonly number[] = [];
  let best: { readonly breaks: readonly number[]; readonly cost: number } | undefined;
  for (let count = 1; count <= mostSteps + 1; count++) {
    const next = nextBreak(stretch, breaks, shortest);
    if (next === undefined) break;
    breaks = settled(
      stretch,
      [...breaks, next].sort((a, b) => a - b),
      shortest,
    );
    const own = cost(unexplainedBetween(stretch, breaks), perStep * count);
    if (own < (best?.cost ?? ofTrend)) best = { breaks, cost: own };
  }
  if (best === undefined || best.breaks.length < 2 || best.breaks.length > mostSteps) return undefined;
  const levels = piecesOf(best.breaks, length).map(([from, end]) => stretch.mean(from, end));
  if (levels.some((level, n) => level <= (levels[n - 1] ?? -Infinity))) return undefined;
  const unexplained = unexplainedBetween(stretch, best.breaks);
  const straight = piecesOf(best.breaks, length).reduce(
    (sum, [from, end]) => sum + stretch.besideLine(from, end),
    0,
  );
  // Levels that slope are pieces of a curve.
  if (cost(straight, perStep * best.breaks.length + levels.length) < best.cost) return undefined;
  return {
    steps: best.breaks.map((end, n) => ({
      at: first + end - 1,
      low: at(levels, n),
      high: at(levels, n + 1),
    })),
    fit: all > 0 ? 1 - unexplained / all : 0,
  };
}

/** The pieces [from, end) that break points make. */
function piecesOf(breaks: readonly number[], length: number): readonly (readonly [number, number])[] {
  const ends = [...breaks, length];
  return ends.map((end, n) => [ends[n - 1] ?? 0, end]);
}

function unexplainedBetween(stretch: Stretch, breaks: readonly number[]): number {
  return piecesOf(breaks, stretch.length).reduce(
    (sum, [from, end]) => sum + stretch.unexplained(from, end),
    0,
  );
}

/** The break that explains most in one of the pieces. */
function nextBreak(stretch: Stretch, breaks: readonly number[], shortest: number): number | undefined {
  let [place, most] = [-1, 0];
  for (const [from, end] of piecesOf(breaks, stretch.length)) {
    const split = bestSplit(stretch, from, end, shortest);
    if (split === undefined) continue;
    const gain =
      stretch.unexplained(from, end) - stretch.unexplained(from, split) - stretch.unexplained(split, end);
    if (gain > most) [place, most] = [split, gain];
  }
  return place < 0 ? undefined : place;
}

/** Each break at its best place between its neighbours; once more, for the first ones were found without the last. */
function settled(stretch: Stretch, breaks: readonly number[], shortest: number): readonly number[] {
  const moved = [...breaks];
  for (let round = 0; round < 2; round++)
    for (const n of moved.keys()) {
      const place = bestSplit(stretch, moved[n - 1] ?? 0, moved[n + 1] ?? stretch.length, shortest);
      if (place !== undefined) moved[n] = place;
    }
  return moved;
}

function bestSplit(stretch: Stretch, from: number, end: number, shortest: number): number | undefined {
  let [border, least] = [-1, Infinity];
  for (let place = from + shortest; place <= end - shortest; place++) {
    const left = stretch.unexplained(from, place) + stretch.unexplained(place, end);
    if (left < least) [border, least] = [place, left];
  }
  return border < 0 ? undefined : border;
}

/** Prefix sums, about the mean so that squares keep their digits: any piece is O(1). */
class Stretch {
  readonly length: number;
  private readonly middle: number;
  private readonly sums: Float64Array;
  private readonly squares: Float64Array;
  private readonly moments: Float64Array;

  constructor(values: Float64Array, first: number, last: number, direction: Direction) {
    this.length = last - first + 1;
    let sum = 0;
    for (let i = first; i <= last; i++) sum += heightAt(values, i, direction);
    this.middle = sum / this.length;
    [this.sums, this.squares, this.moments] = [0, 1, 2].map(() => new Float64Array(this.length + 1)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    for (let n = 0; n < this.length; n++) {
      const value = heightAt(values, first + n, direction) - this.middle;
      this.sums[n + 1] = atFloat(this.sums, n) + value;
      this.squares[n + 1] = atFloat(this.squares, n) + value * value;
      this.moments[n + 1] = atFloat(this.moments, n) + n * value;
    }
  }

  mean(from: number, end: number): number {
    return this.middle + between(this.sums, from, end) / (end - from);
  }

  /** Sum of squares beside the mean. */
  unexplained(from: number, end: number): number {
    const sum = between(this.sums, from, end);
    return Math.max(0, between(this.squares, from, end) - (sum * sum) / (end - from));
  }

  /** Sum of squares beside the best line. */
  besideLine(from: number, end: number): number {
    const count = end - from;
    const spread = (count * (count * count - 1)) / 12;
    const moment = between(this.moments, from, end) - ((from + end - 1) / 2) * between(this.sums, from, end);
    const byLine = spread > 0 ? (moment * moment) / spread : 0;
    return Math.max(0, this.unexplained(from, end) - byLine);
  }

  /** Rounding error of sums of squares. */
  rounding(): number {
    return Math.max(1e-12 * atFloat(this.squares, this.length), Number.MIN_VALUE);
  }
}

function between(sums: Float64Array, from: number, end: number): number {
  return atFloat(sums, end) - atFloat(sums, from);
}
