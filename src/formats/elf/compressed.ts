import { inflateSync } from 'node:zlib';
import { Cursor, type CursorPlace } from './cursor';
import { elfError } from './elfError';

/** Deflate compresses at most 1032 : 1; a file that claims more is damaged and must not cost memory. */
const largestRatio = 1032;

/** Name of a debug section compressed with `-gz=zlib-gnu`, where only the name indicates the compression. */
export function gnuCompressedName(name: string): string {
  return name.replace(/^\.debug_/, '.zdebug_');
}

/** Decompresses a section that its flags mark as compressed (ELF gABI, `Elf64_Chdr`). */
export function inflateSection(bytes: Uint8Array, place: CursorPlace): Uint8Array {
  const head = new Cursor(bytes, place);
  const kind = head.u32();
  head.skip(4);
  const size = head.u64();
  head.skip(8);
  if (kind !== 1) {
    throw elfError(
      'unsupported-elf',
      place.file,
      place.fileOffset,
      `section ${place.what} is not compressed with zlib (kind ${kind}); build with -gz=zlib or -gz=none`,
    );
  }
  return inflate(bytes.subarray(head.offset), size, place);
}

/** Decompresses a section in the older form: `ZLIB`, the size in eight bytes (big-endian), the data. */
export function inflateGnuSection(bytes: Uint8Array, place: CursorPlace): Uint8Array {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'ZLIB')
    return fail(place, 'is not compressed, although its name marks it so');
  return inflate(bytes.subarray(12), Number(head.readBigUInt64BE(4)), place);
}

function inflate(bytes: Uint8Array, size: number, place: CursorPlace): Uint8Array {
  if (size > largestRatio * bytes.length)
    return fail(place, `claims ${size} bytes from ${bytes.length} compressed ones`);
  const inflated = deflated(bytes, size, place);
  return inflated.length === size ? inflated : fail(place, `has ${inflated.length} bytes, expected ${size}`);
}

function deflated(bytes: Uint8Array, size: number, place: CursorPlace): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(size, 1) });
  } catch (error) {
    return fail(place, `cannot be decompressed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function fail({ file, fileOffset, what }: CursorPlace, message: string): never {
  throw elfError('invalid-elf', file, fileOffset, `section ${what} ${message}`);
}
