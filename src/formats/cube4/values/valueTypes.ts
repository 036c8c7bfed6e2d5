import { atFloat, atUint } from '../../../core/at';

/**
 * The value types of Cube 4 (docs/formats/cube4.md): how many bytes a value has, how its parts are read and written as
 * doubles, and which part stands for the value where only one number can be shown.
 */
export interface ValueType {
  /** Bytes of one value. */
  readonly size: number;
  /** Parts of a value, in the order they are stored. */
  readonly parts: readonly Part[];
  /** The part that sums and tables use, e.g. the sum of a TAU_ATOMIC. */
  readonly shown: number;
}

export type Part = 'f64' | 'u64' | 'i64' | 'u32' | 'i32' | 'u16' | 'i16' | 'u8' | 'i8';

export const partSize = { f64: 8, u64: 8, i64: 8, u32: 4, i32: 4, u16: 2, i16: 2, u8: 1, i8: 1 } as const;

/** Names of the types with one part. */
const namesOfParts: Readonly<Record<Part, readonly string[]>> = {
  f64: ['DOUBLE', 'FLOAT', 'MINDOUBLE', 'MAXDOUBLE'],
  u64: ['UINT64', 'UNSIGNED INTEGER'],
  i64: ['INT64', 'INTEGER', 'SIGNED INTEGER'],
  u32: ['UINT32', 'UNSIGNED INT'],
  i32: ['INT32', 'INT', 'SIGNED INT'],
  u16: ['UINT16', 'UNSIGNED SHORT INT'],
  i16: ['INT16', 'SHORT INT', 'SIGNED SHORT INT'],
  u8: ['UINT8', 'CHAR'],
  i8: ['INT8'],
};

const partOfName: ReadonlyMap<string, Part> = new Map(
  (Object.keys(namesOfParts) as Part[]).flatMap((part) => namesOfParts[part].map((name) => [name, part])),
);

/** More numbers per value than any known writer uses; refuses absurd sizes in damaged files. */
const mostParts = 65_536;

/** The type with that name; undefined for unknown names. */
export function valueType(dtype: string): ValueType | undefined {
  const name = dtype.trim().toUpperCase().replace(/\s+/g, ' ');
  const part = partOfName.get(name);
  if (part !== undefined) return compound([part], 0);
  if (name === 'TAU_ATOMIC') return compound(['u32', 'f64', 'f64', 'f64', 'f64'], 3);
  if (name === 'COMPLEX' || name === 'RATE') return doubles(2);
  if (name === 'SCALE_FUNC') return doubles(106);
  const [, family, digits] = /^(HISTOGRAM|NDOUBLES) ?\( ?(\d{1,5}) ?\)$/.exec(name) ?? [];
  const count = Number(digits) + (family === 'HISTOGRAM' ? 2 : 0);
  return count > 0 && count <= mostParts ? doubles(count) : undefined;
}

function doubles(count: number): ValueType {
  return compound(new Array<Part>(count).fill('f64'), 0);
}

function compound(parts: readonly Part[], shown: number): ValueType {
  return { size: parts.reduce((sum, part) => sum + partSize[part], 0), parts, shown };
}

/** Reads one number. 64-bit integers become the nearest double, unsigned ones are read as signed (`Profile.stored`). */
function readPart(view: DataView, offset: number, part: Part, little: boolean): number {
  switch (part) {
    case 'f64':
      return view.getFloat64(offset, little);
    case 'u64':
    case 'i64':
      return (
        view.getInt32(little ? offset + 4 : offset, little) * 2 ** 32 +
        view.getUint32(little ? offset : offset + 4, little)
      );
    case 'u32':
      return view.getUint32(offset, little);
    case 'i32':
      return view.getInt32(offset, little);
    case 'u16':
      return view.getUint16(offset, little);
    case 'i16':
      return view.getInt16(offset, little);
    case 'u8':
      return view.getUint8(offset);
    case 'i8':
      return view.getInt8(offset);
  }
}

const hostIsLittle = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Position of the numbers of one part in the bytes of one or several rows. */
export interface Numbers {
  readonly bytes: Uint8Array;
  readonly offset: number;
  /** Bytes from one number to the next. */
  readonly stride: number;
  readonly part: Part;
  readonly little: boolean;
  readonly count: number;
}

/** Reads numbers into `into`, starting at `at`. Doubles are copied bit by bit. */
export function readNumbers(numbers: Numbers, into: Float64Array, start: number): void {
  const { bytes, offset, stride, part, little, count } = numbers;
  if (stride === 8 && little && hostIsLittle && count > 8 && (part === 'f64' || part === 'u64')) {
    const target = new Uint8Array(into.buffer, into.byteOffset + start * 8, count * 8);
    target.set(bytes.subarray(offset, offset + count * 8));
    if (part === 'u64') integersInPlace(into, start, count);
    return;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < count; i++) into[start + i] = readPart(view, offset + i * stride, part, little);
}

/** Whether any number from `from` to before `to` differs from 0; −0 differs. */
export function anyIn(values: Float64Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const value = atFloat(values, i);
    if (value !== 0 || 1 / value < 0) return true;
  }
  return false;
}

/** Converts unsigned 64-bit integers in the memory of doubles to doubles. */
function integersInPlace(into: Float64Array, start: number, count: number): void {
  const words = new Uint32Array(into.buffer, into.byteOffset + start * 8, count * 2);
  for (let i = 0; i < count; i++) {
    into[start + i] = (atUint(words, 2 * i + 1) | 0) * 2 ** 32 + atUint(words, 2 * i);
  }
}

/** Least and largest whole numbers of each part. Unsigned integers of 64 bits may be negative (`Profile.stored`). */
const wholeRange: Readonly<Record<Exclude<Part, 'f64'>, readonly [least: number, largest: number]>> = {
  u64: [-(2 ** 63), 2 ** 64],
  i64: [-(2 ** 63), 2 ** 63],
  u32: [0, 2 ** 32 - 1],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  u16: [0, 2 ** 16 - 1],
  i16: [-(2 ** 15), 2 ** 15 - 1],
  u8: [0, 2 ** 8 - 1],
  i8: [-(2 ** 7), 2 ** 7 - 1],
};

/** Whether a part can store a number exactly; the limits of 64 bits are rounded as all doubles are. */
export function fits(part: Part, value: number): boolean {
  if (part === 'f64') return true;
  const [least, largest] = wholeRange[part];
  return Number.isInteger(value) && value >= least && value <= largest;
}

/** Writes one number that `fits`, little endian. */
export function writePart(view: DataView, offset: number, part: Part, value: number): void {
  switch (part) {
    case 'f64':
      view.setFloat64(offset, value, true);
      break;
    case 'u64': {
      // Reading rounded the largest integers up to 2^64 (2^63).
      const isInRange = value < 2 ** 64;
      const high = Math.floor(value / 2 ** 32);
      view.setUint32(offset, isInRange ? value - high * 2 ** 32 : 2 ** 32 - 1, true);
      view.setInt32(offset + 4, isInRange ? high : -1, true);
      break;
    }
    case 'i64':
      view.setBigInt64(offset, value >= 2 ** 63 ? 2n ** 63n - 1n : BigInt(value), true);
      break;
    case 'u32':
    case 'i32':
      view.setInt32(offset, value, true);
      break;
    case 'u16':
    case 'i16':
      view.setInt16(offset, value, true);
      break;
    case 'u8':
    case 'i8':
      view.setInt8(offset, value);
      break;
  }
}
