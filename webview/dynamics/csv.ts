/** Comma-separated values (RFC 4180). A spreadsheet takes what begins like a formula for one: such texts get a quote before them. */
export function csv(rows: Iterable<readonly (string | number | undefined)[]>): string {
  const lines: string[] = [];
  for (const row of rows) lines.push(row.map(cell).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

function cell(value: string | number | undefined): string {
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
