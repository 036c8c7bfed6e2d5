import { formatCount, formatPercent, formatSecondsUpTo, formatValueUpTo } from '../../../src/core/format';
import { present } from '../../../src/core/present';
import { largestOf, typicalOf } from '../../../src/core/views/columnUnit';
import type { HotSpotsOpened } from '../../../src/protocol/hotSpots';
import type { GridColumn } from '../../ui/grid/columns';
import type { Measured, Model, Values } from './model';

export const units = ['auto', 's', 'ms', 'percent'] as const;
export type Unit = (typeof units)[number];

/** Data for the columns of both tables; rows are call paths or functions. */
export interface TableSource {
  /** Position of the metric in the opened profile. */
  readonly position: number;
  /** Number of locations whose values are shown. */
  readonly locations: number;
  readonly measured: Measured;
  /** Waiting times, if the profile has them separately from the shown times. */
  readonly waiting?: Measured;
  readonly metric: { readonly displayName: string; readonly unit: string };
  readonly total: number;
  readonly compareTotal: number;
  readonly unit: Unit;
  /** Whether the profile has visits and the cost of recording one. */
  readonly hasVisits: boolean;
  readonly hasCosts: boolean;
  /** Whether the costs are rules of thumb instead of a calibration. */
  readonly costsAssumed: boolean;
}

/** Data of a metric, by its position in the opened profile, of the rows that `of` measures whenever they are asked for. */
export function tableSource(
  model: Model,
  { main: { metrics, pairSeconds, pairAssumed, base, locations } }: HotSpotsOpened,
  metric: number,
  of: (metric: number) => Measured,
  unit: Unit,
): TableSource {
  const { name, displayName = '', unit: metricUnit = '' } = metrics[metric] ?? {};
  const waiting = base?.clock === 'cpu' && name === 'time' ? model.metricNamed('waiting_time') : undefined;
  const now = (wanted: number): Measured => ({
    get main() {
      return of(wanted).main;
    },
    get compare() {
      return of(wanted).compare;
    },
  });
  return {
    position: metric,
    locations: locations.length,
    measured: now(metric),
    ...(waiting !== undefined && { waiting: now(waiting) }),
    metric: { displayName, unit: metricUnit },
    total: model.total(metric),
    compareTotal: model.total(metric, 'compare'),
    unit,
    hasVisits: metrics.some(({ name }) => name === 'visits'),
    hasCosts: pairSeconds > 0,
    costsAssumed: pairAssumed,
  };
}

/** A column with one number per row. */
export interface NumberColumn {
  readonly id: string;
  readonly title: string;
  readonly tooltip: string;
  readonly width: number;
  readonly hidden?: boolean;
  /** Sort keys by row, computed once as long as the values are the same. */
  readonly values: () => Float64Array;
  readonly format: (value: number) => string;
  /** Larger ones come first among equal values. */
  readonly ties?: () => Float64Array;
  /** Whether values are changes, where positive is worse. */
  readonly signed?: boolean;
  readonly shareOf?: number;
}

/**
 * Formats a value in the chosen unit.
 * @param total what is 100 %
 * @param largest of the column, which decides its unit; 0: each value has its own
 */
export function formatIn(
  value: number,
  unit: Unit,
  metricUnit: string,
  total: number,
  largest = total,
): string {
  if (unit === 'percent') return total > 0 ? formatPercent(value / total) : '–';
  if (metricUnit === 'sec' && unit === 's')
    return `${value.toFixed(value !== 0 && Math.abs(value) < 0.1 ? 6 : 3)} s`;
  if (metricUnit === 'sec' && unit === 'ms') return `${(value * 1000).toFixed(3)} ms`;
  return formatValueUpTo(value, metricUnit, largest);
}

/** The sign is visible as an arrow, as `+` or `−`, and as a colour. */
function formatChange(value: number, format: (value: number) => string): string {
  if (value === 0) return '=';
  return value > 0 ? `▲ +${format(value)}` : `▼ −${format(-value)}`;
}

/** A column with one number per row, its tooltip and its format. */
function column(
  id: string,
  title: string,
  width: number,
  tooltip: string,
  values: () => Float64Array,
  format: (value: number) => string,
  more: Partial<NumberColumn> = {},
): NumberColumn {
  return { id, title, width, tooltip, values, format, ...more };
}

type Reference = 'inclusive' | 'exclusive' | 'overhead';
const references = new WeakMap<Values, Partial<Record<Reference, number>>>();

