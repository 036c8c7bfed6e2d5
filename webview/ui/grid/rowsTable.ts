import type { Control } from '../base/dom';
import type { GridColumn } from './columns';
import { Grid } from './grid';

export interface TableColumn {
  readonly title: string;
  readonly number?: boolean;
  readonly width?: number;
}

/** The numbers of a picture as a table of any length. Only the visible rows are in the page. */
export interface RowsTable extends Control {
  /** Requests columns, count and cells again. */
  refresh(): void;
}

export function rowsTable(options: {
  readonly label: string;
  readonly columns: () => readonly TableColumn[];
  readonly count: () => number;
  readonly cells: (row: number) => readonly string[];
  readonly onActivate?: (row: number) => void;
}): RowsTable {
  const columns = (): readonly GridColumn[] =>
    options.columns().map(({ title, number, width = 110 }, index) => ({
      id: `column${index}`,
      title,
      width,
      align: number === true ? 'end' : 'start',
      text: (row) => options.cells(row)[index] ?? '',
    }));
  const grid = new Grid({
    label: options.label,
    columns: columns(),
    ...(options.onActivate === undefined ? {} : { onActivate: options.onActivate }),
  });
  return {
    element: grid.element,
    refresh: () => {
      grid.setColumns(columns());
      grid.setRows(Uint32Array.from({ length: options.count() }, (_, row) => row));
    },
  };
}
