import {
  anything,
  choice,
  flag,
  isPosition,
  type Saved,
  listOf,
  position,
  record,
  share,
  sort,
  text,
} from '../ui/page/savedState';
import { defaultFindingView, groupings } from './lists/findingRows';
import { mapScales } from './overTime/mapModel';
import type { Span } from './base/timeAxis';

export const detailTabs = ['time', 'explain', 'report'] as const;
export type DetailTab = (typeof detailTabs)[number];
const listTabs = ['findings', 'series'] as const;
export type ListTab = (typeof listTabs)[number];

/** The view's state; VS Code saves it over hiding and reloads. The extension reads `panel` from it, too. */
const fields = {
  panel: text(),
  /** Id of the analysis that `property`, `series` and `span` belong to. */
  id: text(),
  property: position,
  series: position,
  /** Shown iterations, from 0; absent: all. */
  span: (value: unknown): Span | undefined => {
    const [first, last] = listOf(value);
    return isPosition(first) && isPosition(last) && first <= last ? [first, last] : undefined;
  },
  findings: record({
    search: text('', 1000),
    regex: flag,
    group: choice(groupings, defaultFindingView.group),
    threshold: (value: unknown): number =>
      typeof value === 'number' && value >= 0 && value <= 1 ? value : defaultFindingView.threshold,
    sort: sort('excess', 'descending'),
    closed: (value: unknown): readonly string[] =>
      listOf(value)
        .filter((name) => typeof name === 'string')
        .slice(0, 1000),
  }),
  findingLayout: anything,
  seriesSort: sort('share', 'descending'),
  seriesLayout: anything,
  list: choice(listTabs, 'findings'),
  tab: choice(detailTabs, 'time'),
  /** Step of the smoothing slider; 0: no smoothing. */
  smoothing: (value: unknown): number => (isPosition(value) && value < 1000 ? value : 0),
  /** Shows what the explanation leaves of the series. */
  residuals: flag,
  mapScale: choice(mapScales, 'all'),
  chartTable: flag,
  mapTable: flag,
  /** Shares of the list in the view, and of the chart above the map. */
  listShare: share(0.48),
  chartShare: share(0.55),
};

export type ViewState = Saved<typeof fields>;
export const readViewState = record(fields);
