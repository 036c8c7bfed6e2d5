import { menuPlaceBelow, openMenu } from '../controls/menu';
import {
  clampWidth,
  columnTemplate,
  type GridColumn,
  type GridLayout,
  nextSort,
  readGridLayout,
  rowWidth,
  type SortOrder,
  withColumns,
} from './columns';
import { ContentWidths } from './contentWidths';
import { headerRow } from './header';

export interface ColumnSetEvents {
  /** Called when the set of shown columns has changed. */
  readonly onShown: () => void;
  readonly onSort: (sort: SortOrder) => void;
  readonly onLayout: (layout: GridLayout) => void;
  /** Called when the focus moves from the header down to the rows. */
  readonly onLeave: () => void;
}

/** The columns of one grid: their visibility, widths and sort order, with the header and the menu to choose them. */
export class ColumnSet {
  private saved: GridLayout;
  private order: SortOrder | undefined;
  private headerElement: HTMLElement;
  private readonly contents = new ContentWidths();
  /** Headers are measured once: they do not change while rows scroll by. */
  private isHeaderMeasured = false;

  /** @param layout a value that `layout` returned earlier; anything else is ignored */
  constructor(
    private readonly grid: HTMLElement,
    private columns: readonly GridColumn[],
    layout: unknown,
    sort: SortOrder | undefined,
    private readonly events: ColumnSetEvents,
  ) {
    this.saved = readGridLayout(layout, columns);
    this.order = sort;
    this.headerElement = this.makeHeader();
    this.applyTemplate();
  }

  get header(): HTMLElement {
    return this.headerElement;
  }

  get shown(): readonly GridColumn[] {
    return this.columns.filter(({ id }) => !this.saved.hidden.includes(id));
  }

  /** The column that names the rows. */
  get first(): GridColumn | undefined {
    return this.columns[0];
  }

  get layout(): GridLayout {
    return this.saved;
  }

  get sort(): SortOrder | undefined {
    return this.order;
  }

  /** Does not call `onSort`. */
  setSort(sort: SortOrder | undefined): void {
    this.order = sort;
    this.replaceHeader();
  }

  /** Makes columns as wide as what these rows have in them. */
  fit(rows: readonly Element[]): void {
    const { shown } = this;
    if (this.grid.clientWidth === 0) return;
    let isWider = rows.reduce((wider, row) => this.contents.measure(row, shown) || wider, false);
    if (!this.isHeaderMeasured) isWider = this.contents.measure(this.headerElement, shown) || isWider;
    this.isHeaderMeasured = true;
    if (isWider) this.applyTemplate();
  }

  /** Replaces the columns; those with an id of before have the user's layout. */
  replace(columns: readonly GridColumn[]): void {
    this.columns = columns;
    this.contents.forget();
    this.saved = withColumns(this.saved, columns);
    this.rebuild();
  }

  /** Opens a menu with a check mark for each shown column. The first column is always shown. */
  showChooser(anchor: Element): void {
    const hidden = new Set(this.saved.hidden);
    openMenu(
      'Columns',
      this.columns.slice(1).map(({ id, title }) => ({
        label: title,
        checked: !hidden.has(id),
        run: () => {
          if (!hidden.delete(id)) hidden.add(id);
          this.changeLayout({ ...this.saved, hidden: [...hidden] });
          this.rebuild();
        },
      })),
      menuPlaceBelow(anchor),
    );
  }

  private makeHeader(): HTMLElement {
    const { shown } = this;
    this.grid.setAttribute('aria-colcount', shown.length.toString());
    return headerRow(shown, this.order, {
      sortBy: (column) => {
        const next = nextSort(column, this.order);
        if (next === undefined || next === this.order) return;
        this.setSort(next);
        this.events.onSort(next);
      },
      widthOf: (column) => this.saved.widths[column.id] ?? this.contents.of(column),
      setWidth: ({ id }, pixels) => {
        this.changeLayout({ ...this.saved, widths: { ...this.saved.widths, [id]: clampWidth(pixels) } });
        this.applyTemplate();
      },
      leave: this.events.onLeave,
      chooseColumns: (anchor) => this.showChooser(anchor),
    });
  }

  /** Replaces the header without moving the focus to another column. */
  private replaceHeader(): void {
    const focused =
      document.activeElement instanceof HTMLElement ? document.activeElement.dataset.column : undefined;
    const fresh = this.makeHeader();
    this.isHeaderMeasured = false;
    this.headerElement.replaceWith(fresh);
    this.headerElement = fresh;
    if (focused === undefined) return;
    const buttons = [...fresh.querySelectorAll<HTMLButtonElement>('.grid-head-button')];
    const target = buttons.find((button) => button.dataset.column === focused);
    if (target === undefined) return;
    for (const button of buttons) button.tabIndex = button === target ? 0 : -1;
    target.focus();
  }

  private rebuild(): void {
    this.replaceHeader();
    this.applyTemplate();
    this.events.onShown();
  }

  private applyTemplate(): void {
    const { shown } = this;
    const { style } = this.grid;
    const widthOf = (column: GridColumn): number => this.contents.of(column);
    style.setProperty('--grid-columns', columnTemplate(shown, this.saved.widths, widthOf));
    style.setProperty('--grid-width', rowWidth(shown, this.saved.widths, widthOf));
  }

  private changeLayout(layout: GridLayout): void {
    this.saved = layout;
    this.events.onLayout(layout);
  }
}
