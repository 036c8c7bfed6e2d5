import { deflateRawSync } from 'node:zlib';
import { KymoError } from '../../../core/errors';
import { crc32 } from '../crc32';
import { endSignature, localSignature, memberSignature } from '../zip';

/** Larger archives need ZIP64. */
const mostBytes = 0xfffffffe;
const version = 20;
/** 1 January 1980, the first day of ZIP: the same content gives the same bytes. */
const date = 0x21;

/**
 * A ZIP archive (PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16).
 * @param deflated names of the members that are compressed; the others are stored
 * @throws KymoError `measurements-unwritable` for more than 4 GiB
 */
export function writeZip(
  members: ReadonlyMap<string, Uint8Array>,
  deflated: ReadonlySet<string>,
): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of members) {
    const isDeflated = deflated.has(name);
    const packed = isDeflated ? deflateRawSync(content) : content;
    const nameBytes = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(version, 0);
    fields.writeUInt16LE(isDeflated ? 8 : 0, 4);
    fields.writeUInt16LE(date, 8);
    fields.writeUInt32LE(crc32(content), 10);
    if (offset + packed.length > mostBytes || content.length > mostBytes) throw tooLarge();
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(nameBytes.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const local = [signature(localSignature), fields, nameBytes, packed];
    parts.push(...local);
    directory.push(signature(memberSignature), Buffer.from([version, 0]), fields, place, nameBytes);
    offset += local.reduce((sum, { length }) => sum + length, 0);
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.size, 4);
  end.writeUInt16LE(members.size, 6);
  end.writeUInt32LE(list.length, 8);
  if (offset > mostBytes) throw tooLarge();
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, list, signature(endSignature), end]);
}

function signature(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function tooLarge(): KymoError {
  return new KymoError(
    'measurements-unwritable',
    'The measurements have more than 4 GiB, which .extra-p cannot hold. Write JSON, or leave metrics out.',
  );
}
