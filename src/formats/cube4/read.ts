import { gunzipSync } from 'node:zlib';
import type { Metric, Profile } from '../../core/profile/profile';
import type { AnchorMetric } from './anchorModel';
import { readAnchor } from './anchorReader';
import { expandClusters } from './clusters';
import { definitionsOf } from './definitions';
import { damaged, notACube, tooLarge, unsupported } from './errors';
import { rowOrder } from './order';
import { rowTable, type RowTable } from './rows';
import { bytesSource, type ByteSource, type Range } from './source';
import { tarMembers } from './tar';
import { partSize, readPart, valueType, type ValueType } from './valueTypes';

/** Limits that keep hostile or unreasonable files from taking the machine's memory. */
export interface CubeLimits {
  /** Values of all metrics together that are held at once (8 bytes each). */
  readonly cells: number;
  /** Bytes of anchor.xml, uncompressed. */
  readonly anchorBytes: number;
}

const defaultLimits: CubeLimits = { cells: 2 ** 28, anchorBytes: 2 ** 29 };

/** An opened file: definitions are in memory, values are read when they are asked for. */
export interface CubeFile {
  /** The profile without values (`stored` is empty). */
  readonly definitions: Profile;
  /**
   * All values of a metric, part by part (docs/formats/cube4.md: most types have one part), each shaped like
   * `Profile.stored`; undefined when all are 0 or the metric is derived or unknown.
   */
  parts(metric: string): readonly Float64Array[] | undefined;
  /** The shown part of one call path's values, one per location. */
  row(metric: string, callPath: number): Float64Array;
}

/** Reads a whole Cube 4 file. Throws `KymoError` (`CubeReason`) with file, byte offset, what was expected and found. */
export function readCube(bytes: Uint8Array, fileName: string, limits: Partial<CubeLimits> = {}): Profile {
  return wholeProfile(openCube(bytesSource(bytes), fileName, limits), fileName, limits);
}

/** Reads all values of an opened file; iterations that Score-P clustered are expanded, as the Cube library does. */
export function wholeProfile(cube: CubeFile, fileName: string, limits: Partial<CubeLimits> = {}): Profile {
  const { definitions } = cube;
  const most = limits.cells ?? defaultLimits.cells;
  const stored = new Map<string, Float64Array>();
  const components = new Map<string, readonly Float64Array[]>();
  let cells = 0;
  for (const { name, dtype } of definitions.metrics) {
    const parts = cube.parts(name);
    const shown = parts?.[valueType(dtype)?.shown ?? 0];
    if (parts === undefined || shown === undefined) continue;
    cells += parts.length * shown.length;
    if (cells > most) throw tooLarge(fileName, `it has more than ${most} values`);
    stored.set(name, shown);
    if (parts.length > 1) components.set(name, parts);
  }
  const profile = { ...definitions, stored, ...(components.size === 0 ? {} : { components }) };
  return expandClusters(profile, most) ?? profile;
}

/** Opens a Cube 4 file and reads its definitions. Errors as for `readCube`. */
export function openCube(source: ByteSource, fileName: string, limits: Partial<CubeLimits> = {}): CubeFile {
  const { members, ended } = tarMembers(source, fileName);
  const anchor = members.get('anchor.xml');
  if (anchor === undefined) throw notACube(fileName);
  const model = readAnchor(anchorBytes(source, anchor, fileName, limits), fileName, anchor.offset);
  const definitions = definitionsOf(model, fileName, anchor.offset);
  const columns = new Map<string, Column>();
  model.metrics.forEach((described, position) => {
    const metric = definitions.metrics[position];
    if (metric === undefined) return;
    if (columns.has(metric.name))
      throw damaged(fileName, anchor.offset, 'unique names of metrics', `“${metric.name}” twice`);
    const column = columnOf(metric, described, members);
    if (metric.stored !== 'derived' && isCutOff(column, ended))
      throw damaged(fileName, source.size, `the values of “${metric.name}”`, 'the end of the archive');
    columns.set(metric.name, column);
  });
  return new OpenedCube(source, fileName, definitions, columns, limits.cells ?? defaultLimits.cells);
}

