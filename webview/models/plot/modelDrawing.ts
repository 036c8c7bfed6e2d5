import { atFloat } from '../../../src/core/at';
import { formatCount, formatValueUpTo } from '../../../src/core/format';
import type { ModelCurve } from '../../../src/core/views/models/modelPieces';
import { translucent } from '../../charts/configuration';
import type { Curve, CurvePicture } from '../../charts/curves';
import { hatch } from '../../charts/marks';
import type { PlotColors } from '../../charts/plotColors';
import type { Area, Surface } from '../../charts/surface';
import { type Scale, scaleOf } from './scale';

export interface DrawnModel {
  /** Name in the legend. */
  readonly name: string;
  readonly curve: ModelCurve;
}

export interface ModelPicture {
  /** One model, or two to compare. */
  readonly models: readonly DrawnModel[];
  /** Names of the axes, which are logarithmic only where everything is positive. */
  readonly parameter: string;
  readonly metric: string;
  /** Unit of the metric, as `formatValue` takes it. */
  readonly unit: string;
  readonly logarithmicX: boolean;
  readonly logarithmicY: boolean;
  /** A value of the parameter that the user reads. */
  readonly cursor?: number;
}

const lineHeight = 18;
const buttonsWidth = 66;
/** Bands that are wider than the largest value times this would make everything else flat; they leave the picture. */
const widestBand = 2;

/** The colours and forms of the first and the second model: colour is never the only difference. */
function styleOf(
  colors: PlotColors,
  position: number,
): { readonly color: string; readonly dash: readonly number[] } {
  return position === 0 ? { color: colors.blue, dash: [] } : { color: colors.orange, dash: [9, 4] };
}

/** Curves, bands, measured points and what is extrapolated. */
export function modelPicture(
  picture: ModelPicture,
  width: number,
  height: number,
  colors: PlotColors,
): CurvePicture {
  const legend = legendPlaces(picture, width);
  const top = 8 + legend.height;
  const left = 84;
  const area = {
    x: left,
    y: top,
    width: Math.max(10, width - left - 16),
    height: Math.max(10, height - top - 40),
  };
  const { models, parameter, metric, unit } = picture;
  const possible = logarithmicAxes(models);
  const [logarithmicX, logarithmicY] = [
    picture.logarithmicX && possible.x,
    picture.logarithmicY && possible.y,
  ];
  const x = scaleOf(horizontalRange(models, logarithmicX), {
    isLogarithmic: logarithmicX,
    mostTicks: Math.max(2, area.width / 70),
    format: formatCount,
    start: area.x,
    length: area.width,
  });
  const heights = verticalRange(models, logarithmicY);
  const y = scaleOf(heights, {
    isLogarithmic: logarithmicY,
    mostTicks: Math.max(2, Math.min(6, area.height / 32)),
    // A logarithmic axis goes over many units.
    format: (value) => formatValueUpTo(value, unit, logarithmicY ? 0 : heights[1]),
    start: area.y + area.height,
    length: -area.height,
  });
  return {
    area,
    curves: models.map(({ curve }, position) => modelCurve(curve, x, y, styleOf(colors, position))),
    horizontal: { ...x.axis, title: parameter },
    vertical: { ...y.axis, ...(width >= 420 && metric !== '' && { title: metric }) },
    below: (surface) => {
      drawLegend(surface, colors, picture, legend.places);
      surface.inside(area, () => {
        extrapolated(surface, colors, area, models, x);
        models.forEach(({ curve }, position) =>
          band(surface, colors, area, curve, x, y, styleOf(colors, position).color),
        );
      });
    },
    above: (surface) => {
      surface.rectangle(area, { stroke: { color: colors.grid } });
      surface.inside(area, () => {
        models.forEach(({ curve }, position) => points(surface, colors, curve, x, y, position));
        if (picture.cursor === undefined) return;
        const cursor = x.pixel(picture.cursor);
        surface.line([cursor, area.y, cursor, area.y + area.height], {
          color: colors.foreground,
          dash: [3, 2],
        });
      });
    },
  };
}

