import { at } from '../../core/at';
import { OverlayError } from '../packets/overlayError';

/** Texts, or integers below 2³² and above −2³¹. */
export type Column = readonly string[] | readonly number[];

/**
 * Columns in as few bytes as what they say: neighbours in a column of integers are close to each other, so that most of them take one byte. Of each column its length; of
 * integers the differences to the one before, signs in the lowest bit; of texts their bytes, each after their number. All of it with seven bits a byte, the lowest first.
 */
export function packColumns(columns: readonly Column[]): Uint8Array {
  const bytes: number[] = [];
  for (const column of columns) {
    put(bytes, column.length);
    let before = 0;
    for (const value of column) {
      if (typeof value === 'string') putText(bytes, value);
      else {
        const difference = value - before;
        put(bytes, difference < 0 ? -2 * difference - 1 : 2 * difference);
        before = value;
      }
    }
  }
  return Uint8Array.from(bytes);
}

function put(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  bytes.push(rest);
}

function putText(bytes: number[], text: string): void {
  const encoded = Buffer.from(text, 'utf8');
  put(bytes, encoded.length);
  for (const byte of encoded) bytes.push(byte);
}

/** 2³³ takes five bytes: a difference with its sign. */
const mostBytes = 5;

/** Reads what `packColumns` has written, column by column; nothing is allocated that the bytes cannot hold. */
export class ColumnReader {
  private position = 0;

  constructor(private readonly bytes: Uint8Array) {}

  /** @throws OverlayError `malformed` */
  texts(): readonly string[] {
    return Array.from({ length: this.length() }, () => {
      const length = this.length();
      const from = this.position;
      this.position += length;
      return Buffer.from(this.bytes.subarray(from, this.position)).toString('utf8');
    });
  }

  /** @param least of each number @throws OverlayError `malformed` */
  integers(least: number, most = 2 ** 32 - 1): readonly number[] {
    let value = 0;
    return Array.from({ length: this.length() }, () => {
      const packed = this.next();
      value += packed % 2 === 0 ? packed / 2 : -(packed + 1) / 2;
      if (value < least || value > most) throw wrong('a number that may not be there');
      return value;
    });
  }

  /** @throws OverlayError `malformed` */
  end(): void {
    if (this.position !== this.bytes.length) throw wrong('bytes after the last column');
  }

  /** How many follow, each of at least a byte. */
  private length(): number {
    const length = this.next();
    if (length > this.bytes.length - this.position) throw wrong('a length beyond the end');
    return length;
  }

  private next(): number {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < mostBytes && this.position < this.bytes.length; count++) {
      const byte = at(this.bytes, this.position++);
      value += (byte % 0x80) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
    throw wrong('a number without end');
  }
}

function wrong(what: string): OverlayError {
  return new OverlayError('malformed', `Columns have ${what}.`);
}
