import { orderByText, orderByValue } from '../../src/core/views/treeRows';
import type { SortOrder } from '../ui/grid/columns';
import { Grid, type GridOptions } from '../ui/grid/grid';
import { afterShare, gridColumn, numberColumns, type NumberColumn, type TableSource } from './columns';
import { efficiencyColumns } from './efficiency';
import { functionNotes, nameColumn, type Shown } from './names';
import { functionPaths } from './spread/functionPaths';
import { Spreads, type SpreadHost } from './spread/spreads';
import type { TableEvents } from './treeTable';

/** The flat profile: one row per function with visits or a value. */
export class FlatTable {
  readonly grid: Grid;
  readonly spreads: Spreads;
  private sort: SortOrder;
  private rows: readonly number[] = [];

  constructor(
    private shown: Shown,
    private source: TableSource,
    state: { readonly sort: SortOrder; readonly layout: unknown },
    events: TableEvents,
    spreadHost: SpreadHost,
  ) {
    const { model } = shown;
    const rows = { pathsOf: functionPaths(model), all: () => [...model.names.keys()] };
    this.spreads = new Spreads(spreadHost, rows, 'exclusive', source, () => this.arrange());
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
    this.spreads.attach(this.grid.element);
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
    this.spreads.update(source);
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
      ...afterShare(this.numbers().map(gridColumn), this.spreads.columns),
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
    const values = this.spreads.sortValues(this.sort.column) ?? column?.values();
    const order =
      values === undefined
        ? orderByText(
            model.names.map((_, region) => region),
            model.folded,
            descending,
          )
        : orderByValue(values, descending, column?.ties?.());
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
