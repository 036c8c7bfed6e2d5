import { type Control, element, setAttribute } from '../base/dom';
import type { MenuPlace } from '../controls/menu';
import { onThemeChange } from '../base/theme';
import type { GridColumn, GridLayout, SortOrder } from './columns';
import { ColumnSet } from './columnSet';
import { rowsPerPage, rowsToShow, scrollToShow, type Viewport } from './geometry';
import { gridAction, type GridAction, TypeAhead } from './keys';
import { markChange, type MarkChange, Marks } from './marks';
import { RowPool } from './rowPool';

/** The tree structure of a grid. The owner identifies rows by whole numbers: call paths, functions, positions. */
export interface GridTree {
  /** Level of a row; 1 for roots. */
  readonly level: (row: number) => number;
  readonly state: (row: number) => 'leaf' | 'open' | 'closed';
}

export interface GridOptions {
  readonly label: string;
  readonly columns: readonly GridColumn[];
  /** Turns the grid into a tree grid. The owner manages the open rows and answers a change by `setRows`. */
  readonly tree?: GridTree;
  /** A value that `layout` returned earlier; anything else is ignored. */
  readonly layout?: unknown;
  readonly sort?: SortOrder;
  readonly onSelect?: (row: number | undefined) => void;
  /**
   * Enables multiple selection: by Ctrl and Shift with a click, Shift with the keys that move. Called with all selected rows at each change by
   * the user.
   */
  readonly onMarks?: (rows: readonly number[]) => void;
  /** Called on Enter or a double click. */
  readonly onActivate?: (row: number) => void;
  readonly onMenu?: (row: number, place: MenuPlace) => void;
  readonly onToggle?: (row: number, open: boolean) => void;
  /** Called on `*`: opens the row and its siblings. */
  readonly onToggleSiblings?: (row: number) => void;
  readonly onSort?: (sort: SortOrder) => void;
  readonly onLayout?: (layout: GridLayout) => void;
  readonly onScroll?: () => void;
  /** Handles a key before the grid does; true: the key is handled. */
  readonly onKey?: (event: KeyboardEvent, row: number | undefined) => boolean;
}

/** Number of rows in the page above and below the visible ones. */
const spareRows = 6;
/** Maximum number of rows that type-ahead searches, so that a key press never takes long. */
const typeAheadReach = 50_000;

/**
 * A table or tree of any number of rows (up to about a million: browsers end at 33 million pixels), of which only the visible ones
 * are in the page. The focus is on rows (`aria-activedescendant`), so that it survives scrolling.
 */
export class Grid implements Control {
  readonly element: HTMLElement;
  private readonly body: HTMLElement;
  private readonly pool: RowPool;
  private readonly typeAhead = new TypeAhead();
  private readonly marks = new Marks();
  private readonly columns: ColumnSet;
  private rows: ArrayLike<number> = [];
  private selectedRow: number | undefined;
  private selectedIndex = -1;
  private rowHeight = 22;

  constructor(private readonly options: GridOptions) {
    this.body = element('div', { class: 'grid-body', role: 'rowgroup' });
    this.element = element('div', {
      class: 'grid',
      role: options.tree === undefined ? 'grid' : 'treegrid',
      label: options.label,
    });
    this.element.tabIndex = 0;
    if (options.onMarks !== undefined) this.element.setAttribute('aria-multiselectable', 'true');
    this.columns = new ColumnSet(this.element, options.columns, options.layout, options.sort, {
      onShown: () => {
        this.pool.setColumns(this.columns.shown);
        this.refresh();
      },
      onSort: (sort) => options.onSort?.(sort),
      onLayout: (layout) => options.onLayout?.(layout),
      onLeave: () => this.focus(),
    });
    this.element.append(this.columns.header, this.body);
    this.pool = new RowPool(this.body, options.tree !== undefined, this.columns.shown);
    this.listen();
  }

  /** Shows these rows. The selection remains on its row if that is among them. */
  setRows(rows: ArrayLike<number>): void {
    this.rows = rows;
    this.element.setAttribute('aria-rowcount', (rows.length + 1).toString());
    this.selectedIndex = this.selectedRow === undefined ? -1 : indexOf(rows, this.selectedRow);
    this.measure();
    this.refresh();
  }

  /** Updates the visible rows after their content has changed. */
  refresh(): void {
    this.pool.invalidate();
    this.render();
  }

  setColumns(columns: readonly GridColumn[]): void {
    this.columns.replace(columns);
  }

  get selected(): number | undefined {
    return this.selectedRow;
  }

  /** Selects a row without calling `onSelect`. A row in a closed branch remains selected and appears with its branch. */
  select(row: number | undefined, options: { readonly reveal?: boolean } = {}): void {
    this.selectedRow = row;
    this.marks.set(row === undefined ? [] : [row]);
    this.selectedIndex = row === undefined ? -1 : indexOf(this.rows, row);
    if (options.reveal !== false) this.reveal();
    this.refresh();
  }

