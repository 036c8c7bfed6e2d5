import type { Cell, TopologyGrid } from './grid';

/** Lengths are pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where the cells of a topology are in the picture. */
export interface Geometry {
  readonly grid: TopologyGrid;
  readonly side: number;
  /** Number of cells in a line of a plane. One dimension alone is broken into lines. */
  readonly perLine: number;
  readonly lines: number;
  /** Number of planes beside each other. */
  readonly across: number;
  readonly width: number;
  readonly height: number;
}

const sides = { least: 9, most: 34 } as const;
/** Space at the edges and between planes. */
export const gap = 10;
/** Space for the coordinates of rows, and for those of columns. */
export const rowLabels = 34;
export const columnLabels = 16;
export const planeTitle = 18;

/** The largest cells with which everything fits into an area; else the least ones, and the area scrolls. */
export function geometryOf(grid: TopologyGrid, width: number, height: number): Geometry {
  let found = withSide(grid, width, sides.most);
  for (let side = sides.most - 1; side >= sides.least; side--) {
    if (found.width <= width && found.height <= height) break;
    found = withSide(grid, width, side);
  }
  return found;
}

function withSide(grid: TopologyGrid, width: number, side: number): Geometry {
  const isLine = grid.choice.columns === undefined;
  const perLine = isLine ? lineLength(grid.rows, (width - 2 * gap - rowLabels) / side) : grid.columns;
  const lines = isLine ? Math.ceil(grid.rows / perLine) : grid.rows;
  const plane = planeSize({ grid, side, perLine, lines });
  const across = Math.min(grid.planes, Math.max(1, Math.floor((width - gap) / (plane.width + gap))));
  return {
    grid,
    side,
    perLine,
    lines,
    across,
    width: gap + across * (plane.width + gap),
    height: gap + Math.ceil(grid.planes / across) * (plane.height + gap),
  };
}

/** All cells if they fit, else a power of two, as numbers of processes usually are. */
function lineLength(cells: number, fitting: number): number {
  return cells <= fitting ? cells : 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, fitting))));
}

function planeSize({
  grid,
  side,
  perLine,
  lines,
}: Pick<Geometry, 'grid' | 'side' | 'perLine' | 'lines'>): Pick<Box, 'width' | 'height'> {
  return {
    width: rowLabels + perLine * side,
    height: titleHeight(grid) + columnLabels + lines * side,
  };
}

function titleHeight({ planes }: TopologyGrid): number {
  return planes > 1 ? planeTitle : 0;
}

/** A plane with its title and coordinates. */
export function planeBox(geometry: Geometry, plane: number): Box {
  const size = planeSize(geometry);
  return {
    x: gap + (plane % geometry.across) * (size.width + gap),
    y: gap + Math.floor(plane / geometry.across) * (size.height + gap),
    ...size,
  };
}

/** The cells of a plane. */
export function cellsBox(geometry: Geometry, plane: number): Box {
  const { x, y, width, height } = planeBox(geometry, plane);
  const above = titleHeight(geometry.grid) + columnLabels;
  return { x: x + rowLabels, y: y + above, width: width - rowLabels, height: height - above };
}

/** Line and position within the line of a cell. */
export function lineOf(geometry: Geometry, { row, column }: Cell): readonly [line: number, position: number] {
  const { grid, perLine } = geometry;
  return grid.choice.columns === undefined ? [Math.floor(row / perLine), row % perLine] : [row, column];
}

/** The cell at a line and a position in it; undefined behind the last one. */
export function cellInLine(
  geometry: Geometry,
  plane: number,
  line: number,
  position: number,
): Cell | undefined {
  const { grid, perLine, lines } = geometry;
  if (line < 0 || line >= lines || position < 0 || position >= perLine) return undefined;
  if (grid.choice.columns !== undefined) return { plane, row: line, column: position };
  const row = line * perLine + position;
  return row < grid.rows ? { plane, row, column: 0 } : undefined;
}

export function cellBox(geometry: Geometry, cell: Cell): Box {
  const { side } = geometry;
  const { x, y } = cellsBox(geometry, cell.plane);
  const [line, position] = lineOf(geometry, cell);
  return { x: x + position * side, y: y + line * side, width: side, height: side };
}

export function cellAtPoint(geometry: Geometry, x: number, y: number): Cell | undefined {
  const { grid, across, side } = geometry;
  const { width, height } = planeSize(geometry);
  const left = Math.floor((x - gap) / (width + gap));
  const plane = Math.floor((y - gap) / (height + gap)) * across + left;
  if (left < 0 || left >= across || plane < 0 || plane >= grid.planes) return undefined;
  const box = cellsBox(geometry, plane);
  return cellInLine(geometry, plane, Math.floor((y - box.y) / side), Math.floor((x - box.x) / side));
}

/** The cell that a key leads to: arrows within a plane, around periodic dimensions; Page Up and Page Down to other planes. */
export function moved(
  geometry: Geometry,
  cell: Cell,
  key: string,
  isPeriodic: (dimension: number) => boolean,
): Cell | undefined {
  const { grid } = geometry;
  const { rows: rowDimension, columns: columnDimension } = grid.choice;
  const [line, position] = lineOf(geometry, cell);
  const along = (by: number): Cell => ({
    ...cell,
    row: stepped(cell.row, by, grid.rows, isPeriodic(rowDimension)),
  });
  const across = (by: number): Cell => ({
    ...cell,
    column: stepped(cell.column, by, grid.columns, isPeriodic(columnDimension ?? 0)),
  });
  const isLine = columnDimension === undefined;
  const plane = (by: number): Cell => ({ ...cell, plane: stepped(cell.plane, by, grid.planes, false) });
  const moves: Readonly<Record<string, () => Cell | undefined>> = {
    ArrowDown: () => (isLine ? (cellInLine(geometry, cell.plane, line + 1, position) ?? cell) : along(1)),
    ArrowUp: () => (isLine ? (cellInLine(geometry, cell.plane, line - 1, position) ?? cell) : along(-1)),
    ArrowRight: () => (isLine ? along(1) : across(1)),
    ArrowLeft: () => (isLine ? along(-1) : across(-1)),
    PageDown: () => plane(1),
    PageUp: () => plane(-1),
    Home: () => ({ plane: 0, row: 0, column: 0 }),
    End: () => ({ plane: grid.planes - 1, row: grid.rows - 1, column: grid.columns - 1 }),
  };
  return moves[key]?.();
}

function stepped(from: number, by: number, size: number, isPeriodic: boolean): number {
  const to = from + by;
  return isPeriodic ? (to + size) % size : Math.min(size - 1, Math.max(0, to));
}
