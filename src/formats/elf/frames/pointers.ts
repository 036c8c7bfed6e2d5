import type { Cursor } from '../cursor';

/** Reads an address, or the size of the code at one. */
export type PointerReader = (cursor: Cursor, what?: 'size') => number;

const formats: ReadonlyMap<number, (cursor: Cursor) => number> = new Map([
  [0x0, (cursor: Cursor) => cursor.u64()],
  [0x1, (cursor: Cursor) => cursor.uleb()],
  [0x2, (cursor: Cursor) => cursor.u16()],
  [0x3, (cursor: Cursor) => cursor.u32()],
  [0x4, (cursor: Cursor) => cursor.u64()],
  [0x9, (cursor: Cursor) => cursor.sleb()],
  [0xa, (cursor: Cursor) => (cursor.u16() << 16) >> 16],
  [0xb, (cursor: Cursor) => cursor.i32()],
  [0xc, (cursor: Cursor) => cursor.i64()],
]);
const relative = 0x70;
const toItself = 0x10;

/**
 * Addresses as `.eh_frame` has them (LSB Core 5.0, 10.5.1, "DWARF Exception Header Encoding"): absolute, or relative to their own place.
 * @param address of the section
 * @returns undefined for other encodings
 */
export function pointerReader(encoding: number, address: number): PointerReader | undefined {
  const format = formats.get(encoding & 0xf);
  const base = encoding & relative;
  if (format === undefined || (base !== 0 && base !== toItself)) return undefined;
  return (cursor, what) => {
    const place = what === 'size' || base === 0 ? 0 : address + cursor.offset;
    return place + format(cursor);
  };
}
