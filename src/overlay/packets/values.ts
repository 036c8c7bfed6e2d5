import type { ElementCode, Field, Format } from './format';
import { OverlayError } from './overlayError';

/** What a field holds: 64-bit integers are bigints; arrays are typed arrays or lists of texts. */
export type Value = number | bigint | string | NumberArray | BigArray | readonly string[];
type NumberArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;
type BigArray = BigInt64Array | BigUint64Array;

/** What may be packed: arrays of numbers in any form. */
export type Packable = Value | readonly number[] | readonly bigint[];

/** How often a body was decoded in this process: forwarding must not decode (specification §2.2), and tests see whether it does. */
export const decoding = { bodies: 0 };

type Scalar = number | bigint;

/** Reads and writes one element; bodies are written in little endian and read in either order (“receiver makes right”). */
interface Element {
  readonly read: (bytes: Buffer, offset: number, bigEndian: boolean) => Scalar;
  /** @throws RangeError, TypeError when the value does not fit */
  readonly write: (bytes: Buffer, value: never, offset: number) => unknown;
  readonly list: (length: number) => NumberArray | BigArray;
}

const elements: Readonly<Record<Exclude<ElementCode, 's'>, Element>> = {
  c: {
    read: (b, o) => b.readInt8(o),
    write: (b, v: number, o) => b.writeInt8(v, o),
    list: (n) => new Int8Array(n),
  },
  uc: {
    read: (b, o) => b.readUInt8(o),
    write: (b, v: number, o) => b.writeUInt8(v, o),
    list: (n) => new Uint8Array(n),
  },
  hd: {
    read: (b, o, big) => (big ? b.readInt16BE(o) : b.readInt16LE(o)),
    write: (b, v: number, o) => b.writeInt16LE(v, o),
    list: (n) => new Int16Array(n),
  },
  uhd: {
    read: (b, o, big) => (big ? b.readUInt16BE(o) : b.readUInt16LE(o)),
    write: (b, v: number, o) => b.writeUInt16LE(v, o),
    list: (n) => new Uint16Array(n),
  },
  d: {
    read: (b, o, big) => (big ? b.readInt32BE(o) : b.readInt32LE(o)),
    write: (b, v: number, o) => b.writeInt32LE(v, o),
    list: (n) => new Int32Array(n),
  },
  ud: {
    read: (b, o, big) => (big ? b.readUInt32BE(o) : b.readUInt32LE(o)),
    write: (b, v: number, o) => b.writeUInt32LE(v, o),
    list: (n) => new Uint32Array(n),
  },
  ld: {
    read: (b, o, big) => (big ? b.readBigInt64BE(o) : b.readBigInt64LE(o)),
    write: (b, v: bigint, o) => b.writeBigInt64LE(v, o),
    list: (n) => new BigInt64Array(n),
  },
  uld: {
    read: (b, o, big) => (big ? b.readBigUInt64BE(o) : b.readBigUInt64LE(o)),
    write: (b, v: bigint, o) => b.writeBigUInt64LE(v, o),
    list: (n) => new BigUint64Array(n),
  },
  f: {
    read: (b, o, big) => (big ? b.readFloatBE(o) : b.readFloatLE(o)),
    write: (b, v: number, o) => b.writeFloatLE(v, o),
    list: (n) => new Float32Array(n),
  },
  lf: {
    read: (b, o, big) => (big ? b.readDoubleBE(o) : b.readDoubleLE(o)),
    write: (b, v: number, o) => b.writeDoubleLE(v, o),
    list: (n) => new Float64Array(n),
  },
};

/** @throws OverlayError `format` when number, kind or range of the values are not those of the format */
export function encodeValues(format: Format, values: readonly Packable[]): Buffer {
  if (values.length !== format.fields.length)
    throw new OverlayError(
      'format',
      `“${format.text}” takes ${format.fields.length} values; there are ${values.length}.`,
    );
  try {
    const only = format.fields.length === 1 ? format.fields[0] : undefined;
    // Most packets of a reduction hold one number.
    if (only?.countBytes === 0 && only.code !== 's') {
      const body = Buffer.allocUnsafe(only.bytes);
      elements[only.code].write(body, checked(values[0], only) as never, 0);
      return body;
    }
    return Buffer.concat(format.fields.map((field, position) => encodeField(field, values[position])));
  } catch (error) {
    if (error instanceof OverlayError) throw error;
    throw new OverlayError('format', `The values do not fit “${format.text}”: ${String(error)}`, error);
  }
}

