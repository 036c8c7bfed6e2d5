import { inflateRawSync } from 'node:zlib';
import { crc32 } from './crc32';
import { invalidFile } from './errors';
import { limits } from './limits';

/** A member of a ZIP archive (PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16). Its name is compared, never used as a path. */
interface Member {
  readonly method: number;
  readonly flags: number;
  readonly checksum: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
}

export const endSignature = 0x06054b50;
export const memberSignature = 0x02014b50;
export const localSignature = 0x04034b50;
/** A field with this value stands in a ZIP64 record instead. */
const inZip64 = 0xffffffff;

/** Whether a file begins as archives do, also empty ones. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

/** A ZIP archive in memory, whose members are stored or deflated. Throws `measurements-invalid`. */
export class ZipArchive {
  private readonly members = new Map<string, Member>();
  private readonly view: DataView;
  private packedBytes = 0;
  private inflatedBytes = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly file: string,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.readDirectory();
  }

  has(name: string): boolean {
    return this.members.has(name);
  }

  /** The content of a member; each is read once. */
  read(name: string): Uint8Array {
    const member = this.members.get(name);
    if (member === undefined)
      throw invalidFile(this.file, `“${name}” was expected in the archive, but is not there`);
    const { method, flags, packedBytes, bytes, offset, checksum } = member;
    if ((flags & 1) !== 0) this.fail(offset, `“${name}” is encrypted`);
    this.requireSignature(offset, localSignature, 30);
    const start =
      offset + 30 + this.view.getUint16(offset + 26, true) + this.view.getUint16(offset + 28, true);
    if (start + packedBytes > this.bytes.length) this.fail(offset, `“${name}” is cut off`);
    this.packedBytes += packedBytes;
    if (this.packedBytes > this.bytes.length) this.fail(offset, `“${name}” lies over other members`);
    const packed = this.bytes.subarray(start, start + packedBytes);
    const content = method === 0 ? packed : this.inflated(packed, member, name);
    if (content.length !== bytes || crc32(content) !== checksum) this.fail(start, `“${name}” is damaged`);
    return content;
  }

  private inflated(packed: Uint8Array, { method, bytes, offset }: Member, name: string): Uint8Array {
    if (method !== 8) this.fail(offset, `“${name}” is compressed with method ${method}; 0 and 8 can be read`);
    this.inflatedBytes += bytes;
    if (this.inflatedBytes > limits.inflatedBytes)
      this.fail(
        offset,
        `“${name}” is too large: more than ${limits.inflatedBytes} bytes are not decompressed`,
      );
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) });
    } catch {
      return this.fail(offset, `“${name}” does not decompress to ${bytes} bytes`);
    }
  }

  private readDirectory(): void {
    const end = this.endRecord();
    const count = this.view.getUint16(end + 10, true);
    let position = this.view.getUint32(end + 16, true);
    if (count === 0xffff || position === inZip64) this.fail(end, 'ZIP64 archives cannot be read');
    for (let read = 0; read < count; read++) {
      this.requireSignature(position, memberSignature, 46);
      const member = this.memberAt(position);
      const nameEnd = position + 46 + this.view.getUint16(position + 28, true);
      const next =
        nameEnd + this.view.getUint16(position + 30, true) + this.view.getUint16(position + 32, true);
      if (next > end) this.fail(position, 'the list of members is cut off');
      const name = new TextDecoder().decode(this.bytes.subarray(position + 46, nameEnd));
      if (this.members.has(name)) this.fail(position, `the archive has two members “${name.slice(0, 60)}”`);
      this.members.set(name, member);
      position = next;
    }
  }

  private memberAt(position: number): Member {
    const short = (at: number): number => this.view.getUint16(position + at, true);
    const long = (at: number): number => this.view.getUint32(position + at, true);
    const [packedBytes, bytes, offset] = [long(20), long(24), long(42)];
    if ([packedBytes, bytes, offset].includes(inZip64)) this.fail(position, 'ZIP64 archives cannot be read');
    return { flags: short(8), method: short(10), checksum: long(16), packedBytes, bytes, offset };
  }

  /** Offset of the last record, which only a comment of less than 64 KiB may follow. */
  private endRecord(): number {
    const first = Math.max(0, this.bytes.length - 22 - 0xffff);
    for (let position = this.bytes.length - 22; position >= first; position--)
      if (this.view.getUint32(position, true) === endSignature) return position;
    return this.fail(
      this.bytes.length,
      'the end of a ZIP archive was expected, but is not there; the file is cut off',
    );
  }

  private requireSignature(position: number, signature: number, bytes: number): void {
    const isThere =
      position + bytes <= this.bytes.length && this.view.getUint32(position, true) === signature;
    if (!isThere) this.fail(position, 'a header of a ZIP archive was expected, but is not there');
  }

  private fail(offset: number, why: string): never {
    throw invalidFile(this.file, why, offset);
  }
}
