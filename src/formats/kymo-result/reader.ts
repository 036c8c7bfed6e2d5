import { KymoError } from '../../core/errors';

export type ResultFileErrorReason = 'not-a-result' | 'invalid-result';

/** Reads fields of a result file, and says where it is damaged. */
export class Reader {
  private readonly view: DataView;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly file: string,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  need(offset: number, length: number, what: string): void {
    if (offset + length > this.bytes.length) {
      this.fail(offset, `${what} needs ${length} bytes, found ${this.bytes.length - offset}: cut off`);
    }
  }

  fail(offset: number, message: string): never {
    throw new KymoError<ResultFileErrorReason>(
      'invalid-result',
      `${this.file}, byte ${offset}: ${message}. The file is damaged; measure again.`,
      { file: this.file, offset },
    );
  }

  u32(offset: number): number {
    return this.view.getUint32(offset, true);
  }

  u64(offset: number): number {
    return this.u32(offset) + this.u32(offset + 4) * 0x1_0000_0000;
  }

  hex64(offset: number): string {
    return [offset + 4, offset].map((half) => this.u32(half).toString(16).padStart(8, '0')).join('');
  }

  f64(offset: number): number {
    return this.view.getFloat64(offset, true);
  }

  /** Reads NUL-padded text. */
  text(offset: number, length: number): string {
    const field = Buffer.from(this.bytes.subarray(offset, offset + length));
    const end = field.indexOf(0);
    return field.toString('utf8', 0, end < 0 ? length : end);
  }
}
