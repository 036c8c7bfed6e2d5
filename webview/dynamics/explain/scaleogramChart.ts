import { csvText } from '../../../src/core/csv';
import { formatPercent } from '../../../src/core/format';
import type { HaarCell } from '../../../src/core/transforms/haar';
import { palette, paletteColor } from '../../charts/palette';
import type { PlotColors } from '../../charts/plotColors';
import type { Area, Surface } from '../../charts/surface';
import type { Control } from '../../ui/base/dom';
import { colorBar } from '../../charts/marks';
import { spanArea } from '../base/frame';
import { rowsTable } from '../../ui/grid/rowsTable';
import type { SeriesModel } from '../base/seriesModel';
import type { SavePicture, TimeAxis } from '../base/timeAxis';
import { seriesTitle, spanText } from '../base/words';
import { explainPicture } from './explainPicture';

/** The energies of a series by scale and position. */
interface Energies {
  /** Cells by scale, the finest first. */
  readonly levels: readonly (readonly HaarCell[])[];
  /** All cells, the strongest first. */
  readonly sorted: readonly HaarCell[];
  readonly total: number;
}

export interface ScaleogramChart extends Control {
  show(model: SeriesModel | undefined, unit: string): void;
}

/** Position and length of the changes in a series. Keys: Up and Down choose a scale, Left and Right a position. */
export function scaleogramChart(axis: TimeAxis, save: SavePicture): ScaleogramChart {
  let model: SeriesModel | undefined;
  let unit = '';
  let energies: Energies = { levels: [], sorted: [], total: 0 };
  const table = rowsTable({
    label: 'Energies by scale and place',
    columns: () => [
      { title: 'Scale', number: true, width: 76 },
      { title: 'Shift', number: true, width: 76 },
      { title: 'Iterations', width: 120 },
      { title: `Energy [${unit}²]`, number: true },
      { title: 'Of the change', number: true, width: 120 },
    ],
    count: () => energies.sorted.length,
    cells: (row) => {
      const cell = energies.sorted[row];
      if (cell === undefined || model === undefined) return [];
      const { scale, shift, energy } = cell;
      return [
        String(scale * model.step),
        String(shift),
        spanText(...extent(cell, model)),
        energyText(energy),
        formatPercent(shareOf(energy, energies)),
      ];
    },
  });
  const picture = explainPicture<HaarCell>({
    axis,
    save,
    label: 'Scaleogram: where the series changes, by the length of the change',
    keys: 'Up and Down choose a scale, Left and Right a place, Home the strongest.',
    name: () => (model === undefined ? 'scaleogram' : `${seriesTitle(model.row)} · scaleogram`),
    table,
    csv: () =>
      csvText([
        ['scale', 'shift', 'first iteration', 'last iteration', `energy [${unit}²]`, 'share'],
        ...energies.sorted.map((cell) => {
          const [first, last] = model === undefined ? [0, 0] : extent(cell, model);
          const { scale, shift, energy } = cell;
          return [scale * (model?.step ?? 1), shift, first + 1, last + 1, energy, shareOf(energy, energies)];
        }),
      ]),
    top: legendHeight,
    verticalTitle: 'Scale',
    draw: (surface, colors, area) => {
      if (model !== undefined) drawScaleogram(surface, colors, area, { model, axis, energies });
    },
    placeOf: (cell, area) =>
      model && spanArea(levelArea(area, levelOf(cell), energies), axis, ...extent(cell, model)),
    itemAt: (iteration, y, area) => {
      const row = Math.floor(((y - area.y) / area.height) * energies.levels.length);
      const level = energies.levels[energies.levels.length - 1 - row];
      const scale = level?.[0]?.scale;
      if (model === undefined || scale === undefined) return undefined;
      return level?.[Math.floor(iteration / model.step / scale)];
    },
    neighbour: (key, from) => neighbour(key, from, energies),
    words: (cell) => (cell === undefined ? sumWords(energies, unit) : cellWords(cell, model, energies, unit)),
  });
  return {
    element: picture.element,
    show: (wanted, wantedUnit) => {
      model = wanted;
      unit = wantedUnit;
      energies = energiesOf(model);
      picture.renew();
    },
  };
}