/** The value that decides the unit of a column. Columns are made anew for each row that is described, so it is kept with the values. */
function reference({ main }: Measured, of: Reference, compute: () => number): number {
  const known = references.get(main) ?? {};
  references.set(main, known);
  return (known[of] ??= compute());
}

export function numberColumns(source: TableSource): readonly NumberColumn[] {
  const { measured, metric, total, waiting, hasVisits, hasCosts } = source;
  const { displayName: name } = metric;
  const format = (value: number): string => formatIn(value, source.unit, metric.unit, total);
  const share = (value: number): string => (total > 0 ? formatPercent(value / total) : '–');
  const inclusive = (): Float64Array => measured.main.inclusive;
  const exclusive = (): Float64Array => measured.main.exclusive;
  const withCallees = `${name} including callees`;
  const ofRun = `Inclusive ${name.toLowerCase()} as a share of the whole run`;
  const bar = { shareOf: total };
  // Changes stand beside their values, so that they are in view when runs are compared.
  const [inclusiveChange = [], exclusiveChange = [], ...otherChanges] =
    measured.compare === undefined ? [] : changeColumns(measured, source).map((one) => [one]);
  return [
    column('inclusive', 'Inclusive', 100, withCallees, inclusive, format, bar),
    ...inclusiveChange,
    column('exclusive', 'Exclusive', 100, `${name} in the function itself`, exclusive, format, bar),
    ...exclusiveChange,
    column('share', 'Share', 74, ofRun, inclusive, share),
    ...meanColumns(source),
    ...(waiting === undefined ? [] : [waitingColumn(waiting, source)]),
    ...(hasVisits ? visitColumns(measured, metric) : []),
    ...(hasVisits && hasCosts ? [overheadColumn(measured, source.costsAssumed)] : []),
    ...otherChanges.flat(),
  ];
}

/** Values of one location on average, if there are several. */
function meanColumns({ measured, metric, locations, unit, total }: TableSource): readonly NumberColumn[] {
  if (locations < 2) return [];
  const format = (value: number): string => formatIn(value, unit, metric.unit, total, total / locations);
  const mean = (of: 'inclusive' | 'exclusive', title: string): NumberColumn => {
    const tooltip = `Mean of the ${of} ${metric.displayName.toLowerCase()} over the ${locations} processes and threads`;
    const values = derived(measured, (main) => main[of].map((value) => value / locations));
    return column(`${of}Mean`, title, 120, tooltip, values, format, { hidden: true });
  };
  return [mean('inclusive', 'Mean Inclusive'), mean('exclusive', 'Mean Exclusive')];
}

function waitingColumn(waiting: Measured, { unit, metric, total }: TableSource): NumberColumn {
  const tooltip = `Waiting time of the function and its callees (locks, joins, sleep, input and output), in addition to the ${metric.displayName.toLowerCase()}`;
  // Waiting has another base, so it is never shown as a percentage beside shares of computing time.
  const waitingUnit = unit === 'percent' ? 'auto' : unit;
  const format = (value: number): string =>
    value === 0 ? '–' : formatIn(value, waitingUnit, metric.unit, total);
  return column('waiting', 'Waiting', 96, tooltip, () => waiting.main.inclusive, format);
}

function visitColumns(measured: Measured, metric: TableSource['metric']): readonly NumberColumn[] {
  const perVisit = (of: 'inclusive' | 'exclusive'): (() => Float64Array) =>
    derived(measured, ({ visits, [of]: values }) =>
      values.map((value, row) => ((visits[row] ?? 0) > 0 ? value / (visits[row] ?? 1) : 0)),
    );
  const name = metric.displayName.toLowerCase();
  // From whole runs to single calls of tiny functions: the largest value would make nothing of most others.
  const format =
    (of: 'inclusive' | 'exclusive', values: () => Float64Array): NumberColumn['format'] =>
    (value) =>
      value === 0
        ? '–'
        : formatValueUpTo(
            value,
            metric.unit,
            reference(measured, of, () => typicalOf(values())),
          );
  const [inclusive, exclusive] = [perVisit('inclusive'), perVisit('exclusive')];
  return [
    column(
      'visits',
      'Visits',
      84,
      'Number of calls of the function',
      () => measured.main.visits,
      formatCount,
      { ties: () => measured.main.exclusive },
    ),
    column(
      'perVisit',
      'Per Visit',
      90,
      `Inclusive ${name} per visit`,
      inclusive,
      format('inclusive', inclusive),
    ),
    column(
      'exclusivePerVisit',
      'Exclusive per Visit',
      130,
      `Exclusive ${name} per visit`,
      exclusive,
      format('exclusive', exclusive),
      { hidden: true },
    ),
  ];
}

