import { translucent } from '../../charts/configuration';
import type { Curve, CurvePicture } from '../../charts/curves';
import type { PlotColors } from '../../charts/plotColors';
import type { Area, Surface } from '../../charts/surface';
import { ticks, wholeTicks } from '../../../src/core/ticks';
import { atFloat } from '../../../src/core/at';
import type { Pattern } from '../../../src/core/signal/signal';
import { hatch } from '../../charts/marks';
import { borderBands, borderMarks } from './borderMarks';
import { hatches, patternColor } from './patternMarks';
import { legend, legendHeight, legendItems, letterTint, smoothedLine } from './seriesLegend';
import { plotArea, spanArea, timeMarks } from '../base/frame';
import type { SeriesModel } from '../base/seriesModel';
import type { TimeAxis } from '../base/timeAxis';
import { patternName, valueText } from '../base/words';

export interface SeriesPicture {
  readonly model: SeriesModel;
  readonly axis: TimeAxis;
  readonly unit: string;
  /** Standard deviation in iterations, and the curve; absent: no smoothing. */
  readonly smoothed?: { readonly sigma: number; readonly values: Float64Array };
}

const stripHeight = 18;

export function seriesArea(width: number, height: number, colors: PlotColors, picture: SeriesPicture): Area {
  return plotArea(width, height, legendHeight(width, legendItems(colors, picture)) + stripHeight + 2);
}

/** The series with its letters above and its patterns; `curves` come from `seriesCurves`. */
export function seriesPicture(
  picture: SeriesPicture,
  curves: readonly Curve[],
  area: Area,
  colors: PlotColors,
): CurvePicture {
  const { model, axis, unit } = picture;
  const [first, last] = axis.span;
  const range = valueRange(model);
  const [low, high] = range;
  const y = (value: number): number => area.y + area.height * (1 - (value - low) / (high - low));
  return {
    area,
    curves,
    horizontal: {
      title: 'Iteration',
      // Displayed iterations count from 1; each value is in the middle of its iteration.
      range: [first + 0.5, last + 1.5],
      ticks: wholeTicks(first + 1, last + 1, Math.max(2, area.width / 70)),
      format: String,
    },
    vertical: {
      range,
      ticks: ticks(low, high, Math.max(2, Math.min(6, area.height / 32))),
      format: (value) => valueText(value, unit),
    },
    below: (surface) => {
      legend(surface, legendItems(colors, picture), colors.foreground);
      episodes(surface, colors, area, picture);
      surface.inside(area, () => {
        for (const pattern of model.detail.patterns) band(surface, colors, area, axis, pattern);
        borderBands(surface, colors, area, axis, model.borders);
        if (model.isResidual)
          surface.line([area.x, y(0), area.x + area.width, y(0)], { color: colors.foreground, width: 1.5 });
      });
    },
    above: (surface) => {
      surface.rectangle(area, { stroke: { color: colors.grid } });
      surface.inside(area, () => borderMarks(surface, colors, area, axis, model.borders, y));
      labels(surface, colors, area, picture);
      timeMarks(surface, colors, area, axis);
      cursorPoint(surface, colors, area, picture, y);
    },
  };
}

/** The values, their smoothed curve, and the fits of trends and steps. */
export function seriesCurves(picture: SeriesPicture, area: Area, colors: PlotColors): readonly Curve[] {
  const { model, smoothed } = picture;
  const points = curve(picture, model.detail.values);
  const pale = smoothed !== undefined && !colors.isHighContrast;
  const values: Curve = {
    points,
    color: pale ? translucent(colors.blue, 0.55) : colors.blue,
    width: smoothed === undefined ? 1.6 : 1,
    // Points make isolated values visible where there is room.
    ...(points.length / 2 > area.width / 14 ? {} : { pointRadius: 2 }),
  };
  const fit: Curve = {
    points: explainingPoints(picture),
    color: colors.foreground,
    ...(model.detail.model === undefined ? { width: 1.5, dash: [6, 3] } : { width: 2 }),
  };
  if (smoothed === undefined) return [values, fit];
  return [values, { points: curve(picture, smoothed.values), ...smoothedLine(colors, model) }, fit];
}

/** What explains the values: over the whole series, or the fits of its trends and steps. Residuals have the line at zero. */
function explainingPoints(picture: SeriesPicture): ArrayLike<number> {
  const { isResidual, detail } = picture.model;
  if (detail.model === undefined) return detail.patterns.flatMap(fitPoints);
  return isResidual ? [] : curve(picture, detail.model);
}

/** The points of a fitted trend or step: the level before, the rise, the level after. */
function fitPoints({ type, from, to, core, levels: [before, after] }: Pattern): readonly number[] {
  if (type === 'peak' || core === undefined) return [];
  return [from + 1, before, core[0] + 1, before, core[1] + 1, after, to + 1, after, NaN, NaN];
}

