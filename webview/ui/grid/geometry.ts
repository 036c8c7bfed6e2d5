/** The scrolled part of a grid. Pure, tested without a browser. */
export interface Viewport {
  /** Scroll position: pixels above the visible part. */
  readonly top: number;
  /** Height of the visible part in pixels. */
  readonly height: number;
  readonly rowHeight: number;
  readonly rows: number;
}

/** Rows [first, end) that must be in the page: the visible ones and `spare` on either side. */
export function rowsToShow(view: Viewport, spare: number): { readonly first: number; readonly end: number } {
  const from = Math.floor(view.top / view.rowHeight) - spare;
  const to = Math.ceil((view.top + view.height) / view.rowHeight) + spare;
  const first = Math.min(Math.max(0, from), view.rows);
  return { first, end: Math.max(first, Math.min(view.rows, to)) };
}

/** The nearest scroll position that shows a row. */
export function scrollToShow(view: Viewport, row: number): number {
  const top = row * view.rowHeight;
  if (top < view.top) return top;
  const bottom = top + view.rowHeight;
  return bottom > view.top + view.height ? Math.max(0, bottom - view.height) : view.top;
}

/** Number of rows that Page Up and Page Down move by. */
export function rowsPerPage({ height, rowHeight }: Viewport): number {
  return Math.max(1, Math.floor(height / rowHeight) - 1);
}
