import type { Integer } from '../bytes/values';
import type { Encoding } from '../layouts/fields';

const allOnes = 2n ** 64n - 1n;

/** Bytes of records, in a buffer that grows. */
export class RecordBytes {
  bytes = new Uint8Array(256);
  view = new DataView(this.bytes.buffer);
  length = 0;

  constructor(readonly little: boolean) {}

  clear(): void {
    this.length = 0;
  }

  content(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  /** Makes room for `count` bytes. @returns where they begin */
  #grow(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(this.length, this.bytes.length * 2));
      larger.set(this.bytes.subarray(0, at));
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    return at;
  }

  u8(value: number): void {
    const at = this.#grow(1);
    this.view.setUint8(at, value);
  }

  u32(value: number): void {
    const at = this.#grow(4);
    this.view.setUint32(at, value, this.little);
  }

  fixed64(value: Integer): void {
    const at = this.#grow(8);
    this.view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), this.little);
  }

  raw(bytes: Uint8Array): void {
    const at = this.#grow(bytes.length);
    this.bytes.set(bytes, at);
  }

  /** With the zero byte at its end; one within it would end it early, and is left out. */
  text(text: string): void {
    this.raw(new TextEncoder().encode(text.replaceAll('\0', '')));
    this.u8(0);
  }

  /** Without leading zeros; all bits set are one byte. */
  compressed(value: Integer, bits: 32 | 64): void {
    let rest = BigInt.asUintN(bits, BigInt(value));
    if (rest === (bits === 32 ? allOnes >> 32n : allOnes)) {
      this.u8(0xff);
      return;
    }
    const digits: number[] = [];
    for (; rest > 0n; rest >>= 8n) digits.push(Number(rest & 0xffn));
    this.u8(digits.length);
    for (const digit of this.little ? digits : digits.reverse()) this.u8(digit);
  }

  field(encoding: Encoding, value: Integer): void {
    switch (encoding) {
      case 'u8':
      case 'i8':
        this.u8(Number(value));
        break;
      case 'u16':
      case 'i16': {
        const at = this.#grow(2);
        this.view.setUint16(at, Number(value), this.little);
        break;
      }
      case 'u32':
      case 'i32':
        this.compressed(value, 32);
        break;
      case 'u64':
      case 'i64':
        this.compressed(value, 64);
        break;
      case 'float': {
        const at = this.#grow(4);
        this.view.setFloat32(at, Number(value), this.little);
        break;
      }
      case 'double': {
        const at = this.#grow(8);
        this.view.setFloat64(at, Number(value), this.little);
        break;
      }
      case 'fixed64':
      case 'time':
        this.fixed64(value);
    }
  }

  /** The 64 bits of a double as a compressed word: values of metrics. */
  compressedDouble(value: number): void {
    bits.setFloat64(0, value);
    this.compressed(bits.getBigUint64(0), 64);
  }
}

const bits = new DataView(new ArrayBuffer(8));
