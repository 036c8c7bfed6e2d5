import { at, atFloat, atUint } from '../../core/at';
import { KymoError } from '../../core/errors';
import type { Metric, Profile } from '../../core/profile/profile';
import { preOrder } from '../../core/profile/tree';
import { anchorText, cnodeIds } from './anchor/anchorWriter';
import { rowOrder } from './values/order';
import { tarEnd, tarHeader, tarPadding } from './archive/tarWriter';
import { anyIn, fits, partSize, valueType, writePart, type ValueType } from './values/valueTypes';

/**
 * Writes a profile as a Cube 4 file that the Cube tools read: uncompressed, little endian, sparse. Rows of zeros and
 * metrics without values take no room. `remapping.spec` is not written.
 *
 * Throws `KymoError`: `invalid-profile` when columns and definitions do not fit together, `unrepresentable` when a value
 * cannot be stored in its metric's data type (e.g. -1 in UINT64).
 */
export function writeCube(profile: Profile): Uint8Array {
  const chunks = [...cubeChunks(profile)];
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let filled = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  return bytes;
}

/** The same file in pieces of bounded size, to write large profiles to disk. */
export function* cubeChunks(profile: Profile): Generator<Uint8Array> {
  checkOrder(profile);
  const anchor = [...encoded(anchorText(profile))];
  yield* member('anchor.xml', anchor);
  const callPaths = { ...profile.callPaths, fileId: cnodeIds(profile) };
  for (const [id, metric] of profile.metrics.entries()) {
    const columns = columnsOf(profile, metric);
    if (columns === undefined || metric.stored === 'derived') continue;
    const type = knownType(metric);
    const order = rowOrder(callPaths, metric.stored);
    const width = profile.locations.length;
    const firstCell = (position: number): number => atUint(order, position) * width;
    const positions = Uint32Array.from(
      Array.from(order.keys()).filter((position) => hasValues(columns, firstCell(position), width)),
    );
    if (positions.length === 0) continue;
    const stem = metric.ghost === true ? `ghost_${id}` : `${id}`;
    yield* member(`${stem}.index`, [indexBytes(positions)]);
    const size = 10 + positions.length * width * type.size;
    yield tarHeader(`${stem}.data`, size);
    yield latin1('CUBEX.DATA');
    for (const position of positions)
      yield (
        wholeRow(profile, metric, firstCell(position), width) ??
        rowBytes(metric, type, columns, firstCell(position), width)
      );
    yield tarPadding(size);
  }
  yield tarEnd();
}

/** Rows depend on the order of the call tree, so it must be pre-order as `CallPaths` promises. */
function checkOrder({ callPaths, metrics }: Profile): void {
  preOrder(metrics.map((metric) => metric.parent ?? -1));
  if (preOrder(callPaths.parent).some((callPath, i) => callPath !== i))
    throw new KymoError('invalid-profile', 'The call paths of the profile are not in depth-first pre-order.');
}

function* member(name: string, chunks: readonly Uint8Array[]): Generator<Uint8Array> {
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  yield tarHeader(name, size);
  yield* chunks;
  yield tarPadding(size);
}

/** Joins small pieces of text to larger pieces of UTF-8. */
function* encoded(pieces: Iterable<string>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let waiting: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < 65_536) continue;
    yield encoder.encode(waiting.join(''));
    waiting = [];
    length = 0;
  }
  yield encoder.encode(waiting.join(''));
}

function knownType(metric: Metric): ValueType {
  const type = valueType(metric.dtype);
  if (type === undefined)
    throw new KymoError(
      'unrepresentable',
      `The metric “${metric.name}” has the data type “${metric.dtype}”, which Cube does not know.`,
    );
  return type;
}

/** One column per part of the metric's type; undefined for a metric without values. */
function columnsOf(profile: Profile, metric: Metric): readonly Float64Array[] | undefined {
  const shown = profile.stored.get(metric.name);
  if (shown === undefined) return undefined;
  const type = knownType(metric);
  const columns = type.parts.length === 1 ? [shown] : (profile.components?.get(metric.name) ?? []);
  const cells = profile.callPaths.count * profile.locations.length;
  if (columns.length !== type.parts.length || columns.some((column) => column.length !== cells))
    throw new KymoError(
      'invalid-profile',
      `The metric “${metric.name}” (${metric.dtype}) needs ${type.parts.length} columns of ${cells} values.`,
    );
  return columns;
}

function hasValues(columns: readonly Float64Array[], from: number, width: number): boolean {
  return columns.some((column) => anyIn(column, from, from + width));
}

function indexBytes(positions: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(22 + positions.length * 4);
  bytes.set(latin1('CUBEX.INDEX'));
  const view = new DataView(bytes.buffer);
  view.setUint32(11, 1, true);
  view.setUint16(15, 0, true);
  view.setUint8(17, 1);
  view.setUint32(18, positions.length, true);
  positions.forEach((position, r) => {
    view.setUint32(22 + r * 4, position, true);
  });
  return bytes;
}

/** A row of 64-bit integers that doubles cannot represent; undefined if they can. */
function wholeRow(
  { exact, callPaths }: Profile,
  { name }: Metric,
  from: number,
  width: number,
): Uint8Array | undefined {
  const column = exact?.get(name);
  if (column?.length !== callPaths.count * width) return undefined;
  const view = new DataView(new ArrayBuffer(width * 8));
  for (let i = 0; i < width; i++) view.setBigInt64(i * 8, at(column, from + i), true);
  return new Uint8Array(view.buffer);
}

function rowBytes(
  metric: Metric,
  type: ValueType,
  columns: readonly Float64Array[],
  from: number,
  width: number,
): Uint8Array {
  const bytes = new Uint8Array(width * type.size);
  const view = new DataView(bytes.buffer);
  let start = 0;
  for (const [p, part] of type.parts.entries()) {
    const column = at(columns, p);
    if (part === 'f64' && type.size === 8) {
      for (let i = 0; i < width; i++) view.setFloat64(i * 8, atFloat(column, from + i), true);
      continue;
    }
    for (let i = 0; i < width; i++) {
      const value = atFloat(column, from + i);
      if (!fits(part, value))
        throw new KymoError(
          'unrepresentable',
          `The metric “${metric.name}” has the value ${value}, which its data type ${metric.dtype} cannot hold.`,
        );
      writePart(view, start + i * type.size, part, value);
    }
    start += partSize[part];
  }
  return bytes;
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
