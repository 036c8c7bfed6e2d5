import { valueFields, type Encoding, type Field } from '../layouts/fields';
import type { ChunkedReader } from './chunkedReader';

/** A number, or a `bigint` where that would not be exact. */
export type Integer = number | bigint;

/** Reads one field; `reader.exact` has the value where the number is not exact. */
export function readNumber(reader: ChunkedReader, encoding: Encoding): number {
  switch (encoding) {
    case 'u8':
      reader.exact = undefined;
      return reader.u8();
    case 'u32':
      return reader.unsigned(4);
    case 'u64':
      return reader.unsigned(8);
    case 'i64':
      return reader.signed(8);
    case 'i32':
      return reader.signed(4);
    case 'fixed64':
    case 'time': {
      const value = reader.fixed64();
      const number = Number(value);
      reader.exact = Number.isSafeInteger(number) ? undefined : value;
      return number;
    }
    case 'i8':
    case 'u16':
    case 'i16':
    case 'float':
    case 'double':
      return readRaw(reader, encoding);
  }
}

function readRaw(reader: ChunkedReader, encoding: 'i8' | 'u16' | 'i16' | 'float' | 'double'): number {
  const { view, little, position } = reader;
  reader.exact = undefined;
  reader.position += rawBytes[encoding];
  switch (encoding) {
    case 'i8':
      return view.getInt8(position);
    case 'u16':
      return view.getUint16(position, little);
    case 'i16':
      return view.getInt16(position, little);
    case 'float':
      return view.getFloat32(position, little);
    case 'double':
      return view.getFloat64(position, little);
  }
}

const rawBytes = { i8: 1, u16: 2, i16: 2, float: 4, double: 8 } as const;

/** A value with its type: of an attribute of an event, or of a property of a definition. */
export interface TypedValue {
  /** Number in the enumeration `type`. */
  readonly type: number;
  readonly value: Integer;
}

/**
 * @param translate applied to references
 * @throws KymoError `invalid-otf2` for an unknown type, whose length is unknown, too
 */
export function readTyped(
  reader: ChunkedReader,
  translate: (value: number, field: Field) => number = (value) => value,
): TypedValue {
  const type = reader.u8();
  const field = valueFields[type];
  if (field === undefined)
    throw reader.error('invalid-otf2', `A type of a value was expected; found ${type}.`);
  const value = readNumber(reader, field.encoding);
  return { type, value: reader.exact ?? translate(value, field) };
}
