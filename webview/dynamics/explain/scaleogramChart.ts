import { csvText } from '../../../src/core/csv';
import { formatPercent } from '../../../src/core/format';
import type { HaarCell } from '../../../src/core/transforms/haar';
import { palette, paletteColor } from '../../charts/palette';
import { plot } from '../../charts/plot';
import type { PlotColors } from '../../charts/plotColors';
import type { Area, Surface } from '../../charts/surface';
import { type Control, element } from '../../ui/base/dom';
import { announce } from '../../ui/base/liveRegion';
import { plotArea, spanArea, timeGrid, timeMarks } from '../base/frame';
import { rowsTable } from '../base/rowsTable';
import type { SeriesModel } from '../base/seriesModel';
import { timeKey, type TimeAxis } from '../base/timeAxis';
import { seriesTitle, spanText } from '../base/words';

/** The energies of a series by scale and place. */
interface Energies {
  /** By scale, finest first. */
  readonly levels: readonly (readonly HaarCell[])[];
  /** The strongest first. */
  readonly sorted: readonly HaarCell[];
  readonly total: number;
}

export interface ScaleogramChart extends Control {
  show(model: SeriesModel | undefined, unit: string): void;
}

/** Where a series changes, and how long the changes are. Keys: Up and Down choose a scale, Left and Right a place. */
export function scaleogramChart(options: {
  readonly axis: TimeAxis;
  readonly save: (kind: 'png' | 'svg' | 'csv', name: string, content: Uint8Array) => void;
}): ScaleogramChart {
  const { axis } = options;
  let model: SeriesModel | undefined;
  let unit = '';
  let energies: Energies = { levels: [], sorted: [], total: 0 };
  let chosen: HaarCell | undefined;
  const readOut = element('p', { class: 'read-out', attributes: { 'aria-hidden': 'true' } });
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
    cells: (at) => {
      const cell = energies.sorted[at];
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
  const shown = plot({
    label: 'Scaleogram: where the series changes, by the length of the change',
    keys: 'Up and Down choose a scale, Left and Right a place, Home the strongest.',
    table,
    draw: (surface, colors) => {
      if (model !== undefined) drawScaleogram(surface, colors, { model, axis, energies, chosen });
    },
    csv: () =>
      csvText([
        ['scale', 'shift', 'first iteration', 'last iteration', `energy [${unit}²]`, 'share'],
        ...energies.sorted.map((cell) => {
          const [first, last] = model === undefined ? [0, 0] : extent(cell, model);
          const { scale, shift, energy } = cell;
          return [scale * (model?.step ?? 1), shift, first + 1, last + 1, energy, shareOf(energy, energies)];
        }),
      ]),
    onSave: (kind, content) =>
      options.save(
        kind,
        model === undefined ? 'scaleogram' : `${seriesTitle(model.row)} · scaleogram`,
        content,
      ),
    onKey: (event) => {
      const next = neighbour(event.key, chosen, energies);
      if (next === undefined) return timeKey(event, axis);
      choose(next);
      announce(cellWords(next, model, energies, unit));
      return true;
    },
  });
  const choose = (cell: HaarCell | undefined): void => {
    chosen = cell;
    readOut.textContent =
      cell === undefined ? sumWords(energies, unit) : cellWords(cell, model, energies, unit);
    shown.update();
  };
  shown.canvas.addEventListener('pointermove', (event) => {
    const box = shown.canvas.getBoundingClientRect();
    choose(cellAt(event.clientX - box.left, event.clientY - box.top));
  });
  shown.canvas.addEventListener('pointerleave', () => choose(undefined));
  const cellAt = (x: number, y: number): HaarCell | undefined => {
    const area = scaleogramArea(shown.canvas.clientWidth, shown.canvas.clientHeight);
    const row = Math.floor(((y - area.y) / area.height) * energies.levels.length);
    const level = energies.levels[energies.levels.length - 1 - row];
    const scale = level?.[0]?.scale;
    if (model === undefined || scale === undefined) return undefined;
    return level?.[Math.floor(axis.at(x, area) / model.step / scale)];
  };
  axis.onChange(() => shown.update());
  return {
    element: element('div', { class: 'explain-chart' }, shown.element, readOut),
    show: (wanted, wantedUnit) => {
      model = wanted;
      unit = wantedUnit;
      energies = energiesOf(model);
      choose(undefined);
      shown.renew();
    },
  };
}

function energiesOf(model: SeriesModel | undefined): Energies {
  const levels: HaarCell[][] = [];
  const all = model?.explanation.scaleogram ?? [];
  let total = 0;
  for (const cell of all) {
    const level = Math.round(Math.log2(cell.scale)) - 1;
    (levels[level] ??= []).push(cell);
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
  const level = Math.round(Math.log2(from.scale)) - 1;
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

function scaleogramArea(width: number, height: number): Area {
  return plotArea(width, height, legendHeight);
}

function drawScaleogram(
  surface: Surface,
  colors: PlotColors,
  {
    model,
    axis,
    energies,
    chosen,
  }: {
    readonly model: SeriesModel;
    readonly axis: TimeAxis;
    readonly energies: Energies;
    readonly chosen: HaarCell | undefined;
  },
): void {
  const area = scaleogramArea(surface.width, surface.height);
  const table = palette(colors.isDark ? 'dark' : 'light');
  const most = energies.sorted[0]?.energy ?? 0;
  const height = area.height / Math.max(1, energies.levels.length);
  surface.rectangle(area, { fill: paletteColor(table, 0) });
  energies.levels.forEach((level, at) => {
    const y = area.y + area.height - (at + 1) * height;
    for (const cell of level) {
      // Small ones could not be seen beside the largest: colours follow the root.
      const share = most > 0 ? Math.sqrt(cell.energy / most) : 0;
      if (share < 1 / 128) continue;
      const place = spanArea({ ...area, y, height }, axis, ...extent(cell, model));
      if (place !== undefined) surface.rectangle(place, { fill: paletteColor(table, share) });
    }
    if (height < 12 && at % 2 === 1) return;
    const name = String((level[0]?.scale ?? 1) * model.step);
    surface.text(name, area.x - 6, y + height / 2, { color: colors.foreground, align: 'right' });
  });
  surface.text('Scale', 12, area.y + area.height / 2, { color: colors.muted, align: 'center', turned: true });
  surface.rectangle(area, { stroke: { color: colors.grid } });
  timeGrid(surface, colors, area, axis);
  timeMarks(surface, colors, area, axis);
  if (chosen !== undefined) {
    const at = Math.round(Math.log2(chosen.scale)) - 1;
    const row = { ...area, y: area.y + area.height - (at + 1) * height, height };
    const place = spanArea(row, axis, ...extent(chosen, model));
    if (place !== undefined) {
      surface.rectangle(place, { stroke: { color: colors.background, width: 4 } });
      surface.rectangle(place, { stroke: { color: colors.foreground, width: 2 } });
    }
  }
  colorLegend(surface, colors, area, table, [
    '0 %',
    `${formatPercent(shareOf(most, energies))} of the change`,
  ]);
}

/** What little and much look like. */
function colorLegend(
  surface: Surface,
  colors: PlotColors,
  area: Area,
  table: Uint8ClampedArray,
  [low, high]: readonly [string, string],
): void {
  const y = legendHeight / 2 - 1;
  surface.text(low, area.x, y, { color: colors.foreground });
  const begin = area.x + surface.measure(low) + 8;
  const width = Math.min(140, area.width * 0.3);
  for (let at = 0; at < 40; at++) {
    const fill = paletteColor(table, Math.sqrt(at / 39));
    surface.rectangle(
      { x: begin + (at / 40) * width, y: y - 5, width: width / 40 + 0.6, height: 10 },
      { fill },
    );
  }
  surface.rectangle({ x: begin, y: y - 5, width, height: 10 }, { stroke: { color: colors.grid } });
  surface.text(high, begin + width + 8, y, { color: colors.foreground });
}
