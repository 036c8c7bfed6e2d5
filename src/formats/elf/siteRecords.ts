import type { ElfFile } from './elfFile';
import { entryRecords, layoutNeutralEntry, mergedNop } from '../../core/probes/entryNops';
import { applyRelocations, relativeValues } from './relocations';

/** One probe sled (docs/formats.md, "Site records"). */
export interface Sled {
  /** Linked address of the first byte. */
  readonly address: number;
  readonly kind: 'in' | 'out';
  /** Hash of the unit, 16 hex digits. */
  readonly unit: string;
  /** Number of the function in its unit. */
  readonly number: number;
}

const recordBytes = 16;

/**
 * The sleds of a linked object, ascending by address. Ignores records of code that the linker discarded (they are zero or do not
 * point to code).
 */
export function readSleds(file: ElfFile): readonly Sled[] {
  const sleds = new Map<string, Sled>();
  for (const section of file.sectionsNamed('kymo_sleds')) {
    applyRelocations(file, section);
    const cursor = file.cursor(section);
    if (cursor.remaining % recordBytes !== 0) {
      cursor.fail(`expected records of ${recordBytes} bytes, found ${cursor.remaining} bytes`);
    }
    while (!cursor.atEnd) {
      const place = section.address + cursor.offset;
      const distance = cursor.i32();
      const which = cursor.u32();
      const unit = cursor.hex64();
      const address = place + distance;
      if (distance === 0 || !file.isCode(address)) continue;
      const kind = (which & 1) === 0 ? 'in' : 'out';
      sleds.set(`${address} ${which} ${unit}`, { address, kind, unit, number: which >>> 1 });
    }
  }
  return [...sleds.values()].sort((a, b) => a.address - b.address);
}

/** Hashes of the units linked into the object, without repetitions, in link order. */
export function readUnitHashes(file: ElfFile): readonly string[] {
  const hashes = new Set<string>();
  for (const section of file.sectionsNamed('.kymo.units')) {
    const cursor = file.cursor(section);
    if (cursor.remaining % 8 !== 0) cursor.fail(`expected 8 bytes a unit, found ${cursor.remaining} bytes`);
    while (!cursor.atEnd) hashes.add(cursor.hex64());
  }
  return [...hashes].filter((hash) => hash !== '0000000000000000');
}

/** Linked addresses of the patchable function entries (the first NOP that is executed), ascending. */
export function readPatchableEntries(file: ElfFile): readonly number[] {
  const entries = new Set<number>();
  for (const section of Object.values(entryRecords).flatMap((name) => file.sectionsNamed(name))) {
    applyRelocations(file, section);
    const relocated = relativeValues(file, section);
    const cursor = file.cursor(section);
    while (cursor.remaining >= 8) {
      const place = section.address + cursor.offset;
      const stored = cursor.u64();
      const address = relocated.get(place) ?? stored;
      if (file.isCode(address)) entries.add(address + nopsBeforeFunction(file, address));
    }
  }
  return [...entries].sort((a, b) => a - b);
}

/**
 * Number of NOPs before the function. The compiler's record gives the address of the first NOP. If NOPs precede the function
 * (`layoutNeutralEntry`), those at its entry follow them, after the landing pad for indirect branches if there is one.
 */
function nopsBeforeFunction(file: ElfFile, record: number): number {
  if (file.machine !== 'x86-64') return 0;
  const { before, at } = layoutNeutralEntry;
  const code = Buffer.from(file.code(record, before + landingPad.length + at));
  const areNops = (from: number, count: number): boolean =>
    code.length >= from + count && code.subarray(from, from + count).every((byte) => byte === nop);
  const isEntry = (from: number): boolean =>
    areNops(from, at) ||
    (code.subarray(from, from + mergedNop.length).equals(mergedNop) &&
      areNops(from + mergedNop.length, at - mergedNop.length));
  if (!areNops(0, before)) return 0;
  if (isEntry(before)) return before;
  const body = before + landingPad.length;
  return code.subarray(before, body).equals(landingPad) && isEntry(body) ? body : 0;
}

const nop = 0x90;
const landingPad = Buffer.from([0xf3, 0x0f, 0x1e, 0xfa]); // endbr64

/** Whether Kymo's compiler wrappers compiled the object. */
export function carriesSites(file: ElfFile): boolean {
  return ['kymo_sleds', '.kymo.units', ...Object.values(entryRecords)].some(
    (name) => file.section(name) !== undefined,
  );
}
