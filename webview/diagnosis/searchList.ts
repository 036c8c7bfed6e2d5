import type { DiagnosisHeader, DiagnosisLayout } from '../../src/core/views/diagnosis/diagnosisPieces';
import { type Control, element } from '../ui/base/dom';
import { iconButton } from '../ui/controls/button';
import { checkbox } from '../ui/controls/checkbox';
import type { MenuPlace } from '../ui/controls/menu';
import { tabs } from '../ui/controls/tabs';
import { toolbar } from '../ui/controls/toolbar';
import { messageArea } from '../ui/page/messageArea';
import { searchBox } from '../ui/search/searchBox';
import { SearchGraph } from './graph/searchGraph';
import type { RowFilter } from './searchRows';
import { searchTree } from './searchTree';
import type { ShownRows } from './shownRows';
import type { ViewState } from './viewState';

export interface SearchList extends Control {
  /**
   * @param isFoldable whether several processes, hosts or threads could be folded
   * @param placeOf in the next state of a search that goes on: places of the rows before, so that what is looked at stays where it is
   */
  show(
    rows: ShownRows,
    of: DiagnosisHeader,
    isFoldable: boolean,
    placeOf: ((row: number) => number | undefined) | undefined,
  ): void;
  /** Other rows are open. */
  update(): void;
  /** @param isRevealed whether it is scrolled to */
  select(row: number | undefined, isRevealed: boolean): void;
  focusSearch(): void;
}

/** The experiments, as a tree and as a graph of the same rows; what is searched for, and what is open. */
export function searchList(
  saved: ViewState,
  actions: {
    readonly layout: (count: number, edges: Uint32Array, signal: AbortSignal) => Promise<DiagnosisLayout>;
    readonly onError: (error: unknown) => void;
    readonly onSelect: (row: number) => void;
    readonly onActivate: (row: number) => void;
    readonly onMenu: (row: number, place: MenuPlace) => void;
    readonly onView: (part: Partial<ViewState>) => void;
    readonly onOpen: () => void;
    readonly onFold: (isUnfolded: boolean) => void;
    readonly savePicture: (kind: 'png' | 'svg' | 'csv', content: Uint8Array) => void;
  },
): SearchList {
  let rows: ShownRows | undefined;
  let filter: RowFilter = saved;
  let position = -1;
  let selected: number | undefined;
  /** In a run that is under way. */
  let isGoingOn = false;
  const tree = searchTree(
    {
      onSelect: actions.onSelect,
      onActivate: actions.onActivate,
      onMenu: actions.onMenu,
      onOpen: () => {
        graph.update();
        actions.onOpen();
      },
      onLayout: (layout) => actions.onView({ layout }),
    },
    saved.layout,
  );
  const update = (): void => {
    tree.update();
    graph.update();
    showCount();
  };
  const changeOpen = (act: (shown: ShownRows) => void): void => {
    if (rows === undefined) return;
    act(rows);
    update();
    actions.onOpen();
  };
  const graph = new SearchGraph({
    ...actions,
    onToggle: (row) => changeOpen((shown) => shown.setOpen(row, shown.state(row) === 'closed')),
    onSave: actions.savePicture,
    alternatives: [
      { label: 'Show Only True Experiments', run: () => change({ onlyTrue: true }) },
      { label: 'Close Everything', run: () => changeOpen((shown) => shown.setBelow(undefined, false)) },
    ],
  });
  const change = (part: Partial<RowFilter>): void => {
    filter = { ...filter, ...part };
    onlyTrue.setChecked(filter.onlyTrue);
    actions.onView(part);
    position = -1;
    rows?.filter(filter);
    update();
    showOutcome();
  };
  const search = searchBox({
    label: 'Search experiments',
    onQuery: (query) => change({ query }),
    onStep: (direction) => {
      const matches = rows?.matches ?? [];
      if (matches.length === 0 || filter.query.text === '') return;
      position =
        position < 0 && direction < 0
          ? matches.length - 1
          : (position + direction + matches.length) % matches.length;
      const row = matches[position];
      if (row === undefined) return;
      rows?.reveal(row);
      update();
      actions.onSelect(row);
      showOutcome();
    },
    onLeave: () => tree.focus(),
  });
  search.setQuery(saved.query);
  const onlyTrue = checkbox({
    label: 'Only true',
    checked: saved.onlyTrue,
    onChange: (checked) => change({ onlyTrue: checked }),
  });
  const fold = checkbox({
    label: 'Fold processes',
    checked: !saved.isUnfolded,
    onChange: (checked) => actions.onFold(!checked),
  });
  const count = element('span', { class: 'muted count' });
  const showOutcome = (): void =>
    search.setOutcome({
      matches: filter.query.text === '' ? 0 : (rows?.matches.length ?? 0),
      current: position,
      error: rows?.error,
    });
  const message = messageArea();
  const showCount = (): void => {
    const [all, shown] = [rows?.all.count ?? 0, rows?.count ?? 0];
    const noun = rows?.isFolded === true ? 'rows' : all === 1 ? 'experiment' : 'experiments';
    count.textContent = shown >= all ? `${all} ${noun}` : `${shown} of ${all} ${noun}`;
    const isEmpty = shown === 0 && all > 0;
    pages.element.hidden = isEmpty;
    const isSearched = filter.query.text !== '';
    message.show(
      isEmpty
        ? {
            kind: 'empty',
            text: isSearched
              ? 'No experiment matches.'
              : isGoingOn
                ? 'No hypothesis is true yet.'
                : 'No hypothesis is true: nothing that was tested makes the program slow.',
            action: {
              label: 'Show All',
              run: () => {
                search.setQuery({ text: '', regex: false });
                change({ query: { text: '', regex: false }, onlyTrue: false });
              },
            },
          }
        : undefined,
    );
  };
  const pages = tabs({
    label: 'Search as',
    tabs: [
      { id: 'tree', label: 'Tree', content: tree.element },
      { id: 'graph', label: 'Graph', content: graph.element },
    ],
    selected: saved.tab,
    onSelect: (tab) => {
      actions.onView({ tab });
      graph.setShown(tab === 'graph');
      // What is hidden cannot be scrolled to.
      if (tab === 'tree') tree.select(selected);
    },
    extra: toolbar(
      'Open experiments',
      iconButton('expandAll', 'Open Everything', () =>
        changeOpen((shown) => shown.setBelow(undefined, true)),
      ),
      iconButton('collapseAll', 'Close Everything', () =>
        changeOpen((shown) => shown.setBelow(undefined, false)),
      ),
    ).element,
  });
  graph.setShown(saved.tab === 'graph');
  return {
    element: element(
      'section',
      { class: 'fill search-list', label: 'Search' },
      toolbar('Experiments', search, onlyTrue, fold, { element: count }).element,
      message.element,
      pages.element,
    ),
    show: (given, of, isFoldable, placeOf) => {
      const top = placeOf && tree.top;
      rows = given;
      isGoingOn = of.wanted !== undefined;
      fold.element.hidden = !isFoldable;
      fold.setChecked(given.isFolded);
      if (placeOf === undefined) position = -1;
      tree.show(given, of.clock !== 'recorded');
      graph.show(given, of.run, placeOf !== undefined);
      const kept = top === undefined ? undefined : placeOf?.(top);
      if (kept !== undefined) tree.keepTop(kept);
      showCount();
      showOutcome();
    },
    update,
    select: (row, isRevealed) => {
      selected = row;
      tree.select(row, isRevealed);
      graph.select(row);
    },
    focusSearch: () => search.focus(),
  };
}
