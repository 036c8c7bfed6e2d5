import { printFocus } from '../../src/core/diagnosis/resources/focusText';
import type { SearchNode } from '../../src/core/diagnosis/search/searchRecord';
import { formatPercent, formatSeconds } from '../../src/core/format';
import { type Control, element } from '../ui/base/dom';
import type { MenuPlace } from '../ui/controls/menu';
import { rowColumns } from '../ui/grid/rowColumns';
import type { GridColumn, GridLayout } from '../ui/grid/columns';
import { Grid } from '../ui/grid/grid';
import type { SearchRow } from './searchRows';
import type { ShownRows } from './shownRows';
import { activityWords, rowSentence, shortActivities, truthWords, type SearchWords } from './words';

export interface SearchTree extends Control {
  /** @param isTimed whether the search took time, of which the columns tell */
  show(rows: ShownRows, isTimed: boolean): void;
  /** The first row that is completely visible; undefined: the first of all is. */
  readonly top: number | undefined;
  /** Scrolls so that a row is where `top` was before the rows changed. */
  keepTop(row: number): void;
  /** Other rows are open, or the filter is another one. */
  update(): void;
  /** @param isRevealed whether it is scrolled to */
  select(row: number | undefined, isRevealed?: boolean): void;
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
  const update = (): void => grid.setRows(rows?.rows ?? []);
  let shape = '';
  return {
    element: grid.element,
    show: (given, isTimed) => {
      rows = given;
      const wanted = `${isTimed} ${given.isFolded}`;
      if (wanted !== shape) grid.setColumns(columns(isTimed));
      shape = wanted;
      update();
    },
    update,
    get top() {
      return grid.top === 0 ? undefined : rows?.rows[grid.top];
    },
    keepTop: (row) => {
      const position = rows?.rows.indexOf(row) ?? -1;
      if (position >= 0 && position !== grid.top) grid.scrollTo(position);
    },
    select: (row, isRevealed = true) => grid.select(row, { reveal: isRevealed }),
    focus: () => grid.focus(),
  };
}

function searchColumns(shown: () => ShownRows | undefined, isTimed: boolean): readonly GridColumn[] {
  const rowAt = (position: number): SearchRow | undefined => shown()?.all.rows[position];
  const { text, number } = rowColumns(rowAt);
  const ofFirst =
    (words: (experiment: SearchNode, words: SearchWords) => string) =>
    ({ experiments: [first] }: SearchRow): string => {
      const rows = shown();
      return first === undefined || rows === undefined ? '' : words(first, rows.words);
    };
  const ofOnly =
    (words: (experiment: SearchNode) => string) =>
    ({ experiments }: SearchRow): string =>
      experiments.length === 1 ? ofFirst(words)({ experiments } as SearchRow) : '';
  const isFolded = shown()?.isFolded === true;
  return [
    text('experiment', 'Experiment', 210, ({ label }) => label, {
      cellTooltip: (row) => {
        const rows = shown();
        return rows === undefined ? '' : rowSentence(rows.words, row);
      },
      render: (row, cell) => cell.replaceChildren(...nameParts(rowAt(row))),
      cellClass: (row) => (rowAt(row)?.isShadow === true ? 'shadow-row' : ''),
    }),
    text('truth', 'Result', 84, (row) => truthText(row), {
      tooltip: 'Whether the hypothesis holds at this focus',
      cellClass: (row) => `truth-${rowAt(row)?.truth ?? 'none'}`,
    }),
    ...(isFolded
      ? [
          number(
            'gauge',
            'Share',
            72,
            ({ gauge }) => (gauge === undefined ? '' : `${gauge.part} of ${gauge.whole}`),
            {
              tooltip: 'How many of the hosts, of the processes or of their experiments the row stands for',
              bar: ({ gauge }) => (gauge === undefined ? 0 : gauge.part / gauge.whole),
            },
          ),
        ]
      : []),
    number(
      'value',
      'Value',
      isFolded ? 130 : 76,
      ({ experiments }) => shown()?.words.value(experiments) ?? '',
      {
        tooltip:
          'Mean of the metric that the hypothesis is about; of collapsed experiments, the smallest and the largest',
      },
    ),
    number(
      'threshold',
      'Holds',
      94,
      ofFirst(({ hypothesis, threshold }, words) => words.limit(hypothesis, threshold)),
      { tooltip: 'When the hypothesis holds' },
    ),
    ...(isTimed
      ? [
          number('found', 'Concluded', 98, ofOnly(concludedText), {
            tooltip: 'When it was concluded, in seconds since the search began',
          }),
          text(
            'activity',
            'Activity',
            84,
            ofOnly(({ activity }) => shortActivities[activity]),
            {
              tooltip: 'Whether it is measured at the moment',
              cellTooltip: ofOnly(({ activity }) => activityWords[activity]),
            },
          ),
          number(
            'cost',
            'Cost',
            74,
            ofOnly(({ predictedCost }) => formatPercent(predictedCost)),
            {
              tooltip: "Share of the processor's time that measuring it was predicted to cost",
              hidden: true,
            },
          ),
        ]
      : []),
    text(
      'focus',
      'Focus',
      300,
      ofOnly(({ focus }) => printFocus(focus)),
      {
        tooltip: 'Code, machine and synchronisation objects',
        cellTooltip: true,
        hidden: true,
      },
    ),
  ];
}

function truthText({ truth, experiments }: SearchRow): string {
  const isStale = experiments.some(({ stale }) => stale === true);
  return `${truthWords[truth ?? 'none'].word}${isStale ? ', stale' : ''}`;
}

function concludedText({ conclusions }: SearchNode): string {
  const last = conclusions.at(-1);
  return last === undefined ? '' : formatSeconds(last.time);
}

/** Sign, name, and badges: what is a shadow, and what was tested because stack samples pointed at it. */
function nameParts(row: SearchRow | undefined): readonly (Node | string)[] {
  if (row === undefined) return [];
  const { truth = 'none', experiments, label } = row;
  const [first] = experiments;
  return [
    element('span', {
      class: `truth-sign truth-${truth}`,
      text: truthWords[truth].sign,
      attributes: { 'aria-hidden': 'true' },
    }),
    element('span', { class: `activity-${first?.activity ?? 'inactive'}`, text: label }),
    ...badgesOf(row).flatMap((text) => [' ', element('span', { class: 'tag', text })]),
  ];
}

/** Short words about a row, beside its name. */
export function badgesOf({ by, isShadow, experiments }: SearchRow): readonly string[] {
  return [
    ...(isShadow ? ['shadow'] : []),
    ...(by === 'deep starter' || by === 'connecting' ? [by] : []),
    ...(experiments.some(({ problem }) => problem !== undefined) ? ['not measured'] : []),
  ];
}
