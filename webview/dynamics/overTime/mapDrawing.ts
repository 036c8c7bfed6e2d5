import { pixelCanvas } from '../../charts/heat';
import { palette } from '../../charts/palette';
import type { PlotColors } from '../../charts/plotColors';
import type { Area, Surface } from '../../charts/surface';
import { wholeTicks } from '../../../src/core/ticks';
import { colorBar, hatch, outline } from '../../charts/marks';
import { plotArea, spanArea, timeGrid, timeMarks } from '../base/frame';
import { mapImage } from './mapImage';
import type { MapModel, MapScale } from './mapModel';
import type { TimeAxis } from '../base/timeAxis';
import { valueText } from '../base/words';

/** A finding, drawn over the values. */
export interface MapOverlay {
  /** 1 for each row with the finding. */
  readonly rows: Uint8Array;
  /** Intervals of iterations, from 0. */
  readonly iterations: readonly (readonly [number, number])[];
  readonly label: string;
  readonly isChosen: boolean;
}

export interface MapPicture {
  readonly model: MapModel;
  readonly axis: TimeAxis;
  readonly unit: string;
  readonly scale: MapScale;
  readonly overlays: readonly MapOverlay[];
  /** The row whose series is shown. */
  readonly row: number | undefined;
}

const legendHeight = 26;
/** Rows below this height in pixels get no outline, which would hide them. */
const thin = 8;
/** Columns below this width in pixels get no lines beside them, which would hide them. */
const narrow = 7;

export function mapArea(width: number, height: number): Area {
  return plotArea(width, height, legendHeight);
}

export function drawMap(surface: Surface, colors: PlotColors, picture: MapPicture): void {
  const { model, axis, scale, overlays, row } = picture;
  const area = mapArea(surface.width, surface.height);
  const background = colors.isDark ? 'dark' : 'light';
  const table = palette(background);
  legend(surface, colors, picture, table);
  hatch(surface, area, 'rising', colors.grid);
  surface.picture(imageOf(model, area, axis, scale, background), area);
  timeGrid(surface, colors, area, axis, 'Rank');
  rankLabels(surface, colors, area, model);
  surface.inside(area, () => {
    for (const overlay of overlays)
      if (!overlay.isChosen) drawOverlay(surface, colors, area, picture, overlay);
    for (const overlay of overlays)
      if (overlay.isChosen) drawOverlay(surface, colors, area, picture, overlay);
  });
  if (row !== undefined) rowMark(surface, colors, area, model, row);
  timeMarks(surface, colors, area, axis);
}

/** The last picture of each map, which remains valid while the cursor moves. */
const drawn = new WeakMap<MapModel, { readonly key: string; readonly canvas: HTMLCanvasElement }>();

function imageOf(
  model: MapModel,
  area: Area,
  { span }: TimeAxis,
  scale: MapScale,
  background: 'dark' | 'light',
): HTMLCanvasElement {
  // More pixels than values would not make the picture sharper.
  const width = Math.max(1, Math.round(area.width));
  const height = Math.max(1, Math.min(Math.round(area.height), model.header.rows));
  const key = [...span, width, height, scale, background].join(' ');
  const cached = drawn.get(model);
  if (cached?.key === key) return cached.canvas;
  const colors = palette(background);
  const canvas = pixelCanvas(width, height, mapImage(model, { span, width, height, scale, colors }));
  drawn.set(model, { key, canvas });
  return canvas;
}

function rankLabels(surface: Surface, colors: PlotColors, area: Area, { ranks, header }: MapModel): void {
  const height = area.height / header.rows;
  for (const row of wholeTicks(0, header.rows - 1, Math.max(1, area.height / 20))) {
    const y = area.y + (row + 0.5) * height;
    // The label is the first of the ranks that share a row.
    surface.text(ranks[row]?.split(/[-,]/)[0] ?? '', area.x - 9, y, {
      color: colors.foreground,
      align: 'right',
    });
  }
}

