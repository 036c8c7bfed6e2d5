import type { ByteReader } from './byteReader';

const zero = 0x30;
const exactPowers = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
/** A double represents numbers with up to 15 digits exactly; multiplying or dividing by a power of ten up to 22 rounds once. */
const mostExactDigits = 15;

/** `json` is JSON's grammar; `plain` is the output of programs, with `+1`, `.5`, `5.`, `007` and Fortran's `1D-3`. */
export type NumberStyle = 'json' | 'plain';

/**
 * Reads decimal numbers from bytes without making strings, if a double holds the digits exactly; reads all
 * others as JavaScript does. One object reads many numbers: `end` and `value` belong to the last one.
 */
export class NumberReader {
  value = 0;
  /** Offset after the number. */
  end = 0;
  private digits = 0;
  private mantissa = 0;

  /** @param decimalSign the byte before the decimals */
  constructor(
    private readonly reader: ByteReader,
    private readonly style: NumberStyle,
    private readonly decimalSign = 0x2e,
  ) {}

  /** Whether a number begins at `from`; then `value` and `end` are set. Numbers beyond the range of doubles become ±Infinity. */
  read(from: number): boolean {
    const { reader } = this;
    const isPlain = this.style === 'plain';
    const sign = reader.byte(from);
    const isNegative = sign === 0x2d;
    this.digits = 0;
    this.mantissa = 0;
    const whole = from + (isNegative || (isPlain && sign === 0x2b) ? 1 : 0);
    let position = this.digitsFrom(whole);
    const wholeDigits = position - whole;
    if (!isPlain && (wholeDigits === 0 || (wholeDigits > 1 && reader.byte(whole) === zero))) return false;
    let exponent = 0;
    if (reader.byte(position) === this.decimalSign) {
      const fraction = position + 1;
      position = this.digitsFrom(fraction);
      exponent = fraction - position;
    }
    if (!this.hasDigits(wholeDigits, -exponent, reader.byte(position - 1) === this.decimalSign)) return false;
    if (this.isExponent(reader.byte(position) | 0x20)) {
      const writtenExponent = this.exponentFrom(position + 1);
      if (writtenExponent === undefined) return false;
      exponent += writtenExponent;
      position = this.end;
    }
    this.end = position;
    this.value = this.exact(isNegative, exponent) ?? this.slowly(from, position);
    return true;
  }

  private slowly(from: number, end: number): number {
    const text = this.reader.latin1(from, end);
    return Number(this.style === 'plain' ? text.replace(/d/i, 'e').replace(',', '.') : text);
  }

  private hasDigits(whole: number, fraction: number, endsWithPoint: boolean): boolean {
    return this.style === 'plain' ? whole + fraction > 0 : !endsWithPoint;
  }

  private isExponent(lower: number): boolean {
    return lower === 0x65 || (lower === 0x64 && this.style === 'plain');
  }

  private digitsFrom(from: number): number {
    let position = from;
    for (; ; position++) {
      const digit = this.reader.byte(position) - zero;
      if (!(digit >= 0 && digit <= 9)) return position;
      if (digit > 0 || this.digits > 0) this.digits++;
      if (this.digits <= mostExactDigits) this.mantissa = this.mantissa * 10 + digit;
    }
  }

  private exponentFrom(from: number): number | undefined {
    const sign = this.reader.byte(from);
    const first = from + (sign === 0x2b || sign === 0x2d ? 1 : 0);
    let position = first;
    let exponent = 0;
    for (; ; position++) {
      const digit = this.reader.byte(position) - zero;
      if (!(digit >= 0 && digit <= 9)) break;
      exponent = Math.min(exponent * 10 + digit, 100_000);
    }
    this.end = position;
    if (position === first) return undefined;
    return sign === 0x2d ? -exponent : exponent;
  }

  private exact(negative: boolean, exponent: number): number | undefined {
    if (this.digits > mostExactDigits) return undefined;
    const power = exactPowers[Math.abs(exponent)];
    if (power === undefined) return undefined;
    const size = exponent < 0 ? this.mantissa / power : this.mantissa * power;
    return negative ? -size : size;
  }
}
