import { at, atFloat } from '../../../src/core/at';
import { capitalised } from '../../../src/core/groups/words';
import type { GroupMatrix } from '../../../src/core/views/groupSummary';
import { drawHeatSquare, outlineCell, type HeatCell } from '../../charts/heatSquare';
import { colorBar } from '../../charts/marks';
import { palette, paletteSize } from '../../charts/palette';
import type { PlotColors } from '../../charts/plotColors';
import { fittedStart, type Area, type Surface } from '../../charts/surface';

export type MatrixKind = 'similarity' | 'subsumption';

export interface GroupMatrixPicture {
  readonly matrix: GroupMatrix;
  readonly kind: MatrixKind;
  /** Positions in the matrix. */
  readonly cursor: HeatCell | undefined;
  readonly chosen: HeatCell | undefined;
}

/** Of more groups, cells have no numbers. */
const mostNumbers = 60;
const legendHeight = 30;
const headHeight = 20;
const largestCell = 64;
const scaleWidth = 140;

/** The cells, below the numbers of the columns and beside the names of the rows. */
export function groupMatrixArea(width: number, height: number, groups: number): Area {
  const left = width < 560 ? 96 : Math.min(220, width * 0.28);
  const top = legendHeight + headHeight;
  const room = Math.max(10, Math.min(width - left - 14, height - top - 10));
  const side = Math.min(room, largestCell * Math.max(1, groups));
  return { x: left, y: top, width: side, height: side };
}

export function drawGroupMatrix(surface: Surface, colors: PlotColors, picture: GroupMatrixPicture): void {
  const { matrix, kind, cursor, chosen } = picture;
  const size = matrix.names.length;
  const area = groupMatrixArea(surface.width, surface.height, size);
  const table = palette(colors.isDark ? 'dark' : 'light');
  const scale = { x: 12, y: legendHeight / 2 - 2, width: Math.min(scaleWidth, surface.width / 4), table };
  colorBar(surface, colors, scale, ['0', '1']);
  const words = {
    similarity: 'similarity of row and column',
    subsumption: 'the row does this part of all that the column does',
  }[kind];
  const begin = scale.x + scale.width + surface.measure('01') + 34;
  surface.text(fittedStart(surface, words, surface.width - begin - 70), begin, scale.y, {
    color: colors.muted,
  });
  const values = matrix[kind];
  drawHeatSquare(surface, colors, area, { size, shares: Float32Array.from(values), table });
  const cell = area.width / size;
  if (size <= mostNumbers && cell >= surface.measure('0.00') + 6)
    values.forEach((value, position) => {
      surface.text(
        value.toFixed(2),
        area.x + ((position % size) + 0.5) * cell,
        area.y + (Math.floor(position / size) + 0.5) * cell,
        { color: inkOn(table, value), align: 'center' },
      );
    });
  axes(surface, colors, area, matrix);
  if (colors.isHighContrast) grid(surface, colors, area, size);
  if (chosen !== undefined) outlineCell(surface, { ...colors, foreground: colors.focus }, area, size, chosen);
  if (cursor !== undefined) outlineCell(surface, colors, area, size, cursor);
}

/** Black or white, whichever differs more from the colour of a cell (relative luminance, WCAG 2). */
function inkOn(table: Uint8ClampedArray, share: number): string {
  const offset = 3 * Math.round(share * (paletteSize - 1));
  const channel = (place: number): number => {
    const value = (table[offset + place] ?? 0) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2);
  return luminance > 0.179 ? '#000000' : '#ffffff';
}

/** Names at the rows and numbers at the columns, as many as there is room for. */
function axes(surface: Surface, colors: PlotColors, area: Area, { names }: GroupMatrix): void {
  const size = names.length;
  const cell = area.width / size;
  const style = { color: colors.foreground };
  const every = (room: number): number => Math.max(1, Math.ceil(room / cell));
  for (let row = 0; row < size; row += every(16))
    surface.text(
      fittedStart(surface, `${row + 1}  ${capitalised(at(names, row))}`, area.x - 20),
      12,
      area.y + (row + 0.5) * cell,
      style,
    );
  for (let column = 0; column < size; column += every(surface.measure('0000') + 4))
    surface.text(String(column + 1), area.x + (column + 0.5) * cell, area.y - 10, {
      ...style,
      align: 'center',
    });
}

function grid(surface: Surface, colors: PlotColors, area: Area, size: number): void {
  if (area.width / size < 12) return;
  for (let line = 0; line <= size; line++) {
    const place = (line / size) * area.width;
    surface.line([area.x, area.y + place, area.x + area.width, area.y + place], { color: colors.foreground });
    surface.line([area.x + place, area.y, area.x + place, area.y + area.height], {
      color: colors.foreground,
    });
  }
}

export function matrixValue(matrix: GroupMatrix, kind: MatrixKind, cell: HeatCell): number {
  return atFloat(matrix[kind], cell.row * matrix.names.length + cell.column);
}
