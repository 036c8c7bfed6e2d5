import { KymoError } from '../../core/errors';

export type MeasurementsFileReason = 'measurements-invalid';

/** A text with the file that it came from, for messages. */
export interface TextOfFile {
  readonly file: string;
  readonly text: string;
  /** Name of the text in an archive; absent where it is the file itself. */
  readonly member?: string;
}

/** The text breaks its format at `offset`: what was expected and what was found there, which is the text itself by default. */
export function invalidText(
  { file, text, member }: TextOfFile,
  offset: number,
  expected: string,
  found = shownText(text, offset),
): KymoError<MeasurementsFileReason> {
  let line = 1;
  let lineStart = 0;
  for (let next = text.indexOf('\n'); next >= 0 && next < offset; next = text.indexOf('\n', lineStart)) {
    line++;
    lineStart = next + 1;
  }
  const column = offset - lineStart + 1;
  const within = member === undefined ? file : `${file} (${member})`;
  return new KymoError(
    'measurements-invalid',
    `${within}:${line}:${column}: ${expected} was expected, but ${found} was found.`,
    member === undefined ? { file, line, column } : { file },
  );
}

/** The file as a whole, or its bytes at `offset`, cannot be read. @param why a sentence without its subject, the file */
export function invalidFile(file: string, why: string, offset?: number): KymoError<MeasurementsFileReason> {
  const where = offset === undefined ? '' : `byte ${offset}: `;
  return new KymoError(
    'measurements-invalid',
    `${file}: ${where}${why}.`,
    offset === undefined ? { file } : { file, offset },
  );
}

/** A text from a file in a message, short and without control characters. */
export function quoted(text: string): string {
  const cut = text.length <= 60 ? text : `${text.slice(0, 59)}…`;
  return `“${JSON.stringify(cut).slice(1, -1).replaceAll('\\"', '"')}”`;
}

/** What stands at an offset: a word, number or text in quotes as a whole, otherwise one character. */
function shownText(text: string, offset: number): string {
  if (offset >= text.length) return 'the end of the file';
  if (/[\r\n]/.test(text.charAt(offset))) return 'the end of the line';
  const token = /[\w.+-]{1,61}|"[^"\r\n]{0,61}"?|[^]/uy;
  token.lastIndex = offset;
  return quoted(token.exec(text)?.[0] ?? text.charAt(offset));
}
