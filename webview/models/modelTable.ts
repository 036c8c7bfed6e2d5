import { element, type Control } from '../ui/base/dom';
import { icon } from '../ui/base/icons';
import { dropdown } from '../ui/controls/dropdown';
import { toolbar } from '../ui/controls/toolbar';
import type { GridColumn, GridLayout, SortOrder } from '../ui/grid/columns';
import { Grid } from '../ui/grid/grid';
import { rowColumns } from '../ui/grid/rowColumns';
import { messageArea } from '../ui/page/messageArea';
import { searchBox, type SearchQuery } from '../ui/search/searchBox';
import { cellTexts, shownRows, type PredictedRow } from './modelRows';
import type { PointChooser } from './pointChooser';
import { shortPath, verdictWords, wholePath } from './words';

export interface ModelTable extends Control {
  /** Offers metrics; one of them needs no choice. Does not call `onMetric`. */
  setMetrics(names: readonly string[], chosen: string): void;
  show(rows: readonly PredictedRow[], unit: string): void;
  /** Selects rows; the last one is the current row. Does not call `onMarks`. */
  mark(rows: readonly number[]): void;
  /** The row that is shown first. */
  readonly first: number | undefined;
  focusSearch(): void;
}

/** All models of a metric: what they predict, and how far they can be relied on. */
export function modelTable(
  point: PointChooser,
  actions: {
    readonly onMetric: (name: string) => void;
    /** @param current the row of the keyboard, one of those that are selected */
    readonly onMarks: (rows: readonly number[], current: number | undefined) => void;
    readonly openSource: (row: number) => void;
    readonly onQuery: (query: SearchQuery) => void;
    readonly onSort: (sort: SortOrder) => void;
    readonly onLayout: (layout: GridLayout) => void;
  },
  saved: { readonly search: SearchQuery; readonly sort: SortOrder; readonly layout?: unknown },
): ModelTable {
  let rows: readonly PredictedRow[] = [];
  let unit = '';
  let query = saved.search;
  let { sort } = saved;
  let shown = new Uint32Array(0);
  const grid = new Grid({
    label: 'Models',
    columns: columns(
      (row) => rows[row],
      () => unit,
    ),
    layout: saved.layout,
    sort,
    onMarks: (marked) => actions.onMarks(marked, grid.selected),
    onActivate: actions.openSource,
    onSort: (wanted) => {
      sort = wanted;
      actions.onSort(wanted);
      update();
    },
    onLayout: actions.onLayout,
  });
  const metric = dropdown<string>({ label: 'Metric', onChange: actions.onMetric });
  const message = messageArea();
  const ask = (wanted: SearchQuery): void => {
    query = wanted;
    actions.onQuery(wanted);
    update();
  };
  const search = searchBox({ label: 'Search models', onQuery: ask, onLeave: () => grid.focus() });
  search.setQuery(query);
  const count = element('span', { class: 'muted count' });
  const update = (): void => {
    const found = shownRows(rows, query, sort);
    shown = Uint32Array.from(found.rows);
    grid.setRows(shown);
    search.setOutcome({ matches: shown.length, current: -1, error: found.error });
    const all = `${rows.length} ${rows.length === 1 ? 'model' : 'models'}`;
    count.textContent = shown.length === rows.length ? all : `${shown.length} of ${all}`;
    const isEmpty = shown.length === 0 && rows.length > 0;
    grid.element.hidden = isEmpty;
    const showAll = (): void => {
      search.setQuery({ text: '', regex: false });
      ask({ text: '', regex: false });
    };
    message.show(
      isEmpty
        ? {
            kind: 'empty',
            text: 'No model matches the search.',
            action: { label: 'Show All', run: showAll },
          }
        : undefined,
    );
  };
  return {
    element: element(
      'section',
      { class: 'fill models-list', label: 'Models' },
      toolbar('Models', metric, search, { element: count }).element,
      point.element,
      message.element,
      grid.element,
    ),
    setMetrics: (names, chosen) => {
      metric.setChoices(
        names.map((name) => ({ value: name, label: name === '' ? 'values' : name })),
        chosen,
      );
      metric.element.hidden = names.length < 2;
    },
    show: (given, wantedUnit) => {
      rows = given;
      unit = wantedUnit;
      update();
    },
    mark: (wanted) => grid.mark(wanted),
    get first() {
      return shown[0];
    },
    focusSearch: () => search.focus(),
  };
}

function columns(
  rowAt: (row: number) => PredictedRow | undefined,
  unit: () => string,
): readonly GridColumn[] {
  const { text, number } = rowColumns(rowAt);
  return [
    text('path', 'Call path', 160, ({ callPath }) => shortPath(callPath), {
      sort: 'ascending',
      cellTooltip: ({ callPath }) => wholePath(callPath),
    }),
    number('share', 'Share', 74, cellTexts.share, {
      tooltip: 'Share of the sum of all predictions of the metric',
      sort: 'descending',
      bar: ({ share = 0 }) => share,
    }),
    number('value', 'Predicted', 92, (row) => cellTexts.value(row, unit()), {
      tooltip: 'Predicted value for the chosen point',
      sort: 'descending',
    }),
    text('formula', 'Model', 196, ({ formula }) => formula, { sort: 'ascending', cellTooltip: true }),
    text('verdict', 'Verdict', 128, ({ verdict }) => verdictWords(verdict?.kind).label, {
      tooltip: 'How far the model can be relied on',
      sort: 'ascending',
      cellTooltip: ({ verdict }) => verdict?.message ?? '',
      render: (row, cell) => {
        const { label, icon: name } = verdictWords(rowAt(row)?.verdict?.kind);
        cell.replaceChildren(...(name === undefined ? [] : [icon(name)]), label);
      },
    }),
    number('range', '95 % range', 170, (row) => cellTexts.range(row, unit()), {
      tooltip:
        'The range that contains the true value with a probability of 95 %; sorted by its relative width',
      sort: 'descending',
      cellTooltip: true,
    }),
    number('smape', 'SMAPE', 76, cellTexts.smape, {
      tooltip: 'Symmetric mean absolute percentage error of the model at the measured points',
      sort: 'descending',
    }),
  ];
}
