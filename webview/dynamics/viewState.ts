import type { SortOrder } from '../ui/grid/columns';
import { defaultFindingView, type FindingView, groupings } from './findingRows';
import { type MapScale, mapScales } from './mapModel';
import type { Span } from './timeAxis';

export const detailTabs = ['time', 'explain', 'report'] as const;
export type DetailTab = (typeof detailTabs)[number];
export type ListTab = 'findings' | 'series';

/** What the user is looking at; kept by VS Code over hiding and reloads. The extension reads `panel` from it, too. */
export interface ViewState {
  readonly panel?: string;
  /** Of the analysis that `property`, `series` and `span` belong to. */
  readonly id?: string;
  readonly property?: number;
  readonly series?: number;
  /** Iterations that are shown, from 0; absent: all. */
  readonly span?: Span;
  readonly findings: FindingView;
  readonly findingLayout?: unknown;
  readonly seriesSort: SortOrder;
  readonly seriesLayout?: unknown;
  readonly list: ListTab;
  readonly tab: DetailTab;
  /** Step of the smoothing slider; 0: not smoothed. */
  readonly smoothing: number;
  readonly mapScale: MapScale;
  readonly chartTable: boolean;
  readonly mapTable: boolean;
  /** Of the list, and of the chart above the map. */
  readonly listShare: number;
  readonly chartShare: number;
}

export const defaultState: ViewState = {
  findings: defaultFindingView,
  seriesSort: { column: 'share', direction: 'descending' },
  list: 'findings',
  tab: 'time',
  smoothing: 0,
  mapScale: 'all',
  chartTable: false,
  mapTable: false,
  listShare: 0.44,
  chartShare: 0.55,
};

/** A state that was kept; what does not fit (another version kept it) gets its default. */
export function readViewState(value: unknown): ViewState {
  const given = asRecord(value);
  const { panel, id, property, series, findingLayout, seriesLayout, smoothing } = given;
  const span = readSpan(given.span);
  return {
    ...(typeof panel === 'string' ? { panel } : {}),
    ...(typeof id === 'string' ? { id } : {}),
    ...(isPosition(property) ? { property } : {}),
    ...(isPosition(series) ? { series } : {}),
    ...(span === undefined ? {} : { span }),
    findings: readFindings(given.findings),
    ...(findingLayout === undefined ? {} : { findingLayout }),
    seriesSort: readSort(given.seriesSort) ?? defaultState.seriesSort,
    ...(seriesLayout === undefined ? {} : { seriesLayout }),
    list: given.list === 'series' ? 'series' : 'findings',
    tab: detailTabs.find((one) => one === given.tab) ?? defaultState.tab,
    smoothing: isPosition(smoothing) && smoothing < 1000 ? smoothing : 0,
    mapScale: mapScales.find((one) => one === given.mapScale) ?? defaultState.mapScale,
    chartTable: given.chartTable === true,
    mapTable: given.mapTable === true,
    listShare: readShare(given.listShare, defaultState.listShare),
    chartShare: readShare(given.chartShare, defaultState.chartShare),
  };
}

function readFindings(value: unknown): FindingView {
  const { search, regex, group, threshold, sort, closed } = asRecord(value);
  return {
    search: typeof search === 'string' ? search.slice(0, 1000) : '',
    regex: regex === true,
    group: groupings.find((one) => one === group) ?? defaultFindingView.group,
    threshold: typeof threshold === 'number' && threshold >= 0 && threshold <= 1 ? threshold : 0,
    sort: readSort(sort) ?? defaultFindingView.sort,
    closed: Array.isArray(closed)
      ? (closed as readonly unknown[]).filter((one): one is string => typeof one === 'string').slice(0, 1000)
      : [],
  };
}

function readSort(value: unknown): SortOrder | undefined {
  const { column, direction } = asRecord(value);
  return typeof column === 'string' && (direction === 'ascending' || direction === 'descending')
    ? { column, direction }
    : undefined;
}

function readSpan(value: unknown): Span | undefined {
  if (!Array.isArray(value)) return undefined;
  const [first, last] = value as readonly unknown[];
  return isPosition(first) && isPosition(last) && first <= last ? [first, last] : undefined;
}

function isPosition(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function readShare(value: unknown, usual: number): number {
  return typeof value === 'number' && value >= 0.1 && value <= 0.9 ? value : usual;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