/** Draws the areas of adjacent ranks, one per interval, in the colours of page and text, which are visible on any colour. */
function drawOverlay(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  { model, axis }: MapPicture,
  { rows, iterations, label, isChosen }: MapOverlay,
): void {
  const height = area.height / model.header.rows;
  let isNamed = false;
  for (const [from, to] of iterations)
    for (const [first, end] of runs(rows)) {
      const column = spanArea(area, axis, from, to);
      if (column === undefined) continue;
      const box = {
        x: column.x + 1,
        y: area.y + first * height + 1,
        width: Math.max(1, column.width - 2),
        height: Math.max(1, (end - first) * height - 2),
      };
      if (box.width < narrow) caps(surface, colors, box, isChosen);
      else if (box.height < thin) ends(surface, colors, box, isChosen);
      else if (isChosen) outline(surface, colors, box);
      else brackets(surface, colors, box);
      if (isNamed || !isChosen || box.width < surface.measure(label) + 8 || box.height < 16) continue;
      isNamed = true;
      surface.text(label, box.x + 5, box.y + box.height / 2, {
        color: colors.foreground,
        halo: colors.background,
        bold: true,
      });
    }
}

/** Marks the ends of an area that is too small for an outline. */
function ends(surface: Surface, colors: PlotColors, { x, y, width, height }: Area, isChosen: boolean): void {
  const half = Math.max(2, height / 2);
  const [top, bottom] = [y + height / 2 - half, y + height / 2 + half];
  const points = [x, top, x, bottom, NaN, NaN, x + width, top, x + width, bottom];
  surface.line(points, { color: colors.background, width: isChosen ? 5 : 3 });
  surface.line(points, { color: colors.foreground, width: isChosen ? 2.5 : 1 });
}

/** Marks an area of few columns above and below. */
function caps(surface: Surface, colors: PlotColors, { x, y, width, height }: Area, isChosen: boolean): void {
  const middle = x + width / 2;
  const length = Math.min(isChosen ? 9 : 5, height / 3);
  const points = [middle, y, middle, y + length, NaN, NaN, middle, y + height - length, middle, y + height];
  surface.line(points, { color: colors.background, width: 4 });
  surface.line(points, { color: colors.foreground, width: 2 });
}

/** Marks only the ends, so that the values between them remain visible. */
function brackets(surface: Surface, colors: PlotColors, { x, y, width, height }: Area): void {
  const arm = Math.min(4, width / 3);
  const [right, bottom] = [x + width, y + height];
  const left = [x + arm, y, x, y, x, bottom, x + arm, bottom, NaN, NaN];
  const points = [...left, right - arm, y, right, y, right, bottom, right - arm, bottom];
  surface.line(points, { color: colors.background, width: 3.5 });
  surface.line(points, { color: colors.foreground, width: 1.5 });
}

function runs(rows: Uint8Array): readonly (readonly [first: number, end: number])[] {
  const ranges: [number, number][] = [];
  rows.forEach((is, row) => {
    const last = ranges.at(-1);
    if (is === 0) return;
    if (last?.[1] === row) last[1] = row + 1;
    else ranges.push([row, row + 1]);
  });
  return ranges;
}

function rowMark(surface: Surface, colors: PlotColors, area: Area, { header }: MapModel, row: number): void {
  const height = area.height / header.rows;
  const y = area.y + row * height;
  const box = { x: area.x - 0.5, y: y - 0.5, width: area.width + 1, height: height + 1 };
  if (height >= thin) {
    surface.rectangle(box, { stroke: { color: colors.background, width: 3 } });
    surface.rectangle(box, { stroke: { color: colors.focus, width: 1.5 } });
  }
  const middle = y + height / 2;
  const right = area.x + area.width;
  const left = [area.x - 5, middle - 4, area.x - 1, middle, area.x - 5, middle + 4];
  surface.line([...left, NaN, NaN, right + 6, middle - 4, right + 2, middle, right + 6, middle + 4], {
    color: colors.foreground,
    width: 2,
  });
}

function legend(
  surface: Surface,
  colors: PlotColors,
  { model, scale, unit, row }: MapPicture,
  table: Uint8ClampedArray,
): void {
  const area = mapArea(surface.width, surface.height);
  const [low, high] = model.range(scale, row ?? 0);
  const names =
    scale === 'row'
      ? (['least of each rank', 'most of each rank'] as const)
      : ([
          valueText(low, unit),
          `${valueText(high, unit)}${scale === 'typical' ? ' and more' : ''}`,
        ] as const);
  const width = Math.min(160, Math.max(40, area.width * 0.25));
  colorBar(surface, colors, { x: area.x, y: legendHeight / 2 - 2, width, table }, names);
}
