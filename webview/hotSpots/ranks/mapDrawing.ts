import { formatValue } from '../../../src/core/format';
import { spreadOf } from '../../../src/core/views/ranks/spread';
import { colorBar, hatch, outline } from '../../charts/marks';
import { paintHeat, pixelCanvas } from '../../charts/heat';
import { palette, paletteSize } from '../../charts/palette';
import type { PlotColors } from '../../charts/plotColors';
import type { Area, Surface } from '../../charts/surface';
import { hasRowNumbers, rankArea, rankLabels } from './rankArea';
import type { RankAxis } from './rankAxis';
import { changeText, excess } from './rankFacts';

/** What the colours span: all shown functions, or each function from its least to its largest value. */
export const rankScales = ['all', 'row'] as const;
export type RankScale = (typeof rankScales)[number];

export interface RankMapPicture {
  readonly axis: RankAxis;
  /** Functions from top to bottom that are in view. */
  readonly rows: readonly { readonly name: string; readonly values: Float64Array | undefined }[];
  readonly rowHeight: number;
  /** Places among `rows`. */
  readonly selected: number | undefined;
  readonly cursor: number | undefined;
  readonly scale: RankScale;
  /** Upper end of the scale for all functions, which begins at 0. */
  readonly most: number;
  readonly unit: string;
  readonly order: string;
  /** Part of the functions in view (0…1), for the bar at the side. */
  readonly part: readonly [from: number, to: number];
}

const legendHeight = 30;

export function mapArea(width: number, height: number): Area {
  return rankArea(width, height, legendHeight, 22);
}

export function drawRankMap(surface: Surface, colors: PlotColors, picture: RankMapPicture): void {
  const { rows, rowHeight, axis, selected, cursor } = picture;
  const area = mapArea(surface.width, surface.height);
  const shown = { ...area, height: rowHeight * rows.length };
  legend(surface, colors, picture);
  hatch(surface, shown, 'rising', colors.grid);
  if (rows.length > 0) surface.picture(imageOf(picture, area.width, colors), shown);
  rows.forEach(({ name, values }, row) => {
    const y = area.y + row * rowHeight;
    // The lines between rows let each be followed to its name.
    if (row > 0)
      surface.line([area.x, y, area.x + area.width, y], {
        color: colors.background,
        width: colors.isHighContrast ? 2 : 1,
      });
    const middle = y + rowHeight / 2;
    surface.text(fitted(surface, name, area.x - 18), area.x - 8, middle, {
      color: colors.foreground,
      align: 'right',
      bold: row === selected,
    });
    rowNumber(surface, colors, area, middle, values);
  });
  surface.rectangle(shown, { stroke: { color: colors.grid } });
  rankLabels(surface, colors, shown, axis, picture.order);
  if (hasRowNumbers(surface.width))
    surface.text('most − mean', surface.width - 8, shown.y + shown.height + 5, {
      color: colors.muted,
      align: 'right',
      baseline: 'top',
    });
  if (selected !== undefined) selectedMark(surface, colors, area, selected, rowHeight);
  if (cursor !== undefined && axis.cursor !== undefined) {
    const bins = axis.bins(area.width);
    const width = area.width / bins.count;
    const middle = area.x + (bins.binOf(axis.cursor) + 0.5) * width;
    const wide = Math.max(6, width);
    outline(surface, colors, {
      x: middle - wide / 2,
      y: area.y + cursor * rowHeight,
      width: wide,
      height: rowHeight,
    });
  }
  scrollMark(surface, colors, shown, picture.part);
}

/** One pixel for each bin and row, which the surface enlarges. */
function imageOf(
  { rows, axis, scale, most }: RankMapPicture,
  areaWidth: number,
  colors: PlotColors,
): HTMLCanvasElement {
  const bins = axis.bins(areaWidth);
  const table = palette(colors.isDark ? 'dark' : 'light');
  const pixels = new Uint8ClampedArray(4 * bins.count * rows.length);
  rows.forEach(({ values }, row) => {
    if (values === undefined) return;
    const line = bins.largest(values);
    const [low, high] = scale === 'all' ? [0, most] : rangeOf(values);
    const factor = high > low ? (paletteSize - 1) / (high - low) : 0;
    paintHeat(line, pixels.subarray(4 * row * bins.count, 4 * (row + 1) * bins.count), table, low, factor);
  });
  return pixelCanvas(bins.count, rows.length, pixels);
}

function rangeOf(values: Float64Array): readonly [number, number] {
  const { minimum = 0, maximum = 0 } = spreadOf(values) ?? {};
  return [minimum, maximum];
}

function rowNumber(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  y: number,
  values: Float64Array | undefined,
): void {
  if (!hasRowNumbers(surface.width) || values === undefined) return;
  const spread = spreadOf(values);
  const over = spread === undefined ? undefined : excess(spread);
  if (over === undefined) return;
  surface.text(changeText(over), area.x + area.width + 90, y, { color: colors.foreground, align: 'right' });
}

function selectedMark(surface: Surface, colors: PlotColors, area: Area, row: number, height: number): void {
  const y = area.y + row * height;
  surface.rectangle({ x: 2, y: y + 2, width: 3, height: height - 4 }, { fill: colors.focus });
  surface.rectangle(
    { x: area.x - 0.5, y, width: area.width + 1, height },
    { stroke: { color: colors.focus, width: 1.5 } },
  );
}

function scrollMark(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  [from, to]: readonly [number, number],
): void {
  if (to - from >= 1) return;
  const x = surface.width - 5;
  surface.rectangle(
    { x, y: area.y + from * area.height, width: 4, height: Math.max(12, (to - from) * area.height) },
    { fill: colors.muted },
  );
}

function legend(surface: Surface, colors: PlotColors, { scale, most, unit }: RankMapPicture): void {
  const names =
    scale === 'row'
      ? (['least of each function', 'most of each function'] as const)
      : ([formatValue(0, unit), formatValue(most, unit)] as const);
  const used = surface.measure(names[0]) + surface.measure(names[1]) + 16;
  // The buttons of the picture are at the end of this line.
  const width = Math.min(160, Math.max(24, surface.width - 76 - 12 - used));
  const table = palette(colors.isDark ? 'dark' : 'light');
  colorBar(surface, colors, { x: 12, y: legendHeight / 2 - 2, width, table }, names);
}

/** The end of a name that fits, because the beginnings of C++ names are alike. */
export function fitted(surface: Surface, name: string, width: number): string {
  if (surface.measure(name) <= width) return name;
  let [from, to] = [0, name.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (surface.measure(`…${name.slice(middle)}`) <= width) to = middle;
    else from = middle + 1;
  }
  return `…${name.slice(from)}`;
}
