/** Bytes that become more. Integers are varints: seven bits a byte, the lowest first; exact below 2^53. */
export class ByteBuilder {
  bytes = new Uint8Array(1024);
  view = new DataView(this.bytes.buffer);
  length = 0;

  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** @param value at least 0; less is written as 0, which hostile times lead to */
  integer(value: number): void {
    this.reserve(mostBytes);
    let rest = value > 0 ? Math.min(Math.floor(value), 2 ** 69) : 0;
    while (rest >= 2 ** 31) {
      this.bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  double(value: number): void {
    this.reserve(8);
    this.view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  text(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.integer(bytes.length);
    this.raw(bytes);
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  content(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }
}

const mostBytes = 10;

/** Reads what `ByteBuilder` wrote. */
export class ByteCursor {
  position = 0;

  /** @param fail receives the position of an error and its description */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly fail: (position: number, message: string) => never,
  ) {}

  /** @param holds what is true of the numbers that were read in every index */
  require(holds: boolean, what: string): void {
    if (!holds) this.fail(this.position, what);
  }

  get left(): number {
    return this.bytes.length - this.position;
  }

  byte(): number {
    return this.bytes[this.position++] ?? this.fail(this.position, 'cut off');
  }

  integer(): number {
    let value = 0;
    let factor = 1;
    for (let length = 0; length < mostBytes; length++) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
    return this.fail(this.position, 'a number of more than ten bytes');
  }

  /** An integer of which there are not more than `most`. */
  below(most: number, what: string): number {
    const value = this.integer();
    return value < most ? value : this.fail(this.position, `${what} ${value} of ${most}`);
  }

  /** A number of elements, of which each has at least so many bytes. */
  count(bytesEach: number): number {
    const count = this.integer();
    return count * bytesEach <= this.left ? count : this.fail(this.position, `${count} elements announced`);
  }

  double(): number {
    if (this.left < 8) this.fail(this.position, 'cut off');
    const { buffer, byteOffset } = this.bytes;
    const value = new DataView(buffer, byteOffset + this.position, 8).getFloat64(0, true);
    this.position += 8;
    return value;
  }

  text(): string {
    const length = this.count(1);
    const text = new TextDecoder().decode(this.bytes.subarray(this.position, this.position + length));
    this.position += length;
    return text;
  }
}
