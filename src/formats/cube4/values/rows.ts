import { inflateSync } from 'node:zlib';
import { damaged, unsupported } from '../archive/errors';
import type { ByteSource, Range } from '../../byteSource';

/** How the rows of one metric are found in the file (docs/formats/cube4.md, sections 3 and 5). */
export interface RowTable {
  readonly little: boolean;
  /** Positions in the metric's enumeration, ascending, one per existing row. */
  readonly positions: Uint32Array;
  /** Bytes of row `r`, uncompressed. Reads ahead if the previous call asked for the row before. */
  row(r: number): Uint8Array;
  /** Bytes of the rows from `r` to before `end` that are read at once: one or more. */
  block(r: number, end: number): RowBlock;
}

export interface RowBlock {
  readonly bytes: Uint8Array;
  readonly rows: number;
}

/** Bytes that are read at once: large blocks need few reads. */
const readAhead = 1 << 20;

export interface RowLayout {
  readonly source: ByteSource;
  readonly file: string;
  readonly index: Range;
  readonly data: Range;
  /** All positions of the metric's enumeration. */
  readonly all: Uint32Array;
  readonly rowBytes: number;
  /** Called with the size of all rows before any compressed row is read. */
  readonly willInflate: (bytes: number) => void;
}

/** Reads `m.index` and the head of `m.data`. */
export function rowTable(layout: RowLayout): RowTable {
  const { little, positions } = readIndex(layout);
  const { source, data, file } = layout;
  const mark = latin1(source.read(data.offset, Math.min(11, data.length)));
  if (mark.startsWith('CUBEX.DATA')) return { little, positions, ...plainRows(layout, positions.length) };
  if (mark === 'ZCUBEX.DATA') {
    const row = compressedRows(layout, positions.length, little);
    return { little, positions, row, block: (r) => ({ bytes: row(r), rows: 1 }) };
  }
  throw damaged(file, data.offset, 'the mark CUBEX.DATA or ZCUBEX.DATA', quoted(mark));
}

const indexHead = 18;
const sparseHead = indexHead + 4;

function readIndex({ source, file, index, all }: RowLayout): { little: boolean; positions: Uint32Array } {
  const head = viewOf(source, { ...index, length: Math.min(index.length, sparseHead) });
  const count = all.length;
  const mark = latin1(new Uint8Array(head.buffer, head.byteOffset, Math.min(11, head.byteLength)));
  if (mark !== 'CUBEX.INDEX') throw damaged(file, index.offset, 'the mark CUBEX.INDEX', quoted(mark));
  if (head.byteLength < indexHead)
    throw damaged(file, index.offset, `an index of ${indexHead} bytes or more`, `one of ${index.length}`);
  const little = head.getUint32(11, true) === 1;
  if (!little && head.getUint32(11, false) !== 1)
    throw damaged(file, index.offset + 11, 'the byte order mark 1', String(head.getUint32(11, true)));
  const format = head.getUint8(17);
  if (format === 3) return { little, positions: all };
  if (format === 2)
    throw unsupported(
      file,
      index.offset + 17,
      'an index is a bit vector, a form that Cube gave up before its version 4; no tool reads it',
    );
  if (format !== 1)
    throw damaged(file, index.offset + 17, 'the index format 1 (sparse) or 3 (dense)', String(format));
  if (head.byteLength < sparseHead)
    throw damaged(file, index.offset + indexHead, 'the number of rows', 'the end of the index');
  const rows = head.getUint32(18, little);
  if (rows > count || rows * 4 > index.length - sparseHead)
    throw damaged(
      file,
      index.offset + indexHead,
      `at most ${Math.min(count, Math.floor((index.length - sparseHead) / 4))} rows`,
      String(rows),
    );
  return { little, positions: sparsePositions(source, file, index.offset + sparseHead, rows, count, little) };
}

function sparsePositions(
  source: ByteSource,
  file: string,
  offset: number,
  rows: number,
  count: number,
  little: boolean,
): Uint32Array {
  const view = viewOf(source, { offset, length: rows * 4 });
  const positions = new Uint32Array(rows);
  let least = 0;
  for (let i = 0; i < rows; i++) {
    const position = view.getUint32(i * 4, little);
    if (position < least || position >= count)
      throw damaged(file, offset + i * 4, `a position from ${least} to ${count - 1}`, String(position));
    positions[i] = position;
    least = position + 1;
  }
  return positions;
}

