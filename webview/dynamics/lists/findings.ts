import { counted, formatPercent } from '../../../src/core/format';
import type { PropertyRow } from '../../../src/core/views/dynamicsPieces';
import { type Control, element } from '../../ui/base/dom';
import { dropdown } from '../../ui/controls/dropdown';
import type { GridColumn, GridLayout } from '../../ui/grid/columns';
import { Grid } from '../../ui/grid/grid';
import { rowColumns } from '../../ui/grid/rowColumns';
import { copyItem, openMenu } from '../../ui/controls/menu';
import { groupTree } from '../../ui/search/rowGroups';
import { messageArea } from '../../ui/page/messageArea';
import { searchBox } from '../../ui/search/searchBox';
import { slider } from '../../ui/controls/slider';
import { toolbar } from '../../ui/controls/toolbar';
import {
  type FindingGroup,
  type FindingView,
  type Grouping,
  iterationsText,
  rowName,
  type ShownFindings,
  shownFindings,
  thresholds,
} from './findingRows';
import { share } from '../base/words';

export interface FindingActions {
  readonly onSelect: (property: number) => void;
  readonly openSource: (property: number) => void;
  readonly onView: (view: FindingView) => void;
  readonly onLayout: (layout: GridLayout) => void;
}

export interface Findings extends Control {
  show(properties: readonly PropertyRow[], empty: string): void;
  /** Does not call `onSelect`. */
  select(property: number | undefined): void;
  focusSearch(): void;
}

/** The findings by kind, region, file or ranks. Keys: Enter opens the source, Ctrl+F searches, arrows as in a tree. */
export function findings(
  actions: FindingActions,
  saved: { readonly view: FindingView; readonly layout?: unknown },
): Findings {
  let properties: readonly PropertyRow[] = [];
  let empty = '';
  let view = saved.view;
  let shown: ShownFindings = { rows: new Uint32Array(0), groups: [], shown: 0 };
  const groupAt = (row: number): FindingGroup | undefined => shown.groups[row - properties.length];
  const setClosed = (row: number, open: boolean): void => {
    const name = groupAt(row)?.name;
    if (name === undefined) return;
    const others = view.closed.filter((closed) => closed !== name);
    change({ closed: open ? others : [...others, name] });
  };
  const grid = new Grid({
    label: 'Findings',
    columns: columns(
      (row) => properties[row],
      groupAt,
      () => view.group,
    ),
    tree: groupTree({
      count: () => properties.length,
      groups: () => shown.groups,
      closed: () => view.closed,
    }),
    layout: saved.layout,
    sort: view.sort,
    onSelect: (row) => {
      if (row !== undefined && row < properties.length) actions.onSelect(row);
    },
    onActivate: (row) => {
      if (row < properties.length) actions.openSource(row);
      else setClosed(row, view.closed.includes(groupAt(row)?.name ?? ''));
    },
    onMenu: (row, place) => {
      const property = properties[row];
      if (property === undefined) return;
      const { title, region } = property;
      openMenu(
        title,
        [
          {
            label: 'Go to Source',
            keys: 'Enter',
            disabled: region?.file === undefined ? 'Its source is not known.' : undefined,
            run: () => actions.openSource(row),
          },
          copyItem('Copy Title', title),
        ],
        place,
      );
    },
    onToggle: setClosed,
    onToggleSiblings: () => change({ closed: [] }),
    onSort: (sort) => change({ sort }),
    onLayout: (layout) => actions.onLayout(layout),
  });
  const search = searchBox({
    label: 'Search',
    onQuery: ({ text, regex }) => change({ search: text, regex }),
    onLeave: () => grid.focus(),
  });
  search.setQuery({ text: view.search, regex: view.regex });
  const group = dropdown<Grouping>({
    label: 'Group by',
    choices: [
      { value: 'kind', label: 'Kind' },
      { value: 'region', label: 'Region' },
      { value: 'file', label: 'File' },
      { value: 'ranks', label: 'Ranks' },
      { value: 'none', label: 'Nothing' },
    ],
    value: view.group,
    onChange: (value) => change({ group: value, closed: [] }),
  });
  const threshold = slider({
    label: 'At least',
    tooltip: 'The least severity that is shown, as a share of the phase time',
    count: thresholds.length,
    position: Math.max(
      0,
      thresholds.findLastIndex((limit) => limit <= view.threshold),
    ),
    text: (step) => formatPercent(thresholds[step] ?? 0),
    onChange: (step) => change({ threshold: thresholds[step] ?? 0 }),
  });
  const count = element('span', { class: 'muted count' });
  const message = messageArea();
  const update = (): void => {
    shown = shownFindings(properties, view);
    grid.setRows(shown.rows);
    search.setOutcome({ matches: shown.shown, current: -1, error: shown.error });
    count.textContent =
      shown.shown === properties.length
        ? counted(properties.length, 'finding')
        : `${shown.shown} of ${counted(properties.length, 'finding')}`;
    grid.element.hidden = shown.rows.length === 0;
    message.show(
      shown.rows.length > 0
        ? undefined
        : properties.length === 0
          ? { kind: 'empty', text: empty }
          : {
              kind: 'empty',
              text: 'No finding matches the search and the threshold.',
              action: { label: 'Show All', run: showAll },
            },
    );
  };
  const change = (part: Partial<FindingView>): void => {
    view = { ...view, ...part };
    actions.onView(view);
    update();
  };
  const showAll = (): void => {
    search.setQuery({ text: '', regex: view.regex });
    threshold.setPosition(0);
    change({ search: '', threshold: 0 });
  };
  const tools = toolbar('What is shown', search, group, threshold, { element: count });
  return {
    element: element(
      'section',
      { class: 'findings fill', label: 'Findings' },
      tools.element,
      message.element,
      grid.element,
    ),
    show: (given, whenEmpty) => {
      properties = given;
      empty = whenEmpty;
      update();
    },
    select: (property) => {
      if (property !== undefined && !shown.rows.includes(property)) showAll();
      grid.select(property);
    },
    focusSearch: () => search.focus(),
  };
}

