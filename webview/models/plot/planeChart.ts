import { csvText } from '../../../src/core/csv';
import { formatValue } from '../../../src/core/format';
import { curvePainter } from '../../charts/curves';
import { plot } from '../../charts/plot';
import { type Control, element } from '../../ui/base/dom';
import { announce } from '../../ui/base/liveRegion';
import { rowsTable } from '../../ui/grid/rowsTable';
import { coordinateText, rangeText } from '../words';
import type { ChartOptions } from './modelChart';
import { planePicture, readingUnder, type PlanePicture } from './planeDrawing';
import { nextStop, readingAt, readingLines, type PlaneReading } from './planeReading';

export type DrawnPlane = Omit<PlanePicture, 'reading'>;

/** A model over two parameters. The arrow keys read the measured values of both and the point that is predicted. */
export function planeChart(options: ChartOptions): Control & { show(picture: DrawnPlane | undefined): void } {
  let picture: DrawnPlane | undefined;
  /** Column and row of the stop that the keys have reached. */
  let cursor: readonly [column: number, row: number] | undefined;
  let hovered: PlaneReading | undefined;
  const reading = (): PlaneReading | undefined =>
    hovered ?? (picture && cursor && readingAt(picture.plane, 'stops', ...cursor));
  const readOut = element('p', { class: 'read-out muted ellipsis', attributes: { 'aria-hidden': 'true' } });
  const table = rowsTable({
    label: 'Values of the model',
    columns: () => [
      ...(picture?.parameters ?? []).map((title) => ({ title, number: true })),
      { title: 'Measured', number: true },
      { title: 'Model', number: true },
      { title: '95 % range', number: true, width: 170 },
    ],
    count: () => stopCount(picture),
    cells: (row) => {
      if (picture === undefined) return [];
      const { horizontal, vertical, measured, value, low, high } = stopAt(picture, row);
      return [
        coordinateText(horizontal),
        coordinateText(vertical),
        measured === undefined ? '' : formatValue(measured, picture.unit),
        formatValue(value, picture.unit),
        rangeText(low, high, picture.unit),
      ];
    },
  });
  const say = (): void => {
    const now = reading();
    readOut.textContent =
      picture === undefined || now === undefined
        ? 'The arrow keys read the values'
        : readingLines(picture, now).join(' · ');
  };
  const shown = plot({
    label: 'Model over two parameters',
    keys: 'The arrow keys read the values, Home and End the smallest and the largest point, Escape ends that.',
    showsTable: options.showsTable,
    onShowsTable: options.onShowsTable,
    curves: curvePainter((width, height, colors) => {
      const now = reading();
      return (
        picture &&
        planePicture({ ...picture, ...(now !== undefined && { reading: now }) }, width, height, colors)
      );
    }),
    table,
    csv: () => (picture === undefined ? '' : planeCsv(picture)),
    onSave: options.onSave,
    onKey: (event) => {
      if (picture === undefined) return false;
      const to = nextStop(event.key, picture.plane, cursor);
      if (to === undefined && event.key !== 'Escape') return false;
      cursor = to;
      hovered = undefined;
      say();
      const now = reading();
      if (now !== undefined) announce(readingLines(picture, now).join(' · '));
      shown.update();
      return true;
    },
  });
  const { canvas } = shown;
  const hover = (wanted: PlaneReading | undefined): void => {
    if (wanted === undefined && hovered === undefined) return;
    hovered = wanted;
    say();
    shown.update();
  };
  canvas.addEventListener('pointermove', ({ offsetX, offsetY }) => {
    const size = { width: canvas.clientWidth, height: canvas.clientHeight };
    hover(picture && readingUnder(picture, size, offsetX, offsetY));
  });
  canvas.addEventListener('pointerleave', () => hover(undefined));
  return {
    element: element('div', { class: 'model-chart fill' }, shown.element, readOut),
    show: (wanted) => {
      picture = wanted;
      hovered = undefined;
      if (cursor !== undefined && !hasStop(wanted, cursor)) cursor = undefined;
      say();
      shown.renew();
    },
  };
}

function stopCount(picture: DrawnPlane | undefined): number {
  return picture?.plane.stops.values.length ?? 0;
}

function stopAt({ plane }: DrawnPlane, position: number): PlaneReading {
  const columns = plane.stops.horizontal.length;
  return readingAt(plane, 'stops', position % columns, Math.floor(position / columns));
}

function hasStop(picture: DrawnPlane | undefined, [column, row]: readonly [number, number]): boolean {
  const { horizontal = [], vertical = [] } = picture?.plane.stops ?? {};
  return column < horizontal.length && row < vertical.length;
}

function planeCsv(picture: DrawnPlane): string {
  const { parameters, metric, unit } = picture;
  const of = unit === '' ? metric : `${metric} [${unit}]`;
  const finite = (value: number | undefined): number | string =>
    value !== undefined && Number.isFinite(value) ? value : '';
  return csvText([
    [...parameters, `measured ${of}`, 'model', 'low', 'high'],
    ...Array.from({ length: stopCount(picture) }, (_, position) => {
      const { horizontal, vertical, measured, value, low, high } = stopAt(picture, position);
      return [horizontal, vertical, ...[measured, value, low, high].map(finite)];
    }),
  ]);
}
