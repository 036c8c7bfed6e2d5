/**
 * A table for the terminal: columns with two blanks between them, the first `numbers` ones aligned to the right.
 * @returns lines with a newline between them; empty without rows
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

/** Names come from files; none may steer the terminal, or turn the order of what is read. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd');
}

const longestName = 64;

/** The beginning of a name; long parameter lists would push everything else off the screen. */
export function shortened(name: string, longest = longestName): string {
  return name.length <= longest ? name : `${name.slice(0, longest - 1)}…`;
}
