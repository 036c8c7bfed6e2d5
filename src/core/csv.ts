/**
 * Rows as CSV (RFC 4180, lines end with CRLF). Names come from programs, and spreadsheets compute a text that looks like a formula: it is
 * preceded by an apostrophe, as OWASP recommends, and so is a text that looks as if it had one already. Numbers stay numbers.
 */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('');
}

/** The text from which `csvText` made a cell that a CSV reader gives: without the apostrophe of the guard. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}

const formula = /^'*[=+\-@\t\r]/;

function cellText(cell: string | number): string {
  if (typeof cell === 'number') return String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
