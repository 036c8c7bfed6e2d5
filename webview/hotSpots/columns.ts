import { formatCount, formatPercent, formatSeconds, formatValue } from '../../src/core/format';
import type { HotSpotsOpened } from '../../src/protocol/hotSpots';
import type { GridColumn } from '../ui/grid/columns';
import type { Measured, Model, Values } from './model';

export const units = ['auto', 's', 'ms', 'percent'] as const;
export type Unit = (typeof units)[number];

/** What the columns of both tables are made from; rows are call paths or functions. */
export interface TableSource {
  readonly measured: Measured;
  /** Waiting, which the times that are shown do not contain; absent: the profile does not know it, or it is in what is shown. */
  readonly waiting?: Measured;
  readonly metric: { readonly displayName: string; readonly unit: string };
  readonly total: number;
  readonly compareTotal: number;
  readonly unit: Unit;
  /** Whether visits were counted, and what recording one costs is known. */
  readonly hasVisits: boolean;
  readonly hasCosts: boolean;
  /** The costs are a rule of thumb, not a calibration. */
  readonly costsAssumed: boolean;
}

/** A metric of what was opened, by its position there, at the call paths or the functions. */
export function tableSource(
  model: Model,
  { main: { metrics, pairSeconds, pairAssumed, base } }: HotSpotsOpened,
  metric: number,
  of: 'paths' | 'functions',
  unit: Unit,
): TableSource {
  const { name, displayName = '', unit: metricUnit = '' } = metrics[metric] ?? {};
  const waiting = base?.clock === 'cpu' && name === 'time' ? model.metricNamed('waiting_time') : undefined;
  return {
    measured: model[of](metric),
    ...(waiting === undefined ? {} : { waiting: model[of](waiting) }),
    metric: { displayName, unit: metricUnit },
    total: model.total(metric),
    compareTotal: model.total(metric, 'compare'),
    unit,
    hasVisits: metrics.some(({ name }) => name === 'visits'),
    hasCosts: pairSeconds > 0,
    costsAssumed: pairAssumed,
  };
}

/** A column that is a number per row. */
export interface NumberColumn {
  readonly id: string;
  readonly title: string;
  readonly tooltip: string;
  readonly width: number;
  readonly hidden?: boolean;
  /** Column that is sorted by: made once. */
  readonly values: () => Float64Array;
  readonly format: (value: number) => string;
  /** A change is worse when it is positive. */
  readonly signed?: boolean;
  readonly shareOf?: number;
}

/** A value in the unit that the user chose. */
export function formatIn(value: number, unit: Unit, metricUnit: string, total: number): string {
  if (unit === 'percent') return total > 0 ? formatPercent(value / total) : '–';
  if (metricUnit === 'sec' && unit === 's')
    return `${value.toFixed(value !== 0 && Math.abs(value) < 0.1 ? 6 : 3)} s`;
  if (metricUnit === 'sec' && unit === 'ms') return `${(value * 1000).toFixed(3)} ms`;
  return formatValue(value, metricUnit);
}

/** The sign is said by an arrow, by `+` or `-`, and by a colour. */
export function formatChange(value: number, format: (value: number) => string): string {
  if (value === 0) return '=';
  return value > 0 ? `▲ +${format(value)}` : `▼ -${format(-value)}`;
}

export function numberColumns(source: TableSource): readonly NumberColumn[] {
  const { measured, metric, total, hasVisits, hasCosts } = source;
  const { main, compare } = measured;
  const what = metric.displayName.toLowerCase();
  const format = (value: number): string => formatIn(value, source.unit, metric.unit, total);
  const columns: NumberColumn[] = [
    {
      id: 'inclusive',
      title: 'Inclusive',
      tooltip: `${metric.displayName} with everything that is called from here`,
      width: 110,
      values: () => main.inclusive,
      format,
      shareOf: total,
    },
    {
      id: 'exclusive',
      title: 'Exclusive',
      tooltip: `${metric.displayName} in the function itself`,
      width: 110,
      values: () => main.exclusive,
      format,
      shareOf: total,
    },
    {
      id: 'share',
      title: 'Share',
      tooltip: `Inclusive ${what} as a part of the whole run`,
      width: 74,
      values: () => main.inclusive,
      format: (value) => (total > 0 ? formatPercent(value / total) : '–'),
    },
  ];
  if (source.waiting !== undefined) columns.push(waitingColumn(source.waiting.main, source));
  if (hasVisits) columns.push(...visitColumns(main, metric));
  if (hasVisits && hasCosts) columns.push(overheadColumn(main, source.costsAssumed));
  if (compare !== undefined) columns.push(...changeColumns(main, compare, source));
  return columns;
}

