import { element, type Control } from '../ui/base/dom';
import { icon } from '../ui/base/icons';
import { dropdown } from '../ui/controls/dropdown';
import { toolbar } from '../ui/controls/toolbar';
import type { GridColumn, GridLayout, SortOrder } from '../ui/grid/columns';
import { Grid } from '../ui/grid/grid';
import { rowColumns } from '../ui/grid/rowColumns';
import { messageArea } from '../ui/page/messageArea';
import { groupTree } from '../ui/search/rowGroups';
import { searchBox, type SearchQuery } from '../ui/search/searchBox';
import { largestOf } from '../../src/core/views/columnUnit';
import { cellTexts, shownRows, type ModelGroup, type PredictedRow, type ShownRows } from './modelRows';
import type { PointChooser } from './pointChooser';
import type { Grouping, RowKind } from './viewState';
import { shortPath, verdictWords, wholePath } from './words';

export interface ModelTable extends Control {
  /** Offers metrics; one of them needs no choice. Does not call `onMetric`. */
  setMetrics(names: readonly string[], chosen: string): void;
  show(rows: readonly PredictedRow[], given: TableFacts): void;
  /** Selects rows; the last one is the current row. Does not call `onMarks`. */
  mark(rows: readonly number[]): void;
  /** The row that is shown first. */
  readonly first: number | undefined;
  focusSearch(): void;
}

interface TableFacts {
  readonly unit: string;
  /** What a row is. */
  readonly kind: RowKind;
  /** Names of the measurements that these are compared with. */
  readonly compared?: string;
}

interface TableView {
  readonly search: SearchQuery;
  readonly sort: SortOrder;
  readonly rows: RowKind;
  readonly group: Grouping;
  readonly closed: readonly string[];
}

