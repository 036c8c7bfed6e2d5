/** Where changes begin and end, with the ranges that contain these places with a probability of 95 %. */
import { translucent } from '../../charts/configuration';
import type { PlotColors } from '../../charts/plotColors';
import type { Area, Surface } from '../../charts/surface';
import { spanArea } from '../base/frame';
import type { Border } from '../base/seriesModel';
import type { TimeAxis } from '../base/timeAxis';

/** Half the height of the bars at the ends of a range, and of the mark at the most likely place. */
const size = 5;

/** Draws the ranges as pale bands over the whole height, below the curves. */
export function borderBands(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  axis: TimeAxis,
  borders: readonly Border[],
): void {
  for (const { range } of borders) {
    const band = spanArea(area, axis, ...range);
    if (band === undefined) continue;
    if (!colors.isHighContrast) surface.rectangle(band, { fill: translucent(colors.foreground, 0.1) });
    const { x, y, width, height } = band;
    const edges = [x, y, x, y + height, NaN, NaN, x + width, y, x + width, y + height];
    surface.line(edges, { color: colors.muted, dash: [2, 3] });
  }
}

/**
 * Draws each range as a bar with ends, and a diamond at the most likely place: full where a change begins, hollow where it ends.
 * @param y position of a value on the screen
 */
export function borderMarks(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  axis: TimeAxis,
  borders: readonly Border[],
  y: (value: number) => number,
): void {
  for (const border of borders) {
    const [first, last] = border.range.map((iteration) => axis.x(iteration, area));
    if (first !== undefined && last !== undefined)
      whisker(surface, colors, [first, axis.x(border.place, area), last], y(border.level), border.ends);
  }
}

/** The mark of a border for the legend. */
export function borderSample(surface: Surface, colors: PlotColors, x: number, y: number): void {
  whisker(surface, colors, [x + 1, x + 9, x + 17], y, false);
}

function whisker(
  surface: Surface,
  colors: PlotColors,
  [first, place, last]: readonly [number, number, number],
  y: number,
  isHollow: boolean,
): void {
  const ends = [first, y - size, first, y + size, NaN, NaN, last, y - size, last, y + size];
  // The outline separates the marks from any curve below them.
  surface.line(ends, { color: colors.background, width: 5 });
  surface.line([...ends, NaN, NaN, first, y, last, y], { color: colors.foreground, width: 2 });
  surface.polygon(diamond(place, y, size + 2.5), colors.background);
  surface.polygon(diamond(place, y, size + 0.5), colors.foreground);
  if (isHollow) surface.polygon(diamond(place, y, size - 2.5), colors.background);
}

function diamond(x: number, y: number, half: number): readonly number[] {
  return [x - half, y, x, y - half, x + half, y, x, y + half];
}
