import { at, atFloat } from '../../../src/core/at';
import { formatValue } from '../../../src/core/format';
import type { ModelPlane } from '../../../src/core/views/models/modelPieces';

/** A model at one point of the plane. */
export interface PlaneReading {
  readonly horizontal: number;
  readonly vertical: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly measured?: number;
  readonly isExtrapolated: boolean;
  /** A part of the picture instead of exactly a measured value or the end of an axis. */
  readonly isCell: boolean;
}

/** Numbers of a reading, each in a line: the point, what was measured, the model and its range. */
export function readingLines(
  { parameters, unit }: { readonly parameters: readonly [string, string]; readonly unit: string },
  { horizontal, vertical, value, low, high, measured, isExtrapolated, isCell }: PlaneReading,
): readonly string[] {
  // A cell covers a part of the axes: more digits would be none of it.
  const coordinate = (one: number): string => String(Number(one.toPrecision(isCell ? 3 : 12)));
  const point = `${parameters[0]} = ${coordinate(horizontal)}, ${parameters[1]} = ${coordinate(vertical)}`;
  return [
    `${point}${isExtrapolated ? ' (extrapolated)' : ''}`,
    ...(measured === undefined ? [] : [`measured ${formatValue(measured, unit)}`]),
    `model ${Number.isFinite(value) ? formatValue(value, unit) : 'unknown'}`,
    ...(Number.isFinite(high - low)
      ? [`95 % range ${formatValue(low, unit)} … ${formatValue(high, unit)}`]
      : []),
  ];
}

/** What the model and the measurements say at a position of a grid. */
export function readingAt(
  plane: ModelPlane,
  of: 'cells' | 'stops',
  column: number,
  row: number,
): PlaneReading {
  const grid = plane[of];
  const [horizontal, vertical] = [atFloat(grid.horizontal, column), atFloat(grid.vertical, row)];
  const position = row * grid.horizontal.length + column;
  const point = plane.measured.find((one) => one.horizontal === horizontal && one.vertical === vertical);
  return {
    horizontal,
    vertical,
    value: atFloat(grid.values, position),
    low: atFloat(grid.low, position),
    high: atFloat(grid.high, position),
    ...(point !== undefined && { measured: point.value }),
    isExtrapolated: horizontal > at(plane.ranges, 0)[1] || vertical > at(plane.ranges, 1)[1],
    isCell: of === 'cells',
  };
}

/** The stop that a key leads to; undefined for other keys. */
export function nextStop(
  key: string,
  { stops }: ModelPlane,
  cursor: readonly [column: number, row: number] | undefined,
): readonly [column: number, row: number] | undefined {
  const [right, top] = [stops.horizontal.length - 1, stops.vertical.length - 1];
  const [column, row] = cursor ?? [0, 0];
  const steps: Readonly<Record<string, readonly [number, number]>> = {
    ArrowRight: [Math.min(right, column + 1), row],
    ArrowLeft: [Math.max(0, column - 1), row],
    ArrowUp: [column, Math.min(top, row + 1)],
    ArrowDown: [column, Math.max(0, row - 1)],
    Home: [0, 0],
    End: [right, top],
  };
  const next = steps[key];
  // The first arrow shows where reading begins.
  return next === undefined ? undefined : cursor === undefined && key !== 'End' ? [0, 0] : next;
}