/** All models of a metric: what they predict, and how far they can be relied on. */
export function modelTable(
  point: PointChooser,
  actions: {
    readonly onMetric: (name: string) => void;
    /** @param current the row of the keyboard, one of those that are selected */
    readonly onMarks: (rows: readonly number[], current: number | undefined) => void;
    readonly openSource: (row: number) => void;
    readonly onRows: (kind: RowKind) => void;
    readonly onView: (view: Partial<TableView>) => void;
    readonly onLayout: (layout: GridLayout) => void;
  },
  saved: TableView & { readonly layout?: unknown },
): ModelTable {
  let rows: readonly PredictedRow[] = [];
  // Predicted values decide the unit of their column.
  let largest = 0;
  let facts: TableFacts = { unit: '', kind: saved.rows };
  let view: TableView = saved;
  let shown: ShownRows = { rows: new Uint32Array(0), groups: [], shown: 0 };
  const groupAt = (row: number): ModelGroup | undefined => shown.groups[row - rows.length];
  const setOpen = (row: number, isOpen: boolean): void => {
    const name = groupAt(row)?.name;
    if (name === undefined) return;
    const others = view.closed.filter((closed) => closed !== name);
    change({ closed: isOpen ? others : [...others, name] });
  };
  const ownColumns = (): readonly GridColumn[] =>
    columns(
      (row) => rows[row],
      groupAt,
      () => facts,
      () => largest,
    );
  const grid = new Grid({
    label: 'Models',
    columns: ownColumns(),
    tree: groupTree({ count: () => rows.length, groups: () => shown.groups, closed: () => view.closed }),
    layout: saved.layout,
    sort: saved.sort,
    onMarks: (marked) =>
      actions.onMarks(
        marked.filter((row) => row < rows.length),
        grid.selected,
      ),
    onActivate: (row) => {
      if (row < rows.length) actions.openSource(row);
      else setOpen(row, view.closed.includes(groupAt(row)?.name ?? ''));
    },
    onToggle: setOpen,
    onToggleSiblings: () => change({ closed: [] }),
    onSort: (sort) => change({ sort }),
    onLayout: actions.onLayout,
  });
  const kind = dropdown<RowKind>({
    label: 'Rows',
    choices: [
      { value: 'paths', label: 'Call paths' },
      { value: 'functions', label: 'Functions' },
    ],
    value: view.rows,
    onChange: actions.onRows,
  });
  const group = dropdown<Grouping>({
    label: 'Group by',
    choices: [
      { value: 'none', label: 'Nothing' },
      { value: 'growth', label: 'Growth' },
    ],
    value: view.group,
    onChange: (wanted) => change({ group: wanted, closed: [] }),
  });
  const metric = dropdown<string>({ label: 'Metric', onChange: actions.onMetric });
  const message = messageArea();
  const change = (part: Partial<TableView>): void => {
    view = { ...view, ...part };
    actions.onView(part);
    update();
  };
  const search = searchBox({
    label: 'Search models',
    onQuery: (wanted) => change({ search: wanted }),
    onLeave: () => grid.focus(),
  });
  search.setQuery(view.search);
  const count = element('span', { class: 'muted count' });
  const update = (): void => {
    shown = shownRows(rows, view.search, view.sort, view);
    grid.setRows(shown.rows);
    search.setOutcome({ matches: shown.shown, current: -1, error: shown.error });
    const all = `${rows.length} ${rows.length === 1 ? 'model' : 'models'}`;
    count.textContent = shown.shown === rows.length ? all : `${shown.shown} of ${all}`;
    const isEmpty = shown.shown === 0 && rows.length > 0;
    grid.element.hidden = isEmpty;
    const showAll = (): void => {
      search.setQuery({ text: '', regex: false });
      change({ search: { text: '', regex: false } });
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
      toolbar('Models', metric, kind, group, search, { element: count }).element,
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
    show: (given, wanted) => {
      rows = given;
      largest = largestOf(rows.flatMap(({ value, other = 0 }) => [value, other]));
      const isOther = wanted.compared !== facts.compared || wanted.kind !== facts.kind;
      facts = wanted;
      if (isOther) grid.setColumns(ownColumns());
      update();
    },
    mark: (wanted) => grid.mark(wanted),
    get first() {
      return shown.rows.find((row) => row < rows.length);
    },
    focusSearch: () => search.focus(),
  };
}

function columns(
  rowAt: (row: number) => PredictedRow | undefined,
  groupAt: (row: number) => ModelGroup | undefined,
  facts: () => TableFacts,
  largest: () => number,
): readonly GridColumn[] {
  const { text, number } = rowColumns((position) => rowAt(position) ?? groupAt(position));
  const { compared, kind } = facts();
  const of =
    (value: (row: PredictedRow) => string) =>
    (row: PredictedRow | ModelGroup): string =>
      isGroup(row) ? '' : value(row);
  return [
    text(
      'path',
      kind === 'functions' ? 'Function' : 'Call path',
      200,
      (row) => (isGroup(row) ? `${row.name} (${row.count})` : shortPath(row.callPath)),
      { sort: 'ascending', cellTooltip: (row) => (isGroup(row) ? row.name : pathTooltip(row)) },
    ),
    number('share', 'Share', 74, cellTexts.share, {
      tooltip: 'Share of the sum of all predictions of the metric',
      sort: 'descending',
      bar: ({ share = 0 }) => share,
    }),
    number(
      'value',
      'Predicted',
      92,
      of((row) => cellTexts.value(row, facts().unit, largest())),
      { tooltip: 'Predicted value for the chosen point', sort: 'descending' },
    ),
    ...(compared === undefined
      ? []
      : [
          number(
            'compared',
            'Compared',
            112,
            of((row) => cellTexts.other(row, facts().unit, largest())),
            { tooltip: `Predicted value of ${compared}`, sort: 'descending' },
          ),
          number('ratio', 'Ratio', 74, of(cellTexts.ratio), {
            tooltip: `How many times the predicted value that of ${compared} is`,
            sort: 'descending',
          }),
        ]),
    text(
      'growth',
      'Growth',
      104,
      of(({ growth }) => growth.text),
      {
        tooltip: 'The terms that outgrow the others; sorted from the slowest to the fastest',
        sort: 'descending',
        cellTooltip: of(({ growth, expected }) => expected?.message ?? growth.text),
        render: (row, cell) => {
          const model = rowAt(row);
          const isWorse = model?.expected?.isWorse === true;
          cell.replaceChildren(...(isWorse ? [icon('warning')] : []), model?.growth.text ?? '');
        },
      },
    ),
    text(
      'formula',
      'Model',
      196,
      of(({ formula }) => formula),
      { sort: 'ascending', cellTooltip: true },
    ),
    text(
      'verdict',
      'Verdict',
      128,
      of(({ verdict }) => verdictWords(verdict?.kind).label),
      {
        tooltip: 'How far the model can be relied on',
        sort: 'ascending',
        cellTooltip: of(({ verdict }) => verdict?.message ?? ''),
        render: (row, cell) => {
          const { label, icon: name } = verdictWords(rowAt(row)?.verdict?.kind);
          cell.replaceChildren(...(name === undefined ? [] : [icon(name)]), label);
        },
      },
    ),
    number(
      'range',
      '95 % range',
      170,
      of((row) => cellTexts.range(row, facts().unit)),
      {
        tooltip:
          'The range that contains the true value with a probability of 95 %; sorted by its relative width',
        sort: 'descending',
        cellTooltip: true,
      },
    ),
    number('smape', 'SMAPE', 76, of(cellTexts.smape), {
      tooltip: 'Symmetric mean absolute percentage error of the model at the measured points',
      sort: 'descending',
    }),
  ];
}

function isGroup(row: PredictedRow | ModelGroup): row is ModelGroup {
  return 'count' in row;
}

function pathTooltip({ callPath, callPaths }: PredictedRow): string {
  return callPaths === undefined ? wholePath(callPath) : `${callPath}: the sum of ${callPaths} call paths`;
}