/** The range of values, from 0 unless the values are so close together that their change would be invisible. */
function valueRange({ lowest, highest }: SeriesModel): readonly [low: number, high: number] {
  const width = highest - lowest;
  if (width <= 0) return highest > 0 ? [0, highest * 1.25] : [Math.min(lowest, 0), 1];
  const low = lowest < 0 || width < 0.3 * highest ? lowest - 0.1 * width : 0;
  return [low, highest + 0.12 * width];
}

/** Points of the visible part; a value of several iterations is in their middle. */
function curve({ model, axis }: SeriesPicture, values: Float64Array): Float64Array {
  const [first, last] = axis.span;
  const begin = Math.max(0, Math.floor(first / model.step) - 1);
  const end = Math.min(values.length, Math.ceil((last + 1) / model.step) + 1);
  const points = new Float64Array(2 * Math.max(0, end - begin));
  for (let position = begin; position < end; position++) {
    const [from, to] = model.extent(position);
    points[2 * (position - begin)] = (from + to) / 2 + 1;
    points[2 * (position - begin) + 1] = atFloat(values, position);
  }
  return points;
}

/** Draws the whole interval of a pattern in a pale colour; its core, where the rise is, is stronger and hatched. */
function band(surface: Surface, colors: PlotColors, area: Area, axis: TimeAxis, pattern: Pattern): void {
  const color = patternColor(colors, pattern);
  const run = spanArea(area, axis, pattern.from, pattern.to);
  if (run === undefined) return;
  surface.rectangle(run, colors.isHighContrast ? { stroke: { color } } : { fill: translucent(color, 0.09) });
  const [from, to] = pattern.core ?? [pattern.from, pattern.to];
  const core = spanArea(area, axis, from, to);
  if (core === undefined) return;
  hatch(surface, core, hatches[pattern.type], translucent(color, colors.isHighContrast ? 0.4 : 0.22));
}

/** Draws the names of the patterns, in several lines if they would overlap, and only the first letter where there is little room. */
function labels(surface: Surface, colors: PlotColors, area: Area, { model, axis }: SeriesPicture): void {
  const ends: number[] = [];
  for (const pattern of model.detail.patterns.toSorted((a, b) => a.from - b.from)) {
    const place = spanArea(area, axis, pattern.from, pattern.to);
    if (place === undefined) continue;
    const name = patternName(pattern);
    const fits = surface.measure(name) + 6 <= place.width;
    const text = fits ? name : name.slice(0, 1).toUpperCase();
    const x = fits ? place.x + 4 : place.x + place.width / 2;
    const width = surface.measure(text) + 6;
    const free = ends.findIndex((end) => end < x);
    const line = free < 0 ? ends.length : free;
    if (line > 3) continue;
    ends[line] = x + width;
    surface.text(text, x, area.y + 10 + line * 15, {
      color: colors.foreground,
      align: fits ? 'left' : 'center',
      halo: colors.background,
      bold: true,
    });
  }
}

function episodes(surface: Surface, colors: PlotColors, area: Area, { model, axis }: SeriesPicture): void {
  const strip: Area = { x: area.x, y: area.y - stripHeight - 2, width: area.width, height: stripHeight };
  let narrow = 0;
  for (const { letter, from, to } of model.detail.episodes) {
    const place = spanArea(strip, axis, from, to);
    if (place === undefined) continue;
    surface.rectangle(place, { fill: letterTint(colors, letter), stroke: { color: colors.grid } });
    if (place.width < 10) narrow++;
    else
      surface.text(letter, place.x + place.width / 2, place.y + place.height / 2, {
        color: colors.foreground,
        align: 'center',
      });
  }
  surface.rectangle(strip, { stroke: { color: colors.grid } });
  if (narrow === 0 || model.detail.episodes.length > narrow) return;
  surface.text(`${narrow} episodes: zoom in`, strip.x + strip.width / 2, strip.y + strip.height / 2, {
    color: colors.foreground,
    align: 'center',
    halo: colors.background,
  });
}

function cursorPoint(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  { model, axis }: SeriesPicture,
  y: (value: number) => number,
): void {
  const { cursor } = axis;
  const value = cursor === undefined ? undefined : model.value(cursor);
  if (cursor === undefined || value === undefined) return;
  const index = Math.floor(cursor / model.step);
  const [from, to] = model.extent(index);
  const box = { x: axis.x((from + to) / 2, area) - 3.5, y: y(value) - 3.5, width: 7, height: 7 };
  surface.rectangle(box, { fill: colors.background, stroke: { color: colors.foreground, width: 2 } });
}