function encodeField(field: Field, value: Packable | undefined): Buffer {
  if (field.countBytes === 0)
    return field.code === 's' ? encodeText(value) : encodeNumbers(field, field.code, [checked(value, field)]);
  if (!isListOfValues(value)) throw misfit(field, value);
  const count = Buffer.alloc(field.countBytes);
  count.writeUInt32LE(value.length, 0);
  return Buffer.concat([
    count,
    ...(field.code === 's'
      ? Array.from(value, encodeText)
      : [encodeBytes(field.code, value) ?? encodeNumbers(field, field.code, Array.from<unknown>(value))]),
  ]);
}

/** Bytes as they are: most of what is large is opaque to the network. */
function encodeBytes(code: ElementCode, value: unknown): Uint8Array | undefined {
  return code === 'uc' && value instanceof Uint8Array ? value : undefined;
}

function encodeText(value: unknown): Buffer {
  if (typeof value !== 'string') throw new TypeError('a text was expected');
  const text = Buffer.from(value, 'utf8');
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32LE(text.length, 0);
  return Buffer.concat([length, text]);
}

function encodeNumbers(field: Field, code: Exclude<ElementCode, 's'>, values: readonly unknown[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * field.bytes);
  const { write } = elements[code];
  values.forEach((value, position) => write(bytes, checked(value, field) as never, position * field.bytes));
  return bytes;
}

function checked(value: unknown, field: Field): Scalar {
  const wanted = field.code === 'ld' || field.code === 'uld' ? 'bigint' : 'number';
  if (typeof value !== wanted) throw misfit(field, value);
  const whole = field.code !== 'f' && field.code !== 'lf';
  if (whole && typeof value === 'number' && !Number.isInteger(value)) throw misfit(field, value);
  return value as Scalar;
}

function isListOfValues(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

function misfit(field: Field, value: unknown): OverlayError {
  return new OverlayError('format', `A value of type ${typeof value} does not fit %${field.code}.`);
}

/** The number at the beginning of a body, without a list around it. */
export function decodeNumber(field: Field, bytes: Buffer, offset: number, bigEndian: boolean): Scalar {
  decoding.bodies++;
  if (field.code === 's') throw new OverlayError('format', 'A number was expected, and the packet has text.');
  return elements[field.code].read(bytes, offset, bigEndian);
}

/** @throws OverlayError `malformed` when the body is shorter or longer than its format says */
export function decodeValues(format: Format, body: Buffer, bigEndian: boolean): readonly Value[] {
  decoding.bodies++;
  const reader = new BodyReader(body, bigEndian);
  const values = format.fields.map((field) => reader.field(field));
  reader.end();
  return values;
}

class BodyReader {
  private offset = 0;

  constructor(
    private readonly body: Buffer,
    private readonly bigEndian: boolean,
  ) {}

  field(field: Field): Value {
    if (field.countBytes === 0) return field.code === 's' ? this.text() : this.number(field, field.code);
    const count = this.count(field.countBytes);
    // Checked before anything is allocated: the number may come from a stranger.
    if (count * field.bytes > this.body.length - this.offset) throw this.tooShort();
    if (field.code === 's') return Array.from({ length: count }, () => this.text());
    if (field.code === 'uc') return new Uint8Array(this.body.subarray(this.next(count), this.offset));
    const list = elements[field.code].list(count);
    for (let position = 0; position < count; position++) list[position] = this.number(field, field.code);
    return list;
  }

  end(): void {
    if (this.offset !== this.body.length)
      throw new OverlayError(
        'malformed',
        `The body has ${this.body.length - this.offset} bytes after its last value.`,
      );
  }

  private number(field: Field, code: Exclude<ElementCode, 's'>): Scalar {
    return elements[code].read(this.body, this.next(field.bytes), this.bigEndian);
  }

  private count(bytes: 4 | 8): number {
    const from = this.next(bytes);
    if (bytes === 4) return this.bigEndian ? this.body.readUInt32BE(from) : this.body.readUInt32LE(from);
    return Number(this.bigEndian ? this.body.readBigUInt64BE(from) : this.body.readBigUInt64LE(from));
  }

  private text(): string {
    const length = this.count(4);
    const from = this.next(length);
    return this.body.toString('utf8', from, from + length);
  }

  private next(bytes: number): number {
    const from = this.offset;
    if (bytes > this.body.length - from) throw this.tooShort();
    this.offset = from + bytes;
    return from;
  }

  private tooShort(): OverlayError {
    return new OverlayError('malformed', `The body ends after ${this.body.length} bytes, within a value.`);
  }
}
