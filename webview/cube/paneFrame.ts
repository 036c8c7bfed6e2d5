import { modeTitles, valueModes, type ValueMode } from '../../src/core/views/valueModes';
import { iconButton, type Button } from '../ui/controls/button';
import { element, setAttribute, type Control } from '../ui/base/dom';
import { dropdown, type Dropdown } from '../ui/controls/dropdown';
import { menuPlaceBelow, openMenu, type MenuItem } from '../ui/controls/menu';
import { progressBar } from '../ui/controls/progress';
import { searchBox, type SearchBox, type SearchQuery } from '../ui/search/searchBox';
import { toolbar } from '../ui/controls/toolbar';

/** Before that, a bar that moves would only flicker. */
const busyAfterMilliseconds = 200;

/** Events of every pane for the view. */
export interface PaneEvents {
  /** What the user is looking at has changed: it is to be kept. */
  readonly onState: () => void;
  readonly onMode: (mode: ValueMode) => void;
  readonly onCollapsed: (collapsed: boolean) => void;
}

export interface PaneFrameOptions extends Omit<PaneEvents, 'onState'> {
  readonly title: string;
  readonly searchLabel: string;
  readonly modes: readonly ValueMode[];
  readonly mode: ValueMode;
  readonly collapsed: boolean;
  readonly content: HTMLElement;
  readonly onQuery: (query: SearchQuery) => void;
  readonly onStep: (direction: 1 | -1) => void;
  readonly onLeaveSearch: () => void;
  readonly onHotPath?: () => void;
  /** What can be done with the tree as a whole; asked for when it is opened. */
  readonly menu: () => readonly MenuItem[];
}

/** What stands around one tree: its title, how values are shown, search, and a way to fold it away. */
export class PaneFrame implements Control {
  readonly element: HTMLElement;
  readonly search: SearchBox;
  private readonly mode: Dropdown<ValueMode>;
  private readonly fold: Button;
  private readonly note = element('div', { class: 'pane-note', role: 'status' });
  private readonly busy = progressBar('Reading values');
  private busyTimer: ReturnType<typeof setTimeout> | undefined;
  private isCollapsed: boolean;

  constructor(private readonly options: PaneFrameOptions) {
    const { title } = options;
    this.isCollapsed = options.collapsed;
    this.mode = dropdown({
      label: `Values of ${title.toLowerCase()}`,
      hideLabel: true,
      choices: valueModes
        .filter((mode) => options.modes.includes(mode))
        .map((mode) => ({ value: mode, label: modeTitles[mode] })),
      value: options.mode,
      onChange: options.onMode,
    });
    this.search = searchBox({
      label: options.searchLabel,
      onQuery: options.onQuery,
      onStep: options.onStep,
      onLeave: options.onLeaveSearch,
    });
    const { onHotPath } = options;
    const hot =
      onHotPath === undefined ? [] : [iconButton('hotPath', `Hot Path in ${title} (Alt+H)`, onHotPath)];
    const more = iconButton('menu', `More Actions of ${title}`, () =>
      openMenu(title, options.menu(), menuPlaceBelow(more.element)),
    );
    this.fold = iconButton('fold', '', () => this.setCollapsed(!this.isCollapsed));
    const tools = toolbar(title, ...hot, more, this.fold);
    this.busy.element.hidden = true;
    this.note.hidden = true;
    const heading = element('h2', { class: 'pane-title', text: title });
    heading.addEventListener('click', () => {
      if (this.isCollapsed) this.setCollapsed(false);
    });
    this.element = element(
      'section',
      { class: 'pane', label: title },
      element('div', { class: 'pane-head' }, heading, this.mode.element, tools.element),
      element('div', { class: 'pane-search' }, this.search.element),
      this.note,
      this.busy.element,
      options.content,
    );
    this.applyCollapsed();
  }

  /** Undefined: nothing is read any more. */
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

  /** What the tree shows, or why it shows nothing. */
  setNote(text: string | undefined, isError = false): void {
    this.note.hidden = text === undefined;
    this.note.classList.toggle('error', isError);
    if (text !== undefined && this.note.textContent !== text) this.note.textContent = text;
  }

  private setCollapsed(collapsed: boolean): void {
    this.isCollapsed = collapsed;
    this.applyCollapsed();
    this.options.onCollapsed(collapsed);
  }

  private applyCollapsed(): void {
    this.element.classList.toggle('collapsed', this.isCollapsed);
    this.fold.setLabel(`${this.isCollapsed ? 'Show' : 'Hide'} ${this.options.title}`);
    this.fold.element.title = `${this.isCollapsed ? 'Show' : 'Hide'} ${this.options.title}`;
    setAttribute(this.fold.element, 'aria-expanded', String(!this.isCollapsed));
  }
}
