import { atFloat } from '../../../src/core/at';
import { formatCount, formatValue } from '../../../src/core/format';
import type { ModelGrid, ModelPlane } from '../../../src/core/views/models/modelPieces';
import { translucent } from '../../charts/configuration';
import type { CurvePicture } from '../../charts/curves';
import { paintHeat, pixelCanvas } from '../../charts/heat';
import { colorBar, hatch } from '../../charts/marks';
import { palette, paletteColor, paletteSize } from '../../charts/palette';
import type { PlotColors } from '../../charts/plotColors';
import type { Area, Surface } from '../../charts/surface';
import { readingAt, readingLines, type PlaneReading } from './planeReading';
import { type Scale, scaleOf } from './scale';

export interface PlanePicture {
  readonly plane: ModelPlane;
  /** Names of the parameters of the axes. */
  readonly parameters: readonly [horizontal: string, vertical: string];
  readonly metric: string;
  /** Unit of the metric, as `formatValue` takes it. */
  readonly unit: string;
  /** Logarithmic axes, and colours; where something is not positive they are linear. */
  readonly logarithmic: readonly [horizontal: boolean, vertical: boolean, values: boolean];
  /** What the user reads. */
  readonly reading?: PlaneReading;
}

const legendHeight = 34;
const markSize = 9;

function planeArea(width: number, height: number): Area {
  const left = 66;
  return {
    x: left,
    y: legendHeight,
    width: Math.max(10, width - left - 16),
    height: Math.max(10, height - legendHeight - 40),
  };
}

interface Scales {
  readonly x: Scale;
  readonly y: Scale;
}

function scalesOf({ plane, logarithmic }: PlanePicture, area: Area): Scales {
  const { horizontal, vertical } = plane.stops;
  return {
    x: scaleOf(ends(horizontal), {
      isLogarithmic: isLogarithmic(horizontal, logarithmic[0]),
      mostTicks: Math.max(2, area.width / 70),
      format: formatCount,
      start: area.x,
      length: area.width,
    }),
    y: scaleOf(ends(vertical), {
      isLogarithmic: isLogarithmic(vertical, logarithmic[1]),
      mostTicks: Math.max(2, Math.min(8, area.height / 32)),
      format: formatCount,
      start: area.y + area.height,
      length: -area.height,
    }),
  };
}

function isLogarithmic(values: Float64Array, wanted: boolean): boolean {
  return wanted && atFloat(values, 0) > 0;
}

/** With a parameter of one value the plane would have no area. */
function ends(values: Float64Array): readonly [number, number] {
  const [low, high] = [atFloat(values, 0), atFloat(values, values.length - 1)];
  return high > low ? [low, high] : [low, low + Math.abs(low || 1)];
}

/** Predictions in colours, the measured points in the same colours, and what is extrapolated. */
export function planePicture(
  picture: PlanePicture,
  width: number,
  height: number,
  colors: PlotColors,
): CurvePicture {
  const area = planeArea(width, height);
  const { x, y } = scalesOf(picture, area);
  const { plane, parameters } = picture;
  const table = palette(colors.isDark ? 'dark' : 'light');
  const shades = shadesOf(picture);
  return {
    area,
    curves: [],
    horizontal: { ...x.axis, title: parameters[0] },
    vertical: { ...y.axis, title: parameters[1] },
    below: (surface) => {
      legend(surface, colors, picture, shades, table);
      // Visible where nothing can be predicted.
      hatch(surface, area, 'rising', colors.grid);
      surface.picture(heat(plane.cells, shades, table), area);
      surface.inside(area, () => extrapolated(surface, colors, area, plane, { x, y }));
    },
    above: (surface) => {
      surface.rectangle(area, { stroke: { color: colors.grid } });
      measuredPoints(surface, colors, area, picture, { x, y }, shades, table);
      if (picture.reading !== undefined)
        showReading(surface, colors, area, picture, picture.reading, { x, y });
    },
  };
}

/** The place (0…1) of a value among the colours. */
interface Shades {
  readonly low: number;
  readonly high: number;
  readonly isLogarithmic: boolean;
  readonly share: (value: number) => number;
}

function shadesOf({ plane: { cells, stops, measured }, logarithmic }: PlanePicture): Shades {
  const values = [...cells.values, ...stops.values, ...measured.map(({ value }) => value)].filter(
    Number.isFinite,
  );
  const [low, high] = values.length === 0 ? [0, 1] : [Math.min(...values), Math.max(...values)];
  const byRatio = logarithmic[2] && low > 0;
  const place = byRatio ? Math.log : Number;
  const range = place(high) - place(low);
  return {
    low,
    high,
    isLogarithmic: byRatio,
    // Something that is the same everywhere has the colour of the middle.
    share: (value) => (range > 0 ? (place(value) - place(low)) / range : 0.5),
  };
}

function heat(
  { horizontal, vertical, values }: ModelGrid,
  { share }: Shades,
  table: Uint8ClampedArray,
): HTMLCanvasElement {
  const [columns, rows] = [horizontal.length, vertical.length];
  const pixels = new Uint8ClampedArray(4 * columns * rows);
  for (let row = 0; row < rows; row++) {
    const line = Float32Array.from(values.subarray(row * columns, (row + 1) * columns), share);
    // The lowest value is at the bottom.
    const first = 4 * columns * (rows - 1 - row);
    paintHeat(line, pixels.subarray(first, first + 4 * columns), table, 0, paletteSize - 1);
  }
  return pixelCanvas(columns, rows, pixels);
}