function anchorBytes(
  source: ByteSource,
  anchor: Range,
  file: string,
  limits: Partial<CubeLimits>,
): Uint8Array {
  const most = limits.anchorBytes ?? defaultLimits.anchorBytes;
  if (anchor.length > most) throw tooLarge(file, `its anchor.xml has more than ${most} bytes`);
  const bytes = source.read(anchor.offset, anchor.length);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(file, `its anchor.xml has more than ${most} bytes`);
    throw damaged(file, anchor.offset, 'a gzip stream', error instanceof Error ? error.message : 'another');
  }
}

/** A metric and the members of the archive that hold its values, if any. */
interface Column {
  readonly metric: Metric;
  readonly type: string;
  readonly index: Range | undefined;
  readonly data: Range | undefined;
}

/** A metric may have no files (all 0), but then the archive must have its end; and it has either both files or none. */
function isCutOff({ index, data }: Column, ended: boolean): boolean {
  if (index !== undefined && data !== undefined) return false;
  return !ended || index !== undefined || data !== undefined;
}

function columnOf(metric: Metric, { id, type }: AnchorMetric, members: ReadonlyMap<string, Range>): Column {
  const plain = `${id}`;
  const ghost = `ghost_${id}`;
  const stem = members.has(`${ghost}.index`) && (metric.ghost ?? false) ? ghost : plain;
  return { metric, type, index: members.get(`${stem}.index`), data: members.get(`${stem}.data`) };
}

interface OpenColumn {
  readonly table: RowTable;
  readonly type: ValueType;
  /** Call path of each row. */
  readonly callPathOf: Uint32Array;
  /** Row of each call path, -1 where there is none. */
  readonly rowOf: Int32Array;
}

class OpenedCube implements CubeFile {
  private readonly opened = new Map<string, OpenColumn>();

  constructor(
    private readonly source: ByteSource,
    private readonly file: string,
    readonly definitions: Profile,
    private readonly columns: ReadonlyMap<string, Column>,
    private readonly mostCells: number,
  ) {}

  parts(metric: string): readonly Float64Array[] | undefined {
    const column = this.open(metric);
    if (column === undefined || column.table.positions.length === 0) return undefined;
    const { table, type, callPathOf } = column;
    const width = this.definitions.locations.length;
    const cells = this.definitions.callPaths.count * width;
    if (cells * type.parts.length > this.mostCells)
      throw tooLarge(
        this.file,
        `“${metric}” alone has ${cells * type.parts.length} values, more than ${this.mostCells}`,
      );
    const parts = type.parts.map(() => new Float64Array(cells));
    let something = false;
    for (const [r, callPath] of callPathOf.entries())
      if (decodeRow(table.row(r), type, table.little, parts, callPath * width)) something = true;
    return something ? parts : undefined;
  }

  row(metric: string, callPath: number): Float64Array {
    const width = this.definitions.locations.length;
    const column = this.open(metric);
    const r = column?.rowOf[callPath] ?? -1;
    if (column === undefined || r < 0) return new Float64Array(width);
    const parts = column.type.parts.map(() => new Float64Array(width));
    decodeRow(column.table.row(r), column.type, column.table.little, parts, 0);
    return parts[column.type.shown] ?? new Float64Array(width);
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
        `the metric “${name}” has the unknown type “${column.type}”`,
      );
    }
    const type = valueType(metric.dtype);
    if (type === undefined)
      throw unsupported(
        this.file,
        data.offset,
        `the metric “${name}” has the unknown data type “${metric.dtype}”`,
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

/** Writes a row's values into the columns from `at` on; whether any part of any of them is not 0. */
function decodeRow(
  row: Uint8Array,
  type: ValueType,
  little: boolean,
  parts: readonly Float64Array[],
  at: number,
): boolean {
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength);
  const values = type.size === 0 ? 0 : row.byteLength / type.size;
  let something = false;
  let start = 0;
  for (const [p, part] of type.parts.entries()) {
    const column = parts[p];
    for (let i = 0; i < values && column !== undefined; i++) {
      const value = readPart(view, start + i * type.size, part, little);
      column[at + i] = value;
      if (value !== 0) something = true;
    }
    start += partSize[part];
  }
  return something;
}
