import { formatBytes, formatCount, formatSeconds } from '../../../src/core/format';
import type { CommunicationValue } from '../../../src/core/communication/communicationMatrix';
import { drawHeatSquare, outlineCell, type HeatCell } from '../../charts/heatSquare';
import { colorBar } from '../../charts/marks';
import { palette } from '../../charts/palette';
import type { PlotColors } from '../../charts/plotColors';
import type { Area, Surface } from '../../charts/surface';
import { wholeTicks } from '../../../src/core/ticks';
import { binEnds } from '../ranks/rankArea';
import { logShare, type MatrixGrid, type MatrixModel, type MatrixWindow } from './matrixModel';

export interface MatrixPicture {
  readonly model: MatrixModel;
  readonly value: CommunicationValue;
  readonly window: MatrixWindow;
  /** Sender and receiver under the cursor: rows of the matrix. */
  readonly cursor: HeatCell | undefined;
}

const legendHeight = 30;
/** Room for the sums beside and above the cells. */
const sumSize = 44;

export const valueFormats = {
  bytes: formatBytes,
  messages: (count: number) => `${formatCount(count)} messages`,
  seconds: formatSeconds,
} satisfies Record<CommunicationValue, (value: number) => string>;

/** The cells: a square, because both sides are the same ranks. */
export function matrixArea(width: number, height: number): Area {
  const left = 62;
  const top = legendHeight + sumSize;
  const side = Math.max(10, Math.min(width - left - sumSize - 12, height - top - 38));
  return { x: left, y: top, width: side, height: side };
}

export function drawMatrix(surface: Surface, colors: PlotColors, picture: MatrixPicture): void {
  const { model, value, window, cursor } = picture;
  const area = matrixArea(surface.width, surface.height);
  const grid = model.grid(value, window, area.width);
  const table = palette(colors.isDark ? 'dark' : 'light');
  const [least, most] = grid.range.map(valueFormats[value]);
  const names = [least ?? '', most ?? ''] as const;
  const used = surface.measure(names[0]) + surface.measure(names[1]) + 16;
  const barWidth = Math.min(160, Math.max(24, surface.width - 88 - used));
  colorBar(surface, colors, { x: 12, y: legendHeight / 2 - 2, width: barWidth, table }, names, visible);
  drawHeatSquare(surface, colors, area, { size: grid.bins, shares: sharesOf(grid), table });
  sumBars(surface, colors, area, picture, grid);
  axes(surface, colors, area, picture);
  if (cursor !== undefined) cursorMark(surface, colors, area, window, grid, cursor);
}

/** The least traffic must differ from the page, where nothing is sent. */
function visible(share: number): number {
  return 0.25 + 0.75 * share;
}

/** Colours are logarithmic; pairs that do not communicate are transparent. */
function sharesOf({ cells, range }: MatrixGrid): Float32Array {
  return Float32Array.from(cells, (value) => (value > 0 ? visible(logShare(value, range)) : NaN));
}

/** What each row sends (at the right) and each column receives (above): of all partners, also those out of view. */
function sumBars(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  { model, value, window }: MatrixPicture,
  { bins, perBin }: MatrixGrid,
): void {
  const { sent, received } = model.sumsOf(value);
  const binned = (values: Float64Array, first: number): number[] =>
    Array.from({ length: bins }, (_, bin) =>
      values
        .subarray(first + bin * perBin, Math.min(first + window.count, first + (bin + 1) * perBin))
        .reduce((sum, one) => sum + one, 0),
    );
  const [rows, columns] = [binned(sent, window.row), binned(received, window.column)];
  const most = Math.max(1e-300, ...rows, ...columns);
  const room = sumSize - 10;
  const along = { x: area.y, width: area.height };
  const right = area.x + area.width;
  rows.forEach((sum, bin) => {
    const [top, bottom] = binEnds(along, bin, bins);
    const box = { x: right + 5, y: top, width: (sum / most) * room, height: bottom - top };
    surface.rectangle(box, { fill: colors.muted });
  });
  columns.forEach((sum, bin) => {
    const [left, end] = binEnds(area, bin, bins);
    const height = (sum / most) * room;
    surface.rectangle({ x: left, y: area.y - 5 - height, width: end - left, height }, { fill: colors.muted });
  });
  surface.text('received', area.x - 6, area.y - 12, { color: colors.muted, align: 'right' });
  surface.text('sent', right + 5, area.y + area.height + 20, { color: colors.muted, baseline: 'top' });
}

function axes(surface: Surface, colors: PlotColors, area: Area, { model, window }: MatrixPicture): void {
  const { ranksPerRow } = model.matrix;
  const bottom = area.y + area.height;
  const size = area.width / window.count;
  for (const tick of wholeTicks(
    window.column,
    window.column + window.count - 1,
    Math.max(2, area.width / 60),
  )) {
    const x = area.x + (tick - window.column + 0.5) * size;
    surface.line([x, bottom, x, bottom + 3], { color: colors.muted });
    surface.text(String(tick * ranksPerRow), x, bottom + 5, {
      color: colors.foreground,
      align: 'center',
      baseline: 'top',
    });
  }
  for (const tick of wholeTicks(window.row, window.row + window.count - 1, Math.max(2, area.height / 40))) {
    const y = area.y + (tick - window.row + 0.5) * size;
    surface.line([area.x - 3, y, area.x, y], { color: colors.muted });
    surface.text(String(tick * ranksPerRow), area.x - 6, y, { color: colors.foreground, align: 'right' });
  }
  surface.text('Receiver', area.x + area.width, bottom + 20, {
    color: colors.muted,
    align: 'right',
    baseline: 'top',
  });
  surface.text('Sender', 12, area.y + area.height / 2, {
    color: colors.muted,
    align: 'center',
    turned: true,
  });
}

function cursorMark(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  window: MatrixWindow,
  { bins, perBin }: MatrixGrid,
  cursor: HeatCell,
): void {
  const bin = (at: number, first: number): number => Math.floor((at - first) / perBin);
  outlineCell(surface, colors, area, bins, {
    row: bin(cursor.row, window.row),
    column: bin(cursor.column, window.column),
  });
}
