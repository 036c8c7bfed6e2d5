/** Columns of a grid and their layout. Pure, tested without a browser. */
export interface GridColumn {
  readonly id: string;
  /** Short text of the header. */
  readonly title: string;
  /** Meaning and unit of the column. */
  readonly tooltip?: string;
  /** Initial width in pixels. The first column takes the remaining space. */
  readonly width: number;
  /** `end` for numbers. */
  readonly align?: 'start' | 'end';
  /** Sort direction of the first click; absent: not sortable. */
  readonly sort?: SortDirection;
  /** Hidden until the user chooses it. */
  readonly hidden?: boolean;
  /** Text of the cell; also copied. */
  readonly text: (row: number) => string;
  /** Share (0…1) shown as a bar behind the text. */
  readonly bar?: (row: number) => number;
  /** Fills the cell instead of `text`, only by `textContent`. Called again for other rows, whose content must replace the previous one. */
  readonly render?: (row: number, cell: HTMLElement) => void;
  /** Class of the cell, e.g. for a colour; the text must express the same information. */
  readonly cellClass?: (row: number) => string;
  /** Whether a click on the text of a cell does what Enter does to the row. */
  readonly isLink?: (row: number) => boolean;
  /** Shown on hovering the cell. */
  readonly cellTooltip?: (row: number) => string | undefined;
}

export type SortDirection = 'ascending' | 'descending';

export interface SortOrder {
  readonly column: string;
  readonly direction: SortDirection;
}

/** The user's changes to the columns; saved over reloads. */
export interface GridLayout {
  readonly widths: Readonly<Record<string, number>>;
  readonly hidden: readonly string[];
  /** Columns that the user could hide or show; others begin as they do. */
  readonly offered: readonly string[];
}

export const minimumColumnWidth = 48;

/** Limits a width to the allowed range. */
export function clampWidth(width: number): number {
  return Number.isFinite(width)
    ? Math.round(Math.min(4000, Math.max(minimumColumnWidth, width)))
    : minimumColumnWidth;
}

/** Width of a column in pixels that the user has not resized; default: the initial one. */
export type WidthOf = (column: GridColumn) => number;
const initialWidth: WidthOf = ({ width }) => width;

/** Value of `grid-template-columns`: the first column grows, the others have fixed widths. */
export function columnTemplate(
  columns: readonly GridColumn[],
  widths: Readonly<Record<string, number>>,
  widthOf = initialWidth,
): string {
  return columns
    .map((column, index) => {
      const length = columnLength(column, index, widths, widthOf);
      return index === 0 ? `minmax(${length}, 1fr)` : length;
    })
    .join(' ');
}

/** Sum of the columns' widths as CSS: the minimum width of all rows, so that their cells align. */
export function rowWidth(
  columns: readonly GridColumn[],
  widths: Readonly<Record<string, number>>,
  widthOf = initialWidth,
): string {
  if (columns.length === 0) return '0px';
  return `calc(${columns.map((column, index) => columnLength(column, index, widths, widthOf)).join(' + ')})`;
}

/** Width of a column as CSS. Unless the user has resized it, the column of names leaves room for a number in a narrow panel. */
function columnLength(
  column: GridColumn,
  index: number,
  widths: Readonly<Record<string, number>>,
  widthOf: WidthOf,
): string {
  const own = widths[column.id];
  const pixels = `${clampWidth(own ?? widthOf(column))}px`;
  return index === 0 && own === undefined ? `min(${pixels}, 45vw)` : pixels;
}

/** The sort order after a click on a header. */
export function nextSort(column: GridColumn, current: SortOrder | undefined): SortOrder | undefined {
  if (column.sort === undefined) return current;
  if (current?.column !== column.id) return { column: column.id, direction: column.sort };
  return { column: column.id, direction: current.direction === 'ascending' ? 'descending' : 'ascending' };
}

/** Checks a saved layout: another version of the view may have had other columns. */
export function readGridLayout(value: unknown, columns: readonly GridColumn[]): GridLayout {
  const given =
    typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const widths: Record<string, number> = {};
  const saved = (typeof given.widths === 'object' ? given.widths : undefined) as
    | Readonly<Record<string, unknown>>
    | null
    | undefined;
  for (const { id } of columns) {
    const width = saved?.[id];
    if (typeof width === 'number') widths[id] = clampWidth(width);
  }
  const isIn = (list: unknown, id: string): boolean =>
    Array.isArray(list) && (list as readonly unknown[]).includes(id);
  // A layout of an earlier version does not say what it offered.
  const isOffered = ({ id, hidden }: GridColumn): boolean =>
    Array.isArray(given.offered) ? isIn(given.offered, id) : Array.isArray(given.hidden) && hidden !== true;
  const hidden = columns.filter((column, index) =>
    isOffered(column) ? index > 0 && isIn(given.hidden, column.id) : column.hidden === true,
  );
  return { widths, hidden: hidden.map(({ id }) => id), offered: columns.map(({ id }) => id) };
}

/** The layout with columns that it did not offer; it remembers those that are not there at the moment. */
export function withColumns(layout: GridLayout, columns: readonly GridColumn[]): GridLayout {
  const fresh = columns.filter(({ id }) => !layout.offered.includes(id));
  const ids = (those: readonly GridColumn[]): readonly string[] => those.map(({ id }) => id);
  return {
    ...layout,
    hidden: [...layout.hidden, ...ids(fresh.filter(({ hidden }) => hidden === true))],
    offered: [...layout.offered, ...ids(fresh)],
  };
}