/** Which axes can be logarithmic: what was measured must be positive. */
export function logarithmicAxes(models: readonly DrawnModel[]): { readonly x: boolean; readonly y: boolean } {
  return {
    x: models.every(({ curve }) => atFloat(curve.at, 0) > 0),
    y: models.every(({ curve: { measured, values } }) =>
      measured.length > 0 ? measured.every(({ value }) => value > 0) : values.some((value) => value > 0),
    ),
  };
}

/** The range of the curves, with room for the first and the last point. */
function horizontalRange(models: readonly DrawnModel[], isLogarithmic: boolean): readonly [number, number] {
  const ends = models.flatMap(({ curve }) => [atFloat(curve.at, 0), atFloat(curve.at, curve.at.length - 1)]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  if (isLogarithmic) {
    const margin = high > low ? (high / low) ** 0.02 : 2;
    return [low / margin, high * margin];
  }
  const margin = high > low ? 0.02 * (high - low) : Math.abs(high || 1) / 2;
  return [low - margin, high + margin];
}

/** The range of curves and measured values, from 0 if nothing is negative, with as much of the bands as leaves the curves visible. */
export function verticalRange(
  models: readonly DrawnModel[],
  isLogarithmic: boolean,
): readonly [low: number, high: number] {
  const isDrawn = (value: number): boolean => Number.isFinite(value) && (!isLogarithmic || value > 0);
  const values = models
    .flatMap(({ curve: { values: all, measured } }) => [
      ...all,
      ...measured.flatMap(({ value, repetitions }) => [value, ...repetitions]),
    ])
    .filter(isDrawn);
  if (values.length === 0) return isLogarithmic ? [0.1, 10] : [0, 1];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const lows = models.flatMap(({ curve }) => [...curve.low]).filter(isDrawn);
  const highs = models.flatMap(({ curve }) => [...curve.high]).filter(isDrawn);
  const end = most > 0 ? most * widestBand : most;
  const high = Math.max(most, ...highs.map((value) => Math.min(value, end)));
  if (isLogarithmic) {
    const low = Math.min(least, ...lows.map((value) => Math.max(value, least / 4)));
    return [low / 1.1, high * 1.1];
  }
  const low = least < 0 ? Math.min(least, ...lows.map((value) => Math.max(value, 2 * least))) : 0;
  const width = high - low;
  return width > 0
    ? [low < 0 ? low - 0.05 * width : 0, high + 0.06 * width]
    : [Math.min(low, 0), high > 0 ? 2 * high : 1];
}

function modelCurve(
  curve: ModelCurve,
  x: Scale,
  y: Scale,
  { color, dash }: { readonly color: string; readonly dash: readonly number[] },
): Curve {
  const all: number[] = [];
  curve.at.forEach((at, position) => all.push(x.place(at), y.place(atFloat(curve.values, position))));
  return { points: all, color, width: 2, dash };
}

/** The area of the 95 % range; in high contrast its edges, because shades are invisible there. */
function band(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  curve: ModelCurve,
  x: Scale,
  y: Scale,
  color: string,
): void {
  const edge = (values: Float64Array, positions: readonly number[]): readonly (readonly [number, number])[] =>
    positions.map((position) => {
      const value = atFloat(values, position);
      // Beyond the picture, also what is infinite, or below 0 on a logarithmic axis.
      const pixel = value === Infinity ? -Infinity : y.pixel(value);
      const end = Number.isNaN(pixel) ? Infinity : pixel;
      return [
        x.pixel(atFloat(curve.at, position)),
        Math.min(area.y + area.height + 20, Math.max(area.y - 20, end)),
      ];
    });
  for (const positions of predictedParts(curve)) {
    const [low, high] = [edge(curve.low, positions), edge(curve.high, positions)];
    if (colors.isHighContrast)
      for (const points of [low, high]) surface.line(points.flat(), { color, dash: [2, 3] });
    else surface.polygon([...low, ...high.toReversed()].flat(), translucent(color, 0.17));
  }
}

/** Positions of consecutive predictions: two parts if the behaviour changes. */
export function predictedParts({ values }: Pick<ModelCurve, 'values'>): readonly (readonly number[])[] {
  const parts: number[][] = [];
  values.forEach((value, position) => {
    if (Number.isNaN(value)) return;
    const last = parts.at(-1);
    if (last?.at(-1) === position - 1) last.push(position);
    else parts.push([position]);
  });
  return parts;
}

/** What lies beyond the measured values. */
function extrapolated(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  models: readonly DrawnModel[],
  x: Scale,
): void {
  const border = x.pixel(Math.max(...models.map(({ curve }) => curve.range[1])));
  const rest = { ...area, x: border, width: area.x + area.width - border };
  if (!(rest.width > 1)) return;
  hatch(surface, rest, 'rising', translucent(colors.foreground, colors.isHighContrast ? 0.16 : 0.06));
  surface.line([border, area.y, border, area.y + area.height], { color: colors.muted, dash: [4, 4] });
  if (surface.measure('extrapolated') + 12 > rest.width) return;
  surface.text('extrapolated', area.x + area.width - 6, area.y + area.height - 10, {
    color: colors.foreground,
    align: 'right',
    halo: colors.background,
  });
}

/** Repetitions as short lines, and their statistic as a square: filled for the first model, empty for the second. */
function points(
  surface: Surface,
  colors: PlotColors,
  { measured }: ModelCurve,
  x: Scale,
  y: Scale,
  position: number,
): void {
  const { color } = styleOf(colors, position);
  for (const { at, value, repetitions } of measured) {
    const left = x.pixel(at);
    for (const repetition of repetitions) {
      const top = y.pixel(repetition);
      surface.line([left - 5, top, left + 5, top], { color });
    }
    square(surface, colors, left, y.pixel(value), position);
  }
}

function square(surface: Surface, colors: PlotColors, x: number, y: number, position: number): void {
  if (Number.isNaN(x) || Number.isNaN(y)) return;
  const { color } = styleOf(colors, position);
  const fill = position === 0 ? color : colors.background;
  const place = { x: x - 3, y: y - 3, width: 6, height: 6 };
  surface.rectangle(place, {
    fill,
    stroke: { color: position === 0 ? colors.background : color, width: 1.5 },
  });
}

type Sample = 'model' | 'measured' | 'band';

interface LegendItem {
  readonly text: string;
  readonly sample: Sample;
  readonly model: number;
  readonly x: number;
  readonly y: number;
}

/** Where the items of the legend stand: in as many lines as they need. Widths of letters are estimated, because nothing is drawn yet. */
function legendPlaces(
  { models }: ModelPicture,
  width: number,
): { readonly places: readonly LegendItem[]; readonly height: number } {
  const wanted = models.flatMap(({ name }, model) => [
    { text: name, sample: 'model' as const, model },
    ...(model === models.length - 1 ? [{ text: 'measured', sample: 'measured' as const, model }] : []),
    ...(model === models.length - 1 ? [{ text: '95 % range', sample: 'band' as const, model }] : []),
  ]);
  let [x, line] = [12, 0];
  const places = wanted.map((item) => {
    const needed = 24 + item.text.length * 7.2 + 14;
    if (x > 12 && x + needed > width - buttonsWidth) [x, line] = [12, line + 1];
    const place = { ...item, x, y: 14 + line * lineHeight };
    x += needed;
    return place;
  });
  return { places, height: 8 + (line + 1) * lineHeight };
}

function drawLegend(
  surface: Surface,
  colors: PlotColors,
  { models }: ModelPicture,
  places: readonly LegendItem[],
): void {
  for (const { text, sample, model, x, y } of places) {
    const { color, dash } = styleOf(colors, model);
    const alone = models.length === 1 ? color : colors.muted;
    if (sample === 'model') surface.line([x, y, x + 18, y], { color, width: 2, dash });
    else if (sample === 'measured') square(surface, colors, x + 9, y, model);
    else {
      const box = { x, y: y - 6, width: 18, height: 12 };
      surface.rectangle(
        box,
        colors.isHighContrast
          ? { stroke: { color: alone, dash: [2, 3] } }
          : { fill: translucent(alone, 0.25) },
      );
    }
    surface.text(text, x + 24, y, { color: colors.foreground });
  }
}
