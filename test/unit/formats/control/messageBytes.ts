/** Writes messages as the runtime does (runtime/control), for tests of the decoder. */
export class Bytes {
  private readonly parts: Buffer[] = [];

  u8(...values: readonly number[]): this {
    this.parts.push(Buffer.from(values));
    return this;
  }

  u32(...values: readonly number[]): this {
    const part = Buffer.alloc(4 * values.length);
    values.forEach((value, i) => part.writeUInt32LE(value >>> 0, 4 * i));
    this.parts.push(part);
    return this;
  }

  u64(...values: readonly (bigint | number)[]): this {
    const part = Buffer.alloc(8 * values.length);
    values.forEach((value, i) => part.writeBigUInt64LE(BigInt(value), 8 * i));
    this.parts.push(part);
    return this;
  }

  f64(...values: readonly number[]): this {
    const part = Buffer.alloc(8 * values.length);
    values.forEach((value, i) => part.writeDoubleLE(value, 8 * i));
    this.parts.push(part);
    return this;
  }

  text(text: string): this {
    const bytes = Buffer.from(text);
    this.u32(bytes.length);
    this.parts.push(bytes);
    return this;
  }

  raw(bytes: Uint8Array): this {
    this.parts.push(Buffer.from(bytes));
    return this;
  }

  varints(...values: readonly number[]): this {
    const bytes: number[] = [];
    for (let value of values) {
      for (; value > 0x7f; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
      bytes.push(value);
    }
    return this.u8(...bytes);
  }

  get body(): Buffer {
    return Buffer.concat(this.parts);
  }

  /** The body behind a head. */
  frame(type: number, serial = 0, version = 1): Buffer {
    const { body } = this;
    return Buffer.concat([new Bytes().u32(body.length, type | (version << 16), serial).body, body]);
  }
}

const state = (): Bytes =>
  new Bytes()
    .u32(77, 3, 4, 1 | 2, 5, 46, 2, 9)
    .u64(0xdeadbeef, 12, 1000)
    .f64(2.1e9)
    .u64(1_700_000_000_000_000_000n, 10, 1_600_000_000_000_000_000n, 2_500_000_000)
    .f64(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 0)
    .text('node1')
    .text('lulesh')
    .text('');

/** One message of each type, by its number. */
export const oneOfEach: ReadonlyMap<number, Bytes> = new Map([
  [64, new Bytes().u32(1).raw(Buffer.from('no'))],
  [65, state()],
  [66, state()],
  [67, new Bytes().u32(6, 80, 1, 0).u64(123)],
  [68, new Bytes().u32(2, 0, 4711, 1, 4712)],
  [69, new Bytes().u32(1, 46, 2, 7, 8, 3).raw(Buffer.from('MPI_Senda.c'))],
  [70, new Bytes().u32(5, 2, 0xffffffff, 0, 3, 1, 0xffffffff, 3)],
  [
    71,
    new Bytes()
      .u64(99)
      .u32(1, 2)
      .u8(1, 0, 1, 1)
      .u32(1)
      .u64(10, 20, 0)
      .u32(2)
      .u64(2n ** 63n, 1, 5),
  ],
  [72, new Bytes().u32(1, 2, 0, 0, 44, 1, 45, 0, 1, 2, 0xffffffff)],
  [73, new Bytes().u64(8, 2).u32(0).varints(4, 500, 6, 1, 300, 2, 7, 3, 200, 0, 0)],
  [74, new Bytes().u64(8)],
  [75, new Bytes()],
  [76, new Bytes().u64(5, 1).u32(2, 1, 0, 3, 2, 4, 5)],
  [77, new Bytes().u32(1, 0).u64(60)],
  [78, new Bytes().u32(99, 1, 2, 1, 0, 1, 7)],
  [79, new Bytes().u32(3)],
  [
    80,
    new Bytes()
      .u64(9, 2)
      .u32(1, 0, 1, 4712, 2)
      .u64(0x7ff0, 2n ** 63n)
      .u32(1)
      .u64(0x5000, 0x401000, 5)
      .u32(3)
      .u8(1, 2, 3),
  ],
  [81, new Bytes().raw(Buffer.from('1000-2000 r-xp 00000000 00:00 0 /a\n'))],
]);
