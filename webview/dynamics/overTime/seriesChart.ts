import { csvText } from '../../../src/core/csv';
import { formatCount } from '../../../src/core/format';
import { curvePainter, type Curve } from '../../charts/curves';
import { type Control, element } from '../../ui/base/dom';
import { announce } from '../../ui/base/liveRegion';
import { seriesArea, seriesCurves, seriesPicture } from './seriesDrawing';
import type { SeriesModel } from '../base/seriesModel';
import { brushing, type SavePicture, timeKey, type TimeAxis } from '../base/timeAxis';
import { timePicture } from '../base/timePicture';
import { letterName, numberCell, patternName, seriesTitle, spanText, valueText } from '../base/words';
import { rowsTable, type RowsTable } from '../../ui/grid/rowsTable';

export interface SeriesChart extends Control {
  show(model: SeriesModel | undefined, unit: string): void;
  /** Sets the standard deviation of the smoothing in iterations; 0: no smoothed curve. */
  setSigma(sigma: number): void;
}

/**
 * One series over the iterations. Keys: Left and Right read value by value, Shift marks, Enter zooms to the marked interval, + and − zoom,
 * Escape shows everything, Page Up and Page Down go to the patterns.
 */
export function seriesChart(options: {
  readonly axis: TimeAxis;
  readonly save: SavePicture;
  readonly showsTable: boolean;
  readonly onShowsTable: (showsTable: boolean) => void;
}): SeriesChart {
  const { axis } = options;
  let model: SeriesModel | undefined;
  let unit = '';
  let sigma = 0;
  let smoothed: Float64Array | undefined;
  /** The last drawn curves, which remain valid while the cursor moves. */
  let drawn: { readonly key: string; readonly curves: readonly Curve[] } | undefined;
  const table = seriesTable(() => ({ model, smoothed, unit }));
  const words = (): string =>
    model === undefined || axis.cursor === undefined
      ? spanWords(axis)
      : readOutText(model, axis.cursor, unit, smoothed);
  const shown = timePicture({
    ...options,
    label: 'Series over the iterations',
    keys: 'Left and Right read the values, Shift marks, Enter zooms to the mark, plus and minus zoom, Escape shows everything, Page Up and Page Down go to what was found.',
    curves: curvePainter((width, height, colors) => {
      if (model === undefined) return undefined;
      const area = seriesArea(width, height);
      const picture = { model, axis, unit, ...(smoothed && { smoothed: { sigma, values: smoothed } }) };
      const key = JSON.stringify([axis.span, area, colors]);
      if (drawn?.key !== key) drawn = { key, curves: seriesCurves(picture, area, colors) };
      return seriesPicture(picture, drawn.curves, area, colors);
    }),
    table,
    csv: () => seriesCsv(model, smoothed, unit),
    name: () => (model === undefined ? 'series' : seriesTitle(model.row)),
    readOut: words,
    onKey: (event) => {
      if (!(stepToPattern(event, model, axis) || timeKey(event, axis))) return false;
      announce(axis.cursor === undefined ? `Iterations ${spanText(...axis.span)}` : words());
      return true;
    },
  });
  const area = (): ReturnType<typeof seriesArea> =>
    seriesArea(shown.canvas.clientWidth, shown.canvas.clientHeight);
  brushing(shown.canvas, axis, area, () => undefined);
  const smooth = (): void => {
    drawn = undefined;
    // A kernel that is narrower than the distance between values has no effect.
    smoothed = model === undefined || sigma < 0.4 * model.step ? undefined : model.smoothed(sigma);
  };
  return {
    element: element('div', { class: 'series-chart fill' }, shown.element, shown.readOut),
    show: (wanted, wantedUnit) => {
      model = wanted;
      unit = wantedUnit;
      smooth();
      shown.say();
      shown.renew();
    },
    setSigma: (wanted) => {
      sigma = wanted;
      smooth();
      shown.renew();
    },
  };
}

function spanWords(axis: TimeAxis): string {
  const { span, iterations, isZoomed } = axis;
  if (!isZoomed)
    return iterations === 1 ? '1 iteration' : `All ${formatCount(iterations)} iterations · drag to zoom`;
  return `Iterations ${spanText(...span)} of ${formatCount(iterations)} · double click or Escape shows all`;
}

/** All facts about one iteration. */
function readOutText(
  model: SeriesModel,
  iteration: number,
  unit: string,
  smoothed: Float64Array | undefined,
): string {
  const index = Math.floor(iteration / model.step);
  const [first, last] = model.extent(index);
  const parts = [
    `Iteration${first === last ? '' : 's'} ${spanText(first, last)}: ${valueText(model.value(iteration), unit)}`,
  ];
  const curve = smoothed?.[index];
  if (curve !== undefined) parts.push(`smoothed ${valueText(curve, unit)}`);
  const episode = model.episodeAt(iteration);
  if (episode !== undefined)
    parts.push(`${episode.letter}: ${letterName(episode.letter)} in ${spanText(episode.from, episode.to)}`);
  for (const pattern of model.patternsAt(iteration))
    parts.push(`${patternName(pattern)} ${spanText(pattern.from, pattern.to)}`);
  return parts.join(' · ');
}

/** Moves the cursor to the next or previous pattern on Page Down or Page Up. */
function stepToPattern(event: KeyboardEvent, model: SeriesModel | undefined, axis: TimeAxis): boolean {
  if (model === undefined || (event.key !== 'PageDown' && event.key !== 'PageUp')) return false;
  const places = model.detail.patterns
    .map(({ at, core, from }) => at ?? core?.[0] ?? from)
    .sort((a, b) => a - b);
  const now = axis.cursor;
  const next =
    event.key === 'PageDown'
      ? (places.find((place) => now === undefined || place > now) ?? places.at(-1))
      : (places.findLast((place) => now === undefined || place < now) ?? places[0]);
  if (next === undefined) return false;
  axis.setCursor(next);
  return true;
}

function seriesTable(
  now: () => {
    readonly model: SeriesModel | undefined;
    readonly smoothed: Float64Array | undefined;
    readonly unit: string;
  },
): RowsTable {
  return rowsTable({
    label: 'Values of the series',
    columns: () => [
      { title: 'Iteration' },
      { title: 'Value', number: true },
      ...(now().smoothed === undefined ? [] : [{ title: 'Smoothed', number: true }]),
      { title: 'Episode' },
      { title: 'Found' },
    ],
    count: () => now().model?.detail.values.length ?? 0,
    cells: (row) => {
      const { model, smoothed, unit } = now();
      if (model === undefined) return [];
      const [first, last] = model.extent(row);
      return [
        spanText(first, last),
        valueText(model.value(first), unit),
        ...(smoothed === undefined ? [] : [valueText(smoothed[row], unit)]),
        model.episodeAt(first)?.letter ?? '',
        model.patternsAt(first).map(patternName).join(', '),
      ];
    },
  });
}

function seriesCsv(model: SeriesModel | undefined, smoothed: Float64Array | undefined, unit: string): string {
  if (model === undefined) return '';
  const rows: (string | number)[][] = [
    ['first iteration', 'last iteration', `value [${unit}]`, `smoothed [${unit}]`, 'episode', 'found'],
  ];
  for (let index = 0; index < model.detail.values.length; index++) {
    const [first, last] = model.extent(index);
    const patterns = model.patternsAt(first).map(patternName).join(' ');
    const value = model.value(first);
    const letter = model.episodeAt(first)?.letter ?? '';
    rows.push([first + 1, last + 1, numberCell(value), numberCell(smoothed?.[index]), letter, patterns]);
  }
  return csvText(rows);
}