function plainRows(layout: RowLayout, rows: number): Pick<RowTable, 'row' | 'block'> {
  const { source, file, data, rowBytes } = layout;
  const start = data.offset + 10;
  if (rows * rowBytes > data.length - 10)
    throw damaged(file, start, `${rows} rows of ${rowBytes} bytes`, `${data.length - 10} bytes`);
  const perRead = Math.max(1, Math.floor(readAhead / Math.max(1, rowBytes)));
  const read = (r: number, count: number): Uint8Array => {
    const bytes = source.read(start + r * rowBytes, count * rowBytes);
    if (bytes.length < count * rowBytes)
      throw damaged(
        file,
        start + r * rowBytes,
        `${count} rows of ${rowBytes} bytes`,
        'the end of the file, which has become shorter',
      );
    return bytes;
  };
  const block = (r: number, end: number): RowBlock => {
    const count = Math.max(1, Math.min(perRead, end - r));
    return { bytes: read(r, count), rows: count };
  };
  let ahead: RowBlock = { bytes: new Uint8Array(0), rows: 0 };
  let first = 0;
  let last = -1;
  return {
    block,
    row(r) {
      if (r < first || r >= first + ahead.rows) {
        ahead = r === last + 1 ? block(r, rows) : { bytes: read(r, 1), rows: 1 };
        first = r;
      }
      last = r;
      return ahead.bytes.subarray((r - first) * rowBytes, (r - first + 1) * rowBytes);
    },
  };
}

const tableEntry = 24;

function compressedRows(layout: RowLayout, rows: number, little: boolean): (r: number) => Uint8Array {
  const { source, file, data, rowBytes } = layout;
  const tableAt = data.offset + 19;
  if (data.length < 19) throw damaged(file, data.offset + 11, 'the number of rows', 'the end of the data');
  const listed = u64(viewOf(source, { offset: data.offset + 11, length: 8 }), 0, little);
  const room = Math.floor((data.length - 19) / tableEntry);
  if (listed > room || listed < rows)
    throw damaged(file, data.offset + 11, `from ${rows} to ${room} compressed rows`, String(listed));
  const table = viewOf(source, { offset: tableAt, length: listed * tableEntry });
  layout.willInflate(rows * rowBytes);
  const entries = entriesByRow(table, file, tableAt, { listed, rowBytes, little });
  const streams = tableAt + listed * tableEntry;
  const streamBytes = data.offset + data.length - streams;
  return (r) => {
    const entry = (entries[r] ?? r) * tableEntry;
    const from = u64(table, entry + 8, little);
    const length = u64(table, entry + 16, little);
    if (!(from + length <= streamBytes))
      throw damaged(
        file,
        tableAt + entry,
        `a compressed row within ${streamBytes} bytes`,
        `${length} bytes at ${from}`,
      );
    return inflated(source.read(streams + from, length), rowBytes, file, streams + from);
  };
}

/** All known writers list rows in order; other orders follow from the offsets. */
function entriesByRow(
  table: DataView,
  file: string,
  tableAt: number,
  { listed, rowBytes, little }: { listed: number; rowBytes: number; little: boolean },
): Uint32Array {
  const entries = Uint32Array.from({ length: listed }, (_, i) => i);
  if (rowBytes === 0) return entries;
  for (let i = 0; i < listed; i++) {
    const row = u64(table, i * tableEntry, little) / rowBytes;
    if (!Number.isInteger(row) || row >= listed)
      throw damaged(file, tableAt + i * tableEntry, `a multiple of the row size ${rowBytes}`, `row ${row}`);
    entries[row] = i;
  }
  return entries;
}

function inflated(bytes: Uint8Array, rowBytes: number, file: string, offset: number): Uint8Array {
  let row: Uint8Array;
  try {
    row = inflateSync(bytes, { maxOutputLength: Math.max(1, rowBytes) });
  } catch (error) {
    throw damaged(
      file,
      offset,
      `a zlib stream of ${rowBytes} bytes`,
      error instanceof Error ? error.message : 'another',
    );
  }
  if (row.length !== rowBytes)
    throw damaged(file, offset, `a zlib stream of ${rowBytes} bytes`, `one of ${row.length}`);
  return row;
}

function u64(view: DataView, offset: number, little: boolean): number {
  return Number(view.getBigUint64(offset, little));
}

function viewOf(source: ByteSource, { offset, length }: Range): DataView {
  const bytes = source.read(offset, length);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function quoted(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text);
}
