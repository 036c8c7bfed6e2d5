import { at, atFloat, atUint } from '../../core/at';
import { firstPosition } from '../../core/firstPosition';
import type { Metric, Profile } from '../../core/profile/profile';
import { remembered } from '../../core/remembered';
import type { CubeFile, RowVisitor } from './cubeFile';
import type { Definitions } from './anchor/definitions';
import { tooLarge, unsupported } from './archive/errors';
import { checkCells, type CubeLimits } from './archive/limits';
import { rowOrder, type StoredKind } from './values/order';
import { rowTable, type RowTable } from './values/rows';
import type { ByteSource, Range } from '../byteSource';
import { partSize, readNumbers, valueType, type ValueType } from './values/valueTypes';

/** A metric and the members of the archive that hold its values, if any. */
export interface Column {
  readonly metric: Metric;
  /** The type as the file names it. */
  readonly type: string;
  readonly index: Range | undefined;
  readonly data: Range | undefined;
}

/** An opened column stores nothing as large as the call tree: a file may have many columns with few rows each. */
interface OpenColumn {
  readonly table: RowTable;
  readonly type: ValueType;
  readonly order: Order;
}

/** An enumeration of the call paths, shared by all metrics that have it. */
interface Order {
  readonly callPathAt: Uint32Array;
  readonly positionOf: Uint32Array;
}

/** A file whose values are read from its bytes; the index of a metric is read once, when the metric is first needed. */
export class OpenedCube implements CubeFile {
  private readonly opened = new Map<string, OpenColumn>();
  private readonly orders = new Map<StoredKind, Order>();
  private inflatedBytes = 0;
  /** Every position of an enumeration. */
  private readonly all: Uint32Array;

  constructor(
    private readonly source: ByteSource,
    readonly file: string,
    readonly definitions: Profile,
    private readonly filed: Definitions['filed'],
    private readonly columns: ReadonlyMap<string, Column>,
    readonly limits: CubeLimits,
  ) {
    this.all = Uint32Array.from(definitions.callPaths.fileId.keys());
  }

  parts(metric: string): readonly Float64Array[] | undefined {
    const column = this.open(metric);
    if (column === undefined) return undefined;
    const { type, table } = column;
    const rows = table.positions.length;
    const width = this.definitions.locations.length;
    const cells = this.definitions.callPaths.count * width;
    let parts: readonly Float64Array[] | undefined;
    for (let r = 0; r < rows;) {
      const block = table.block(r, rows);
      if (!isZero(block.bytes)) {
        if (parts === undefined) {
          checkCells(this.file, `“${metric}” alone has`, cells * type.parts.length, this.limits);
          parts = type.parts.map(() => new Float64Array(cells));
        }
        decodeRows(column, block.bytes, r, block.rows, width, parts);
      }
      r += block.rows;
    }
    return parts;
  }

  exact(metric: string): BigInt64Array | undefined {
    const column = this.open(metric);
    if (column?.type.size !== 8 || column.type.parts[0] === 'f64') return undefined;
    const { table } = column;
    const width = this.definitions.locations.length;
    const cells = this.definitions.callPaths.count * width;
    checkCells(this.file, `“${metric}” alone has`, cells, this.limits);
    const values = new BigInt64Array(cells);
    for (let r = 0; r < table.positions.length; r++) {
      const { buffer, byteOffset } = table.row(r);
      const view = new DataView(buffer, byteOffset, width * 8);
      const first = callPathOf(column, r) * width;
      for (let l = 0; l < width; l++) values[first + l] = view.getBigInt64(l * 8, table.little);
    }
    return values;
  }

  row(metric: string, callPath: number): Float64Array {
    const shown = this.rowParts(metric, callPath)?.[this.open(metric)?.type.shown ?? 0];
    return shown ?? new Float64Array(this.definitions.locations.length);
  }

  rowParts(metric: string, callPath: number): readonly Float64Array[] | undefined {
    const column = this.open(metric);
    const r = column === undefined ? -1 : rowOf(column, callPath);
    if (column === undefined || r < 0) return undefined;
    const parts = this.emptyRow(metric, column.type);
    decodeRow(column, column.table.row(r), 0, this.definitions.locations.length, parts, 0);
    return parts;
  }

  eachRow(metric: string, visit: RowVisitor, first = 0, end = this.definitions.callPaths.count): void {
    const column = this.open(metric);
    if (column === undefined) return;
    const { table, type } = column;
    const width = this.definitions.locations.length;
    const rowBytes = width * type.size;
    const parts = this.emptyRow(metric, type);
    for (const [from, to] of runsOf(column, first, end))
      for (let r = from; r < to;) {
        const { bytes, rows } = table.block(r, to);
        for (let i = 0; i < rows; i++) {
          decodeRow(column, bytes, i * rowBytes, width, parts, 0);
          visit(callPathOf(column, r + i), parts);
        }
        r += rows;
      }
  }

  private emptyRow(metric: string, type: ValueType): Float64Array[] {
    const width = this.definitions.locations.length;
    checkCells(this.file, `one call path of “${metric}” has`, width * type.parts.length, this.limits);
    return type.parts.map(() => new Float64Array(width));
  }

