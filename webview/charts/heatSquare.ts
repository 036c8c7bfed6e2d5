import { paintHeat, pixelCanvas } from './heat';
import { outline } from './marks';
import { paletteSize } from './palette';
import type { PlotColors } from './plotColors';
import type { Area, Surface } from './surface';

/** A cell of a square matrix. */
export interface HeatCell {
  readonly row: number;
  readonly column: number;
}

/** Colours of `size` × `size` cells, row after row: shares of the palette (0…1); NaN is transparent. */
export function drawHeatSquare(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  cells: { readonly size: number; readonly shares: Float32Array; readonly table: Uint8ClampedArray },
): void {
  const { size, shares, table } = cells;
  const pixels = new Uint8ClampedArray(4 * shares.length);
  paintHeat(shares, pixels, table, 0, paletteSize - 1);
  surface.picture(pixelCanvas(size, size, pixels), area);
  surface.rectangle(area, { stroke: { color: colors.grid } });
}

/** Marks a cell of `size` × `size`; small ones get a mark that is visible. */
export function outlineCell(
  surface: Surface,
  colors: PlotColors,
  { x, y, width }: Area,
  size: number,
  { row, column }: HeatCell,
): void {
  const own = width / size;
  const wide = Math.max(7, own);
  const place = (position: number): number => (position + 0.5) * own - wide / 2;
  outline(surface, colors, { x: x + place(column), y: y + place(row), width: wide, height: wide });
}

/** The cell of `size` × `size` at a place of the picture. */
export function heatCellAt(area: Area, size: number, x: number, y: number): HeatCell | undefined {
  const at = (place: number): number => Math.floor((place / area.width) * size);
  const [row, column] = [at(y - area.y), at(x - area.x)];
  return Math.min(row, column) < 0 || Math.max(row, column) >= size ? undefined : { row, column };
}

const moves: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Where an arrow key leads from a cell, within the square that begins at `first`; undefined for other keys. */
export function movedCell(
  key: string,
  cell: HeatCell | undefined,
  { first, size, step = 1 }: { readonly first: HeatCell; readonly size: number; readonly step?: number },
): HeatCell | undefined {
  const move = moves[key];
  if (move === undefined) return undefined;
  if (cell === undefined) return first;
  const inside = (at: number, from: number): number => Math.min(from + size - 1, Math.max(from, at));
  return {
    row: inside(cell.row + move[0] * step, first.row),
    column: inside(cell.column + move[1] * step, first.column),
  };
}
