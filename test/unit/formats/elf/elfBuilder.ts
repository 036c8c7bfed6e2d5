/** Writes small ELF64 files for tests. */
export interface TestSection {
  readonly name: string;
  readonly type?: number;
  readonly flags?: number;
  readonly address?: number;
  readonly data: Uint8Array;
  readonly link?: number;
  readonly info?: number;
}

/** Section 0 is the empty one, so the first of `sections` has number 1. */
export function buildElf(
  sections: readonly TestSection[],
  options: { readonly type?: number; readonly machine?: number } = {},
): Uint8Array {
  const names = Buffer.from(['', ...sections.map((s) => s.name), '.shstrtab'].join('\0') + '\0');
  const all: readonly TestSection[] = [
    { name: '', type: 0, data: new Uint8Array(0) },
    ...sections,
    { name: '.shstrtab', type: 3, data: names },
  ];
  const header = Buffer.alloc(64);
  header.write('\x7fELF', 'latin1');
  header.set([2, 1, 1], 4);
  header.writeUInt16LE(options.type ?? 3, 16);
  header.writeUInt16LE(options.machine ?? 62, 18);
  const table = Buffer.alloc(64 * all.length);
  let offset = 64;
  let nameOffset = 0;
  all.forEach((section, i) => {
    const at = i * 64;
    table.writeUInt32LE(nameOffset, at);
    table.writeUInt32LE(section.type ?? 1, at + 4);
    table.writeBigUInt64LE(BigInt(section.flags ?? 0), at + 8);
    table.writeBigUInt64LE(BigInt(section.address ?? 0), at + 16);
    table.writeBigUInt64LE(BigInt(offset), at + 24);
    table.writeBigUInt64LE(BigInt(section.data.length), at + 32);
    table.writeUInt32LE(section.link ?? 0, at + 40);
    table.writeUInt32LE(section.info ?? 0, at + 44);
    offset += section.data.length;
    nameOffset += Buffer.byteLength(section.name) + 1;
  });
  header.writeBigUInt64LE(BigInt(offset), 40);
  header.writeUInt16LE(64, 58);
  header.writeUInt16LE(all.length, 60);
  header.writeUInt16LE(all.length - 1, 62);
  return Buffer.concat([header, ...all.map((s) => s.data), table]);
}

export const text: TestSection = { name: '.text', flags: 6, address: 0x1000, data: new Uint8Array(0x100) };

/** One site record for the sled at `address`, to stand at `place`. */
export function sledRecord(
  place: number,
  address: number,
  number: number,
  kind: 0 | 1,
  unit: bigint,
): Buffer {
  const record = Buffer.alloc(16);
  record.writeInt32LE(address - place, 0);
  record.writeUInt32LE(number * 2 + kind, 4);
  record.writeBigUInt64LE(unit, 8);
  return record;
}

export function pointers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, i) => bytes.writeBigUInt64LE(BigInt(value), i * 8));
  return bytes;
}
