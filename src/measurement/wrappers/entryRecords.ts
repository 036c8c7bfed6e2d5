import { readFileSync, writeFileSync } from 'node:fs';
import { entryRecords } from '../../core/probes/entryNops';
import { say } from './compilerRun';

const flag = { write: 1n, alloc: 2n, linkOrder: 0x80n, group: 0x200n } as const;
const header = { sectionOffset: 40, sectionCount: 60, namesIndex: 62, bytes: 64 } as const;
const section = { name: 0, flags: 8, offset: 24, size: 32, link: 40, bytes: 64 } as const;

/**
 * gcc 12 (observed with 12.2; newer ones were not tried) writes all records of patchable entries of a C++ unit into one section that belongs to
 * the first function. If the linker uses another unit's copy of an inline function or template, it refuses the records of the
 * discarded one, or drops all of them. Only Kymo reads them, so this function turns them into a section that
 * is not loaded, like debug information, which may refer to discarded code.
 *
 * Changes the object file in place; unsupported files stay unchanged.
 */
export function detachEntryRecords(object: string): void {
  try {
    const changed = withDetachedRecords(readFileSync(object));
    if (changed !== undefined) writeFileSync(object, changed);
  } catch (error) {
    say(`${object}: the records of entries stay as they are (${String(error)})`);
  }
}

/** @returns undefined when the object needs no change */
function withDetachedRecords(bytes: Buffer): Buffer | undefined {
  if (bytes.length < header.bytes || bytes.readUInt32BE(0) !== 0x7f454c46 || bytes.readUInt16BE(4) !== 0x0201)
    return undefined;
  const table = Number(bytes.readBigUInt64LE(header.sectionOffset));
  const count = bytes.readUInt16LE(header.sectionCount);
  const namesHeader = table + bytes.readUInt16LE(header.namesIndex) * section.bytes;
  if (count === 0 || table + count * section.bytes > bytes.length) return undefined;
  const namesBegin = Number(bytes.readBigUInt64LE(namesHeader + section.offset));
  const names = bytes.subarray(
    namesBegin,
    namesBegin + Number(bytes.readBigUInt64LE(namesHeader + section.size)),
  );
  const records: number[] = [];
  for (let entry = table; entry < table + count * section.bytes; entry += section.bytes) {
    const flags = bytes.readBigUInt64LE(entry + section.flags);
    // The linker discards a member of a group together with its function.
    if ((flags & flag.alloc) === 0n || (flags & flag.group) !== 0n) continue;
    const name = bytes.readUInt32LE(entry + section.name);
    if (names.indexOf(`${entryRecords.compiler}\0`, name, 'latin1') === name) records.push(entry);
  }
  if (records.length === 0) return undefined;
  for (const entry of records) {
    const flags = bytes.readBigUInt64LE(entry + section.flags);
    bytes.writeBigUInt64LE(flags & ~(flag.write | flag.alloc | flag.linkOrder), entry + section.flags);
    bytes.writeUInt32LE(names.length, entry + section.name);
    bytes.writeUInt32LE(0, entry + section.link);
  }
  const longer = Buffer.concat([names, Buffer.from(`${entryRecords.detached}\0`, 'latin1')]);
  bytes.writeBigUInt64LE(BigInt(bytes.length), namesHeader + section.offset);
  bytes.writeBigUInt64LE(BigInt(longer.length), namesHeader + section.size);
  return Buffer.concat([bytes, longer]);
}
