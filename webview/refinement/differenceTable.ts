import { counted } from '../../src/core/format';
import type { DifferenceRow, RefinementShown } from '../../src/protocol/refinement';
import { type Control, element } from '../ui/base/dom';
import { dropdown } from '../ui/controls/dropdown';
import { Grid } from '../ui/grid/grid';
import type { GridColumn, GridLayout, SortOrder } from '../ui/grid/columns';
import { type Message, messageArea } from '../ui/page/messageArea';
import { errorText } from '../ui/page/shell';
import { toolbar } from '../ui/controls/toolbar';
import { rowColumns } from '../ui/grid/rowColumns';
import { compare, sortedRows } from '../ui/search/rowSearch';

export interface DifferenceActions {
  readonly ask: (from: number, to: number, signal: AbortSignal) => Promise<readonly DifferenceRow[]>;
  readonly openSource: (row: number) => void;
  readonly onChoice: (from: number, to: number) => void;
  readonly onLayout: (layout: GridLayout) => void;
}

export interface DifferenceTable extends Control {
  show(iterations: RefinementShown['iterations']): void;
  /** Requests the differences again: another study, or its last round changed. */
  refresh(): void;
}

/** The functions that were included and excluded between two rounds, with the reasons before and after. */
export function differenceTable(
  actions: DifferenceActions,
  state: { readonly from?: number; readonly to?: number; readonly layout?: unknown },
): DifferenceTable {
  let differences: readonly DifferenceRow[] = [];
  let { from, to } = state;
  let last = -1;
  let asking = new AbortController();
  let sort: SortOrder = { column: 'change', direction: 'ascending' };
  const grid = new Grid({
    label: 'Difference between two rounds',
    columns: columns((row) => differences[row]),
    layout: state.layout,
    sort,
    onActivate: (position) => {
      const row = differences[position]?.row ?? -1;
      if (row >= 0) actions.openSource(row);
    },
    onSort: (order) => {
      sort = order;
      showRows();
    },
    onLayout: (layout) => actions.onLayout(layout),
  });
  const message = messageArea();
  const counts = element('span', { class: 'muted count' });
  const choose = (part: { readonly from?: number; readonly to?: number }): void => {
    from = part.from ?? from;
    to = part.to ?? to;
    if (from !== undefined && to !== undefined) actions.onChoice(from, to);
    void ask();
  };
  const fromBox = dropdown<string>({
    label: 'From',
    onChange: (value) => choose({ from: Number(value) }),
  });
  const toBox = dropdown<string>({
    label: 'To',
    onChange: (value) => choose({ to: Number(value) }),
  });
  const say = (text: Message | undefined): void => {
    grid.element.hidden = text !== undefined;
    message.show(text);
  };
  const showRows = (): void => grid.setRows(sortedDifferences(differences, sort));
  const ask = async (): Promise<void> => {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    if (from === undefined || to === undefined) return;
    try {
      const rows = await actions.ask(from, to, signal);
      if (signal.aborted) return;
      differences = rows;
      showRows();
      counts.textContent = countText(rows);
      say(rows.length > 0 ? undefined : { kind: 'empty', text: sameText(from, to) });
    } catch (error) {
      if (!signal.aborted) say({ kind: 'error', text: errorText(error) });
    }
  };
  const tools = toolbar('Difference', fromBox, toBox, 'gap', { element: counts });
  return {
    element: element('div', { class: 'pane fill' }, tools.element, message.element, grid.element),
    show: (iterations) => {
      const newest = iterations.length - 1;
      if (newest === last) return;
      // A user who looks at the last round follows new rounds.
      const follows = to === undefined || to === last || to > newest;
      last = newest;
      if (newest < 1) {
        asking.abort();
        say({ kind: 'empty', text: 'Two rounds are needed to compare.' });
      } else {
        if (follows || from === undefined || from > newest) [from, to] = [newest - 1, newest];
        void ask();
      }
      const choices = iterations.map(({ index }) => ({ value: String(index), label: `Round ${index}` }));
      fromBox.setChoices(choices, String(from ?? ''));
      toBox.setChoices(choices, String(to ?? ''));
      tools.element.hidden = newest < 1;
    },
    refresh: () => {
      if (last >= 1) void ask();
    },
  };
}

function sameText(from: number, to: number): string {
  return from === to ? 'Choose two different rounds.' : `Rounds ${from} and ${to} record the same functions.`;
}

function countText(differences: readonly DifferenceRow[]): string {
  const included = differences.filter(({ change }) => change === 'entered').length;
  return `${counted(included, 'function')} included, ${differences.length - included} excluded`;
}

const keys = {
  change: ({ change }: DifferenceRow) => change,
  before: ({ before }: DifferenceRow) => before,
  after: ({ after }: DifferenceRow) => after,
  usual: ({ name }: DifferenceRow) => name,
};

function sortedDifferences(differences: readonly DifferenceRow[], sort: SortOrder): Uint32Array {
  const all = differences.map((_, position) => position);
  return Uint32Array.from(sortedRows(differences, all, sort, keys, (a, b) => compare(a.name, b.name)));
}

function columns(rowAt: (row: number) => DifferenceRow | undefined): readonly GridColumn[] {
  const { text } = rowColumns(rowAt);
  const sort = 'ascending';
  return [
    text('name', 'Function', 170, ({ name }) => name, { sort, cellTooltip: true }),
    text('change', 'Change', 90, ({ change }) => (change === 'entered' ? '+ included' : '− excluded'), {
      sort,
    }),
    text('before', 'Reason Before', 330, ({ before }) => before, { sort, cellTooltip: true }),
    text('after', 'Reason After', 330, ({ after }) => after, { sort, cellTooltip: true }),
  ];
}
