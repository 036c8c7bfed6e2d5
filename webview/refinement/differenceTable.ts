import type { DifferenceRow, RefinementShown } from '../../src/protocol/refinement';
import { type Control, element } from '../ui/base/dom';
import { dropdown } from '../ui/controls/dropdown';
import { Grid } from '../ui/grid/grid';
import type { GridColumn, GridLayout, SortOrder } from '../ui/grid/columns';
import { type Message, messageArea } from '../ui/page/messageArea';
import { toolbar } from '../ui/controls/toolbar';
import { plural } from './words';

export interface DifferenceActions {
  readonly ask: (from: number, to: number, signal: AbortSignal) => Promise<readonly DifferenceRow[]>;
  readonly openSource: (row: number) => void;
  readonly onChoice: (from: number, to: number) => void;
  readonly onLayout: (layout: GridLayout) => void;
}

export interface DifferenceTable extends Control {
  show(iterations: RefinementShown['iterations']): void;
  /** Asks again: another study, or its last iteration changed. */
  refresh(): void;
}

/** What entered and left between two iterations, with the reasons before and after. */
export function differenceTable(
  actions: DifferenceActions,
  kept: { readonly from?: number; readonly to?: number; readonly layout?: unknown },
): DifferenceTable {
  let differences: readonly DifferenceRow[] = [];
  let { from, to } = kept;
  let last = -1;
  let asking = new AbortController();
  let sort: SortOrder = { column: 'change', direction: 'ascending' };
  const grid = new Grid({
    label: 'Difference between two iterations',
    columns: columns((at) => differences[at]),
    layout: kept.layout,
    sort,
    onActivate: (at) => {
      const row = differences[at]?.row ?? -1;
      if (row >= 0) actions.openSource(row);
    },
    onSort: (wanted) => {
      sort = wanted;
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
    choices: [],
    value: '',
    onChange: (value) => choose({ from: Number(value) }),
  });
  const toBox = dropdown<string>({
    label: 'To',
    choices: [],
    value: '',
    onChange: (value) => choose({ to: Number(value) }),
  });
  const say = (text: Message | undefined): void => {
    grid.element.hidden = text !== undefined;
    message.show(text);
  };
  const showRows = (): void => grid.setRows(sortedRows(differences, sort));
  const ask = async (): Promise<void> => {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    if (from === undefined || to === undefined) return;
    try {
      const found = await actions.ask(from, to, signal);
      if (signal.aborted) return;
      differences = found;
      showRows();
      counts.textContent = countText(found);
      say(found.length > 0 ? undefined : { kind: 'empty', text: sameText(from, to) });
    } catch (error) {
      if (!signal.aborted)
        say({ kind: 'error', text: error instanceof Error ? error.message : String(error) });
    }
  };
  const tools = toolbar('Difference', fromBox, toBox, 'gap', { element: counts });
  return {
    element: element('div', { class: 'pane' }, tools.element, message.element, grid.element),
    show: (iterations) => {
      const newest = iterations.length - 1;
      if (newest === last) return;
      // Who looks at the last step goes on to do so.
      const follows = to === undefined || to === last || to > newest;
      last = newest;
      if (newest < 1) {
        asking.abort();
        say({ kind: 'empty', text: 'Two iterations are needed to compare.' });
      } else {
        if (follows || from === undefined || from > newest) [from, to] = [newest - 1, newest];
        void ask();
      }
      const choices = iterations.map(({ index }) => ({ value: String(index), label: `Iteration ${index}` }));
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
  return from === to
    ? 'Choose two different iterations.'
    : `Iterations ${from} and ${to} record the same functions.`;
}

function countText(differences: readonly DifferenceRow[]): string {
  const entered = differences.filter(({ change }) => change === 'entered').length;
  return `${plural(entered, 'function')} entered, ${differences.length - entered} left`;
}

/** Positions in their order. */
export function sortedRows(
  differences: readonly DifferenceRow[],
  { column, direction }: SortOrder,
): Uint32Array {
  const key = ({ name, change, before, after }: DifferenceRow): string =>
    ({ name, change, before, after })[column] ?? name;
  const sign = direction === 'ascending' ? 1 : -1;
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return Uint32Array.from(
    differences
      .map((difference, at) => ({ key: key(difference), name: difference.name, at }))
      .sort((a, b) => sign * compare(a.key, b.key) || compare(a.name, b.name))
      .map(({ at }) => at),
  );
}

function columns(at: (row: number) => DifferenceRow | undefined): readonly GridColumn[] {
  return [
    {
      id: 'name',
      title: 'Function',
      width: 170,
      sort: 'ascending',
      text: (row) => at(row)?.name ?? '',
      cellTooltip: (row) => at(row)?.name,
    },
    {
      id: 'change',
      title: 'Change',
      width: 90,
      sort: 'ascending',
      text: (row) => (at(row)?.change === 'entered' ? '+ entered' : '− left'),
    },
    {
      id: 'before',
      title: 'Reason Before',
      width: 330,
      sort: 'ascending',
      text: (row) => at(row)?.before ?? '',
      cellTooltip: (row) => at(row)?.before,
    },
    {
      id: 'after',
      title: 'Reason After',
      width: 330,
      sort: 'ascending',
      text: (row) => at(row)?.after ?? '',
      cellTooltip: (row) => at(row)?.after,
    },
  ];
}
