/**
 * Where in a rising run the rise itself is: the least-squares fit of "flat, straight, flat" (specification of performance dynamics, §8.2
 * step 4). Prefix sums make one pair of break points O(1); pairs are tried on a coarse grid first, which is then refined.
 */
import { atFloat } from '../../at';
import { heightAt, type Direction } from './direction';

/** Positions count from the start of the array that was searched. */
export interface TrendFit {
  /** Last sample of the flat part before, first sample of the flat part after. */
  readonly from: number;
  readonly to: number;
  readonly low: number;
  readonly high: number;
  /** R² of the fit over the run; 0 where there is nothing to explain. */
  readonly fit: number;
}

/** The grid has at most this many positions, so that the search costs the same for all long runs. */
const gridSize = 128;

/** values[first … last] · direction as flat-linear-flat; undefined unless it has at least 2 samples and rises. */
export function fitTrend(
  values: Float64Array,
  first: number,
  last: number,
  direction: Direction,
): TrendFit | undefined {
  if (last - first < 1) return undefined;
  const run = new Run(values, first, last, direction);
  const [p, q] = simplest(run, refined(run, onGrid(run)));
  return run.fitted(p, q);
}

/** A break point that is not needed is noise: the ramp goes to the end unless a flat part explains clearly more (Schwarz's criterion). */
function simplest(run: Run, [p, q]: readonly [number, number]): readonly [number, number] {
  const end = run.length - 1;
  const perBreak = 2 * Math.log(run.length);
  const choices = [
    { breaks: 2, ends: [p, q] as const },
    { breaks: 1, ends: [p, end] as const },
    { breaks: 1, ends: [0, q] as const },
    { breaks: 0, ends: [0, end] as const },
  ];
  const cost = choices.map(
    ({ breaks, ends }) => run.length * Math.log(run.unexplained(...ends)) + perBreak * breaks,
  );
  const least = Math.min(...cost);
  return choices[cost.lastIndexOf(least)]?.ends ?? [p, q];
}

class Run {
  readonly length: number;
  /** Sums of the first n values, and of the values times their position. */
  private readonly sums: Float64Array;
  private readonly moments: Float64Array;
  private readonly squares: number;

  constructor(values: Float64Array, first: number, last: number, direction: Direction) {
    this.length = last - first + 1;
    this.sums = new Float64Array(this.length + 1);
    this.moments = new Float64Array(this.length + 1);
    let sum = 0;
    let moment = 0;
    let squares = 0;
    for (let n = 0; n < this.length; n++) {
      const value = heightAt(values, first + n, direction);
      sum += value;
      moment += n * value;
      squares += value * value;
      this.sums[n + 1] = sum;
      this.moments[n + 1] = moment;
    }
    this.squares = squares;
  }

  /** Sum of squares that the best levels explain with the ramp from p to q; negative where they fall. */
  explained(p: number, q: number): number {
    const { length, sums, moments } = this;
    const width = q - p;
    const after = length - q;
    // The ramp h is 0 up to p, k/width inside, 1 from q on.
    const h = (width - 1) / 2 + after;
    const hh = ((width - 1) * (2 * width - 1)) / (6 * width) + after;
    const total = atFloat(sums, length);
    const inside = atFloat(sums, q) - atFloat(sums, p + 1);
    const rising = (atFloat(moments, q) - atFloat(moments, p + 1) - p * inside) / width;
    const hg = rising + total - atFloat(sums, q) - (h * total) / length;
    const spread = hh - (h * h) / length;
    return spread > 0 ? (hg * Math.abs(hg)) / spread : 0;
  }

  /** Sum of squares that is left, not less than rounding leaves. */
  unexplained(p: number, q: number): number {
    const total = atFloat(this.sums, this.length);
    const all = this.squares - (total * total) / this.length;
    return Math.max(all - Math.max(0, this.explained(p, q)), 1e-12 * this.squares, Number.MIN_VALUE);
  }

  fitted(p: number, q: number): TrendFit | undefined {
    const explained = this.explained(p, q);
    if (explained <= 0) return undefined;
    const width = q - p;
    const after = this.length - q;
    const h = (width - 1) / 2 + after;
    const spread = ((width - 1) * (2 * width - 1)) / (6 * width) + after - (h * h) / this.length;
    const rise = Math.sqrt(explained / spread);
    const total = atFloat(this.sums, this.length);
    const low = (total - rise * h) / this.length;
    const all = this.squares - (total * total) / this.length;
    return { from: p, to: q, low, high: low + rise, fit: all > 0 ? Math.min(1, explained / all) : 0 };
  }
}

interface Candidate {
  readonly p: number;
  readonly q: number;
  readonly step: number;
}

function onGrid(run: Run): Candidate {
  const end = run.length - 1;
  const step = Math.max(1, Math.ceil(end / gridSize));
  let best: Candidate = { p: 0, q: end, step };
  let most = -Infinity;
  for (let p = 0; p < end; p += step) {
    for (let q = Math.min(end, p + step); ; q = Math.min(end, q + step)) {
      const explained = run.explained(p, q);
      if (explained > most) {
        most = explained;
        best = { p, q, step };
      }
      if (q === end) break;
    }
  }
  return best;
}

/** Halves the step, and moves both ends to the best neighbour until none is better. */
function refined(run: Run, { p, q, step }: Candidate): readonly [number, number] {
  const end = run.length - 1;
  let most = run.explained(p, q);
  while (step > 1) {
    step = Math.ceil(step / 2);
    for (let moved = true; moved;) {
      moved = false;
      for (const [dp, dq] of neighbours) {
        const nextP = Math.max(0, p + dp * step);
        const nextQ = Math.min(end, q + dq * step);
        if (nextP >= nextQ) continue;
        const explained = run.explained(nextP, nextQ);
        if (explained > most) {
          most = explained;
          p = nextP;
          q = nextQ;
          moved = true;
        }
      }
    }
  }
  return [p, q];
}

const neighbours: readonly (readonly [number, number])[] = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
  [-1, -1],
  [1, 1],
  [-1, 1],
  [1, -1],
];
