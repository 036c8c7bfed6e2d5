import { at } from '../../core/at';
import { type Format, parseFormat, sameFormat } from './format';
import { OverlayError } from './overlayError';
import { decodeNumber, decodeValues, encodeValues, type Packable, type Value } from './values';

/** Tags below this are the network's own (specification §2.2). */
export const firstUserTag = 100;

/**
 * Before the format: bytes of the packet after this field, tag, rank of the sender, byte order of the body, length of the format. The
 * header is in little endian always.
 */
const headerBytes = 4 + 4 + 4 + 1 + 1;

/**
 * A typed record. Its header is decoded on arrival, its body when somebody asks for the values: what is only forwarded is never decoded.
 */
export class Packet {
  private decoded: readonly Value[] | undefined;

  private constructor(
    readonly tag: number,
    /** Rank of the process that made it. */
    readonly source: number,
    readonly format: Format,
    private readonly bytes: Buffer,
    private readonly from: number,
    private readonly to: number,
    private readonly bigEndian: boolean,
  ) {}

  /** @throws OverlayError `format` */
  static of(tag: number, source: number, format: Format | string, values: readonly Packable[]): Packet {
    const parsed = typeof format === 'string' ? parseFormat(format) : format;
    const body = encodeValues(parsed, values);
    return new Packet(tag, source, parsed, body, 0, body.length, false);
  }

  /**
   * @param format the sender of the packet before most likely used the same: compared before it is parsed
   * @throws OverlayError `malformed`, `format`
   */
  static read(bytes: Buffer, offset: number, end: number, format?: Format): Packet {
    if (end - offset < headerBytes) throw cut(offset);
    const to = offset + 4 + bytes.readUInt32LE(offset);
    const from = offset + headerBytes + at(bytes, offset + 13);
    const order = at(bytes, offset + 12);
    if (to > end || from > to || order > 1) throw cut(offset);
    const start = offset + headerBytes;
    const parsed =
      format?.latin1.compare(bytes, start, from) === 0
        ? format
        : parseFormat(bytes.toString('latin1', start, from));
    return new Packet(
      bytes.readInt32LE(offset + 4),
      bytes.readUInt32LE(offset + 8),
      parsed,
      bytes,
      from,
      to,
      order === 1,
    );
  }

  /** Bytes on the wire. */
  get size(): number {
    return headerBytes + this.format.latin1.length + this.to - this.from;
  }

  /** @returns the offset behind it */
  write(bytes: Buffer, offset: number): number {
    const { latin1 } = this.format;
    bytes.writeUInt32LE(this.size - 4, offset);
    bytes.writeInt32LE(this.tag, offset + 4);
    bytes.writeUInt32LE(this.source, offset + 8);
    bytes[offset + 12] = this.bigEndian ? 1 : 0;
    bytes[offset + 13] = latin1.length;
    const body = offset + headerBytes + latin1.length;
    bytes.set(latin1, offset + headerBytes);
    copy(this.bytes, this.from, this.to, bytes, body);
    return body + this.to - this.from;
  }

  /** All values, in the order of the format. @throws OverlayError `malformed` */
  values(): readonly Value[] {
    this.decoded ??= decodeValues(this.format, this.bytes.subarray(this.from, this.to), this.bigEndian);
    return this.decoded;
  }

  /** The values, if they were packed with this format. @throws OverlayError `format`, `malformed` */
  unpack(format: string): readonly Value[] {
    if (!sameFormat(this.format, parseFormat(format)))
      throw new OverlayError(
        'format',
        `The packet was packed with “${this.format.text}” and is unpacked with “${format}”.`,
      );
    return this.values();
  }

  /** The value of a packet that holds one number, without making a list of it. @throws OverlayError `format`, `malformed` */
  number(): number | bigint {
    const [field] = this.format.fields;
    if (field === undefined || this.format.fields.length !== 1 || field.countBytes !== 0)
      throw new OverlayError('format', `“${this.format.text}” is not one number.`);
    if (field.bytes !== this.to - this.from)
      throw new OverlayError(
        'malformed',
        `A body of ${this.to - this.from} bytes is not one %${field.code}.`,
      );
    return decodeNumber(field, this.bytes, this.from, this.bigEndian);
  }
}

/** For the few bytes of a number a loop is faster than a call into the engine. */
function copy(source: Buffer, from: number, to: number, target: Buffer, offset: number): void {
  if (to - from > 16) source.copy(target, offset, from, to);
  else for (let position = from; position < to; position++) target[offset++] = at(source, position);
}

function cut(offset: number): OverlayError {
  return new OverlayError('malformed', `There is no whole packet at byte ${offset} of the frame.`);
}
