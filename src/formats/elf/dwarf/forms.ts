import type { Cursor } from '../cursor';
import { form } from './names';

/** Parameters of a unit that determine the size of values. */
export interface Encoding {
  readonly version: number;
  /** 4, or 8 in 64-bit DWARF. */
  readonly offsetSize: 4 | 8;
  readonly addressSize: number;
}

/** Layout of a value: a number of bytes (≥ 0), or one of these kinds. */
export const layout = {
  uleb: -1,
  sleb: -2,
  block1: -3,
  block2: -4,
  block4: -5,
  block: -6,
  string: -7,
  indirect: -8,
} as const;

const addressSized = 100;
const offsetSized = 101;
const refAddrSized = 102;

const layouts: Readonly<Record<number, number | undefined>> = {
  0x01: addressSized, // addr
  0x03: layout.block2,
  0x04: layout.block4,
  0x05: 2, // data2
  0x06: 4,
  0x07: 8,
  0x08: layout.string,
  0x09: layout.block,
  0x0a: layout.block1,
  0x0b: 1, // data1
  0x0c: 1, // flag
  0x0d: layout.sleb,
  0x0e: offsetSized, // strp
  0x0f: layout.uleb,
  0x10: refAddrSized,
  0x11: 1, // ref1
  0x12: 2,
  0x13: 4,
  0x14: 8,
  0x15: layout.uleb,
  0x16: layout.indirect,
  0x17: offsetSized, // sec_offset
  0x18: layout.block, // exprloc
  0x19: 0, // flag_present
  0x1a: layout.uleb, // strx
  0x1b: layout.uleb, // addrx
  0x1c: 4, // ref_sup4
  0x1d: offsetSized, // strp_sup
  0x1e: 16, // data16
  0x1f: offsetSized, // line_strp
  0x20: 8, // ref_sig8
  0x21: 0, // implicit_const: the abbreviation has its value
  0x22: layout.uleb, // loclistx
  0x23: layout.uleb, // rnglistx
  0x24: 8, // ref_sup8
  0x25: 1, // strx1
  0x26: 2,
  0x27: 3,
  0x28: 4,
  0x29: 1, // addrx1
  0x2a: 2,
  0x2b: 3,
  0x2c: 4,
  0x1f01: layout.uleb, // GNU_addr_index
  0x1f02: layout.uleb, // GNU_str_index
  0x1f20: offsetSized, // GNU_ref_alt
  0x1f21: offsetSized, // GNU_strp_alt
};

/** The layout of a form; undefined for unknown forms. */
export function layoutOf(code: number, encoding: Encoding): number | undefined {
  const size = layouts[code];
  if (size === addressSized) return encoding.addressSize;
  if (size === offsetSized) return encoding.offsetSize;
  if (size === refAddrSized) return encoding.version <= 2 ? encoding.addressSize : encoding.offsetSize;
  return size;
}

/** Skips one value. */
export function skipValue(cursor: Cursor, size: number, encoding: Encoding): void {
  if (size === layout.string) cursor.skipString();
  else if (size === layout.indirect) skipValue(cursor, indirectLayout(cursor, encoding).size, encoding);
  else if (size === layout.uleb || size === layout.sleb) cursor.uleb();
  else cursor.skip(size >= 0 ? size : blockSize(cursor, size));
}

function blockSize(cursor: Cursor, size: number): number {
  switch (size) {
    case layout.block1:
      return cursor.u8();
    case layout.block2:
      return cursor.u16();
    case layout.block4:
      return cursor.u32();
    default:
      return cursor.uleb();
  }
}

/**
 * Reads one value as a number: the value itself, an index, an offset in another section, or (inline strings) the offset in
 * this section. Blocks and 16-byte values are skipped and give undefined.
 */
export function readValue(
  cursor: Cursor,
  code: number,
  size: number,
  encoding: Encoding,
): { readonly form: number; readonly value: number } | undefined {
  if (code === form.indirect) {
    const real = indirectLayout(cursor, encoding);
    return readValue(cursor, real.code, real.size, encoding);
  }
  if (size === layout.uleb) return { form: code, value: cursor.uleb() };
  if (size === layout.sleb) return { form: code, value: cursor.sleb() };
  if (size === layout.string) {
    const place = cursor.offset;
    cursor.skipString();
    return { form: code, value: place };
  }
  if (size === 0) return { form: code, value: 1 };
  if (size < 0 || size > 8) {
    skipValue(cursor, size, encoding);
    return undefined;
  }
  return { form: code, value: cursor.unsigned(size) };
}

function indirectLayout(
  cursor: Cursor,
  encoding: Encoding,
): { readonly code: number; readonly size: number } {
  const code = cursor.uleb();
  const size = layoutOf(code, encoding);
  if (size === undefined || code === form.indirect || code === form.implicitConst) {
    return cursor.fail(`form 0x${code.toString(16)} cannot stand here`);
  }
  return { code, size };
}