function energiesOf(model: SeriesModel | undefined): Energies {
  const levels: HaarCell[][] = [];
  const all = model?.explanation.scaleogram ?? [];
  let total = 0;
  for (const cell of all) {
    (levels[levelOf(cell)] ??= []).push(cell);
    total += cell.energy;
  }
  return { levels, sorted: all.toSorted((a, b) => b.energy - a.energy || a.scale - b.scale), total };
}

function extent({ scale, shift }: HaarCell, { step, iterations }: SeriesModel): readonly [number, number] {
  return [shift * scale * step, Math.min(iterations, (shift + 1) * scale * step) - 1];
}

function shareOf(energy: number, { total }: Energies): number {
  return total > 0 ? energy / total : 0;
}

function energyText(energy: number): string {
  return energy === 0 ? '0' : String(Number(energy.toPrecision(3)));
}

function cellWords(cell: HaarCell, model: SeriesModel | undefined, energies: Energies, unit: string): string {
  if (model === undefined) return '';
  const { scale, shift, energy } = cell;
  return `Scale ${scale * model.step}, shift ${shift} (iterations ${spanText(...extent(cell, model))}): ${formatPercent(shareOf(energy, energies))} of the change, ${energyText(energy)} ${unit}²`;
}

function sumWords({ total, sorted }: Energies, unit: string): string {
  return sorted.length === 0 ? '' : `Change in total: ${energyText(total)} ${unit}²`;
}

function neighbour(
  key: string,
  from: HaarCell | undefined,
  { levels, sorted }: Energies,
): HaarCell | undefined {
  if (key === 'Home') return sorted[0];
  if (!['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].includes(key)) return undefined;
  if (from === undefined) return sorted[0];
  const level = levelOf(from);
  const beside = (by: number): HaarCell => levels[level]?.[from.shift + by] ?? from;
  switch (key) {
    case 'ArrowLeft':
      return beside(-1);
    case 'ArrowRight':
      return beside(1);
    case 'ArrowUp':
      return levels[level + 1]?.[from.shift >> 1] ?? from;
    default:
      return levels[level - 1]?.[from.shift * 2] ?? from;
  }
}

const legendHeight = 24;

function levelOf({ scale }: HaarCell): number {
  return Math.round(Math.log2(scale)) - 1;
}

/** The row of a scale; the coarsest is at the top. */
function levelArea(area: Area, level: number, { levels }: Energies): Area {
  const height = area.height / Math.max(1, levels.length);
  return { ...area, y: area.y + area.height - (level + 1) * height, height };
}

function drawScaleogram(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  { model, axis, energies }: { model: SeriesModel; axis: TimeAxis; energies: Energies },
): void {
  const table = palette(colors.isDark ? 'dark' : 'light');
  const most = energies.sorted[0]?.energy ?? 0;
  surface.rectangle(area, { fill: paletteColor(table, 0) });
  energies.levels.forEach((level, index) => {
    const row = levelArea(area, index, energies);
    for (const cell of level) {
      // Colours follow the square root; small energies would be invisible beside the largest.
      const share = most > 0 ? Math.sqrt(cell.energy / most) : 0;
      if (share < 1 / 128) continue;
      const place = spanArea(row, axis, ...extent(cell, model));
      if (place !== undefined) surface.rectangle(place, { fill: paletteColor(table, share) });
    }
    if (row.height < 12 && index % 2 === 1) return;
    const name = String((level[0]?.scale ?? 1) * model.step);
    surface.text(name, area.x - 6, row.y + row.height / 2, { color: colors.foreground, align: 'right' });
  });
  const bar = { x: area.x, y: legendHeight / 2 - 1, width: Math.min(140, area.width * 0.3), table };
  const ends = ['0 %', `${formatPercent(shareOf(most, energies))} of the change`] as const;
  colorBar(surface, colors, bar, ends, Math.sqrt);
}
