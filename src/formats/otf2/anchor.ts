import type { NamedSource } from '../byteSource';
import { bigEndian, littleEndian } from './bytes/chunkedReader';
import { otf2Error, type Otf2ErrorReason } from './problems/errors';

/** The file `<name>.otf2`, which says how the archive is stored. */
export interface Anchor {
  /** Of the library that wrote it. */
  readonly version: string;
  readonly eventChunkBytes: number;
  readonly definitionChunkBytes: number;
  readonly locations: number;
  readonly globalDefinitions: number;
  readonly machineName: string;
  readonly creator: string;
  readonly description: string;
  readonly properties: ReadonlyMap<string, string>;
  /** 0 in archives of the first versions, which have no properties either. */
  readonly traceId: bigint;
  readonly snapshots: number;
  readonly thumbnails: number;
}

const magic = 'OTF2';
/** Of OTF2 1.1 to 3.0; what a later one changes is unknown. */
const newestTraceFormat = 2;
const posix = 1;
const uncompressed = 1;
/** An anchor file has a few hundred bytes; properties are the only part that may grow. */
const mostBytes = 2 ** 24;

/** @throws KymoError `not-otf2`, `unsupported-otf2`, `truncated-otf2`, `invalid-otf2` */
export function readAnchor(source: NamedSource): Anchor {
  const cursor = new AnchorCursor(source);
  const mark = cursor.u8('not-otf2');
  const order = cursor.u8('not-otf2');
  if (mark !== 3 || (order !== littleEndian && order !== bigEndian) || cursor.text('not-otf2') !== magic)
    throw otf2Error('not-otf2', source.file, 0, 'This is not the anchor file of an OTF2 archive (*.otf2).');
  cursor.little = order === littleEndian;
  // Later formats of the anchor file only add fields at its end.
  const anchorFormat = cursor.u8();
  const traceFormat = cursor.u8();
  if (traceFormat > newestTraceFormat)
    throw cursor.error(
      'unsupported-otf2',
      `The archive has the trace format ${traceFormat}; Kymo reads up to ${newestTraceFormat}.`,
    );
  const version = `${cursor.u8()}.${cursor.u8()}.${cursor.u8()}`;
  const eventChunkBytes = cursor.chunkSize();
  const definitionChunkBytes = cursor.chunkSize();
  refuseContainers(cursor, cursor.u8(), cursor.u8());
  const locations = cursor.count();
  const globalDefinitions = cursor.count();
  const machineName = cursor.text();
  const creator = cursor.text();
  const description = cursor.text();
  const properties = new Map<string, string>();
  if (anchorFormat > 1)
    for (let left = cursor.u32(); left > 0; left--) properties.set(cursor.text(), cursor.text());
  return {
    version,
    eventChunkBytes,
    definitionChunkBytes,
    locations,
    globalDefinitions,
    machineName,
    creator,
    description,
    properties,
    traceId: anchorFormat > 1 ? cursor.u64() : 0n,
    snapshots: anchorFormat > 2 ? cursor.u32() : 0,
    thumbnails: anchorFormat > 2 ? cursor.u32() : 0,
  };
}

function refuseContainers(cursor: AnchorCursor, substrate: number, compression: number): void {
  if (substrate !== posix)
    throw cursor.error(
      'unsupported-otf2',
      `The archive is stored in ${substrate === 2 ? 'SION containers' : `a container of kind ${substrate}`}, which Kymo does not read. Record again with one file per location (SCOREP_TRACING_USE_SION=false).`,
    );
  if (compression !== uncompressed)
    throw cursor.error(
      'unsupported-otf2',
      'The archive is compressed, which Kymo does not read. Record again without compression.',
    );
}

class AnchorCursor {
  little = true;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #position = 0;

  constructor(private readonly source: NamedSource) {
    this.#bytes = source.read(0, Math.min(source.size, mostBytes));
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
  }

  #take(count: number, reason: Otf2ErrorReason = 'truncated-otf2'): number {
    const at = this.#position;
    if (at + count > this.#bytes.length)
      throw this.error(
        reason,
        `${count} more bytes were expected, but the anchor file ends at byte ${this.#bytes.length}.`,
      );
    this.#position += count;
    return at;
  }

  u8(reason?: Otf2ErrorReason): number {
    return this.#view.getUint8(this.#take(1, reason));
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), this.little);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8), this.little);
  }

  count(): number {
    return Number(this.u64());
  }

  /** Large enough for a header and a record. */
  chunkSize(): number {
    const size = this.count();
    if (size < 64 || !Number.isSafeInteger(size))
      throw this.error('invalid-otf2', `The size of a chunk was expected; found ${size}.`);
    return size;
  }

  text(reason: Otf2ErrorReason = 'truncated-otf2'): string {
    const from = this.#position;
    const end = this.#bytes.indexOf(0, from);
    if (end < 0) throw this.error(reason, 'A text does not end before the anchor file does.');
    this.#position = end + 1;
    return decoder.decode(this.#bytes.subarray(from, end));
  }

  error(reason: Otf2ErrorReason, message: string): Error {
    return otf2Error(reason, this.source.file, this.#position, message);
  }
}

const decoder = new TextDecoder();
