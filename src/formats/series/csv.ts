import type { Burst, SeriesContext, SeriesSource } from '../../core/series/series';
import type { ByteSource } from '../byteSource';
import { ByteReader } from './byteReader';
import { columnContexts, type HeaderCell } from './csvHeader';
import { decimalSignOf, nameOfSeparator, separatorOf, type CsvNotation, type Separator } from './csvNotation';
import { invalidSeries, seriesTooLarge, shownByte } from './errors';
import { listed } from './listed';
import { NumberReader } from './numbers';
import { othersTurn } from './othersTurn';

const blockBytes = 1 << 20;
const longestHeader = 1 << 26;
/** A jump in the iteration numbers is a gap; a larger one is an error. */
const largestGap = 1_000_000;
/** Longest line that is read at once, in bytes. */
const longestAtOnce = 1 << 20;

const quote = 0x22;
const newline = 0x0a;

/**
 * Series of a CSV file (docs/INTERFACES.md, “Series files”): one line per iteration, one column per series, separated by commas, semicolons or tabs.
 * Memory is needed for one burst. Empty cells, `nan` and `NA` are missing values, as are iterations that the first column omits.
 *
 * Throws `series-invalid` with line and column: here for the header, from the bursts for other lines.
 */
export function csvSeries(source: ByteSource, file: string): SeriesSource {
  const reader = new ByteReader(source, blockBytes);
  const { cells, next, separator } = headerCells(reader, file);
  const contexts = columnContexts(cells, file, 1);
  const notation = { separator, decimalSign: decimalSignOf(reader, next, separator) };
  return { unit: 's', bursts: (length) => bursts(source, { file, contexts, notation, start: next, length }) };
}

interface Reading {
  readonly file: string;
  readonly contexts: readonly SeriesContext[];
  readonly notation: CsvNotation;
  readonly start: number;
  readonly length: number;
}

async function* bursts(source: ByteSource, reading: Reading): AsyncGenerator<Burst> {
  const { contexts, length } = reading;
  const rows = new RowReader(new ByteReader(source, blockBytes), reading);
  let first = 0;
  let values = emptyColumns(contexts.length, length);
  const burst = (filled: number): Burst => ({
    first,
    length: filled,
    series: contexts.flatMap((context, c) => {
      const column = values[c];
      return column === undefined ? [] : [{ context, values: column.subarray(0, filled) }];
    }),
  });
  while (rows.next()) {
    while (rows.iteration >= first + length) {
      yield burst(length);
      await othersTurn();
      first += length;
      values = emptyColumns(contexts.length, length);
    }
    rows.read(values, rows.iteration - first);
  }
  const filled = rows.iteration + 1 - first;
  if (filled > 0) yield burst(filled);
}

function emptyColumns(count: number, length: number): Float64Array[] {
  return Array.from({ length: count }, () => new Float64Array(length).fill(Number.NaN));
}

/** Iterates over the lines of the file. */
class RowReader {
  /** Iteration of the current line, from 0; -1 before the first. */
  iteration = -1;
  private line = 1;
  private lineStart: number;
  /** Position of the next byte to read. */
  private offset: number;
  private readonly number: NumberReader;
  private readonly separator: number;

  constructor(
    private readonly reader: ByteReader,
    private readonly reading: Reading,
  ) {
    const { separator, decimalSign } = reading.notation;
    this.separator = separator.charCodeAt(0);
    this.number = new NumberReader(reader, 'plain', decimalSign.charCodeAt(0));
    this.offset = reading.start;
    this.lineStart = this.offset;
  }

  /** Advances to the next line with an iteration; false at the end of the file. */
  next(): boolean {
    for (; this.offset < this.reader.size;) {
      this.line++;
      this.lineStart = this.offset;
      this.offset = this.afterBlanks(this.offset);
      if (!this.isLineEnd(this.offset)) {
        this.readIteration();
        return true;
      }
      this.offset = this.nextLine();
    }
    return false;
  }

  /** Reads the values of the line into the columns at `position`; absent cells stay missing. */
  read(columns: readonly Float64Array[], position: number): void {
    if (this.readAtOnce(columns, position)) return;
    for (let c = 0; !this.isLineEnd(this.offset); c++) {
      if (this.reader.byte(this.offset) !== this.separator)
        this.complain(nameOfSeparator[this.reading.notation.separator]);
      const column = columns[c];
      const from = this.offset + 1;
      const value = this.cell(from);
      if (column !== undefined) column[position] = value;
      else if (!Number.isNaN(value)) this.complain(`no more than ${columns.length + 1} cells`, from);
    }
    this.offset = this.nextLine();
  }

