import type { TopologyDimension } from '../../../src/core/views/cubePieces';

/** Which dimensions of a topology are rows and columns, and what is shown of the others. */
export interface TopologyChoice {
  readonly rows: number;
  /** Undefined: one dimension only, whose cells follow each other line by line. */
  readonly columns: number | undefined;
  /** By dimension, for those that are neither: the shown coordinate; undefined: all, in planes side by side. */
  readonly slices: readonly (number | undefined)[];
}

/** The cell of a plane. */
export interface Cell {
  readonly plane: number;
  readonly row: number;
  readonly column: number;
}

/** The shown cells of a topology: planes of equal size. */
export interface TopologyGrid {
  readonly sizes: readonly number[];
  readonly choice: TopologyChoice;
  /** The dimensions that are shown in planes side by side, the slowest first. */
  readonly planeDimensions: readonly number[];
  readonly planes: number;
  /** Size of a plane, where the cells of one dimension are one line. */
  readonly rows: number;
  readonly columns: number;
}

/** More cells than can be looked at, even by scrolling. */
export const mostCells = 2 ** 20;
export const mostDimensions = 16;

/** Why a topology cannot be shown; undefined: it can. */
export function problemOf(dimensions: readonly TopologyDimension[]): string | undefined {
  if (dimensions.length === 0) return 'This topology has no dimensions.';
  if (dimensions.length > mostDimensions)
    return `This topology has ${dimensions.length} dimensions or more. At most ${mostDimensions} are shown.`;
  const empty = dimensions.find(({ size }) => size < 1);
  return empty === undefined
    ? undefined
    : `The dimension “${empty.name}” has size ${empty.size}: there are no cells.`;
}

/** The dimensions with more than one coordinate, which can be rows and columns; the first one where there is none. */
export function dimensionsToChoose(sizes: readonly number[]): readonly number[] {
  const wide = sizes.map((_, dimension) => dimension).filter((dimension) => (sizes[dimension] ?? 0) > 1);
  return wide.length > 0 ? wide : [0];
}

/** The first two dimensions as rows and columns, and of the others as many planes as can be shown at once. */
export function usualChoice(sizes: readonly number[]): TopologyChoice {
  const [rows = 0, columns] = dimensionsToChoose(sizes);
  return withSlices(sizes, rows, columns);
}

/** Other rows and columns. Where all planes are too many cells, the last dimensions begin with their first coordinate. */
export function withSlices(
  sizes: readonly number[],
  rows: number,
  columns: number | undefined,
): TopologyChoice {
  let cells = (sizes[rows] ?? 1) * (columns === undefined ? 1 : (sizes[columns] ?? 1));
  const slices = sizes.map((size, dimension): number | undefined => {
    if (dimension === rows || dimension === columns) return undefined;
    if (cells * size > mostCells) return 0;
    cells *= size;
    return undefined;
  });
  return { rows, columns, slices };
}

/** @returns undefined when a choice has more cells than can be shown */
export function topologyGrid(sizes: readonly number[], choice: TopologyChoice): TopologyGrid | undefined {
  const { rows, columns, slices } = choice;
  const planeDimensions = sizes
    .map((_, dimension) => dimension)
    .filter(
      (dimension) =>
        dimension !== rows &&
        dimension !== columns &&
        slices[dimension] === undefined &&
        (sizes[dimension] ?? 1) > 1,
    );
  const planes = planeDimensions.reduce((count, dimension) => count * (sizes[dimension] ?? 1), 1);
  const size = { rows: sizes[rows] ?? 1, columns: columns === undefined ? 1 : (sizes[columns] ?? 1) };
  // Products of 16 sizes below 2^32 do not overflow a double.
  return planes * size.rows * size.columns > mostCells
    ? undefined
    : { sizes, choice, planeDimensions, planes, ...size };
}

export function cellsOf({ planes, rows, columns }: TopologyGrid): number {
  return planes * rows * columns;
}

export function indexOf({ rows, columns }: TopologyGrid, { plane, row, column }: Cell): number {
  return (plane * rows + row) * columns + column;
}

/** The cell of a place; undefined where its slice is not shown. */
export function cellAt(grid: TopologyGrid, place: ArrayLike<number>): Cell | undefined {
  const { sizes, choice, planeDimensions } = grid;
  for (const [dimension, slice] of choice.slices.entries()) {
    const isFree = dimension === choice.rows || dimension === choice.columns || slice === undefined;
    if (!isFree && slice !== place[dimension]) return undefined;
  }
  let plane = 0;
  for (const dimension of planeDimensions) plane = plane * (sizes[dimension] ?? 1) + (place[dimension] ?? 0);
  return {
    plane,
    row: place[choice.rows] ?? 0,
    column: choice.columns === undefined ? 0 : (place[choice.columns] ?? 0),
  };
}

/** The coordinates of a cell, one per dimension. */
export function placeOf(grid: TopologyGrid, { plane, row, column }: Cell): readonly number[] {
  const { sizes, choice } = grid;
  const place = sizes.map((_, dimension) => choice.slices[dimension] ?? 0);
  for (const [dimension, coordinate] of planeCoordinates(grid, plane)) place[dimension] = coordinate;
  place[choice.rows] = row;
  if (choice.columns !== undefined) place[choice.columns] = column;
  return place;
}

/** The coordinates that the cells of a plane share, for the dimensions that planes differ in. */
export function planeCoordinates(
  { sizes, planeDimensions }: TopologyGrid,
  plane: number,
): readonly (readonly [dimension: number, coordinate: number])[] {
  const found: [number, number][] = [];
  let rest = plane;
  for (const dimension of planeDimensions.toReversed()) {
    const size = sizes[dimension] ?? 1;
    found.unshift([dimension, rest % size]);
    rest = Math.floor(rest / size);
  }
  return found;
}
