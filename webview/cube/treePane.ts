import { modeTitles, valueModes, type ValueMode } from '../../src/core/views/valueModes';
import { element, setAttribute, type Control } from '../ui/base/dom';
import { iconButton, type Button } from '../ui/controls/button';
import { dropdown } from '../ui/controls/dropdown';
import { menuPlaceBelow, openMenu, type MenuItem } from '../ui/controls/menu';
import { progressBar } from '../ui/controls/progress';
import { toolbar } from '../ui/controls/toolbar';
import { MatchWalk } from '../ui/search/matchWalk';
import { colourScale } from '../ui/flame/colourScale';
import { search, type Found } from '../ui/search/nameSearch';
import { searchBox, type SearchBox, type SearchQuery } from '../ui/search/searchBox';
import { fileOrder, type ValueTree } from './valueTree';
import type { PaneId, ViewState } from './viewState';

/** The progress bar appears after this time; an earlier one would flicker. */
const busyAfterMilliseconds = 200;

/** The view that a search applies to. */
interface Searched {
  readonly setFound: (search: Found) => void;
  readonly matches: () => ArrayLike<number>;
  readonly selected: () => number | undefined;
  readonly go: (row: number) => void;
  readonly focus: () => void;
}

export interface TreePaneOptions {
  readonly id: PaneId;
  readonly title: string;
  readonly searchLabel: string;
  readonly modes: readonly ValueMode[];
  /** What the colours of absolute values show; default: the share of the root. */
  readonly absoluteScale?: string;
  /** Full and shown names, by the keys of `Found.regions`. */
  readonly names: { readonly full: readonly string[]; readonly folded?: readonly string[] };
  /** Content in place of the tree alone. */
  readonly content?: Control;
  /** Parts of the search that differ from those of the tree. */
  readonly searched?: Partial<Searched>;
  /** Called when the user has chosen another mode for the values. */
  readonly onMode: () => void;
  /** Called when the state to save has changed. */
  readonly onState: () => void;
  readonly onHotPath?: () => void;
}