  /** Reads a line at once if it has all cells and its numbers have JSON's notation; otherwise returns false. */
  private readAtOnce(columns: readonly Float64Array[], position: number): boolean {
    const { reader, offset } = this;
    const end = reader.find(newline, offset);
    if (end - offset > longestAtOnce || reader.byte(offset) !== this.separator) return false;
    const values = this.listedCells(reader.latin1(offset + 1, end));
    if (values?.length !== columns.length) return false;
    for (const [c, column] of columns.entries()) column[position] = values[c] ?? Number.NaN;
    this.offset = end + 1;
    return true;
  }

  private listedCells(cells: string): Float64Array | undefined {
    const { separator, decimalSign } = this.reading.notation;
    if (separator === ',') return listed(cells);
    if (cells.includes(decimalSign === ',' ? '.' : ',')) return undefined;
    return listed(cells.replaceAll(decimalSign, '.').replaceAll(separator, ','));
  }

  private afterBlanks(from: number): number {
    return this.reader.afterBlanks(from, this.separator);
  }

  private readIteration(): void {
    const from = this.offset;
    const value = this.cell(from);
    if (!Number.isSafeInteger(value) || value < 1)
      this.complain('the number of an iteration, from 1 on', from);
    const iteration = value - 1;
    if (iteration <= this.iteration) this.complain(`an iteration after ${this.iteration + 1}`, from);
    if (iteration - this.iteration > largestGap)
      this.complain(`an iteration soon after ${this.iteration + 1}`, from);
    this.iteration = iteration;
  }

  /** The number in a cell, NaN for a missing value; sets `at` to its end. */
  private cell(from: number): number {
    const { reader, number } = this;
    let start = this.afterBlanks(from);
    const isQuoted = reader.byte(start) === quote;
    if (isQuoted) start = this.afterBlanks(start + 1);
    const isNumber = number.read(start);
    let end = isNumber ? number.end : start + this.missingLength(start);
    if (isNumber && !Number.isFinite(number.value)) this.complain('a number that a double can hold', start);
    end = this.afterBlanks(end);
    if (isQuoted) {
      if (reader.byte(end) !== quote) this.complain('a number and a closing quote', end);
      end = this.afterBlanks(end + 1);
    }
    if (reader.byte(end) !== this.separator && !this.isLineEnd(end))
      this.complain('a number', isNumber ? end : start);
    this.offset = end;
    return isNumber ? number.value : Number.NaN;
  }

  private missingLength(from: number): number {
    const text = this.reader.latin1(from, Math.min(from + 3, this.reader.size)).toLowerCase();
    if (text === 'nan') return 3;
    return text.startsWith('na') ? 2 : 0;
  }

  private isLineEnd(offset: number): boolean {
    const byte = this.reader.byte(offset);
    return byte === newline || byte < 0 || (byte === 0x0d && this.reader.byte(offset + 1) === newline);
  }

  private nextLine(): number {
    return this.reader.find(newline, this.offset) + 1;
  }

  private complain(expected: string, offset = this.offset): never {
    const place = { file: this.reading.file, line: this.line, column: offset - this.lineStart + 1 };
    const byte = this.reader.byte(offset);
    const isSign = offset === this.number.end && (byte === 0x2c || byte === 0x2e);
    throw invalidSeries(place, expected, shownByte(byte), isSign ? decimalAdvice : undefined);
  }
}

const decimalAdvice =
  'Whether it begins the decimals or separates thousands is not clear: write all numbers of the file with decimal points and without separators of thousands.';

interface Header {
  readonly cells: readonly HeaderCell[];
  readonly separator: Separator;
  /** Position of the second line. */
  readonly next: number;
}

/** The cells of the first line (RFC 4180). */
function headerCells(reader: ByteReader, file: string): Header {
  const start = reader.startOfText;
  const end = reader.find(newline, start);
  if (end - start > longestHeader)
    throw seriesTooLarge({ file, line: 1, column: 1 }, `the header has more than ${longestHeader} bytes`);
  const text = reader.utf8(start, end).replace(/\r$/, '');
  const separator = separatorOf(text);
  const cells: HeaderCell[] = [];
  const pattern = new RegExp(`(?: *"([^"]*(?:""[^"]*)*)" *|((?! *")[^${separator}]*))(${separator}|$)`, 'gy');
  for (let begin = 0; ; begin = pattern.lastIndex) {
    pattern.lastIndex = begin;
    const match = pattern.exec(text);
    if (match === null)
      throw invalidSeries(
        { file, line: 1, column: begin + 1 },
        'the name of a series',
        'a quote that does not fit',
      );
    cells.push({ text: match[1]?.replaceAll('""', '"') ?? match[2] ?? '', column: begin + 1 });
    if (match[3] === '') return { cells, separator, next: end + 1 };
  }
}