  /** Position of the first row that is completely visible. */
  get top(): number {
    return Math.ceil(this.element.scrollTop / this.rowHeight);
  }

  /** Scrolls to a position of a row. */
  scrollTo(position: number): void {
    this.element.scrollTop = position * this.rowHeight;
  }

  /** All rows that are selected. */
  get marked(): readonly number[] {
    return this.marks.rows;
  }

  /** Selects several rows; the last one is the current row of the keyboard. Does not call `onMarks`. */
  mark(rows: readonly number[]): void {
    this.select(rows.at(-1));
    this.marks.set(rows);
    this.refresh();
  }

  get layout(): GridLayout {
    return this.columns.layout;
  }

  get sort(): SortOrder | undefined {
    return this.columns.sort;
  }

  /** Does not call `onSort`. */
  setSort(sort: SortOrder | undefined): void {
    this.columns.setSort(sort);
  }

  focus(): void {
    this.element.focus({ preventScroll: true });
  }

  /** Opens a menu with a check mark for each shown column. The first column is always shown. */
  showColumnChooser(anchor: Element): void {
    this.columns.showChooser(anchor);
  }

  /** The cells of a row, separated by tabs for spreadsheets. */
  textOf(row: number): string {
    return this.columns.shown.map((column) => column.text(row)).join('\t');
  }

