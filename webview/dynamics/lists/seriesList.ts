import { counted, formatPercent } from '../../../src/core/format';
import type { SeriesRow } from '../../../src/core/views/dynamicsPieces';
import { type Control, element } from '../../ui/base/dom';
import type { GridColumn, GridLayout, SortOrder } from '../../ui/grid/columns';
import { Grid } from '../../ui/grid/grid';
import { rowColumns } from '../../ui/grid/rowColumns';
import { searchedRows, sortedRows } from '../../ui/search/rowSearch';
import { searchBox, type SearchQuery } from '../../ui/search/searchBox';
import { toolbar } from '../../ui/controls/toolbar';
import { kindName, placeText } from '../base/words';

export interface SeriesList extends Control {
  show(series: readonly SeriesRow[]): void;
  /** Does not call `onSelect`. */
  select(series: number | undefined): void;
}

/** All analysed series, with their letters and sentences. */
export function seriesList(
  actions: {
    readonly onSelect: (series: number) => void;
    readonly openSource: (series: number) => void;
    readonly onSort: (sort: SortOrder) => void;
    readonly onLayout: (layout: GridLayout) => void;
  },
  saved: { readonly sort: SortOrder; readonly layout?: unknown },
): SeriesList {
  let series: readonly SeriesRow[] = [];
  let query = { text: '', regex: false };
  let { sort } = saved;
  const grid = new Grid({
    label: 'Analysed series',
    columns: columns((row) => series[row]),
    layout: saved.layout,
    sort,
    onSelect: (row) => {
      if (row !== undefined) actions.onSelect(row);
    },
    onActivate: actions.openSource,
    onSort: (wanted) => {
      sort = wanted;
      actions.onSort(wanted);
      update();
    },
    onLayout: actions.onLayout,
  });
  const search = searchBox({
    label: 'Search series',
    onQuery: (wanted) => {
      query = wanted;
      update();
    },
    onLeave: () => grid.focus(),
  });
  const count = element('span', { class: 'muted count' });
  const update = (): void => {
    const { rows, error } = shownSeries(series, query, sort);
    grid.setRows(rows);
    search.setOutcome({ matches: rows.length, current: -1, error });
    count.textContent =
      rows.length === series.length
        ? counted(rows.length, 'series', 'series')
        : `${rows.length} of ${series.length} series`;
  };
  return {
    element: element(
      'section',
      { class: 'fill', label: 'Analysed series' },
      toolbar('Series', search, { element: count }).element,
      grid.element,
    ),
    show: (given) => {
      series = given;
      update();
    },
    select: (row) => grid.select(row),
  };
}

const keys = {
  region: ({ region }: SeriesRow) => region,
  problem: ({ problem, metric }: SeriesRow) => problem ?? metric,
  rank: ({ rank, thread }: SeriesRow) => rank + thread / 1e6,
  variability: ({ variability }: SeriesRow) => variability,
  sentence: ({ sentence }: SeriesRow) => sentence,
  usual: (row: SeriesRow) => row.share,
};

/** Positions of the series that match a search, in order. */
export function shownSeries(
  series: readonly SeriesRow[],
  query: SearchQuery,
  sort: SortOrder,
): { readonly rows: Uint32Array; readonly error?: string } {
  const { matches, ...problem } = searchedRows(series, query, (row) => [
    ...[row.region, row.metric, row.sentence, `rank ${row.rank}`, row.file ?? ''],
  ]);
  return { rows: Uint32Array.from(sortedRows(series, matches, sort, keys)), ...problem };
}

function columns(rowAt: (row: number) => SeriesRow | undefined): readonly GridColumn[] {
  const { text, number } = rowColumns(rowAt);
  return [
    text('region', 'Region', 140, ({ region }) => region, { sort: 'ascending' }),
    number('rank', 'Rank', 60, ({ rank, thread }) => (thread > 0 ? `${rank}:${thread}` : String(rank)), {
      sort: 'ascending',
      cellTooltip: ({ rank, thread }) => placeText(rank, thread),
    }),
    number('share', 'Share', 76, (row) => formatPercent(row.share), {
      tooltip: 'Share of the phase time of the same process, over the whole run',
      sort: 'descending',
      bar: (row) => row.share,
    }),
    number('variability', 'Variability', 88, ({ variability }) => formatPercent(variability), {
      tooltip: 'Share of the energy of the series that is change',
      sort: 'descending',
    }),
    text('letters', 'Letters', 90, ({ letters }) => letters, {
      tooltip: 'Qualitative episodes: A D E rise, B C F fall, G is flat',
    }),
    text('sentence', 'In words', 320, ({ sentence }) => sentence, { sort: 'ascending', cellTooltip: true }),
    text(
      'problem',
      'Problem',
      120,
      ({ problem, metric }) => (problem === undefined ? metric : kindName(problem)),
      { sort: 'ascending' },
    ),
  ];
}
