import { at, atFloat } from '../../at';
import { factorValue, type Factor } from '../formula';
import { isPower, searchSpace, type Growth } from '../searchSpace';

const rising = searchSpace();
const risingAndFalling = searchSpace({ negativeExponents: true });

/** A factor with its values at the points, relative to the largest one. */
export interface Shape {
  readonly factor: Factor;
  readonly column: Float64Array;
  /** The largest size of its values. */
  readonly size: number;
}

/** What can be computed from the points of series alone: one design serves all series that were measured at the same points. */
export class Design {
  readonly parameters: number;
  readonly #shapes = new Map<string, readonly Shape[]>();
  readonly #lines: readonly (readonly (readonly number[])[])[];

  /** @param points one at least, each with the same number of values */
  constructor(readonly points: readonly (readonly number[])[]) {
    this.parameters = at(points, 0).length;
    this.#lines = Array.from({ length: this.parameters }, (_, parameter) => linesAlong(points, parameter));
  }

  /** Whether these are the points of this design. */
  serves(points: readonly (readonly number[])[]): boolean {
    return (
      points === this.points ||
      (points.length === this.points.length &&
        points.every((point, i) =>
          point.every((value, parameter) => value === at(this.points, i)[parameter]),
        ))
    );
  }

  /** Positions of points that differ in one parameter only, in groups of three at least; all points when there is no such group. */
  lines(parameter: number): readonly (readonly number[])[] {
    return at(this.#lines, parameter);
  }

  /** The growths that a parameter may have: those that rise, and with `falling` those that fall. */
  shapes(parameter: number, falling: boolean): readonly Shape[] {
    const key = `${parameter} ${String(falling)}`;
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    const smallest = this.points.reduce((least, point) => Math.min(least, at(point, parameter)), Infinity);
    const shapes = (falling ? risingAndFalling : rising)
      .filter((growth) => isDefined(growth, smallest))
      .map((growth) => this.#shape({ parameter, ...growth }));
    this.#shapes.set(key, shapes);
    return shapes;
  }

  #shape(factor: Factor): Shape {
    const column = Float64Array.from(this.points, (point) =>
      factorValue(factor, at(point, factor.parameter)),
    );
    const size = scale(column);
    return { factor, column, size };
  }
}

/** Divides a column by its largest size, which is the result; a column of zeros stays. */
function scale(column: Float64Array): number {
  let size = 0;
  for (const value of column) size = Math.max(size, Math.abs(value));
  if (size === 0) return 1;
  for (let i = 0; i < column.length; i++) column[i] = atFloat(column, i) / size;
  return size;
}

/** Logarithms of values below 1 are negative, and 0 has no negative power. */
function isDefined(growth: Growth, smallest: number): boolean {
  const { exponent, logExponent } = growth;
  if (!isPower(growth)) return logExponent.numerator > 0 ? smallest >= 1 : smallest > 1;
  return exponent.numerator > 0 || smallest > 0;
}

function linesAlong(
  points: readonly (readonly number[])[],
  parameter: number,
): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>();
  points.forEach((point, i) => {
    const key = point.filter((_, k) => k !== parameter).join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [i]);
    else group.push(i);
  });
  const lines = [...groups.values()].filter((line) => line.length >= 3);
  return lines.length === 0 ? [points.map((_, i) => i)] : lines;
}