function columns(
  rowAt: (row: number) => PropertyRow | undefined,
  groupAt: (row: number) => FindingGroup | undefined,
  grouping: () => Grouping,
): readonly GridColumn[] {
  // Values of a group have the same names as those of its findings.
  const { text, number } = rowColumns((position) => rowAt(position) ?? groupAt(position));
  const percent = (row: PropertyRow | FindingGroup, value: number | undefined): string =>
    isGroup(row) && value === 0 ? '' : share(value);
  const of =
    (value: (row: PropertyRow) => string) =>
    (row: PropertyRow | FindingGroup): string =>
      isGroup(row) ? '' : value(row);
  return [
    text(
      'what',
      'Finding',
      160,
      (row) => (isGroup(row) ? `${row.name} (${row.count})` : rowName(row, grouping())),
      {
        tooltip: 'Enter or double click goes to the source',
        sort: 'ascending',
        cellTooltip: (row) => (isGroup(row) ? `${row.name} (${row.count})` : row.title),
      },
    ),
    number('excess', 'Excess', 84, (row) => percent(row, row.excess), {
      tooltip: 'The cost of the degradation itself and after its end: a share of the phase time',
      sort: 'descending',
      bar: (row) => (isGroup(row) ? 0 : (row.excess ?? 0)),
    }),
    number('severity', 'Severity', 82, (row) => percent(row, row.severity), {
      tooltip: 'All time in these iterations: a share of the phase time',
      sort: 'descending',
      bar: (row) => (isGroup(row) ? 0 : (row.severity ?? 0)),
    }),
    text(
      'iterations',
      'Iterations',
      94,
      of((row) => iterationsText(row)),
      {
        sort: 'ascending',
        cellTooltip: of((row) => iterationsText(row, 40)),
      },
    ),
    text(
      'ranks',
      'Ranks',
      72,
      of(({ ranks = '' }) => ranks),
      { sort: 'ascending', cellTooltip: true },
    ),
    text(
      'region',
      'Region',
      110,
      of(({ region }) => region?.name ?? ''),
      {
        hidden: true,
        sort: 'ascending',
        cellTooltip: true,
      },
    ),
    text(
      'place',
      'Place',
      130,
      of(({ region }) => placeText(region, (file) => file.split(/[\\/]/).at(-1) ?? '')),
      {
        sort: 'ascending',
        hidden: true,
        cellTooltip: of(({ region }) => placeText(region, (file) => file)),
      },
    ),
  ];
}

function isGroup(row: PropertyRow | FindingGroup): row is FindingGroup {
  return 'count' in row;
}

function placeText(region: PropertyRow['region'], name: (file: string) => string): string {
  if (region?.file === undefined) return '';
  return region.line === undefined ? name(region.file) : `${name(region.file)}:${region.line}`;
}
