import { KymoError } from '../../core/errors';
import { viewOf, type ControlErrorReason } from './frames';

/** Reads the body of a message in order. Every method throws a KymoError `invalid-message` when the body is too short. */
export class Cursor {
  private offset = 0;
  private readonly view: DataView;

  constructor(
    private readonly all: Uint8Array,
    private readonly message: string,
  ) {
    this.view = viewOf(all);
  }

  get left(): number {
    return this.all.length - this.offset;
  }

  fail(expected: string): never {
    throw new KymoError<ControlErrorReason>(
      'invalid-message',
      `The message "${this.message}" of the process is not valid: expected ${expected} at byte ${this.offset} of ${this.all.length}.`,
      { offset: this.offset },
    );
  }

  private skip(count: number): number {
    if (this.left < count) this.fail(`${count} more bytes`);
    const at = this.offset;
    this.offset += count;
    return at;
  }

  byte(): number {
    return this.view.getUint8(this.skip(1));
  }

  u32(): number {
    return this.view.getUint32(this.skip(4), true);
  }

  u64(): bigint {
    return this.view.getBigUint64(this.skip(8), true);
  }

  /** A count or an amount; saturates at `Number.MAX_SAFE_INTEGER`. */
  amount(): number {
    const value = this.u64();
    return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
  }

  /** A finite number. */
  f64(): number {
    const value = this.view.getFloat64(this.skip(8), true);
    return Number.isFinite(value) ? value : this.fail('a finite number before this place');
  }

  /** How many items follow. @param itemBytes the fewest bytes that an item has, so that no message can announce more than it holds */
  count(itemBytes: number): number {
    const count = this.u32();
    return count * itemBytes <= this.left ? count : this.fail(`room for ${count} items`);
  }

  /** A copy. */
  bytes(length: number): Uint8Array {
    const begin = this.skip(length);
    return Uint8Array.from(this.all.subarray(begin, begin + length));
  }

  text(length: number): string {
    const begin = this.skip(length);
    return new TextDecoder().decode(this.all.subarray(begin, begin + length));
  }

  rest(): Uint8Array {
    const begin = this.skip(this.left);
    return this.all.subarray(begin);
  }

  end(): void {
    if (this.left > 0) this.fail('the end');
  }
}
