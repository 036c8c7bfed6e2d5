import { OverlayError } from './overlayError';

/** Types of the elements of a body (specification §2.2): `uld` is an unsigned 64-bit integer, `lf` a double, `s` UTF-8 text. */
const elementBytes = {
  c: 1,
  uc: 1,
  hd: 2,
  uhd: 2,
  d: 4,
  ud: 4,
  ld: 8,
  uld: 8,
  f: 4,
  lf: 8,
  /** The length before the text; each character comes on top. */
  s: 4,
} as const;

export type ElementCode = keyof typeof elementBytes;

export interface Field {
  readonly code: ElementCode;
  /** Bytes of an element; of text, of its length. */
  readonly bytes: number;
  /** Bytes of the number of elements before an array; 0: one element. */
  readonly countBytes: 0 | 4 | 8;
}

/** A parsed format string. Equal texts give the same object, so that formats are compared by identity. */
export interface Format {
  readonly text: string;
  readonly latin1: Buffer;
  readonly fields: readonly Field[];
}

/** The length has one byte on the wire. */
const longestFormat = 255;
/** Formats come from the tool's own code: few. What is beyond is parsed anew each time, so that strangers cannot fill the memory. */
const mostRemembered = 1024;
const remembered = new Map<string, Format>();

/**
 * @param text codes with `%`, separated by blanks: `"%d %f %aud"` is an integer, a float and an array
 * @throws OverlayError `format`
 */
export function parseFormat(text: string): Format {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  if (text.length > longestFormat)
    throw new OverlayError(
      'format',
      `A format has at most ${longestFormat} characters; this has ${text.length}.`,
    );
  const words = text.split(' ').filter((word) => word !== '');
  const format = { text, latin1: Buffer.from(text, 'latin1'), fields: words.map(parseField) };
  if (remembered.size < mostRemembered) remembered.set(text, format);
  return format;
}

function parseField(word: string): Field {
  const [, array, code] = /^%([aA]?)([a-z]{1,3})$/.exec(word) ?? [];
  if (code === undefined || !isElementCode(code))
    throw new OverlayError('format', `“${word.slice(0, 40)}” is not a type of a format string.`);
  return { code, bytes: elementBytes[code], countBytes: array === '' ? 0 : array === 'a' ? 4 : 8 };
}

function isElementCode(code: string): code is ElementCode {
  return Object.hasOwn(elementBytes, code);
}

export function sameFormat(a: Format, b: Format): boolean {
  return a === b || a.text === b.text;
}
