import type { PlotColors } from '../../charts/plotColors';
import type { Area, Surface } from '../../charts/surface';
import { translucent } from '../../charts/configuration';
import { wholeTicks } from '../../../src/core/ticks';
import type { RankAxis } from './rankAxis';

/** Pictures from this width on have room for a number at the end of each row. */
const wide = 480;

/** The area of a picture of ranks: the same columns in all of them. */
export function rankArea(width: number, height: number, top: number, bottom: number): Area {
  const left = Math.min(240, Math.max(96, width * 0.28));
  const right = width < wide ? 12 : 98;
  return {
    x: left,
    y: top,
    width: Math.max(10, width - left - right),
    height: Math.max(10, height - top - bottom),
  };
}

export function hasRowNumbers(width: number): boolean {
  return width >= wide;
}

/** Left and right end of a bin on whole pixels, so that neighbours neither overlap nor leave a gap; wide ones leave a gap of one pixel. */
export function binEnds(
  area: Pick<Area, 'x' | 'width'>,
  bin: number,
  bins: number,
): readonly [left: number, right: number] {
  const edge = (at: number): number => Math.round(area.x + (at * area.width) / bins);
  return [edge(bin), edge(bin + 1) - (area.width / bins > 4 ? 1 : 0)];
}

/** The ranks below an area, where they are in their order. */
export function rankLabels(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  axis: RankAxis,
  title: string,
): void {
  const bottom = area.y + area.height;
  const isSorted = axis.ranks.every((rank, position) => rank === position);
  const width = area.width / axis.count;
  if (isSorted)
    for (const position of wholeTicks(0, axis.count - 1, Math.max(2, area.width / 60))) {
      const x = area.x + (position + 0.5) * width;
      surface.line([x, bottom, x, bottom + 3], { color: colors.muted });
      surface.text(String(axis.names[position]?.rank ?? ''), x, bottom + 5, {
        color: colors.foreground,
        align: 'center',
        baseline: 'top',
      });
    }
  surface.text(title, isSorted ? area.x - 8 : area.x + area.width, bottom + 5, {
    color: colors.muted,
    align: 'right',
    baseline: 'top',
  });
}

/** The column of the cursor. */
export function cursorMark(surface: Surface, colors: PlotColors, area: Area, axis: RankAxis): void {
  if (axis.cursor === undefined) return;
  const bins = axis.bins(area.width);
  const width = area.width / bins.count;
  const x = area.x + bins.binOf(axis.cursor) * width;
  surface.rectangle(
    { x, y: area.y, width: Math.max(1, width), height: area.height },
    width > 3
      ? { stroke: { color: colors.foreground, width: 1 } }
      : { fill: translucent(colors.foreground, 0.6) },
  );
}
