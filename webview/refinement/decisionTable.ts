import { counted, formatCount, formatPercent } from '../../src/core/format';
import type { DecisionRow } from '../../src/protocol/refinement';
import { iconButton } from '../ui/controls/button';
import { type Control, element } from '../ui/base/dom';
import { dropdown } from '../ui/controls/dropdown';
import { Grid } from '../ui/grid/grid';
import type { GridColumn, GridLayout } from '../ui/grid/columns';
import { rowColumns } from '../ui/grid/rowColumns';
import { announce } from '../ui/base/liveRegion';
import { copyItem, type MenuPlace, openMenu } from '../ui/controls/menu';
import { messageArea } from '../ui/page/messageArea';
import { searchBox } from '../ui/search/searchBox';
import { toolbar } from '../ui/controls/toolbar';
import { copyText } from '../ui/base/clipboard';
import {
  decisionsCsv,
  rulesOf,
  shownRows,
  stateText,
  wanted,
  type DecisionState,
  type DecisionView,
} from './decisionRows';
import { baseName, percent, ruleName } from './words';

export interface DecisionActions {
  readonly openSource: (row: number) => void;
  readonly pin: (row: number, state: 'in' | 'out' | 'none') => void;
  readonly saveCsv: (text: string) => void;
  readonly onView: (view: DecisionView) => void;
  readonly onLayout: (layout: GridLayout) => void;
}

export interface DecisionTable extends Control {
  show(decisions: readonly DecisionRow[]): void;
  focusSearch(): void;
}

/** The functions and their decisions. Keys: Enter source, Space in or out, Delete unpin, Ctrl+F search. */
export function decisionTable(
  actions: DecisionActions,
  state: { readonly view: DecisionView; readonly layout?: unknown },
): DecisionTable {
  let decisions: readonly DecisionRow[] = [];
  let view = state.view;
  let rows: Uint32Array = new Uint32Array(0);
  const toggle = (row: number): void => {
    const decision = decisions[row];
    if (decision !== undefined) actions.pin(row, wanted(decision) ? 'out' : 'in');
  };
  const grid = new Grid({
    label: 'Decisions',
    columns: columns((row) => decisions[row], toggle),
    layout: state.layout,
    sort: view.sort,
    onActivate: (row) => actions.openSource(row),
    onMenu: (row, place) => rowMenu(decisions[row], row, place, actions),
    onSort: (sort) => change({ sort }),
    onLayout: (layout) => actions.onLayout(layout),
    onKey: (event, row) => {
      if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return false;
      if (event.key === ' ') toggle(row);
      else if (event.key === 'Delete' || event.key === 'Backspace') actions.pin(row, 'none');
      else return false;
      return true;
    },
  });
  const search = searchBox({
    label: 'Search functions, files, reasons',
    onQuery: ({ text, regex }) => change({ search: text, regex }),
    onLeave: () => grid.focus(),
  });
  search.setQuery({ text: view.search, regex: view.regex });
  const states = dropdown<DecisionState>({
    label: 'State',
    choices: [
      { value: 'all', label: 'All' },
      { value: 'in', label: 'In' },
      { value: 'out', label: 'Out' },
      { value: 'pinned', label: 'Pinned' },
    ],
    value: view.state,
    onChange: (state) => change({ state }),
  });
  const rules = dropdown<string>({
    label: 'Reason',
    choices: [{ value: '', label: 'All' }],
    onChange: (rule) => change({ rule }),
  });
  const count = element('span', { class: 'muted count' });
  const empty = messageArea();
  const update = (): void => {
    const shown = shownRows(decisions, view);
    rows = shown.rows;
    grid.setRows(rows);
    search.setOutcome({ matches: rows.length, current: -1, error: shown.error });
    count.textContent =
      rows.length === decisions.length
        ? counted(rows.length, 'function')
        : `${formatCount(rows.length)} of ${counted(decisions.length, 'function')}`;
    grid.element.hidden = rows.length === 0;
    empty.show(emptyMessage(decisions.length, rows.length, () => change(noFilter)));
  };
  const change = (part: Partial<DecisionView>): void => {
    view = { ...view, ...part };
    if (part === noFilter) {
      search.setQuery({ text: '', regex: view.regex });
      states.setValue('all');
      rules.setValue('');
    }
    actions.onView(view);
    update();
  };
  const tools = toolbar(
    'Decisions',
    search,
    states,
    rules,
    'gap',
    { element: count },
    iconButton('save', 'Save as CSV', () => actions.saveCsv(decisionsCsv(decisions, rows))),
  );
  let ruleChoices = '';
  return {
    element: element('div', { class: 'pane fill' }, tools.element, empty.element, grid.element),
    show: (newDecisions) => {
      decisions = newDecisions;
      const choices = [
        { value: '', label: 'All' },
        ...rulesOf(newDecisions).map(({ rule, count: n }) => ({
          value: rule,
          label: `${ruleName(rule)} (${n})`,
        })),
      ];
      if (newDecisions.length > 0 && !choices.some(({ value }) => value === view.rule))
        view = { ...view, rule: '' };
      if (ruleChoices !== JSON.stringify(choices)) {
        ruleChoices = JSON.stringify(choices);
        rules.setChoices(choices, view.rule);
      }
      update();
    },
    focusSearch: () => search.focus(),
  };
}

