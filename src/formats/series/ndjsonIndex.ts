import { isRecord, present } from '../../core/present';
import { contextKey, type SeriesContext } from '../../core/series/series';
import type { ByteReader } from './byteReader';
import { invalidSeries, shownByte } from './errors';
import { contextOf, fileHeaderOf, type FileHeader } from './ndjsonHeader';

/** A line of the file whose values have not been read yet. */
export interface IndexedSeries {
  readonly context: SeriesContext;
  /** Number of the line, from 1, and offset of its first byte. */
  readonly line: number;
  readonly lineStart: number;
  /** Offset of the first byte after `[`, and of the `]`. */
  readonly valuesStart: number;
  readonly valuesEnd: number;
  readonly count: number;
}

export interface SeriesIndex extends FileHeader {
  readonly series: readonly IndexedSeries[];
}

/** Maximum number of bytes of a line without its values: a file without line ends must not become one string. */
const longestHeader = 64 * 1024;

/**
 * Scans the file once for its series and the positions of their values. Numbers are not parsed yet, but only
 * numbers, nulls and blanks are accepted. Throws `series-invalid`.
 */
export function indexSeries(reader: ByteReader, file: string): SeriesIndex {
  let header: FileHeader | undefined;
  const series: IndexedSeries[] = [];
  const lineOfContext = new Map<string, number>();
  let line = 0;
  for (let start = reader.startOfText; start < reader.size;) {
    line++;
    const scanned = scanLine(reader, { file, line, start });
    const lineStart = start;
    start = scanned.next;
    if (scanned.text.trim() === '') continue;
    const complain = (expected: string, found: string): never => {
      throw invalidSeries({ file, line, column: 1 }, expected, found);
    };
    const value = parsed(scanned, { file, line });
    if (header === undefined) {
      header = fileHeaderOf(value, complain);
      continue;
    }
    const { values } = scanned;
    if (!isRecord(value) || values === undefined) return complain('a series with “values”', 'none');
    const context = contextOf(value, header.phase, complain);
    const key = contextKey(context);
    const earlierLine = lineOfContext.get(key);
    if (earlierLine !== undefined)
      return complain('another region, metric, rank or thread', `the series of line ${earlierLine} again`);
    lineOfContext.set(key, line);
    series.push({ context, line, lineStart, ...values });
  }
  if (header === undefined)
    throw invalidSeries(
      { file, line: 1, column: 1 },
      'the first line {"kymoSeries":1,"unit":"s"}',
      'nothing',
    );
  return { ...header, series };
}

interface LinePlace {
  readonly file: string;
  readonly line: number;
  readonly start: number;
}

interface ScannedLine {
  /** The line's JSON with `[]` in place of the values. */
  readonly text: string;
  readonly values?: Pick<IndexedSeries, 'valuesStart' | 'valuesEnd' | 'count'>;
  /** Position of the next line. */
  readonly next: number;
}

/** Finds the line's end and its values without making a string of these. */
function scanLine(reader: ByteReader, place: LinePlace): ScannedLine {
  const { start } = place;
  const pieces: string[] = [];
  let values: ScannedLine['values'];
  let pieceStart = start;
  let pieceBytes = 0;
  const state = { depth: 0, inText: false, isEscaped: false };
  let position = start;
  for (; ; position++) {
    const byte = reader.byte(position);
    if (byte < 0 || byte === 0x0a) break;
    if (++pieceBytes > longestHeader)
      throw invalidSeries(
        placeAt(place, position),
        `a line with less than ${longestHeader / 1024} KiB beside its values`,
        'more',
      );
    if (!opensList(byte, state) || state.depth !== 2) continue;
    pieces.push(reader.utf8(pieceStart, position + 1));
    pieceStart = position + 1;
    if (!/"values"\s*:\s*\[$/.test(pieces.at(-1) ?? '')) continue;
    if (values !== undefined) throw invalidSeries(placeAt(place, position), 'one list of values', 'another');
    values = scanValues(reader, place, position + 1);
    pieceStart = values.valuesEnd;
    position = pieceStart - 1;
  }
  pieces.push(reader.utf8(pieceStart, position));
  const text = pieces.join('');
  return { text, next: position + 1, ...present({ values }) };
}

/** Tracks strings and nesting; returns whether this byte is a `[` outside of strings. */
function opensList(byte: number, state: { depth: number; inText: boolean; isEscaped: boolean }): boolean {
  if (state.inText) {
    if (state.isEscaped) state.isEscaped = false;
    else if (byte === 0x5c) state.isEscaped = true;
    else if (byte === 0x22) state.inText = false;
    return false;
  }
  if (byte === 0x22) state.inText = true;
  else if (byte === 0x5b || byte === 0x7b) state.depth++;
  else if (byte === 0x5d || byte === 0x7d) state.depth--;
  return byte === 0x5b;
}

/** Bytes that occur in numbers, `null`, `NaN` and between them. */
const valueBytes = new Uint8Array(256);
for (const byte of Buffer.from('0123456789+-.eEnulNa, \t')) valueBytes[byte] = 1;

function scanValues(
  reader: ByteReader,
  place: LinePlace,
  from: number,
): Pick<IndexedSeries, 'valuesStart' | 'valuesEnd' | 'count'> {
  let commas = 0;
  let isEmpty = true;
  for (let position = from; ; position++) {
    const byte = reader.byte(position);
    if (byte === 0x5d) return { valuesStart: from, valuesEnd: position, count: isEmpty ? 0 : commas + 1 };
    if (valueBytes[byte] !== 1)
      throw invalidSeries(placeAt(place, position), 'a number or null', shownByte(byte));
    if (byte === 0x2c) commas++;
    if (byte !== 0x20 && byte !== 0x09) isEmpty = false;
  }
}

function placeAt(
  { file, line, start }: LinePlace,
  offset: number,
): { file: string; line: number; column: number } {
  return { file, line, column: offset - start + 1 };
}

function parsed({ text }: ScannedLine, { file, line }: Omit<LinePlace, 'start'>): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw invalidSeries({ file, line, column: 1 }, 'one JSON object', `something else (${why})`);
  }
}
