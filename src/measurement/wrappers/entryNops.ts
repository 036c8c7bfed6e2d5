import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { mergedNop } from '../../core/probes/entryNops';
import { namedBytes } from '../../formats/byteSource';
import { ElfFile } from '../../formats/elf/elfFile';
import { readPatchableEntries } from '../../formats/elf/siteRecords';

const nop = 0x90;

/**
 * Merges the NOPs at each patchable entry of an object file into one instruction: gcc writes one per byte, each of which costs time in every
 * call. Equivalent to `runtime/inserter/entries.c`. Unsupported files stay unchanged.
 */
export function mergeEntryNops(object: string): void {
  let descriptor: number | undefined;
  try {
    const bytes = readFileSync(object);
    const places = entriesOfSingleNops(object, bytes);
    if (places.length === 0) return;
    descriptor = openSync(object, 'r+');
    for (const place of places) writeSync(descriptor, mergedNop, 0, mergedNop.length, place);
  } catch {
    // Separate NOPs work as well and cost a little more.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** File offsets of entries with separate NOPs. */
function entriesOfSingleNops(name: string, bytes: Buffer): readonly number[] {
  const file = ElfFile.open(namedBytes(name, bytes));
  if (file.machine !== 'x86-64') return [];
  return readPatchableEntries(file)
    .map((address) => file.codeOffset(address))
    .filter((place) => place !== undefined)
    .filter((place) => bytes.subarray(place, place + mergedNop.length).every((byte) => byte === nop));
}