/** The frame of one tree: its title, the mode of its values, search, and a button that collapses it. */
export class TreePane implements Control {
  readonly element: HTMLElement;
  readonly box: SearchBox;
  mode: ValueMode;
  isCollapsed: boolean;
  private search: Found | undefined;
  private readonly searched: Searched;
  private readonly walk: MatchWalk;
  private readonly fold: Button;
  private readonly note = element('div', { class: 'pane-note muted ellipsis', role: 'status' });
  private readonly busy = progressBar('Reading values');
  private readonly scale = colourScale('', '0 %', '100 %');
  private busyTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    tree: ValueTree,
    state: ViewState,
    private readonly options: TreePaneOptions,
  ) {
    const { id, title, onHotPath } = options;
    this.mode = state.modes[id];
    this.isCollapsed = state.collapsed[id];
    this.searched = {
      setFound: (search) => tree.setFound(search),
      matches: () => tree.matches(),
      selected: () => tree.grid.selected,
      go: (row) => tree.reveal([row]),
      focus: () => tree.grid.focus(),
      ...options.searched,
    };
    const modes = dropdown({
      label: `Values of ${title.toLowerCase()}`,
      hideLabel: true,
      choices: valueModes
        .filter((mode) => options.modes.includes(mode))
        .map((mode) => ({ value: mode, label: modeTitles[mode] })),
      value: this.mode,
      onChange: (mode) => {
        this.mode = mode;
        this.showScale();
        options.onMode();
        options.onState();
      },
    });
    this.box = searchBox({
      label: options.searchLabel,
      onQuery: (query) => this.setQuery(query),
      onStep: (direction) => this.step(direction),
      onLeave: this.searched.focus,
    });
    this.walk = new MatchWalk(this.box, { ...this.searched, error: () => this.search?.error });
    const more = iconButton('menu', `More Actions of ${title}`, () =>
      openMenu(title, treeMenu(tree), menuPlaceBelow(more.element)),
    );
    this.fold = iconButton('fold', '', () => this.setCollapsed(!this.isCollapsed));
    const hot =
      onHotPath === undefined ? [] : [iconButton('hotPath', `Hot Path in ${title} (Alt+H)`, onHotPath)];
    this.busy.element.hidden = true;
    this.note.hidden = true;
    const heading = element('h2', { class: 'pane-title ellipsis', text: title });
    heading.addEventListener('click', () => {
      if (this.isCollapsed) this.setCollapsed(false);
    });
    const tools = toolbar(title, ...hot, more, this.fold);
    this.element = element(
      'section',
      { class: 'pane fill', label: title },
      element('div', { class: 'pane-head' }, heading, modes.element, tools.element),
      element('div', { class: 'pane-search' }, this.box.element),
      this.note,
      this.busy.element,
      (options.content ?? tree.grid).element,
      element('div', { class: 'pane-scale muted' }, this.scale.element),
    );
    this.showScale();
    this.showCollapsed();
  }

  step(direction: 1 | -1): void {
    this.walk.step(direction);
  }

  /** Shows the number of matches in another view of the pane. */
  showMatches(): void {
    if (this.search !== undefined && this.search.query.text !== '') this.walk.showOutcome();
  }

  setBusy(isBusy: boolean): void {
    clearTimeout(this.busyTimer);
    if (!isBusy) {
      this.busy.element.hidden = true;
      return;
    }
    this.busyTimer = setTimeout(() => {
      this.busy.setFraction(undefined);
      this.busy.element.hidden = false;
    }, busyAfterMilliseconds);
  }

  /** Shows a note about the content of the tree, or the reason why it is empty. */
  setNote(text: string | undefined, isError = false): void {
    this.note.hidden = text === undefined;
    this.note.classList.toggle('error', isError);
    if (text !== undefined && this.note.textContent !== text) this.note.textContent = text;
  }

  private showScale(): void {
    const { absoluteScale = 'Share of the root' } = this.options;
    this.scale.setLabel(this.mode === 'absolute' ? absoluteScale : modeTitles[this.mode]);
  }

  private setQuery(query: SearchQuery): void {
    const { full, folded = full } = this.options.names;
    this.search = search(full, folded, query);
    this.searched.setFound(this.search);
    if (query.text !== '') this.walk.begin();
  }

  private setCollapsed(collapsed: boolean): void {
    this.isCollapsed = collapsed;
    this.showCollapsed();
    this.options.onState();
  }

  private showCollapsed(): void {
    const label = `${this.isCollapsed ? 'Show' : 'Hide'} ${this.options.title}`;
    this.element.classList.toggle('collapsed', this.isCollapsed);
    this.fold.setLabel(label);
    this.fold.element.title = label;
    setAttribute(this.fold.element, 'aria-expanded', String(!this.isCollapsed));
  }
}

/** Menu items for a tree, or for the subtree of a node. */
export function treeMenu(tree: ValueTree, row?: number): readonly MenuItem[] {
  const what = row === undefined ? 'All' : 'All Below';
  const items: MenuItem[] = [
    { label: `Expand ${what}`, run: () => tree.setOpenBelow(row, true) },
    { label: `Collapse ${what}`, run: () => tree.setOpenBelow(row, false) },
  ];
  if (row !== undefined) return items;
  const sorted = tree.grid.sort?.column;
  const sort = (label: string, column: string, direction: 'ascending' | 'descending'): MenuItem => ({
    label,
    checked: sorted === column,
    run: () => tree.setSort({ column, direction }),
  });
  return [
    ...items,
    'separator',
    { label: 'Order of the File', checked: tree.isInFileOrder, run: () => tree.setSort(fileOrder) },
    sort('Sort by Value', 'value', 'descending'),
    sort('Sort by Name', 'name', 'ascending'),
  ];
}
