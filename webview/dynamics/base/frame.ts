import type { PlotColors } from '../../charts/plotColors';
import type { Area, Surface } from '../../charts/surface';
import { wholeTicks } from '../../../src/core/ticks';
import { translucent } from '../../charts/configuration';
import type { TimeAxis } from './timeAxis';

/** The area of a chart. All charts over time have the same left and right margins, so that iterations align. */
export function plotArea(width: number, height: number, top: number, bottom = 36): Area {
  const left = width < 420 ? 52 : 66;
  return {
    x: left,
    y: top,
    width: Math.max(10, width - left - 10),
    height: Math.max(10, height - top - bottom),
  };
}

/** Draws the outline of the area, iterations from 1 below it with a line at each, and the title of the vertical axis. */
export function timeGrid(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  axis: TimeAxis,
  verticalTitle: string,
): void {
  surface.rectangle(area, { stroke: { color: colors.grid } });
  const middle = area.y + area.height / 2;
  surface.text(verticalTitle, 12, middle, { color: colors.muted, align: 'center', turned: true });
  const [first, last] = axis.span;
  const bottom = area.y + area.height;
  for (const tick of wholeTicks(first + 1, last + 1, Math.max(2, area.width / 70))) {
    const x = axis.x(tick - 1, area);
    surface.line([x, bottom, x, bottom + 4], { color: colors.muted });
    const isCut = x + surface.measure(String(tick)) / 2 > surface.width;
    surface.text(String(tick), isCut ? surface.width : x, bottom + 7, {
      color: colors.foreground,
      align: isCut ? 'right' : 'center',
      baseline: 'top',
    });
  }
  surface.text('Iteration', area.x + area.width, bottom + 35, {
    color: colors.muted,
    align: 'right',
    baseline: 'bottom',
  });
}

/** Draws the cursor and the marked interval. */
export function timeMarks(surface: Surface, colors: PlotColors, area: Area, axis: TimeAxis): void {
  const { cursor, brush } = axis;
  if (brush !== undefined) {
    const half = area.width / (axis.span[1] - axis.span[0] + 1) / 2;
    const x = axis.x(brush[0], area) - half;
    const width = axis.x(brush[1], area) + half - x;
    surface.rectangle(
      { x, y: area.y, width, height: area.height },
      { fill: translucent(colors.focus, 0.25), stroke: { color: colors.focus } },
    );
  }
  if (cursor === undefined) return;
  const x = axis.x(cursor, area);
  surface.line([x, area.y, x, area.y + area.height], { color: colors.foreground, dash: [3, 2] });
}

/** The part of the area that an interval of iterations covers; undefined if it is not visible. */
export function spanArea(area: Area, axis: TimeAxis, from: number, to: number): Area | undefined {
  const [first, last] = axis.span;
  if (to < first || from > last) return undefined;
  const half = area.width / (last - first + 1) / 2;
  const left = Math.max(area.x, axis.x(from, area) - half);
  const right = Math.min(area.x + area.width, axis.x(to, area) + half);
  // A very short interval must still be visible.
  return { x: left, y: area.y, width: Math.max(2, right - left), height: area.height };
}
