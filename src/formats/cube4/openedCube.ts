import type { Metric, Profile } from '../../core/profile/profile';
import type { CubeFile, RowVisitor } from './cubeFile';
import { unsupported } from './errors';
import { checkCells, type CubeLimits } from './limits';
import { rowOrder } from './order';
import { rowTable, type RowTable } from './rows';
import type { ByteSource, Range } from './source';
import { partSize, readNumbers, valueType, type ValueType } from './valueTypes';

/** A metric and the members of the archive that hold its values, if any. */
export interface Column {
  readonly metric: Metric;
  /** As the file says. */
  readonly type: string;
  readonly index: Range | undefined;
  readonly data: Range | undefined;
}

interface OpenColumn {
  readonly table: RowTable;
  readonly type: ValueType;
  /** Call path of each row. */
  readonly callPathOf: Uint32Array;
  /** Row of each call path, -1 where there is none. */
  readonly rowOf: Int32Array;
}

/** A file whose values are read from its bytes; indices are read once per metric, when it is first asked for. */
export class OpenedCube implements CubeFile {
  private readonly opened = new Map<string, OpenColumn>();

  constructor(
    private readonly source: ByteSource,
    private readonly file: string,
    readonly definitions: Profile,
    private readonly columns: ReadonlyMap<string, Column>,
    readonly limits: CubeLimits,
  ) {}

  parts(metric: string): readonly Float64Array[] | undefined {
    const column = this.open(metric);
    if (column === undefined || column.table.positions.length === 0) return undefined;
    const { type, table, callPathOf } = column;
    const width = this.definitions.locations.length;
    const cells = this.definitions.callPaths.count * width;
    checkCells(this.file, `“${metric}” alone has`, cells * type.parts.length, this.limits);
    const parts = type.parts.map(() => new Float64Array(cells));
    let something = false;
    for (let r = 0; r < callPathOf.length;) {
      const { bytes, rows } = table.block(r, callPathOf.length);
      if (decodeRows(column, bytes, r, rows, width, parts)) something = true;
      r += rows;
    }
    return something ? parts : undefined;
  }

  row(metric: string, callPath: number): Float64Array {
    const shown = this.rowParts(metric, callPath)?.[this.open(metric)?.type.shown ?? 0];
    return shown ?? new Float64Array(this.definitions.locations.length);
  }

  rowParts(metric: string, callPath: number): readonly Float64Array[] | undefined {
    const column = this.open(metric);
    const r = column?.rowOf[callPath] ?? -1;
    if (column === undefined || r < 0) return undefined;
    const parts = this.emptyRow(metric, column.type);
    decodeRow(column, column.table.row(r), 0, this.definitions.locations.length, parts, 0);
    return parts;
  }

  eachRow(metric: string, visit: RowVisitor, first = 0, end = this.definitions.callPaths.count): void {
    const column = this.open(metric);
    if (column === undefined) return;
    const { table, type, callPathOf } = column;
    const width = this.definitions.locations.length;
    const rowBytes = width * type.size;
    const parts = this.emptyRow(metric, type);
    for (const [from, to] of runsOf(column, first, end))
      for (let r = from; r < to;) {
        const { bytes, rows } = table.block(r, to);
        for (let i = 0; i < rows; i++) {
          decodeRow(column, bytes, i * rowBytes, width, parts, 0);
          visit(callPathOf[r + i] ?? 0, parts);
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
    const known = this.opened.get(name);
    if (known !== undefined) return known;
    const column = this.columns.get(name);
    if (column?.index === undefined || column.data === undefined) return undefined;
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
    if (type === undefined)
      throw unsupported(
        this.file,
        data.offset,
        `the metric “${name}” has the unknown data type “${metric.dtype.slice(0, 80)}”`,
      );
    const { callPaths, locations } = this.definitions;
    const table = rowTable({
      source: this.source,
      file: this.file,
      index,
      data,
      count: callPaths.count,
      rowBytes: locations.length * type.size,
    });
    const order = rowOrder(callPaths, metric.stored);
    const callPathOf = table.positions.map((position) => order[position] ?? 0);
    const rowOf = new Int32Array(callPaths.count).fill(-1);
    callPathOf.forEach((callPath, r) => {
      rowOf[callPath] = r;
    });
    const opened = { table, type, callPathOf, rowOf };
    this.opened.set(name, opened);
    return opened;
  }
}

/** Rows of the call paths from `first` to before `end`, as ranges of rows that stand together in the file. */
function* runsOf({ callPathOf, rowOf }: OpenColumn, first: number, end: number): Generator<[number, number]> {
  let from = callPathOf.length;
  let to = 0;
  for (let callPath = first; callPath < end; callPath++) {
    const r = rowOf[callPath] ?? -1;
    if (r < 0) continue;
    from = Math.min(from, r);
    to = Math.max(to, r + 1);
  }
  const wanted = (r: number): boolean => {
    const callPath = callPathOf[r] ?? -1;
    return callPath >= first && callPath < end;
  };
  for (let r = from; r < to; r++) {
    if (!wanted(r)) continue;
    const start = r;
    while (r < to && wanted(r)) r++;
    yield [start, r];
  }
}

/** Writes the values of rows that stand together to where their call paths are; whether any is not 0. */
function decodeRows(
  column: OpenColumn,
  bytes: Uint8Array,
  first: number,
  rows: number,
  width: number,
  parts: readonly Float64Array[],
): boolean {
  const { type, callPathOf } = column;
  const at = (callPathOf[first] ?? 0) * width;
  // Rows in the order of the call paths, as exclusive metrics have them, are one stretch.
  if (areNeighbours(callPathOf, first, rows)) return decodeRow(column, bytes, 0, rows * width, parts, at);
  const block = type.parts.map(() => new Float64Array(rows * width));
  if (!decodeRow(column, bytes, 0, rows * width, block, 0)) return false;
  for (const [p, part] of parts.entries()) {
    const values = block[p];
    for (let r = 0; r < rows && values !== undefined; r++) {
      const to = (callPathOf[first + r] ?? 0) * width;
      for (let l = 0; l < width; l++) part[to + l] = values[r * width + l] ?? 0;
    }
  }
  return true;
}

function areNeighbours(callPathOf: Uint32Array, first: number, rows: number): boolean {
  for (let r = first + 1; r < first + rows; r++)
    if ((callPathOf[r] ?? 0) !== (callPathOf[r - 1] ?? 0) + 1) return false;
  return true;
}

/** Writes a row's values into the columns from `at` on; whether any part of any of them is not 0. */
function decodeRow(
  { type, table }: OpenColumn,
  bytes: Uint8Array,
  offset: number,
  count: number,
  parts: readonly Float64Array[],
  at: number,
): boolean {
  const { little } = table;
  const stride = type.size;
  let something = false;
  let start = offset;
  for (const [p, part] of type.parts.entries()) {
    const into = parts[p];
    if (into !== undefined && readNumbers({ bytes, offset: start, stride, part, little, count }, into, at))
      something = true;
    start += partSize[part];
  }
  return something;
}