const noFilter: Partial<DecisionView> = { search: '', state: 'all', rule: '' };

function emptyMessage(
  total: number,
  shown: number,
  showAll: () => void,
): Parameters<ReturnType<typeof messageArea>['show']>[0] {
  if (shown > 0) return undefined;
  return total === 0
    ? { kind: 'empty', text: 'The decisions appear here when the first round is finished.' }
    : {
        kind: 'empty',
        text: 'No function matches the search and the filters.',
        action: { label: 'Show All', run: showAll },
      };
}

function columns(
  rowAt: (row: number) => DecisionRow | undefined,
  toggle: (row: number) => void,
): readonly GridColumn[] {
  const { text, number } = rowColumns(rowAt);
  const share = ({ round }: DecisionRow, value: number | undefined): string =>
    value === undefined ? '' : `${formatPercent(value)}${round === undefined ? '' : ` in round ${round}`}`;
  // Bars must be comparable, so only shares of the last run have one.
  const bar =
    (measure: 'inclusiveShare' | 'exclusiveShare') =>
    (row: DecisionRow): number =>
      row.round === undefined ? (row[measure] ?? 0) : 0;
  const cellTooltip = ({ base }: DecisionRow): string => (base === undefined ? '' : `of ${base}`);
  const sort = 'descending';
  return [
    text('name', 'Function', 170, ({ name }) => name, {
      tooltip: 'Enter or double click goes to the source',
      sort: 'ascending',
      cellTooltip: ({ name, file, line }) => (file === undefined ? name : `${name}\n${lineText(file, line)}`),
    }),
    text('state', 'State', 96, stateText, {
      tooltip: 'In or out of the instrumentation; the check box pins it from the next round on (Space)',
      sort,
      render: (row, cell) => fillState(cell, rowAt(row), () => toggle(row)),
    }),
    number('exclusive', 'Exclusive', 112, (row) => share(row, row.exclusiveShare), {
      tooltip: 'Share of the computing time spent in the function itself; each value names its base',
      sort,
      cellTooltip,
      bar: bar('exclusiveShare'),
    }),
    number('inclusive', 'Inclusive', 98, (row) => share(row, row.inclusiveShare), {
      tooltip: 'Share of the computing time spent in the function and its callees; each value names its base',
      sort,
      cellTooltip,
      bar: bar('inclusiveShare'),
    }),
    number(
      'overhead',
      'Overhead',
      98,
      ({ overheadPercent }) => (overheadPercent === undefined ? '' : percent(overheadPercent)),
      {
        tooltip: 'Cost of recording it as a share of the run time: visits × calibrated cost of a visit',
        sort,
      },
    ),
    number('visits', 'Visits', 72, ({ visits }) => (visits === undefined ? '' : formatCount(visits)), {
      sort,
    }),
    text('rule', 'Rule', 110, ({ rule }) => ruleName(rule), { sort: 'ascending' }),
    text('reason', 'Reason', 420, ({ reason }) => reason, { sort: 'ascending', cellTooltip: true }),
    text(
      'place',
      'Place',
      140,
      ({ file, line }) => (file === undefined ? '' : lineText(baseName(file), line)),
      { hidden: true },
    ),
  ];
}

function lineText(file: string, line: number | undefined): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** Not an input element, so that the focus stays on the row; the text has the same information. */
function fillState(cell: HTMLElement, decision: DecisionRow | undefined, toggle: () => void): void {
  if (decision === undefined) {
    cell.textContent = '';
    return;
  }
  const box = element('span', {
    class: 'state-box',
    text: wanted(decision) ? '✓' : '',
    tooltip: wanted(decision) ? 'Exclude it from the next round on' : 'Include it from the next round on',
    attributes: { 'aria-hidden': 'true' },
  });
  box.addEventListener('click', toggle);
  box.addEventListener('dblclick', (event) => event.stopPropagation());
  cell.replaceChildren(box, element('span', { text: stateText(decision) }));
}

function rowMenu(
  decision: DecisionRow | undefined,
  row: number,
  place: MenuPlace,
  { openSource, pin }: DecisionActions,
): void {
  if (decision === undefined) return;
  const { file, pinned, name, reason } = decision;
  openMenu(
    name,
    [
      {
        label: 'Go to Source',
        keys: 'Enter',
        disabled: file === undefined ? 'Its source is not known.' : undefined,
        run: () => openSource(row),
      },
      'separator',
      { label: 'Pin In', checked: pinned === 'in', run: () => pin(row, 'in') },
      { label: 'Pin Out', checked: pinned === 'out', run: () => pin(row, 'out') },
      {
        label: 'Unpin',
        keys: 'Delete',
        disabled: pinned === undefined ? 'It is not pinned.' : undefined,
        run: () => pin(row, 'none'),
      },
      'separator',
      copyItem('Copy Name', name),
      {
        label: 'Copy Reason',
        run: () => void copyText(reason).then(() => announce('Copied')),
      },
    ],
    place,
  );
}
