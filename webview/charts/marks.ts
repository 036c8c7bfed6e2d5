import { paletteColor } from './palette';
import type { PlotColors } from './plotColors';
import type { Area, Surface } from './surface';

/** Draws an outline that is visible on any colour. */
export function outline(surface: Surface, colors: PlotColors, area: Area): void {
  surface.rectangle(area, { stroke: { color: colors.background, width: 4 } });
  surface.rectangle(area, { stroke: { color: colors.foreground, width: 2 } });
}

/** Draws a colour scale between its two labels; `shareAt` maps a position on the bar (0…1) to the share it represents. */
export function colorBar(
  surface: Surface,
  colors: PlotColors,
  bar: { readonly x: number; readonly y: number; readonly width: number; readonly table: Uint8ClampedArray },
  [low, high]: readonly [string, string],
  shareAt: (place: number) => number = (place) => place,
): void {
  const { x, y, width, table } = bar;
  surface.text(low, x, y, { color: colors.foreground });
  const begin = x + surface.measure(low) + 8;
  const slices = 48;
  for (let slice = 0; slice < slices; slice++) {
    const fill = paletteColor(table, shareAt(slice / (slices - 1)));
    const left = begin + (slice / slices) * width;
    // Slices overlap slightly to avoid gaps.
    surface.rectangle({ x: left, y: y - 5, width: width / slices + 0.6, height: 10 }, { fill });
  }
  surface.rectangle({ x: begin, y: y - 5, width, height: 10 }, { stroke: { color: colors.grid } });
  surface.text(high, begin + width + 8, y, { color: colors.foreground });
}

export type Hatch = 'rising' | 'falling' | 'upright';

/** Draws lines across an area, which distinguish kinds without colours. */
export function hatch(surface: Surface, area: Area, kind: Hatch, color: string): void {
  const { x, y, width, height } = area;
  const step = 9;
  surface.inside(area, () => {
    const points: number[] = [];
    for (let left = x - (x % step) - (kind === 'upright' ? 0 : height); left < x + width; left += step) {
      if (kind === 'upright') points.push(left, y, left, y + height, NaN, NaN);
      else if (kind === 'rising') points.push(left, y + height, left + height, y, NaN, NaN);
      else points.push(left, y, left + height, y + height, NaN, NaN);
    }
    surface.line(points, { color });
  });
}