  private listen(): void {
    const { element: grid } = this;
    const onScroll = (): void => {
      this.render();
      this.options.onScroll?.();
    };
    grid.addEventListener('scroll', onScroll, { passive: true });
    grid.addEventListener('keydown', (event) => this.onKeyDown(event));
    grid.addEventListener('copy', (event) => {
      const selection = document.getSelection()?.toString() ?? '';
      if (this.selectedRow === undefined || selection !== '') return;
      event.clipboardData?.setData('text/plain', this.textOf(this.selectedRow));
      event.preventDefault();
    });
    this.body.addEventListener('click', (event) => this.onClick(event));
    this.body.addEventListener('dblclick', (event) => {
      const row = this.rowAt(event);
      if (row !== undefined && !isTwistie(event.target) && !isLink(event.target))
        this.options.onActivate?.(row.row);
    });
    grid.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      const row = this.rowAt(event);
      if (row === undefined) return;
      if (!this.marks.has(row.row)) this.choose(row.index);
      this.options.onMenu?.(row.row, { x: event.clientX, y: event.clientY });
    });
    const fit = (): void => {
      this.measure();
      this.render();
    };
    new ResizeObserver(fit).observe(grid);
    onThemeChange(fit);
  }

  private onClick(event: MouseEvent): void {
    const target = this.rowAt(event);
    if (target === undefined) return;
    // With multiple selection, opening a branch does not change the selection.
    if (!isTwistie(event.target) || this.options.onMarks === undefined)
      this.choose(target.index, markChange(event));
    if (isTwistie(event.target)) this.toggle(target.row);
    else if (isLink(event.target)) this.options.onActivate?.(target.row);
  }

  private rowAt(event: Event): { readonly index: number; readonly row: number } | undefined {
    const rowElement =
      event.target instanceof Element ? event.target.closest<HTMLElement>('.grid-row') : null;
    if (rowElement === null || !this.body.contains(rowElement)) return undefined;
    const index = Number(rowElement.dataset.index);
    const row = this.rows[index];
    return row === undefined ? undefined : { index, row };
  }

  private onKeyDown(event: KeyboardEvent): void {
    if (event.target !== this.element) return;
    const handled =
      this.options.onKey?.(event, this.selectedRow) === true ||
      this.act(gridAction(event), event.timeStamp, event.shiftKey);
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private act(action: GridAction | undefined, now: number, isShift: boolean): boolean {
    if (action === undefined || this.rows.length === 0) return false;
    switch (action.kind) {
      case 'move':
      case 'page':
      case 'start':
      case 'end':
        return this.choose(this.indexAfter(action), markChange({ shiftKey: isShift }));
      case 'type':
        return this.chooseByName(action.text, now);
      case 'open':
      case 'close':
      case 'siblings':
      case 'activate':
      case 'menu':
        return (
          this.selectedRow !== undefined &&
          this.selectedIndex >= 0 &&
          this.actOn(action.kind, this.selectedRow)
        );
    }
  }

  private indexAfter(action: Extract<GridAction, { kind: 'move' | 'page' | 'start' | 'end' }>): number {
    const last = this.rows.length - 1;
    if (action.kind === 'start') return 0;
    if (action.kind === 'end') return last;
    const index = this.selectedIndex;
    if (index < 0) return 0;
    const by = action.kind === 'move' ? action.by : rowsPerPage(this.viewport()) * action.direction;
    return Math.min(last, Math.max(0, index + by));
  }

  private actOn(kind: 'open' | 'close' | 'siblings' | 'activate' | 'menu', row: number): boolean {
    switch (kind) {
      case 'open':
      case 'close':
        return this.openOrClose(kind, row);
      case 'siblings':
        this.options.onToggleSiblings?.(row);
        return this.options.onToggleSiblings !== undefined;
      case 'activate':
        this.options.onActivate?.(row);
        return true;
      case 'menu':
        this.showMenu(row);
        return true;
    }
  }

  /** Right opens a row or moves to its first child; Left closes it or moves to its parent. */
  private openOrClose(kind: 'open' | 'close', row: number): boolean {
    const state = this.options.tree?.state(row);
    if (kind === 'open') {
      if (state === 'closed') this.options.onToggle?.(row, true);
      else if (state === 'open') this.choose(this.selectedIndex + 1);
    } else if (state === 'open') this.options.onToggle?.(row, false);
    else this.chooseParent(this.selectedIndex);
    return state !== undefined;
  }

  private showMenu(row: number): void {
    this.reveal();
    const shown = this.pool.elementOf(this.selectedIndex)?.getBoundingClientRect();
    this.options.onMenu?.(row, { x: (shown?.left ?? 0) + 24, y: shown?.bottom ?? 0 });
  }

  private chooseParent(from: number): void {
    const level = this.options.tree?.level;
    const row = this.rows[from];
    if (level === undefined || row === undefined) return;
    const own = level(row);
    for (let index = from - 1; index >= 0; index--) {
      const above = this.rows[index];
      if (above === undefined || level(above) >= own) continue;
      this.choose(index);
      return;
    }
  }

  private chooseByName(typed: string, now: number): boolean {
    const name = this.columns.first;
    if (name === undefined) return false;
    const { prefix, fromNext } = this.typeAhead.add(typed, now);
    const count = this.rows.length;
    const from = Math.max(0, this.selectedIndex) + (fromNext && this.selectedIndex >= 0 ? 1 : 0);
    for (let step = 0; step < Math.min(count, typeAheadReach); step++) {
      const index = (from + step) % count;
      const row = this.rows[index];
      if (row !== undefined && name.text(row).slice(0, prefix.length).toLowerCase() === prefix)
        return this.choose(index);
    }
    return true;
  }

  private toggle(row: number): void {
    const state = this.options.tree?.state(row);
    if (state === 'open' || state === 'closed') this.options.onToggle?.(row, state === 'closed');
  }

  /** Selects a row and notifies the owner, as a click does. */
  private choose(index: number, how: MarkChange = 'only'): boolean {
    const row = this.rows[index];
    if (row === undefined) return true;
    const changed = row !== this.selectedRow;
    const before = this.marks.rows;
    this.marks.change(row, this.options.onMarks === undefined ? 'only' : how, this.rows);
    this.selectedRow = row;
    this.selectedIndex = index;
    this.reveal();
    this.refresh();
    if (changed) this.options.onSelect?.(row);
    const { rows } = this.marks;
    if (rows.join() !== before.join()) this.options.onMarks?.(rows);
    return true;
  }

  private reveal(): void {
    if (this.selectedIndex < 0) return;
    const view = this.viewport();
    const top = scrollToShow(view, this.selectedIndex);
    if (top !== view.top) this.element.scrollTop = top;
  }

  /** The scrolled part of the rows. */
  viewport(): Viewport {
    return {
      top: this.element.scrollTop,
      height: Math.max(0, this.element.clientHeight - this.columns.header.offsetHeight),
      rowHeight: this.rowHeight,
      rows: this.rows.length,
    };
  }

  private render(): void {
    const { first, end } = rowsToShow(this.viewport(), spareRows);
    const { tree } = this.options;
    this.pool.show(first, end, this.rowHeight, (index) => {
      const row = this.rows[index] ?? 0;
      const selected = this.marks.has(row);
      return tree === undefined
        ? { index, row, selected }
        : { index, row, selected, level: tree.level(row), state: tree.state(row) };
    });
    this.columns.fit(this.pool.elements);
    setAttribute(this.element, 'aria-activedescendant', this.pool.elementOf(this.selectedIndex)?.id);
  }

  /** Measures the row height, which depends on the user's font. */
  private measure(): void {
    const fontSize = Number.parseFloat(getComputedStyle(this.element).fontSize);
    const height = Math.max(20, Math.round((Number.isFinite(fontSize) ? fontSize : 13) * 1.7));
    if (height !== this.rowHeight) this.pool.invalidate();
    this.rowHeight = height;
    this.element.style.setProperty('--row-height', `${height}px`);
    this.body.style.height = `${this.rows.length * height}px`;
  }
}

function indexOf(rows: ArrayLike<number>, row: number): number {
  return Array.prototype.indexOf.call(rows, row);
}

function isLink(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.grid-link') !== null;
}

function isTwistie(target: EventTarget | null): boolean {
  return target instanceof Element && target.classList.contains('twistie');
}