function overheadColumn(measured: Measured, assumed: boolean): NumberColumn {
  const tooltip = assumed
    ? 'Cost of recording the visits: visits × assumed cost of a visit. The run has no calibration, so a rule of thumb for its recorder applies.'
    : 'Cost of recording the visits: visits × calibrated cost of a visit, which depends on the patch point';
  const overhead = (): Float64Array => measured.main.overhead;
  const largest = (): number => reference(measured, 'overhead', () => largestOf(overhead()));
  return column('overhead', assumed ? 'Overhead ≈' : 'Overhead', 104, tooltip, overhead, (value) =>
    formatSecondsUpTo(value, largest()),
  );
}

function changeColumns(measured: Measured, source: TableSource): readonly NumberColumn[] {
  const { metric, unit, total, compareTotal } = source;
  // For two runs in percent, the shares are compared.
  const scale = unit === 'percent' && total > 0 && compareTotal > 0 ? total / compareTotal : 1;
  const valueText = (value: number): string => formatIn(value, unit, metric.unit, total);
  const change = (
    name: 'inclusive' | 'exclusive' | 'visits',
    title: string,
    what: string,
    width: number,
    format: (value: number) => string,
    factor: number,
    more: Partial<NumberColumn>,
  ): NumberColumn => {
    const tooltip = `Change of the ${what} from the compared run to this one; ▲ is more`;
    const values = derived(measured, (main, compare) =>
      main[name].map((value, row) => value - (compare?.[name][row] ?? 0) * factor),
    );
    return column(
      `${name}Change`,
      title,
      width,
      tooltip,
      values,
      (value) => formatChange(value, format),
      more,
    );
  };
  return [
    change('inclusive', 'Δ Inclusive', 'inclusive value', 100, valueText, scale, { signed: true }),
    change('exclusive', 'Δ Exclusive', 'exclusive value', 100, valueText, scale, { signed: true }),
    change('visits', 'Δ Visits', 'visits', 100, formatCount, 1, { hidden: true }),
    ratioColumn('inclusive', 'Ratio Inclusive', measured, scale),
    ratioColumn('exclusive', 'Ratio Exclusive', measured, scale),
  ];
}

/** This run's value ÷ the compared run's; the largest number where only this run has a value, and below all ratios where none has. */
function ratioColumn(
  name: 'inclusive' | 'exclusive',
  title: string,
  measured: Measured,
  scale: number,
): NumberColumn {
  const tooltip = `The ${name} value of this run as a multiple of that of the compared run`;
  const values = derived(measured, (main, compare) =>
    main[name].map((value, row) => {
      const other = (compare?.[name][row] ?? 0) * scale;
      if (other !== 0) return value / other;
      return value === 0 ? -Infinity : Number.MAX_VALUE;
    }),
  );
  const format = (value: number): string =>
    value === -Infinity ? '–' : value === Number.MAX_VALUE ? 'new' : `${ratioDigits(value)}×`;
  return column(`${name}Ratio`, title, 110, tooltip, values, format, { hidden: true });
}

/** Never as a power of ten. */
function ratioDigits(value: number): string {
  if (value >= 1000) return formatCount(value);
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : value === 0 || value >= 0.1 ? 2 : 4);
}

/** Converts the column for the grid. */
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
    ...present({ hidden }),
    text: (row) => format(value(row)),
    ...(shareOf !== undefined && shareOf > 0 && { bar: (row) => value(row) / shareOf }),
    ...(signed === true && { cellClass: (row) => (value(row) > 0 ? 'worse' : '') }),
  };
}

/** Puts columns behind the one of shares. */
export function afterShare(
  columns: readonly GridColumn[],
  more: readonly GridColumn[],
): readonly GridColumn[] {
  const place = 1 + columns.findIndex(({ id }) => id === 'share');
  return [...columns.slice(0, place), ...more, ...columns.slice(place)];
}

/** Values that are computed from measured ones, again only when these are others: rows may be added. */
function derived(
  measured: Measured,
  make: (main: Values, compare: Values | undefined) => Float64Array,
): () => Float64Array {
  let last: { readonly of: Values; readonly values: Float64Array } | undefined;
  return () => {
    const { main, compare } = measured;
    if (last?.of !== main) last = { of: main, values: make(main, compare) };
    return last.values;
  };
}
