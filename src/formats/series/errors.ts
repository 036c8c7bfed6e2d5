import { KymoError } from '../../core/errors';

export type SeriesFileReason = 'series-invalid' | 'series-too-large';

/** A place in a series file. `column` counts bytes from 1. */
export interface SeriesPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The file breaks the format (docs/INTERFACES.md, “Series files”): what was expected, what was found, and what to do. */
export function invalidSeries(
  place: SeriesPlace,
  expected: string,
  found: string,
  advice = 'Correct the line, or write the file again.',
): KymoError<SeriesFileReason> {
  const { file, line, column } = place;
  return new KymoError(
    'series-invalid',
    `${file}:${line}:${column}: ${expected} was expected, but ${found} was found. ${advice}`,
    place,
  );
}

/** The file is sound, but needs more memory than the limit. */
export function seriesTooLarge(place: SeriesPlace, what: string): KymoError<SeriesFileReason> {
  const { file, line, column } = place;
  return new KymoError(
    'series-too-large',
    `${file}:${line}:${column}: ${what}. Write fewer columns or shorter names.`,
    place,
  );
}

/** A byte of a file in a message: `“N”`, `byte 0x00`, `the end of the file`. */
export function shownByte(byte: number): string {
  if (byte < 0) return 'the end of the file';
  if (byte === 0x0a) return 'the end of the line';
  if (byte === 0x09) return 'a tab';
  return byte >= 0x20 && byte < 0x7f
    ? `“${String.fromCharCode(byte)}”`
    : `byte 0x${byte.toString(16).padStart(2, '0')}`;
}
