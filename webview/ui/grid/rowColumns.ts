import type { GridColumn } from './columns';

type More<Row> = Omit<GridColumn, 'id' | 'title' | 'width' | 'text' | 'bar' | 'cellTooltip'> & {
  /** Share (0…1) shown as a bar behind the text. */
  readonly bar?: (row: Row) => number;
  /** Tooltip of the cell; true: its text, which may not fit. */
  readonly cellTooltip?: true | ((row: Row) => string);
};

/** A column of a grid of records: its functions receive the record instead of its position. */
export type RowColumn<Row> = (
  id: string,
  title: string,
  width: number,
  text: (row: Row) => string,
  more?: More<Row>,
) => GridColumn;

/** Creates columns of texts, and of numbers, which are right-aligned. */
export function rowColumns<Row>(rowAt: (position: number) => Row | undefined): {
  readonly text: RowColumn<Row>;
  readonly number: RowColumn<Row>;
} {
  const of =
    <Value>(value: (row: Row) => Value, otherwise: Value) =>
    (position: number): Value => {
      const row = rowAt(position);
      return row === undefined ? otherwise : value(row);
    };
  const text: RowColumn<Row> = (id, title, width, content, { bar, cellTooltip, ...more } = {}) => ({
    id,
    title,
    width,
    text: of(content, ''),
    ...(bar !== undefined && { bar: of(bar, 0) }),
    ...(cellTooltip !== undefined && { cellTooltip: of(cellTooltip === true ? content : cellTooltip, '') }),
    ...more,
  });
  return {
    text,
    number: (id, title, width, content, more) => text(id, title, width, content, { align: 'end', ...more }),
  };
}
