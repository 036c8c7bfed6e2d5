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

/** Makes a name from a file safe: it can neither control the terminal nor reorder the text around it. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd');
}

const longestName = 64;

/** The beginning of a name, because long parameter lists would push other columns off the screen. */
export function shortened(name: string, longest = longestName): string {
  return name.length <= longest ? name : `${name.slice(0, longest - 1)}…`;
}
