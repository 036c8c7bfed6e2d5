import { nameTest, type NameTest } from '../../../src/core/names/namePattern';
import { formatPercent } from '../../../src/core/format';
import type { SeriesRow } from '../../../src/core/views/dynamicsPieces';
import { type Control, element } from '../../ui/base/dom';
import type { GridColumn, GridLayout, SortOrder } from '../../ui/grid/columns';
import { Grid } from '../../ui/grid/grid';
import { searchBox } from '../../ui/search/searchBox';
import { toolbar } from '../../ui/controls/toolbar';
import { kindName, placeText, plural } from '../base/words';

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
  kept: { readonly sort: SortOrder; readonly layout?: unknown },
): SeriesList {
  let series: readonly SeriesRow[] = [];
  let query = { text: '', regex: false };
  let { sort } = kept;
  const grid = new Grid({
    label: 'Analysed series',
    columns: columns((row) => series[row]),
    layout: kept.layout,
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
    search.setOutcome({ matches: rows.length, current: -1, ...(error === undefined ? {} : { error }) });
    count.textContent =
      rows.length === series.length
        ? plural(rows.length, 'series', 'series')
        : `${rows.length} of ${series.length} series`;
  };
  return {
    element: element(
      'section',
      { class: 'pane', label: 'Analysed series' },
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

const keys: Readonly<Record<string, (row: SeriesRow) => number | string>> = {
  region: ({ region }) => region,
  problem: ({ problem, metric }) => problem ?? metric,
  rank: ({ rank, thread }) => rank + thread / 1e6,
  share: (row) => row.share,
  variability: (row) => row.variability,
  sentence: ({ sentence }) => sentence,
};

/** Positions of the series that a search finds, in order. */
export function shownSeries(
  series: readonly SeriesRow[],
  { text, regex }: { readonly text: string; readonly regex: boolean },
  { column, direction }: SortOrder,
): { readonly rows: Uint32Array; readonly error?: string } {
  let test: NameTest = () => true;
  try {
    if (text !== '') test = nameTest({ text, regex, matchCase: false });
  } catch (error) {
    return { rows: new Uint32Array(0), error: error instanceof Error ? error.message : String(error) };
  }
  const found: number[] = [];
  series.forEach((row, at) => {
    const texts = [row.region, row.metric, row.sentence, `rank ${row.rank}`, row.file ?? ''];
    if (text === '' || texts.some(test)) found.push(at);
  });
  const key = keys[column] ?? (({ share }: SeriesRow) => share);
  const values = series.map(key);
  const sign = direction === 'ascending' ? 1 : -1;
  found.sort((a, b) => {
    const [left, right] = [values[a] ?? 0, values[b] ?? 0];
    return left === right ? a - b : left < right ? -sign : sign;
  });
  return { rows: Uint32Array.from(found) };
}

function columns(rowAt: (row: number) => SeriesRow | undefined): readonly GridColumn[] {
  const text = (of: (row: SeriesRow) => string) => (at: number) => {
    const row = rowAt(at);
    return row === undefined ? '' : of(row);
  };
  return [
    { id: 'region', title: 'Region', width: 140, sort: 'ascending', text: text(({ region }) => region) },
    {
      id: 'rank',
      title: 'Rank',
      width: 60,
      align: 'end',
      sort: 'ascending',
      text: text(({ rank, thread }) => (thread > 0 ? `${rank}:${thread}` : String(rank))),
      cellTooltip: text(({ rank, thread }) => placeText(rank, thread)),
    },
    {
      id: 'share',
      title: 'Share',
      tooltip: 'Of the phase time of the same process, over the whole run',
      width: 76,
      align: 'end',
      sort: 'descending',
      text: text(({ share }) => formatPercent(share)),
      bar: (at) => rowAt(at)?.share ?? 0,
    },
    {
      id: 'variability',
      title: 'Variability',
      tooltip: 'Share of the energy of the series that is change',
      width: 88,
      align: 'end',
      sort: 'descending',
      text: text(({ variability }) => formatPercent(variability)),
    },
    {
      id: 'letters',
      title: 'Letters',
      tooltip: 'Qualitative episodes: A D E rise, B C F fall, G is flat',
      width: 90,
      text: text(({ letters }) => letters),
    },
    {
      id: 'sentence',
      title: 'In words',
      width: 320,
      sort: 'ascending',
      text: text(({ sentence }) => sentence),
      cellTooltip: text(({ sentence }) => sentence),
    },
    {
      id: 'problem',
      title: 'Problem',
      width: 120,
      sort: 'ascending',
      text: text(({ problem, metric }) => (problem === undefined ? metric : kindName(problem))),
    },
  ];
}