  private open(name: string): OpenColumn | undefined {
    const cached = this.opened.get(name);
    if (cached !== undefined) return cached;
    const column = this.columns.get(name);
    const { locations } = this.definitions;
    if (column?.index === undefined || column.data === undefined || locations.length === 0) return undefined;
    const { metric, index, data } = column;
    if (metric.stored === 'derived') {
      if (metric.derivation !== undefined) return undefined;
      throw unsupported(
        this.file,
        index.offset,
        `the metric “${name}” has the unknown type “${column.type.slice(0, 80)}”`,
      );
    }
    const type = valueType(metric.dtype);
    // The note of the metric reports that its type is unknown.
    if (type === undefined) return undefined;
    const table = rowTable({
      source: this.source,
      file: this.file,
      index,
      data,
      all: this.all,
      rowBytes: locations.length * type.size,
      willInflate: (bytes) => {
        this.inflate(name, bytes);
      },
    });
    const opened = { table, type, order: this.order(metric.stored) };
    this.opened.set(name, opened);
    return opened;
  }

  private inflate(name: string, bytes: number): void {
    this.inflatedBytes += bytes;
    if (this.inflatedBytes > this.limits.inflatedBytes)
      throw tooLarge(
        this.file,
        `its compressed values, up to those of “${name.slice(0, 80)}”, stand for ${this.inflatedBytes} bytes, ` +
          `and in a file of its size they may stand for ${this.limits.inflatedBytes}`,
      );
  }

  private order(kind: StoredKind): Order {
    return remembered(this.orders, kind, () => {
      const { callPaths, positionOf: moved } = this.filed;
      const filedAt = rowOrder(callPaths, kind);
      const callPathAt = moved === undefined ? filedAt : filedAt.map((callPath) => atUint(moved, callPath));
      const positionOf = new Uint32Array(callPathAt.length);
      callPathAt.forEach((callPath, position) => {
        positionOf[callPath] = position;
      });
      return { callPathAt, positionOf };
    });
  }
}

function callPathOf({ table, order }: OpenColumn, r: number): number {
  return atUint(order.callPathAt, atUint(table.positions, r));
}

/** Row of a call path, -1 if there is none. */
function rowOf({ table: { positions }, order }: OpenColumn, callPath: number): number {
  const position = order.positionOf[callPath] ?? -1;
  // Most columns have all rows.
  if (positions.length === order.positionOf.length) return position;
  const row = firstPosition(positions.length, (r) => atUint(positions, r) >= position);
  return positions[row] === position ? row : -1;
}

const zeros = new Uint8Array(1 << 16);

function isZero(bytes: Uint8Array): boolean {
  for (let from = 0; from < bytes.length; from += zeros.length) {
    const piece = bytes.subarray(from, from + zeros.length);
    if (Buffer.compare(piece, zeros.subarray(0, piece.length)) !== 0) return false;
  }
  return true;
}

/** Rows of the call paths from `first` to before `end`, as ranges of consecutive rows of the file. */
function* runsOf(column: OpenColumn, first: number, end: number): Generator<[number, number]> {
  let from = column.table.positions.length;
  let to = 0;
  for (let callPath = first; callPath < end; callPath++) {
    const r = rowOf(column, callPath);
    if (r < 0) continue;
    from = Math.min(from, r);
    to = Math.max(to, r + 1);
  }
  const isRequested = (r: number): boolean => {
    const callPath = callPathOf(column, r);
    return callPath >= first && callPath < end;
  };
  for (let r = from; r < to; r++) {
    if (!isRequested(r)) continue;
    const start = r;
    while (r < to && isRequested(r)) r++;
    yield [start, r];
  }
}

/** Writes the values of consecutive rows to their call paths. */
function decodeRows(
  column: OpenColumn,
  bytes: Uint8Array,
  first: number,
  rows: number,
  width: number,
  parts: readonly Float64Array[],
): void {
  const to = callPathOf(column, first) * width;
  // Rows in the order of the call paths, as in exclusive metrics, can be copied at once.
  if (areNeighbours(column, first, rows)) {
    decodeRow(column, bytes, 0, rows * width, parts, to);
    return;
  }
  const block = column.type.parts.map(() => new Float64Array(rows * width));
  decodeRow(column, bytes, 0, rows * width, block, 0);
  for (const [p, part] of parts.entries()) {
    const values = at(block, p);
    for (let r = 0; r < rows; r++) {
      const row = callPathOf(column, first + r) * width;
      for (let l = 0; l < width; l++) part[row + l] = atFloat(values, r * width + l);
    }
  }
}

function areNeighbours(column: OpenColumn, first: number, rows: number): boolean {
  for (let r = first + 1; r < first + rows; r++)
    if (callPathOf(column, r) !== callPathOf(column, r - 1) + 1) return false;
  return true;
}

/** Writes a row's values into the columns, starting at `to`. */
function decodeRow(
  { type, table }: OpenColumn,
  bytes: Uint8Array,
  offset: number,
  count: number,
  parts: readonly Float64Array[],
  to: number,
): void {
  const { little } = table;
  const stride = type.size;
  let start = offset;
  for (const [p, part] of type.parts.entries()) {
    readNumbers({ bytes, offset: start, stride, part, little, count }, at(parts, p), to);
    start += partSize[part];
  }
}
