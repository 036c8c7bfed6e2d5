import { formatPercent } from '../../src/core/format';
import { type Control, element } from '../ui/base/dom';
import type { MenuPlace } from '../ui/controls/menu';
import { rowColumns } from '../ui/grid/rowColumns';
import type { GridColumn, GridLayout } from '../ui/grid/columns';
import { Grid } from '../ui/grid/grid';
import type { SearchRow } from './searchRows';
import type { ShownRows } from './shownRows';
import { activityWords, focusText, timeText, truthWords } from './words';

export interface SearchTree extends Control {
  /** @param isTimed whether the search took time, of which the columns tell */
  show(rows: ShownRows, isTimed: boolean): void;
  /** Other rows are open, or the filter is another one. */
  update(): void;
  select(row: number | undefined): void;
  focus(): void;
}

/** The search as a tree of any size: only the visible rows are in the page. */
export function searchTree(
  actions: {
    readonly onSelect: (row: number) => void;
    /** Rows were opened or closed. */
    readonly onOpen: () => void;
    readonly onActivate: (row: number) => void;
    readonly onMenu: (row: number, place: MenuPlace) => void;
    readonly onLayout: (layout: GridLayout) => void;
  },
  layout: unknown,
): SearchTree {
  let rows: ShownRows | undefined;
  const columns = (isTimed: boolean): readonly GridColumn[] => searchColumns(() => rows, isTimed);
  const change = (act: (shown: ShownRows) => void): void => {
    if (rows === undefined) return;
    act(rows);
    update();
    actions.onOpen();
  };
  const grid = new Grid({
    label: 'Experiments',
    columns: columns(true),
    tree: { level: (row) => rows?.level(row) ?? 1, state: (row) => rows?.state(row) ?? 'leaf' },
    layout,
    onSelect: (row) => {
      if (row !== undefined) actions.onSelect(row);
    },
    onActivate: actions.onActivate,
    onMenu: actions.onMenu,
    onToggle: (row, isOpen) => change((shown) => shown.setOpen(row, isOpen)),
    onToggleSiblings: (row) => change((shown) => shown.openSiblings(row)),
    onLayout: actions.onLayout,
  });
  let wasTimed = true;
  const update = (): void => grid.setRows(rows?.rows ?? []);
  return {
    element: grid.element,
    show: (given, isTimed) => {
      rows = given;
      if (isTimed !== wasTimed) grid.setColumns(columns(isTimed));
      wasTimed = isTimed;
      update();
    },
    update,
    select: (row) => grid.select(row),
    focus: () => grid.focus(),
  };
}

function searchColumns(shown: () => ShownRows | undefined, isTimed: boolean): readonly GridColumn[] {
  const rowAt = (position: number): SearchRow | undefined => shown()?.all.rows[position];
  const { text, number } = rowColumns(rowAt);
  const valueOf = ({ node }: SearchRow): string => shown()?.words.value(node.hypothesis, node.value) ?? '';
  return [
    text('experiment', 'Experiment', 300, ({ label }) => label, {
      cellTooltip: ({ node }) => `${shown()?.words.label(node.hypothesis) ?? ''} ${focusText(node.focus)}`,
      render: (row, cell) => cell.replaceChildren(...nameParts(rowAt(row))),
      cellClass: (row) => rowClass(rowAt(row)),
    }),
    text('truth', 'Result', 96, ({ node }) => truthText(node), {
      tooltip: 'Whether the hypothesis holds at this focus',
      cellClass: (row) => `truth-${rowAt(row)?.node.truth ?? 'unknown'}`,
    }),
    number('value', 'Value', 84, valueOf, { tooltip: 'Mean of the metric that the hypothesis is about' }),
    number(
      'threshold',
      'Holds',
      104,
      ({ node }) => shown()?.words.limit(node.hypothesis, node.threshold) ?? '',
      { tooltip: 'When the hypothesis holds' },
    ),
    ...(isTimed
      ? [
          number('found', 'Concluded', 92, ({ node }) => concludedText(node), {
            tooltip: 'When it was concluded, in seconds since the search began',
          }),
          text('activity', 'Activity', 156, ({ node }) => activityWords[node.activity], {
            tooltip: 'Whether it is measured at the moment',
          }),
          number('cost', 'Cost', 74, ({ node }) => formatPercent(node.predictedCost), {
            tooltip: "Share of the processor's time that measuring it was predicted to cost",
            hidden: true,
          }),
        ]
      : []),
    text('focus', 'Focus', 300, ({ node }) => focusText(node.focus), {
      tooltip: 'Code, machine and synchronisation objects',
      cellTooltip: true,
      hidden: true,
    }),
  ];
}

function truthText({ truth, stale }: SearchRow['node']): string {
  const { sign, word } = truthWords[truth];
  return `${sign} ${word}${stale === true ? ', stale' : ''}`;
}

function concludedText({ conclusions }: SearchRow['node']): string {
  const last = conclusions.at(-1);
  return last === undefined ? '' : timeText(last.time);
}

/** Name, and badges: what is a shadow, and what was tested because stack samples pointed at it. */
function nameParts(row: SearchRow | undefined): readonly (Node | string)[] {
  if (row === undefined) return [];
  return [
    element('span', {
      class: `truth-sign truth-${row.node.truth}`,
      text: truthWords[row.node.truth].sign,
      attributes: { 'aria-hidden': 'true' },
    }),
    element('span', { class: `activity-${row.node.activity}`, text: row.label }),
    ...badgesOf(row).map((text) => element('span', { class: 'tag', text })),
  ];
}

/** Short words about a row, beside its name. */
export function badgesOf({ node, by, isShadow }: SearchRow): readonly string[] {
  return [
    ...(isShadow ? ['shadow'] : []),
    ...(by === 'deep starter' || by === 'connecting' ? [by] : []),
    ...(node.problem === undefined ? [] : ['not measured']),
  ];
}

function rowClass(row: SearchRow | undefined): string {
  return row?.isShadow === true ? 'shadow-row' : '';
}
