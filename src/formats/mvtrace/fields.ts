import { isKymoError, type KymoError } from '../../core/errors';
import type { Line } from './lines';
import { invalid } from './errors';

const tab = 9;
const space = 32;
const powersOfTen = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);
const decoder = new TextDecoder();
/** Counters have 64 bits; sums of larger numbers would not be finite. */
const mostNumber = 2 ** 64;

/** The fields of a line, one after the other; tabs or spaces separate them. */
export class Fields {
  #line: Line = { bytes: new Uint8Array(), start: 0, end: 0, number: 0, isCutOff: false };
  #at = 0;

  constructor(private readonly file: string) {}

  begin(line: Line): void {
    this.#line = line;
    this.#at = line.start;
  }

  get lineNumber(): number {
    return this.#line.number;
  }

  error(what: string): KymoError {
    return invalid(this.file, this.#line.number, what);
  }

  /** An integer from 0 on. @throws KymoError */
  integer(what: string): number {
    const start = this.#next();
    let value = 0;
    let at = start;
    const { bytes, end } = this.#line;
    for (; at < end; at++) {
      const digit = (bytes[at] ?? 0) - 48;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (at === start || (at < end && !isBlank(bytes[at])) || value > Number.MAX_SAFE_INTEGER)
      throw this.error(`${what} is no number from 0 on: “${this.#shown(start)}”`);
    this.#at = at;
    return value;
  }

  /** A number from 0 to 2^64. @throws KymoError */
  number(what: string): number {
    const start = this.#next();
    const value = this.#decimal(start) ?? this.#anyNumber(start);
    if (!(value >= 0 && value <= mostNumber))
      throw this.error(`${what} is no number from 0 to 2^64: “${this.#shown(start)}”`);
    return value;
  }

  /** Up to 15 digits are a number without rounding, and so is the power of ten that divides it: the quotient is the nearest one. Undefined: it is written otherwise. */
  #decimal(start: number): number | undefined {
    const { bytes, end } = this.#line;
    let [value, digits, point] = [0, 0, -1];
    let at = start;
    for (; at < end; at++) {
      const code = bytes[at] ?? 0;
      if (code === 46 && point < 0) {
        point = at;
        continue;
      }
      const digit = code - 48;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
      digits++;
    }
    if (digits === 0 || digits > 15 || (at < end && !isBlank(bytes[at]))) return undefined;
    this.#at = at;
    return point < 0 ? value : value / (powersOfTen[at - point - 1] ?? 1);
  }

  #anyNumber(start: number): number {
    const text = this.#token(start);
    return text === '' ? NaN : Number(text);
  }

  /** The same, or undefined for `-`. @throws KymoError */
  numberOrNone(what: string): number | undefined {
    return this.#isNone() ? undefined : this.number(what);
  }

  /** An integer, or undefined for `-`. @throws KymoError */
  integerOrNone(what: string): number | undefined {
    return this.#isNone() ? undefined : this.integer(what);
  }

  /** One character. */
  skip(): void {
    this.#at++;
  }

  /** @throws KymoError where there is none */
  word(what: string): string {
    const text = this.#token(this.#next());
    if (text === '') throw this.error(`${what} is missing`);
    return text;
  }

  /** What is left of the line. @throws KymoError where nothing is */
  rest(what: string): string {
    const start = this.#next();
    const { bytes, end } = this.#line;
    if (start >= end) throw this.error(`${what} is missing`);
    this.#at = end;
    return decoder.decode(bytes.subarray(start, end)).trimEnd();
  }

  /** @throws KymoError where the line has more */
  finish(): void {
    const start = this.#next();
    if (start < this.#line.end) throw this.error(`there is more than expected: “${this.#shown(start)}”`);
  }

  #isNone(): boolean {
    const at = this.#next();
    const { bytes, end } = this.#line;
    if (bytes[at] !== 45 || (at + 1 < end && !isBlank(bytes[at + 1]))) return false;
    this.#at = at + 1;
    return true;
  }

  #next(): number {
    const { bytes, end } = this.#line;
    while (this.#at < end && isBlank(bytes[this.#at])) this.#at++;
    return this.#at;
  }

  #token(start: number): string {
    const { bytes, end } = this.#line;
    let at = start;
    while (at < end && !isBlank(bytes[at])) at++;
    this.#at = at;
    // Short ASCII words are made faster than they are decoded.
    if (at - start > 24) return decoder.decode(bytes.subarray(start, at));
    let text = '';
    for (let position = start; position < at; position++) {
      const code = bytes[position] ?? 0;
      if (code > 127) return decoder.decode(bytes.subarray(start, at));
      text += String.fromCharCode(code);
    }
    return text;
  }

  #shown(start: number): string {
    const { bytes, end } = this.#line;
    const text = decoder.decode(bytes.subarray(start, Math.min(end, start + 60)));
    return end - start > 60 ? `${text}…` : text;
  }
}

function isBlank(code: number | undefined): boolean {
  return code === tab || code === space;
}

/** Runs an action; an error of the text in a line that was cut off is the end of the text. @returns whether there was one */
export function endsCutOff(line: Line, action: () => void): boolean {
  try {
    action();
    return false;
  } catch (error) {
    if (!line.isCutOff || !isKymoError(error)) throw error;
    return true;
  }
}
