export interface RowGroup {
  readonly name: string;
  /** Positions of its rows, in their order. */
  readonly members: readonly number[];
}

/** Rows with the rows of their groups above them, in the order of the first member. */
export interface GroupedRows {
  /** Positions of rows; values from `count` on are positions in `groups`, offset by it. */
  readonly rows: Uint32Array;
  readonly groups: readonly RowGroup[];
}

/**
 * Groups rows by name; the members of closed groups are not shown.
 * @param count number of all rows
 * @param sorted positions of the rows to show
 */
export function groupedRows(
  count: number,
  sorted: readonly number[],
  nameOf: (position: number) => string,
  closed: readonly string[],
): GroupedRows {
  const members = new Map<string, number[]>();
  for (const position of sorted) {
    const name = nameOf(position);
    const positions = members.get(name) ?? [];
    positions.push(position);
    members.set(name, positions);
  }
  const groups = [...members].map(([name, positions]) => ({ name, members: positions }));
  const isClosed = new Set(closed);
  const rows = groups.flatMap(({ name, members: all }, position) => [
    count + position,
    ...(isClosed.has(name) ? [] : all),
  ]);
  return { rows: Uint32Array.from(rows), groups };
}

/** What a grid shows as a tree: groups, and rows below them unless there are none. */
export function groupTree(options: {
  readonly count: () => number;
  readonly groups: () => readonly { readonly name: string }[];
  readonly closed: () => readonly string[];
}): {
  readonly level: (row: number) => number;
  readonly state: (row: number) => 'leaf' | 'open' | 'closed';
} {
  const { count, groups, closed } = options;
  return {
    level: (row) => (row >= count() || groups().length === 0 ? 1 : 2),
    // A grid asks about its rows until it gets others.
    state: (row) =>
      row < count() ? 'leaf' : closed().includes(groups()[row - count()]?.name ?? '') ? 'closed' : 'open',
  };
}
