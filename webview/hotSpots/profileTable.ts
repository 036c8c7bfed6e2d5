import { childLinksInOrder, orderByText, orderByValue } from '../../src/core/views/treeRows';
import type { GridColumn, SortOrder } from '../ui/grid/columns';
import { Grid, type GridOptions } from '../ui/grid/grid';
import { OpenTree } from '../ui/grid/openTree';
import { afterShare, gridColumn, type NumberColumn } from './data/columns';
import type { Spreads } from './spread/spreads';

/** Events of a table for its owner. */
export type TableEvents = Required<Pick<GridOptions, 'onSelect' | 'onActivate' | 'onMenu' | 'onScroll'>> & {
  readonly onLayout: (layout: unknown) => void;
  readonly onSort: (sort: SortOrder) => void;
  readonly onExpand: () => void;
};

/** What the rows of a table are. */
export interface TableRows {
  readonly label: string;
  /** Row above by row, −1: none. */
  readonly parent: () => Int32Array;
  readonly level: (row: number) => number;
  /** The column of names, and those behind the share. */
  readonly name: GridColumn;
  readonly others: readonly GridColumn[];
  /** The columns of numbers, with the values of all rows. */
  readonly numbers: () => readonly NumberColumn[];
  /** Name by row, as a position in `texts`. */
  readonly names: () => { readonly keys: ArrayLike<number>; readonly texts: readonly string[] };
  /** Box plots of the rows. */
  readonly spreads: Spreads;
  /** Whether a row is in the table; default: all are. */
  readonly isShown?: (row: number) => boolean;
  /** Whether a row has rows below it, where these may not exist yet. */
  readonly hasBelow?: (row: number) => boolean;
  /** Makes the rows below these; returns whether there are new ones. */
  readonly makeBelow?: (rows: readonly number[]) => boolean;
  readonly isMatch: (row: number) => boolean;
}

/** A table of rows that are expanded to others: call paths, or functions. Only the expanded part is shown. */
export class ProfileTable {
  readonly grid: Grid;
  private open: OpenTree;
  private numbers: readonly NumberColumn[];
  private matches: Uint32Array | undefined;
  /** The expanded rows, until they change: to find them takes long in large trees. */
  private isOpen: readonly number[] | undefined;

  /** @param state expanded rows; `undefined`: those at the top */
  constructor(
    private readonly rows: TableRows,
    private sort: SortOrder,
    state: { readonly layout: unknown; readonly expanded: readonly number[] | undefined },
    private readonly events: TableEvents,
  ) {
    rows.makeBelow?.(state.expanded ?? []);
    this.open = new OpenTree(rows.parent(), state.expanded ?? []);
    if (state.expanded === undefined) this.open.set(this.open.roots, true);
    this.numbers = rows.numbers();
    this.grid = new Grid({
      label: rows.label,
      columns: this.columns(),
      layout: state.layout,
      sort,
      tree: { level: rows.level, state: (row) => this.stateOf(row) },
      ...events,
      onSort: (order) => {
        this.sort = order;
        this.arrange();
        events.onSort(order);
      },
      onToggle: (row, open) => this.setExpanded([row], open),
      onToggleSiblings: (row) => this.setExpanded(this.open.siblings(row), true),
    });
    rows.spreads.attach(this.grid.element, () => this.arrange());
    this.arrange();
  }

  /** Names, marks or matches are others. */
  refresh(): void {
    this.matches = undefined;
    this.grid.refresh();
  }

  /** Another metric or unit of the same rows, or other rows: @param sort the order to have then */
  update(sort: SortOrder = this.sort): void {
    if (sort !== this.sort) this.grid.setSort(sort);
    this.sort = sort;
    this.numbers = this.rows.numbers();
    this.grid.setColumns(this.columns());
    this.grow();
  }

  get expanded(): readonly number[] {
    return (this.isOpen ??= this.open.expanded);
  }

  /** Expands or collapses all rows below a row (undefined: all). */
  setExpandedBelow(row: number | undefined, open: boolean): void {
    this.open.setBelow(row, open);
    this.changed();
  }

  setExpanded(rows: readonly number[], open: boolean): void {
    if (open) this.make(rows);
    this.open.set(rows, open);
    this.changed();
  }

  toggle(row: number): void {
    this.setExpanded([row], this.stateOf(row) === 'closed');
  }

  /** Selects a row and shows it. */
  reveal(row: number): void {
    this.open.reveal(row);
    this.isOpen = undefined;
    this.grid.setRows(this.open.rows);
    this.grid.select(row);
  }

  /** Rows that match the search, in the order of the displayed tree. */
  matchesInOrder(): Uint32Array {
    return (this.matches ??= this.open.all.filter((row) => this.rows.isMatch(row)));
  }

  private columns(): readonly GridColumn[] {
    return [
      this.rows.name,
      ...afterShare(this.numbers.map(gridColumn), [...this.rows.others, ...this.rows.spreads.columns]),
    ];
  }

  private stateOf(row: number): 'leaf' | 'open' | 'closed' {
    const state = this.open.state(row);
    if (state !== 'leaf' || this.rows.hasBelow?.(row) !== true) return state;
    return 'closed';
  }

  private make(rows: readonly number[]): void {
    if (this.rows.makeBelow?.(rows) === true) this.grow();
  }

  /** There are more rows, or they are below others: what is open stays so. */
  private grow(): void {
    const { expanded } = this;
    this.rows.makeBelow?.(expanded);
    const parent = this.rows.parent();
    if (parent !== this.open.parent) this.open = new OpenTree(parent, expanded);
    this.arrange();
  }

  private changed(): void {
    this.isOpen = undefined;
    this.grid.setRows(this.open.rows);
    this.events.onExpand();
  }

  /** Sorts the tree again. */
  private arrange(): void {
    const { rows, sort } = this;
    const descending = sort.direction === 'descending';
    const column = this.numbers.find(({ id }) => id === sort.column);
    const { keys, texts } = rows.names();
    const values = rows.spreads.sortValues(sort.column) ?? column?.values();
    const order =
      values === undefined
        ? orderByText(keys, texts, descending)
        : orderByValue(values, descending, column?.ties?.());
    const { isShown } = rows;
    this.open.links = childLinksInOrder(
      rows.parent(),
      isShown === undefined ? order : order.filter((row) => isShown(row)),
    );
    this.matches = undefined;
    this.grid.setRows(this.open.rows);
  }
}
