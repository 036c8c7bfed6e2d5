/**
 * Rows as CSV (RFC 4180, lines end with CRLF). Names come from programs, and spreadsheets compute a text that looks like a formula: it is
 * preceded by an apostrophe, as OWASP recommends. Numbers stay numbers.
 */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('');
}

function cellText(cell: string | number): string {
  if (typeof cell === 'number') return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
