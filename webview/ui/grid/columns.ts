/** Columns of a grid and how they are laid out. Pure, tested without a browser. */
export interface GridColumn {
  readonly id: string;
  /** In the header; short. */
  readonly title: string;
  /** What the column means, with its unit. */
  readonly tooltip?: string;
  /** Pixels at first. The first column takes what is left over. */
  readonly width: number;
  /** Numbers stand at the end. */
  readonly align?: 'start' | 'end';
  /** The direction that a first click sorts in; absent: cannot be sorted by. */
  readonly sort?: SortDirection;
  /** Not shown until the user chooses it. */
  readonly hidden?: boolean;
  /** Text of the cell; also copied. */
  readonly text: (row: number) => string;
  /** Share (0…1) shown as a bar behind the text. */
  readonly bar?: (row: number) => number;
  /** Fills the cell instead of `text`; by `textContent` only. Called again for other rows: replaces what is there. */
  readonly render?: (row: number, cell: HTMLElement) => void;
  /** Class of the cell, e.g. for a colour; the text must express the same. */
  readonly cellClass?: (row: number) => string;
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
}

export const minimumColumnWidth = 48;

/** The width that a column may have. */
export function clampWidth(width: number): number {
  return Number.isFinite(width)
    ? Math.round(Math.min(4000, Math.max(minimumColumnWidth, width)))
    : minimumColumnWidth;
}

/** Value of `grid-template-columns`: the first column grows, the others keep their width. */
export function columnTemplate(
  columns: readonly GridColumn[],
  widths: Readonly<Record<string, number>>,
): string {
  return columns
    .map((column, index) => {
      const length = columnLength(column, index, widths);
      return index === 0 ? `minmax(${length}, 1fr)` : length;
    })
    .join(' ');
}

/** Sum of the columns' widths, as CSS: what all rows must at least have, so that their cells stand below each other. */
export function rowWidth(columns: readonly GridColumn[], widths: Readonly<Record<string, number>>): string {
  if (columns.length === 0) return '0px';
  return `calc(${columns.map((column, index) => columnLength(column, index, widths)).join(' + ')})`;
}

/** Names leave room for at least one number in a narrow panel, as long as the user did not decide otherwise. */
function columnLength(
  { id, width }: GridColumn,
  index: number,
  widths: Readonly<Record<string, number>>,
): string {
  const own = widths[id];
  const pixels = `${clampWidth(own ?? width)}px`;
  return index === 0 && own === undefined ? `min(${pixels}, 45vw)` : pixels;
}

/** What a click on a header sorts by. */
export function nextSort(column: GridColumn, current: SortOrder | undefined): SortOrder | undefined {
  if (column.sort === undefined) return current;
  if (current?.column !== column.id) return { column: column.id, direction: column.sort };
  return { column: column.id, direction: current.direction === 'ascending' ? 'descending' : 'ascending' };
}

/** A saved layout, checked: another version of the view may have had other columns. */
export function readGridLayout(value: unknown, columns: readonly GridColumn[]): GridLayout {
  const given =
    typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const widths: Record<string, number> = {};
  const saved = (typeof given.widths === 'object' ? given.widths : undefined) as
    Readonly<Record<string, unknown>> | null | undefined;
  for (const { id } of columns) {
    const width = saved?.[id];
    if (typeof width === 'number') widths[id] = clampWidth(width);
  }
  const hidden = Array.isArray(given.hidden)
    ? columns.slice(1).filter(({ id }) => (given.hidden as readonly unknown[]).includes(id))
    : columns.filter((column) => column.hidden === true);
  return { widths, hidden: hidden.map(({ id }) => id) };
}
