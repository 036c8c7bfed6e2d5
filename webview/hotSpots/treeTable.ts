import { matchingCallPaths } from '../../src/core/names/namePattern';
import { childLinksInOrder, orderByText, orderByValue } from '../../src/core/views/treeRows';
import type { SortOrder } from '../ui/grid/columns';
import { Grid, type GridOptions } from '../ui/grid/grid';
import { OpenTree } from '../ui/grid/openTree';
import { afterShare, gridColumn, numberColumns, type TableSource } from './columns';
import { functionNotes, nameColumn, type Shown } from './names';
import { Spreads, type SpreadHost } from './spread/spreads';

/** Events of a table for its owner; rows are call paths or functions. */
export type TableEvents = Required<Pick<GridOptions, 'onSelect' | 'onActivate' | 'onMenu'>> & {
  readonly onLayout: (layout: unknown) => void;
  readonly onSort: (sort: SortOrder) => void;
};

/** The call tree: one row per call path. Only the expanded part is shown. */
export class TreeTable {
  readonly grid: Grid;
  readonly spreads: Spreads;
  private readonly open: OpenTree;
  private sort: SortOrder;
  private matches: Uint32Array | undefined;

  constructor(
    private shown: Shown,
    private source: TableSource,
    state: { readonly sort: SortOrder; readonly layout: unknown; readonly expanded: readonly number[] },
    private readonly events: TableEvents & { readonly onExpand: () => void },
    spreadHost: SpreadHost,
  ) {
    const rows = { pathsOf: (row: number) => [row] };
    this.spreads = new Spreads(spreadHost, rows, 'inclusive', source, () => this.arrange());
    this.open = new OpenTree(shown.model.parent, state.expanded);
    if (state.expanded.length === 0) this.open.set(this.open.roots, true);
    this.sort = state.sort;
    this.grid = new Grid({
      label: 'Call tree',
      columns: this.columns(),
      layout: state.layout,
      sort: state.sort,
      tree: {
        level: (row) => (this.shown.model.depth[row] ?? 0) + 1,
        state: (row) => this.open.state(row),
      },
      ...events,
      onSort: (sort) => {
        this.sort = sort;
        this.arrange();
        events.onSort(sort);
      },
      onToggle: (row, open) => this.setExpanded([row], open),
      onToggleSiblings: (row) => this.setExpanded(this.open.siblings(row), true),
    });
    this.spreads.attach(this.grid.element);
    this.arrange();
  }

  /** Data of the columns. */
  get currentSource(): TableSource {
    return this.source;
  }

  /** Another metric, unit, name form or search of the same call paths. */
  update(shown: Shown, source: TableSource): void {
    const isNewSource = source !== this.source;
    if (shown.found !== this.shown.found) this.matches = undefined;
    this.shown = shown;
    this.source = source;
    if (!isNewSource) {
      this.grid.refresh();
      return;
    }
    this.spreads.update(source);
    this.grid.setColumns(this.columns());
    this.arrange();
  }

  get expanded(): number[] {
    return this.open.expanded;
  }

  /** Expands or collapses all call paths below a row (undefined: all). */
  setExpandedBelow(row: number | undefined, open: boolean): void {
    this.open.setBelow(row, open);
    this.changed();
  }

  /** Selects a call path and shows it. */
  reveal(row: number): void {
    this.open.reveal(row);
    this.changed();
    this.grid.select(row);
  }

  /** Call paths that match the search, in the order of the displayed tree. */
  matchesInOrder(): Uint32Array {
    if (this.matches !== undefined) return this.matches;
    const { model, found } = this.shown;
    const { all } = this.open;
    const regions = Uint32Array.from(all, (row) => model.region[row] ?? 0);
    this.matches = matchingCallPaths(regions, found.regions).map((position) => all[position] ?? 0);
    return this.matches;
  }

  private columns(): GridOptions['columns'] {
    return [
      nameColumn(
        'Call Path',
        () => this.shown,
        (row) => this.shown.model.region[row] ?? 0,
        (row) => {
          const { model } = this.shown;
          const presence = model.presence(row);
          const only =
            presence === 'both'
              ? []
              : [presence === 'main' ? 'only in this run' : 'only in the compared run'];
          return [...functionNotes(model, model.region[row] ?? 0), ...only];
        },
      ),
      ...afterShare(numberColumns(this.source).map(gridColumn), this.spreads.columns),
    ];
  }

  private setExpanded(rows: readonly number[], open: boolean): void {
    this.open.set(rows, open);
    this.changed();
  }

  private changed(): void {
    this.showRows();
    this.events.onExpand();
  }

  /** Sorts the tree again. */
  private arrange(): void {
    const { model } = this.shown;
    const descending = this.sort.direction === 'descending';
    const column = numberColumns(this.source).find(({ id }) => id === this.sort.column);
    const values = this.spreads.sortValues(this.sort.column) ?? column?.values();
    const order =
      values === undefined
        ? orderByText(model.region, model.folded, descending)
        : orderByValue(values, descending, column?.ties?.());
    this.open.links = childLinksInOrder(model.parent, order);
    this.matches = undefined;
    this.showRows();
  }

  private showRows(): void {
    this.grid.setRows(this.open.rows);
  }
}
