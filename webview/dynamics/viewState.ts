import { present } from '../../src/core/present';
import { isPosition, KeptFields } from '../ui/page/keptState';
import type { SortOrder } from '../ui/grid/columns';
import { defaultFindingView, type FindingView, groupings } from './lists/findingRows';
import { type MapScale, mapScales } from './overTime/mapModel';
import type { Span } from './base/timeAxis';

export const detailTabs = ['time', 'explain', 'report'] as const;
export type DetailTab = (typeof detailTabs)[number];
export type ListTab = 'findings' | 'series';

/** What the user is looking at; kept by VS Code over hiding and reloads. The extension reads `panel` from it, too. */
export interface ViewState {
  readonly panel?: string;
  /** Id of the analysis that `property`, `series` and `span` belong to. */
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
  /** Shares of the list, and of the chart above the map. */
  readonly listShare: number;
  readonly chartShare: number;
}

export function readViewState(value: unknown): ViewState {
  const kept = new KeptFields(value);
  const smoothing = kept.position('smoothing') ?? 0;
  return {
    ...present({
      panel: kept.text('panel'),
      id: kept.text('id'),
      property: kept.position('property'),
      series: kept.position('series'),
      span: readSpan(kept.list('span')),
    }),
    findings: readFindings(kept.within('findings')),
    findingLayout: kept.value('findingLayout'),
    seriesSort: kept.sort('seriesSort') ?? { column: 'share', direction: 'descending' },
    seriesLayout: kept.value('seriesLayout'),
    list: kept.choice('list', ['findings', 'series'], 'findings'),
    tab: kept.choice('tab', detailTabs, 'time'),
    smoothing: smoothing < 1000 ? smoothing : 0,
    mapScale: kept.choice('mapScale', mapScales, 'all'),
    chartTable: kept.flag('chartTable'),
    mapTable: kept.flag('mapTable'),
    listShare: kept.share('listShare', 0.44),
    chartShare: kept.share('chartShare', 0.55),
  };
}

function readFindings(kept: KeptFields): FindingView {
  const threshold = kept.value('threshold');
  const closed = kept.list('closed').filter((name) => typeof name === 'string');
  return {
    search: kept.text('search', 1000) ?? '',
    regex: kept.flag('regex'),
    group: kept.choice('group', groupings, defaultFindingView.group),
    threshold: typeof threshold === 'number' && threshold >= 0 && threshold <= 1 ? threshold : 0,
    sort: kept.sort('sort') ?? defaultFindingView.sort,
    closed: closed.slice(0, 1000),
  };
}

function readSpan([first, last]: readonly unknown[]): Span | undefined {
  return isPosition(first) && isPosition(last) && first <= last ? [first, last] : undefined;
}
