import { present } from '../../core/present';
import type { Burst, Series, SeriesSource } from '../../core/series/series';
import type { ByteSource } from '../byteSource';
import { ByteReader } from './byteReader';
import { invalidSeries, shownByte } from './errors';
import { indexSeries, type IndexedSeries } from './ndjsonIndex';
import { listed } from './listed';
import { NumberReader } from './numbers';
import { othersTurn } from './othersTurn';

const largestBlock = 1 << 20;
const smallestBlock = 1 << 14;
const valuesAtOnce = 2048;
const comma = 0x2c;

/**
 * Series of an NDJSON file (docs/INTERFACES.md, “Series files”). Memory is needed for one burst and a position per series: this
 * function scans the file once, and bursts read its numbers. Series may differ in length; shorter ones end earlier.
 *
 * Throws `series-invalid` with line and column: here for the structure, from the bursts for numbers.
 */
export function ndjsonSeries(source: ByteSource, file: string): SeriesSource {
  const { unit, phase, series } = indexSeries(new ByteReader(source, largestBlock), file);
  const iterations = series.reduce((most, { count }) => Math.max(most, count), 0);
  return {
    unit,
    ...present({ phase }),
    iterations,
    bursts: (length) => bursts(source, file, { series, iterations, length }),
  };
}

interface Reading {
  readonly series: readonly IndexedSeries[];
  readonly iterations: number;
  readonly length: number;
}

async function* bursts(
  source: ByteSource,
  file: string,
  { series, iterations, length }: Reading,
): AsyncGenerator<Burst> {
  const reader = new ByteReader(source, largestBlock);
  const number = new NumberReader(reader, 'json');
  const values = series.map((indexed) => new ValueCursor(reader, number, file, indexed));
  reader.blockBytes = blockFor(series, iterations, length);
  for (let first = 0; first < iterations; first += length) {
    const here = Math.min(length, iterations - first);
    const read: Series[] = [];
    for (const cursor of values)
      if (cursor.remaining > 0) read.push({ context: cursor.context, values: cursor.next(here) });
    yield { first, length: here, series: read };
    await othersTurn();
  }
}

/** Bytes of one series of a burst, so that reads include little of the next burst. */
function blockFor(series: readonly IndexedSeries[], iterations: number, length: number): number {
  if (length >= iterations) return largestBlock;
  const bytes = series.reduce((sum, { valuesStart, valuesEnd }) => sum + valuesEnd - valuesStart, 0);
  const values = series.reduce((sum, { count }) => sum + count, 0);
  return Math.min(Math.max(Math.ceil((bytes / values) * length * 1.1), smallestBlock), largestBlock);
}

/** Position of the next values of one series. */
class ValueCursor {
  remaining: number;
  private offset: number;

  constructor(
    private readonly reader: ByteReader,
    private readonly number: NumberReader,
    private readonly file: string,
    private readonly series: IndexedSeries,
  ) {
    this.remaining = series.count;
    this.offset = series.valuesStart;
  }

  get context(): IndexedSeries['context'] {
    return this.series.context;
  }

  /** The next `length` values; NaN after the last. */
  next(length: number): Float64Array {
    const values = new Float64Array(length);
    const here = Math.min(length, this.remaining);
    for (let i = 0; i < here;) {
      const many = this.many(Math.min(here - i, valuesAtOnce));
      values.set(many, i);
      i += many.length;
    }
    values.fill(Number.NaN, here);
    return values;
  }

  /** The next `count` values: at once if they have JSON's notation, otherwise one by one. */
  private many(count: number): Float64Array {
    const { reader, offset } = this;
    let end = offset;
    for (let i = 1; i < count; i++) end = reader.find(comma, end) + 1;
    end = count < this.remaining ? reader.find(comma, end) : this.series.valuesEnd;
    const values = listed(reader.latin1(offset, end));
    if (values?.length !== count) return Float64Array.from({ length: count }, () => this.value());
    this.remaining -= count;
    this.offset = end + 1;
    return values;
  }

  private value(): number {
    const { reader, number } = this;
    const from = this.reader.afterBlanks(this.offset);
    const isNumber = number.read(from);
    const gap = isNumber ? 0 : this.gapAt(from);
    const value = isNumber ? number.value : Number.NaN;
    if (isNumber && !Number.isFinite(value)) this.complain(from, 'a number that a double can hold');
    this.remaining--;
    const after = this.reader.afterBlanks(isNumber ? number.end : from + gap);
    if (reader.byte(after) !== (this.remaining > 0 ? comma : 0x5d))
      this.complain(after, this.remaining > 0 ? 'a comma' : 'the end of the values');
    this.offset = after + 1;
    return value;
  }

  /** Length of a missing value's text; many programs write `NaN`, although JSON does not allow it. */
  private gapAt(from: number): number {
    const text = this.reader.latin1(from, Math.min(from + 4, this.reader.size));
    if (text === 'null') return 4;
    return text.startsWith('NaN') ? 3 : this.complain(from, 'a number or null');
  }

  private complain(offset: number, expected: string): never {
    const { line, lineStart } = this.series;
    const place = { file: this.file, line, column: offset - lineStart + 1 };
    throw invalidSeries(place, expected, shownByte(this.reader.byte(offset)));
  }
}
