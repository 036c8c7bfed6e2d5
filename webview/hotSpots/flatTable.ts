import { orderByText, orderByValue } from '../../src/core/views/treeRows';
import type { SortOrder } from '../ui/grid/columns';
import { Grid, type GridOptions } from '../ui/grid/grid';
import { gridColumn, numberColumns, type NumberColumn, type TableSource } from './columns';
import { efficiencyColumns } from './efficiency';
import { functionNotes, nameColumn, type Shown } from './names';
import type { TableEvents } from './treeTable';

/** The flat profile: one row per function with visits or a value. */
export class FlatTable {
  readonly grid: Grid;
  private sort: SortOrder;
  private rows: readonly number[] = [];

  constructor(
    private shown: Shown,
    private source: TableSource,
    state: { readonly sort: SortOrder; readonly layout: unknown },
    events: TableEvents,
  ) {
    this.sort = state.sort;
    this.grid = new Grid({
      label: 'Functions',
      columns: this.columns(),
      layout: state.layout,
      sort: state.sort,
      ...events,
      onSort: (sort) => {
        this.sort = sort;
        this.arrange();
        events.onSort(sort);
      },
    });
    this.arrange();
  }

  /** Data of the columns. */
  get currentSource(): TableSource {
    return this.source;
  }

  update(shown: Shown, source: TableSource): void {
    const isNewSource = source !== this.source;
    this.shown = shown;
    this.source = source;
    if (!isNewSource) {
      this.grid.refresh();
      return;
    }
    this.grid.setColumns(this.columns());
    this.arrange();
  }

  /** Functions that match the search, from top to bottom. */
  matchesInOrder(): readonly number[] {
    return this.rows.filter((row) => this.shown.found.regions[row] === 1);
  }

  private numbers(): readonly NumberColumn[] {
    return [...numberColumns(this.source), ...efficiencyColumns(this.shown.model)];
  }

  private columns(): GridOptions['columns'] {
    return [
      nameColumn(
        'Function',
        () => this.shown,
        (row) => row,
        (row) => functionNotes(this.shown.model, row),
      ),
      ...this.numbers().map(gridColumn),
      {
        id: 'place',
        title: 'Source',
        tooltip: 'File and first line',
        width: 150,
        text: (row) => placeText(this.shown, row),
        cellTooltip: (row) => this.shown.model.row(row).file,
      },
    ];
  }

  private arrange(): void {
    const { model } = this.shown;
    const { main, compare } = this.source.measured;
    const column = this.numbers().find(({ id }) => id === this.sort.column);
    const descending = this.sort.direction === 'descending';
    const order =
      column === undefined
        ? orderByText(
            model.names.map((_, region) => region),
            model.folded,
            descending,
          )
        : orderByValue(column.values(), descending);
    this.rows = Array.from(order).filter((row) =>
      [main, compare].some(
        (side) => side !== undefined && (side.inclusive[row] !== 0 || side.visits[row] !== 0),
      ),
    );
    this.grid.setRows(this.rows);
  }
}

function placeText({ model }: Shown, region: number): string {
  const { file, line } = model.row(region);
  if (file === undefined) return '';
  const name = file.slice(file.lastIndexOf('/') + 1);
  return line === undefined ? name : `${name}:${line}`;
}
