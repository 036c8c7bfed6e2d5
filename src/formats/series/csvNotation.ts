import type { ByteReader } from './byteReader';

/** How a CSV file separates its cells and writes its numbers. */
export interface CsvNotation {
  readonly separator: Separator;
  readonly decimalSign: '.' | ',';
}

export type Separator = ',' | ';' | '\t';

export const nameOfSeparator = { ',': 'a comma', ';': 'a semicolon', '\t': 'a tab' } as const;

/** The separator of a header: what follows its first cell. Cells in quotes may contain the others. */
export function separatorOf(header: string): Separator {
  const [, found] = /^\s*(?:"[^"]*"|[^",;\t]*)\s*([,;])/.exec(header) ?? [];
  if (found === ',' || found === ';') return found;
  return /^ *(?:"[^"]*"|[^",;\t]*) *\t/.test(header) ? '\t' : ',';
}

/** Bytes in which a decimal comma is looked for. */
const lookedAt = 1 << 16;
const withComma = /^[+-]?\d*,\d+(?:[ed][+-]?\d+)?$/i;
/** `1,234` is 1.234 in one country and 1234 in another one. */
const ambiguous = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/**
 * The decimal sign of a file: a comma where a number near the beginning can only be meant so (`0,5`, `12,25`). Between thousands there are three
 * digits, and no zero is before them.
 * @param start of the second line
 */
export function decimalSignOf(reader: ByteReader, start: number, separator: Separator): '.' | ',' {
  if (separator === ',') return '.';
  const end = Math.min(reader.size, start + lookedAt);
  const cells = reader.latin1(start, end).split(separator === ';' ? /[;\n]/ : /[\t\n]/);
  // The last one may be cut off.
  if (end < reader.size) cells.pop();
  const hasComma = cells.some((cell) => {
    const number = cell.trim().replace(/^"\s*(.*?)\s*"$/, '$1');
    return withComma.test(number) && !ambiguous.test(number);
  });
  return hasComma ? ',' : '.';
}
