import { deflateRawSync } from 'node:zlib';

/** What is written otherwise than it should be. */
export interface Damage {
  readonly checksum?: number;
  readonly bytes?: number;
  readonly packedBytes?: number;
  readonly method?: number;
  readonly flags?: number;
}

/** A member: name, content, whether it is deflated. */
export type Member = readonly [
  name: string,
  content: string | Uint8Array,
  deflated?: boolean,
  damage?: Damage,
];

/** A ZIP archive, for tests. */
export function zipArchive(members: readonly Member[]): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content, deflated = true, damage = {}] of members) {
    const bytes = Buffer.from(content);
    const packed = deflated ? deflateRawSync(bytes) : bytes;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(damage.flags ?? 0, 2);
    fields.writeUInt16LE(damage.method ?? (deflated ? 8 : 0), 4);
    fields.writeUInt32LE(damage.checksum ?? crc32(bytes), 10);
    fields.writeUInt32LE(damage.packedBytes ?? packed.length, 14);
    fields.writeUInt32LE(damage.bytes ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), fields, rest, Buffer.from(name));
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}

/** The sum bit by bit, from its definition. */
function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return ~sum >>> 0;
}