function waitingColumn({ inclusive }: Values, { unit, metric, total }: TableSource): NumberColumn {
  return {
    id: 'waiting',
    title: 'Waiting',
    tooltip: `Time that it and what it calls waited (locks, joins, sleep, input and output), beside the ${metric.displayName.toLowerCase()}`,
    width: 96,
    values: () => inclusive,
    // A share of another whole would stand among those of this one.
    format: (value) =>
      value === 0 ? '–' : formatIn(value, unit === 'percent' ? 'auto' : unit, metric.unit, total),
  };
}

function visitColumns(main: Values, metric: TableSource['metric']): readonly NumberColumn[] {
  return [
    {
      id: 'visits',
      title: 'Visits',
      tooltip: 'How often the function was entered',
      width: 84,
      values: () => main.visits,
      format: formatCount,
    },
    {
      id: 'perVisit',
      title: 'Per Visit',
      tooltip: `Inclusive ${metric.displayName.toLowerCase()} per visit`,
      width: 90,
      values: once(() =>
        main.inclusive.map((value, at) => ((main.visits[at] ?? 0) > 0 ? value / (main.visits[at] ?? 1) : 0)),
      ),
      format: (value) => (value === 0 ? '–' : formatValue(value, metric.unit)),
    },
  ];
}

function overheadColumn(main: Values, assumed: boolean): NumberColumn {
  return {
    id: 'overhead',
    title: assumed ? 'Overhead ≈' : 'Overhead',
    tooltip: assumed
      ? 'What recording the visits costs: visits × assumed cost of one. The run has no calibration; a rule of thumb for its recorder stands in.'
      : 'What recording the visits costs: visits × calibrated cost of one, by the kind of site',
    width: 104,
    values: () => main.overhead,
    format: formatSeconds,
  };
}

function changeColumns(main: Values, compare: Values, source: TableSource): readonly NumberColumn[] {
  const { metric, unit, total, compareTotal } = source;
  // Shares of different runs are compared as shares.
  const scale = unit === 'percent' && total > 0 && compareTotal > 0 ? total / compareTotal : 1;
  const format = (value: number): string => formatIn(value, unit, metric.unit, total);
  const change = (a: Float64Array, b: Float64Array): (() => Float64Array) =>
    once(() => a.map((value, at) => value - (b[at] ?? 0) * scale));
  const common = { width: 116, signed: true, format: (value: number) => formatChange(value, format) };
  return [
    {
      ...common,
      id: 'inclusiveChange',
      title: 'Δ Inclusive',
      tooltip: 'Change of the inclusive value from the compared run to this one; ▲ is more',
      values: change(main.inclusive, compare.inclusive),
    },
    {
      ...common,
      id: 'exclusiveChange',
      title: 'Δ Exclusive',
      tooltip: 'Change of the exclusive value from the compared run to this one; ▲ is more',
      values: change(main.exclusive, compare.exclusive),
    },
    {
      id: 'visitsChange',
      title: 'Δ Visits',
      tooltip: 'Change of the visits from the compared run to this one; ▲ is more',
      width: 100,
      hidden: true,
      values: once(() => main.visits.map((value, at) => value - (compare.visits[at] ?? 0))),
      format: (value) => formatChange(value, formatCount),
    },
  ];
}

/** The column in the form of the grid. */
export function gridColumn(column: NumberColumn): GridColumn {
  const { id, title, tooltip, width, hidden, values, format, signed, shareOf } = column;
  const value = (row: number): number => values()[row] ?? 0;
  return {
    id,
    title,
    tooltip,
    width,
    align: 'end',
    sort: 'descending',
    ...(hidden === undefined ? {} : { hidden }),
    text: (row) => format(value(row)),
    ...(shareOf === undefined || shareOf <= 0 ? {} : { bar: (row) => value(row) / shareOf }),
    ...(signed === true
      ? { cellClass: (row) => (value(row) > 0 ? 'worse' : value(row) < 0 ? 'better' : '') }
      : {}),
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
