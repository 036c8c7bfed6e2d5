import { csvText } from '../../../src/core/csv';
import { formatCount } from '../../../src/core/format';
import { curvePainter, type Curve } from '../../charts/curves';
import { type Control, element } from '../../ui/base/dom';
import { announce } from '../../ui/base/liveRegion';
import { seriesArea, seriesCurves, seriesPicture } from './seriesDrawing';
import type { Pattern } from '../../../src/core/signal/signal';
import { plotArea } from '../base/frame';
import type { SeriesModel } from '../base/seriesModel';
import { brushing, type SavePicture, timeKey, type TimeAxis } from '../base/timeAxis';
import { timePicture } from '../base/timePicture';
import {
  letterName,
  numberCell,
  patternName,
  patternSentence,
  seriesTitle,
  spanText,
  valueText,
} from '../base/words';
import { rowsTable, type RowsTable } from '../../ui/grid/rowsTable';

export interface SeriesChart extends Control {
  show(model: SeriesModel | undefined, unit: string): void;
  /** Sets the standard deviation of the smoothing in iterations; 0: no smoothed curve. */
  setSigma(sigma: number): void;
  /** Shows what the explanation leaves of the series, where there is one. */
  setResiduals(wanted: boolean): void;
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
  let isResidual = false;
  /** What is drawn. */
  let pictured: SeriesModel | undefined;
  let unit = '';
  let sigma = 0;
  let smoothed: Float64Array | undefined;
  /** The last drawn curves, which remain valid while the cursor moves. */
  let drawn: { readonly key: string; readonly curves: readonly Curve[] } | undefined;
  const table = seriesTable(() => ({ model, smoothed, isResidual, unit }));
  const words = (patternWords: PatternWords = (pattern) => patternSentence(pattern, unit)): string =>
    model === undefined || axis.cursor === undefined
      ? spanWords(axis)
      : readOutText({ model, smoothed, isResidual, unit }, axis.cursor, patternWords);
  const shown = timePicture({
    ...options,
    label: 'Series over the iterations',
    keys: 'Left and Right read the values, Shift marks, Enter zooms to the mark, plus and minus zoom, Escape shows everything, Page Up and Page Down go to the findings.',
    curves: curvePainter((width, height, colors) => {
      if (pictured === undefined) return undefined;
      const picture = {
        model: pictured,
        axis,
        unit,
        ...(smoothed && { smoothed: { sigma, values: smoothed } }),
      };
      const area = seriesArea(width, height, colors, picture);
      const key = JSON.stringify([axis.span, area, colors]);
      if (drawn?.key !== key) drawn = { key, curves: seriesCurves(picture, area, colors) };
      return seriesPicture(picture, drawn.curves, area, colors);
    }),
    table,
    csv: () => seriesCsv({ model, smoothed, isResidual, unit }),
    name: () =>
      model === undefined
        ? 'series'
        : `${seriesTitle(model.row)}${pictured?.isResidual === true ? ' · residuals' : ''}`,
    readOut: () => words(),
    onKey: (event) => {
      if (!(stepToPattern(event, model, axis) || timeKey(event, axis))) return false;
      // Reading value by value, only the place of what is found; going to it, all that is known of it.
      const isStep = event.key !== 'PageDown' && event.key !== 'PageUp';
      announce(
        axis.cursor === undefined
          ? `Iterations ${spanText(...axis.span)}`
          : isStep
            ? words(placeWords)
            : words(),
      );
      return true;
    },
  });
  // Iterations are places from left to right.
  brushing(
    shown.canvas,
    axis,
    () => plotArea(shown.canvas.clientWidth, shown.canvas.clientHeight, 0),
    () => undefined,
  );
  const smooth = (): void => {
    drawn = undefined;
    pictured = (isResidual ? model?.residuals : undefined) ?? model;
    // A kernel that is narrower than the distance between values has no effect.
    smoothed = pictured === undefined || sigma < 0.4 * pictured.step ? undefined : pictured.smoothed(sigma);
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
    setResiduals: (wanted) => {
      isResidual = wanted;
      smooth();
      shown.say();
      shown.renew();
    },
  };
}

/** What tables, files and the read-out have of a series. */
interface ShownSeries {
  readonly model: SeriesModel | undefined;
  /** Of the residuals, where these are shown. */
  readonly smoothed: Float64Array | undefined;
  readonly isResidual: boolean;
  readonly unit: string;
}

type PatternWords = (pattern: Pattern) => string;

