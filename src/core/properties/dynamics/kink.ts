/** Where a line turns into another one: least squares over a window, with the pieces meeting, or apart where that explains much more. */

/** Of the squares that are left by pieces that meet: pieces apart must leave less than this to be believed. */
const jumpGain = 0.8;

/** Position in values[first … last] of the last sample of the first piece; undefined when there are too few samples. */
export function findKink(values: Float64Array, first: number, last: number): number | undefined {
  const count = last - first + 1;
  if (count < 6) return undefined;
  const sums = new Sums(values, first, count);
  let meeting = { at: 0, rest: Infinity };
  let apart = { at: 0, rest: Infinity };
  for (let at = 1; at < count - 2; at++) {
    const rest = sums.restApart(at);
    if (rest < apart.rest) apart = { at, rest };
    const hinged = sums.restOfHinge(at);
    if (hinged < meeting.rest) meeting = { at, rest: hinged };
  }
  return first + (apart.rest < jumpGain * meeting.rest ? apart.at : meeting.at);
}

class Sums {
  /** Sums over the first n values of y, n·y, y². */
  private readonly y: Float64Array;
  private readonly xy: Float64Array;
  private readonly yy: Float64Array;

  constructor(
    values: Float64Array,
    first: number,
    private readonly count: number,
  ) {
    this.y = new Float64Array(count + 1);
    this.xy = new Float64Array(count + 1);
    this.yy = new Float64Array(count + 1);
    const offset = values[first] ?? 0;
    for (let n = 0; n < count; n++) {
      const value = (values[first + n] ?? 0) - offset;
      this.y[n + 1] = (this.y[n] ?? 0) + value;
      this.xy[n + 1] = (this.xy[n] ?? 0) + n * value;
      this.yy[n + 1] = (this.yy[n] ?? 0) + value * value;
    }
  }

  /** Squares that a line through [0 … at] and another one through the rest leave. */
  restApart(at: number): number {
    return this.restOfLine(0, at + 1) + this.restOfLine(at + 1, this.count);
  }

  /** Squares that a line with a bend at `at` leaves: normal equations of 1, x - at and max(0, x - at). */
  restOfHinge(at: number): number {
    const { count } = this;
    const left = at;
    const right = count - 1 - at;
    const powers = (n: number): readonly [number, number] => [
      (n * (n + 1)) / 2,
      (n * (n + 1) * (2 * n + 1)) / 6,
    ];
    const [leftOne, leftTwo] = powers(left);
    const [rightOne, rightTwo] = powers(right);
    const total = this.y[count] ?? 0;
    const moment = (this.xy[count] ?? 0) - at * total;
    const after = (this.xy[count] ?? 0) - (this.xy[at + 1] ?? 0) - at * (total - (this.y[at + 1] ?? 0));
    const matrix: Matrix = [
      [count, rightOne - leftOne, rightOne],
      [rightOne - leftOne, leftTwo + rightTwo, rightTwo],
      [rightOne, rightTwo, rightTwo],
    ];
    const side = [total, moment, after] as const;
    const all = determinant(matrix);
    if (all === 0) return Infinity;
    const explained = side.reduce(
      (sum, value, column) => sum + (value * determinant(withColumn(matrix, column, side))) / all,
      0,
    );
    return Math.max(0, (this.yy[count] ?? 0) - explained);
  }

  private restOfLine(from: number, to: number): number {
    const n = to - from;
    if (n < 2) return 0;
    const y = (this.y[to] ?? 0) - (this.y[from] ?? 0);
    const xy = (this.xy[to] ?? 0) - (this.xy[from] ?? 0) - from * y;
    const yy = (this.yy[to] ?? 0) - (this.yy[from] ?? 0);
    const spread = (n * (n * n - 1)) / 12;
    const slope = xy - ((n - 1) / 2) * y;
    return Math.max(0, yy - (y * y) / n - (slope * slope) / spread);
  }
}

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

function determinant([[a, b, c], [d, e, f], [g, h, i]]: Matrix): number {
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}

/** Cramer's rule: the right-hand side in the place of a column. */
function withColumn(matrix: Matrix, column: number, side: Triple): Matrix {
  const row = (at: 0 | 1 | 2): Triple => {
    const [a, b, c] = matrix[at];
    const value = side[at];
    return [column === 0 ? value : a, column === 1 ? value : b, column === 2 ? value : c];
  };
  return [row(0), row(1), row(2)];
}
