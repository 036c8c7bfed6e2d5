/**
 * A table for the terminal: two blanks separate columns, and the first `numbers` columns are aligned right.
 * @returns lines with newlines between them; empty without rows
 */
export function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: number,
): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => row.map(printable));
  const widths = heads.map((head, column) =>
    cells.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), head.length),
  );
  return [heads, ...cells]
    .map((row) =>
      row
        .map((cell, column) =>
          column < numbers ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** What a table shows, for the terminal and for reports. */
export interface Rows {
  readonly heads: readonly string[];
  readonly cells: readonly (readonly string[])[];
  /** How many columns are numbers; they are the first ones. */
  readonly numbers: number;
  /** Longest text in a line of the terminal, for the columns with these heads. */
  readonly longest?: Readonly<Record<string, number>>;
}

/** The rows as a table for the terminal. */
export function rowsText({ heads, cells, numbers, longest = {} }: Rows): string {
  const limits = heads.map((head) => longest[head]);
  const fitting = cells.map((row) =>
    row.map((cell, column) => {
      const limit = limits[column];
      return limit === undefined ? cell : shortened(cell, limit);
    }),
  );
  return table(heads, fitting, numbers);
}

/** Makes a name from a file safe: it can neither control the terminal nor reorder the text around it. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd');
}

/** Longest name in a line. */
export const longestName = 64;

/** The beginning of a name, because long parameter lists would push other columns off the screen. */
export function shortened(name: string, longest = longestName): string {
  return name.length <= longest ? name : `${name.slice(0, longest - 1)}…`;
}