function legend(
  surface: Surface,
  colors: PlotColors,
  { metric, unit }: PlanePicture,
  { low, high, isLogarithmic: byRatio }: Shades,
  table: Uint8ClampedArray,
): void {
  const y = 14;
  const name = metric === '' ? '' : `${metric}: `;
  surface.text(name, 12, y, { color: colors.foreground });
  const x = 12 + surface.measure(name);
  const width = Math.min(140, Math.max(30, surface.width * 0.18));
  const texts = [formatValue(low, unit), formatValue(high, unit)] as const;
  colorBar(surface, colors, { x, y, width, table }, texts);
  const end = x + surface.measure(texts[0]) + 8 + width + 8 + surface.measure(texts[1]) + 16;
  const words = byRatio ? 'logarithmic colours' : '';
  if (words !== '' && end + surface.measure(words) < surface.width - 70)
    surface.text(words, end, y, { color: colors.muted });
}

/** What lies beyond the measured values of one of the parameters. */
function extrapolated(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  { ranges }: ModelPlane,
  { x, y }: Scales,
): void {
  const right = Math.min(area.x + area.width, x.pixel(ranges[0][1]));
  const top = Math.max(area.y, y.pixel(ranges[1][1]));
  const color = translucent(colors.background, colors.isHighContrast ? 0.55 : 0.3);
  const bottom = area.y + area.height;
  hatch(surface, { ...area, x: right, width: area.x + area.width - right }, 'rising', color);
  hatch(surface, { ...area, width: right - area.x, height: top - area.y }, 'rising', color);
  const border = [area.x, top, right, top, right, bottom];
  surface.line(border, { color: colors.background, width: 3 });
  surface.line(border, { color: colors.foreground, dash: [4, 4] });
  if (surface.measure('extrapolated') + 12 > area.x + area.width - right || top - area.y < 18) return;
  surface.text('extrapolated', area.x + area.width - 6, area.y + 12, {
    color: colors.foreground,
    align: 'right',
    halo: colors.background,
  });
}

/** Squares in the colour of what was measured: one that differs from its surroundings misses the model. Values stand beside them where there is room. */
function measuredPoints(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  { plane: { measured }, unit }: PlanePicture,
  { x, y }: Scales,
  { share }: Shades,
  table: Uint8ClampedArray,
): void {
  const marks = measured.map((point) => ({
    left: x.pixel(point.horizontal),
    top: y.pixel(point.vertical),
    value: point.value,
  }));
  const half = markSize / 2;
  const boxes: Area[] = [];
  for (const { left, top, value } of marks) {
    const place = { x: left - half, y: top - half, width: markSize, height: markSize };
    surface.rectangle(place, { stroke: { color: colors.background, width: 4 } });
    surface.rectangle(place, {
      fill: paletteColor(table, share(value)),
      stroke: { color: colors.foreground, width: 1.5 },
    });
    boxes.push(place);
  }
  for (const { left, top, value } of marks) {
    const text = formatValue(value, unit);
    const width = surface.measure(text);
    const isRight = left + half + 4 + width <= area.x + area.width;
    const start = isRight ? left + half + 4 : left - half - 4 - width;
    // Beside the frame there is no room for letters.
    const middle = Math.min(area.y + area.height - 8, Math.max(area.y + 8, top));
    const box = { x: start, y: middle - 7, width, height: 14 };
    if (start < area.x || boxes.some((other) => overlap(box, other))) continue;
    boxes.push(box);
    surface.text(text, start, middle, { color: colors.foreground, halo: colors.background });
  }
}

function overlap(one: Area, other: Area): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** A cross at what is read, and its numbers beside it. */
function showReading(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  picture: PlanePicture,
  reading: PlaneReading,
  { x, y }: Scales,
): void {
  const [left, top] = [x.pixel(reading.horizontal), y.pixel(reading.vertical)];
  const size = markSize + 7;
  const mark = { x: left - size / 2, y: top - size / 2, width: size, height: size };
  surface.rectangle(mark, { stroke: { color: colors.background, width: 4 } });
  surface.rectangle(mark, { stroke: { color: colors.focus, width: 2 } });
  const lines = readingLines(picture, reading);
  const width = Math.max(...lines.map((line) => surface.measure(line))) + 14;
  const height = 16 * lines.length + 8;
  const gap = size / 2 + 6;
  const isRight = left + gap + width <= area.x + area.width;
  const box = {
    x: Math.max(2, isRight ? left + gap : left - gap - width),
    y: Math.min(Math.max(area.y, top - height / 2), area.y + area.height - height),
    width,
    height,
  };
  surface.rectangle(box, { fill: colors.background, stroke: { color: colors.foreground } });
  for (const [line, text] of lines.entries())
    surface.text(text, box.x + 7, box.y + 12 + 16 * line, { color: colors.foreground, bold: line === 0 });
}

/** The reading under the pointer: of a measured point that is near, else of the cell; undefined outside of the plane. */
export function readingUnder(
  picture: PlanePicture,
  size: { readonly width: number; readonly height: number },
  left: number,
  top: number,
): PlaneReading | undefined {
  const area = planeArea(size.width, size.height);
  const { x, y } = scalesOf(picture, area);
  const { plane } = picture;
  const near = plane.measured.find(
    (point) =>
      Math.max(Math.abs(x.pixel(point.horizontal) - left), Math.abs(y.pixel(point.vertical) - top)) <=
      markSize,
  );
  if (near !== undefined)
    return readingAt(
      plane,
      'stops',
      plane.stops.horizontal.indexOf(near.horizontal),
      plane.stops.vertical.indexOf(near.vertical),
    );
  const { horizontal, vertical } = plane.cells;
  const column = Math.floor(((left - area.x) / area.width) * horizontal.length);
  const row = Math.floor(((area.y + area.height - top) / area.height) * vertical.length);
  const isInside = column >= 0 && column < horizontal.length && row >= 0 && row < vertical.length;
  return isInside ? readingAt(plane, 'cells', column, row) : undefined;
}