function placeWords(pattern: Pattern): string {
  return `${patternName(pattern)} ${spanText(pattern.from, pattern.to)}`;
}

function spanWords(axis: TimeAxis): string {
  const { span, iterations, isZoomed } = axis;
  if (!isZoomed)
    return iterations === 1 ? '1 iteration' : `All ${formatCount(iterations)} iterations · drag to zoom`;
  return `Iterations ${spanText(...span)} of ${formatCount(iterations)} · double click or Escape shows all`;
}

/** All facts about one iteration. */
function readOutText(shown: ShownSeries, iteration: number, patternWords: PatternWords): string {
  const { model, smoothed, unit } = shown;
  if (model === undefined) return '';
  const index = Math.floor(iteration / model.step);
  const [first, last] = model.extent(index);
  const parts = [
    `Iteration${first === last ? '' : 's'} ${spanText(first, last)}: ${valueText(model.value(iteration), unit)}`,
  ];
  const explained = model.explained(iteration);
  if (explained !== undefined) parts.push(`explained ${valueText(explained, unit)}`);
  const residual = model.residuals?.value(iteration);
  if (residual !== undefined && shown.isResidual) parts.push(`residual ${valueText(residual, unit)}`);
  const curve = smoothed?.[index];
  if (curve !== undefined) parts.push(`smoothed ${valueText(curve, unit)}`);
  const episode = model.episodeAt(iteration);
  if (episode !== undefined)
    parts.push(`${episode.letter}: ${letterName(episode.letter)} in ${spanText(episode.from, episode.to)}`);
  const borders = model.borderWords(index);
  if (borders !== '') parts.push(borders);
  return [...parts, ...model.patternsAt(iteration).map(patternWords)].join(' · ');
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

function seriesTable(now: () => ShownSeries): RowsTable {
  return rowsTable({
    label: 'Values of the series',
    columns: () => [
      { title: 'Iteration', width: 80 },
      ...columnsOf(now()).map(({ title }) => ({ title, number: true })),
      { title: 'Episode', width: 70 },
      { title: 'Found' },
      ...(hasBorders(now()) ? [{ title: 'Begin and end', width: 230 }] : []),
    ],
    count: () => now().model?.detail.values.length ?? 0,
    cells: (row) => {
      const { model, unit } = now();
      if (model === undefined) return [];
      const [first, last] = model.extent(row);
      return [
        spanText(first, last),
        ...columnsOf(now()).map(({ valueAt }) => valueText(valueAt(row), unit)),
        model.episodeAt(first)?.letter ?? '',
        model.patternsAt(first).map(patternName).join(', '),
        model.borderWords(row),
      ];
    },
  });
}

/** The numbers of a series, with those that are drawn beside it. */
function columnsOf({ model, smoothed, isResidual }: ShownSeries): readonly {
  readonly title: string;
  readonly valueAt: (row: number) => number | undefined;
}[] {
  const { residuals } = model ?? {};
  return [
    { title: 'Value', valueAt: (row) => model?.detail.values[row] },
    ...(residuals === undefined
      ? []
      : [
          { title: 'Explanation', valueAt: (row: number) => model?.detail.model?.[row] },
          { title: 'Residual', valueAt: (row: number) => residuals.detail.values[row] },
        ]),
    ...(smoothed === undefined
      ? []
      : [
          {
            title: isResidual && residuals !== undefined ? 'Smoothed residual' : 'Smoothed',
            valueAt: (row: number) => smoothed[row],
          },
        ]),
  ];
}

function hasBorders({ model }: ShownSeries): boolean {
  return model !== undefined && model.borders.length > 0;
}

function seriesCsv(shown: ShownSeries): string {
  const { model, unit } = shown;
  if (model === undefined) return '';
  const columns = columnsOf(shown);
  const titles = columns.map(({ title }) => `${title.toLowerCase()} [${unit}]`);
  const withBorders = hasBorders(shown);
  const rows: (string | number)[][] = [
    [
      'first iteration',
      'last iteration',
      ...titles,
      'episode',
      'found',
      ...(withBorders ? ['begin and end'] : []),
    ],
  ];
  for (let index = 0; index < model.detail.values.length; index++) {
    const [first, last] = model.extent(index);
    rows.push([
      first + 1,
      last + 1,
      ...columns.map(({ valueAt }) => numberCell(valueAt(index))),
      model.episodeAt(first)?.letter ?? '',
      model.patternsAt(first).map(patternName).join(' '),
      ...(withBorders ? [model.borderWords(index)] : []),
    ]);
  }
  return csvText(rows);
}
