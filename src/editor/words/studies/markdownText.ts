/** Escapes a text to one line of Markdown. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[<>`*_[\]]/g, (character) => `\\${character}`);
}

/** Escapes a text to a cell of a table. */
export function tableCell(text: string): string {
  return plain(text).replaceAll('|', '\\|');
}
