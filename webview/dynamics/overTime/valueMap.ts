import { csvText } from '../../../src/core/csv';
import { type Control, element } from '../../ui/base/dom';
import { dropdown } from '../../ui/controls/dropdown';
import { announce } from '../../ui/base/liveRegion';
import { drawMap, mapArea, type MapOverlay } from './mapDrawing';
import type { MapModel, MapScale } from './mapModel';
import { rowsTable, type RowsTable } from '../../ui/grid/rowsTable';
import { brushing, type SavePicture, timeKey, type TimeAxis } from '../base/timeAxis';
import { timePicture } from '../base/timePicture';
import { kindName, numberCell, spanText, valueText } from '../base/words';

export interface ValueMap extends Control {
  show(model: MapModel | undefined, unit: string): void;
  setOverlays(overlays: readonly MapOverlay[]): void;
  /** Sets the row whose series is shown. */
  setRow(row: number | undefined): void;
}

/** Values of ranks × iterations in colours. Keys as in the chart over time; Up and Down choose a rank. */
export function valueMap(options: {
  readonly axis: TimeAxis;
  readonly scale: MapScale;
  readonly onScale: (scale: MapScale) => void;
  readonly onRow: (row: number) => void;
  readonly save: SavePicture;
  readonly showsTable: boolean;
  readonly onShowsTable: (showsTable: boolean) => void;
}): ValueMap {
  const { axis } = options;
  let model: MapModel | undefined;
  let unit = '';
  let scale = options.scale;
  let overlays: readonly MapOverlay[] = [];
  let row: number | undefined;
  let hovered: number | undefined;
  const table = rankTable(
    () => model,
    () => unit,
    (rank) => options.onRow(rank),
  );
  const shown = timePicture({
    ...options,
    label: 'Values of all ranks over the iterations',
    keys: 'Up and Down choose a rank, Left and Right read its values, Shift marks, Enter zooms to the mark, plus and minus zoom, Escape shows everything.',
    draw: (surface, colors) => {
      if (model !== undefined) drawMap(surface, colors, { model, axis, unit, scale, overlays, row });
    },
    table,
    csv: () => mapCsv(model),
    name: () => (model === undefined ? 'map' : mapTitle(model)),
    readOut: () => {
      const { cursor } = axis;
      const shownRow = hovered ?? row;
      return model === undefined || shownRow === undefined || cursor === undefined
        ? 'Click a rank to see its series'
        : cellText(model, shownRow, cursor, unit);
    },
    onKey: (event) => {
      if (model === undefined) return false;
      if (!(chooseRow(event, model, row, options.onRow) || timeKey(event, axis))) return false;
      const { cursor } = axis;
      if (row !== undefined && cursor !== undefined) announce(cellText(model, row, cursor, unit));
      return true;
    },
  });
  const area = (): ReturnType<typeof mapArea> => mapArea(shown.canvas.clientWidth, shown.canvas.clientHeight);
  brushing(shown.canvas, axis, area, (_, y, isClick) => {
    const { y: top, height } = area();
    const rows = model?.header.rows ?? 0;
    const pointed = Math.floor(((y - top) / height) * rows);
    hovered = pointed >= 0 && pointed < rows ? pointed : undefined;
    if (isClick && hovered !== undefined) options.onRow(hovered);
    shown.say();
  });
  shown.canvas.addEventListener('pointerleave', () => (hovered = undefined));
  const scales = dropdown<MapScale>({
    label: 'Colours',
    choices: [
      { value: 'all', label: 'All values' },
      { value: 'typical', label: 'Without extremes' },
      { value: 'row', label: 'Each rank by itself' },
    ],
    value: scale,
    onChange: (wanted) => {
      scale = wanted;
      options.onScale(wanted);
      shown.update();
    },
  });
  const foot = element('div', { class: 'map-foot row' }, shown.readOut, scales.element);
  return {
    element: element('div', { class: 'value-map fill' }, shown.element, foot),
    show: (wanted, wantedUnit) => {
      model = wanted;
      unit = wantedUnit;
      shown.say();
      shown.renew();
    },
    setOverlays: (wanted) => {
      overlays = wanted;
      shown.update();
    },
    setRow: (wanted) => {
      row = wanted;
      shown.say();
      shown.update();
    },
  };
}

function chooseRow(
  event: KeyboardEvent,
  model: MapModel,
  row: number | undefined,
  choose: (row: number) => void,
): boolean {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return false;
  const next = row === undefined ? 0 : Math.min(model.header.rows - 1, Math.max(0, row + by));
  if (next !== row) choose(next);
  return true;
}

function cellText(model: MapModel, row: number, iteration: number, unit: string): string {
  const { iterationsPerColumn: step } = model.header;
  const first = Math.floor(iteration / step) * step;
  const value = valueText(model.value(row, iteration), unit);
  return `Rank ${model.ranks[row] ?? '?'}, iteration ${spanText(first, first + step - 1)}: ${value}`;
}

export function mapTitle({ header }: MapModel): string {
  const { region, problem, metric } = header;
  return `${region} · ${problem === undefined ? metric : kindName(problem).toLowerCase()} · all ranks`;
}

/** A table with a row per rank: the range of its values, and the second half compared with the first. */
function rankTable(
  model: () => MapModel | undefined,
  unit: () => string,
  onActivate: (row: number) => void,
): RowsTable {
  let listed: MapModel | undefined;
  let rows: readonly (readonly string[])[] = [];
  return rowsTable({
    label: 'Values of all ranks',
    columns: () => [
      { title: 'Rank', width: 90 },
      { title: 'Mean', number: true, width: 84 },
      { title: 'Least', number: true, width: 84 },
      { title: 'Most', number: true, width: 84 },
      { title: 'Most at', number: true, width: 84 },
      { title: 'First half', number: true, width: 90 },
      { title: 'Second half', number: true, width: 100 },
    ],
    count: () => model()?.header.rows ?? 0,
    cells: (index) => {
      const now = model();
      if (now === undefined) return [];
      if (now !== listed) rows = now.ranks.map((_, row) => rankCells(now, row, unit()));
      listed = now;
      return rows[index] ?? [];
    },
    onActivate,
  });
}

function rankCells(model: MapModel, row: number, unit: string): readonly string[] {
  const values = model.row(row);
  const half = values.length >> 1;
  let least = Infinity;
  let most = -Infinity;
  let mostAt = 0;
  values.forEach((value, index) => {
    if (value < least) least = value;
    if (value > most) [most, mostAt] = [value, index];
  });
  const text = (value: number): string => valueText(value, unit);
  const step = model.header.iterationsPerColumn;
  return [
    model.ranks[row] ?? '',
    text(mean(values)),
    text(least),
    text(most),
    spanText(mostAt * step, mostAt * step + step - 1),
    text(mean(values.subarray(0, half))),
    text(mean(values.subarray(half))),
  ];
}

function mean(values: Float32Array): number {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return count === 0 ? NaN : sum / count;
}

/** The map as CSV. */
function mapCsv(model: MapModel | undefined): string {
  if (model === undefined) return '';
  const { columns, rows, iterationsPerColumn: step } = model.header;
  const title = ['rank', ...Array.from({ length: columns }, (_, column) => column * step + 1)];
  const row = (position: number): readonly (string | number)[] => [
    model.ranks[position] ?? '',
    ...Array.from(model.row(position), (value) => numberCell(Number(value.toPrecision(6)))),
  ];
  return csvText([title]) + Array.from({ length: rows }, (_, position) => csvText([row(position)])).join('');
}
