import { at, atFloat } from '../../../src/core/at';
import { csvText } from '../../../src/core/csv';
import { formatValue } from '../../../src/core/format';
import type { ModelCurve } from '../../../src/core/views/models/modelPieces';
import { curvePainter } from '../../charts/curves';
import { plot } from '../../charts/plot';
import { type Control, element } from '../../ui/base/dom';
import { announce } from '../../ui/base/liveRegion';
import { rowsTable } from '../../ui/grid/rowsTable';
import { coordinateText, rangeText } from '../words';
import { modelPicture, type ModelPicture } from './modelDrawing';

export type DrawnPicture = Omit<ModelPicture, 'cursor'>;

export interface ChartOptions {
  readonly showsTable: boolean;
  readonly onShowsTable: (showsTable: boolean) => void;
  readonly onSave: (kind: 'png' | 'svg' | 'csv', content: Uint8Array) => void;
}

/** One or two models over a parameter. Left and Right read the measured values and the last predicted one. */
export function modelChart(
  options: ChartOptions,
): Control & { show(picture: DrawnPicture | undefined): void } {
  let picture: DrawnPicture | undefined;
  let stops: readonly number[] = [];
  let cursor: number | undefined;
  const readOut = element('p', { class: 'read-out muted ellipsis', attributes: { 'aria-hidden': 'true' } });
  const table = rowsTable({
    label: 'Values of the models',
    columns: () => [
      { title: picture?.parameter ?? '', number: true },
      ...(picture?.models ?? []).flatMap(({ name }) => [
        { title: `Measured: ${name}`, number: true, width: 150 },
        { title: `Model: ${name}`, number: true, width: 150 },
        { title: '95 % range', number: true, width: 150 },
      ]),
    ],
    count: () => stops.length,
    cells: (row) => {
      if (picture === undefined) return [];
      const { models, unit } = picture;
      const stop = stops[row] ?? NaN;
      return [
        coordinateText(stop),
        ...models.flatMap(({ curve }) => {
          const { measured, value, low, high } = factsAt(curve, stop);
          const text = (one: number | undefined): string => (one === undefined ? '' : formatValue(one, unit));
          return [text(measured), text(value), low === undefined ? '' : rangeText(low, high ?? NaN, unit)];
        }),
      ];
    },
  });
  const say = (): void => {
    readOut.textContent =
      picture === undefined || cursor === undefined
        ? 'Left and Right read the values'
        : readOutText(picture, cursor);
  };
  const shown = plot({
    label: 'Models over a parameter',
    keys: 'Left and Right read the values, Escape ends that.',
    showsTable: options.showsTable,
    onShowsTable: options.onShowsTable,
    curves: curvePainter(
      (width, height, colors) =>
        picture &&
        modelPicture({ ...picture, ...(cursor !== undefined && { cursor }) }, width, height, colors),
    ),
    table,
    csv: () => (picture === undefined ? '' : modelCsv(picture, stops)),
    onSave: options.onSave,
    onKey: (event) => {
      const to = nextStop(event.key, stops, cursor);
      if (to === undefined && event.key !== 'Escape') return false;
      cursor = to;
      say();
      if (picture !== undefined && cursor !== undefined) announce(readOutText(picture, cursor));
      shown.update();
      return true;
    },
  });
  return {
    element: element('div', { class: 'model-chart fill' }, shown.element, readOut),
    show: (wanted) => {
      picture = wanted;
      stops = stopsOf(wanted);
      if (cursor !== undefined && !stops.includes(cursor)) cursor = undefined;
      say();
      shown.renew();
    },
  };
}

/** Values of the parameter that can be read: the measured ones, and the end of the curves. */
export function stopsOf(picture: DrawnPicture | undefined): readonly number[] {
  const all = (picture?.models ?? []).flatMap(({ curve }) => [
    ...curve.measured.map((point) => point.at),
    atFloat(curve.at, curve.at.length - 1),
  ]);
  return [...new Set(all)].sort((a, b) => a - b);
}

function nextStop(key: string, stops: readonly number[], cursor: number | undefined): number | undefined {
  const now = cursor === undefined ? -1 : stops.indexOf(cursor);
  const last = stops.length - 1;
  const position = {
    ArrowRight: Math.min(last, now + 1),
    ArrowLeft: now < 0 ? last : Math.max(0, now - 1),
    Home: 0,
    End: last,
  }[key];
  return position === undefined ? undefined : stops[position];
}

/** What is known of a model at a value of the parameter. */
function factsAt(
  curve: ModelCurve,
  value: number,
): {
  readonly measured?: number | undefined;
  readonly value?: number | undefined;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
} {
  const measured = curve.measured.find((point) => point.at === value)?.value;
  // A curve contains the values where it was measured; of another one the nearest value is as near as the picture shows.
  const position = nearest(curve.at, value);
  const predicted = curve.values[position];
  return { measured, value: predicted, low: curve.low[position], high: curve.high[position] };
}

function nearest(values: Float64Array, value: number): number {
  let best = 0;
  values.forEach((candidate, position) => {
    if (Math.abs(candidate - value) < Math.abs(at(values, best) - value)) best = position;
  });
  return best;
}

function readOutText({ models, parameter, unit }: DrawnPicture, cursor: number): string {
  const parts = models.map(({ name, curve }) => {
    const { measured, value, low, high } = factsAt(curve, cursor);
    return [
      `${models.length > 1 ? `${name}: ` : ''}${measured === undefined ? 'not measured' : `measured ${formatValue(measured, unit)}`}`,
      ...(value === undefined ? [] : [`model ${formatValue(value, unit)}`]),
      ...(low === undefined || high === undefined ? [] : [`95 % range ${rangeText(low, high, unit)}`]),
    ].join(' · ');
  });
  const isBeyond = models.every(({ curve }) => cursor > curve.range[1]);
  return `${parameter} = ${coordinateText(cursor)}${isBeyond ? ' (extrapolated)' : ''}: ${parts.join(' · ')}`;
}

function modelCsv({ models, parameter, metric, unit }: DrawnPicture, stops: readonly number[]): string {
  const of = unit === '' ? metric : `${metric} [${unit}]`;
  return csvText([
    [
      parameter,
      ...models.flatMap(({ name }) => [
        ...[`measured ${of}: ${name}`, `model: ${name}`, `low: ${name}`, `high: ${name}`],
      ]),
    ],
    ...stops.map((stop) => [
      stop,
      ...models.flatMap(({ curve }) => {
        const { measured, value, low, high } = factsAt(curve, stop);
        return [measured, value, low, high].map((one) =>
          one !== undefined && Number.isFinite(one) ? one : '',
        );
      }),
    ]),
  ]);
}
