import { LayoutError, quoted } from './layoutError';
import { longestText } from './limits';

/** A word, `:`, `=>` or `;` of a layout file; the end has the kind `end`. */
export interface Token {
  readonly kind: 'word' | ':' | '=>' | ';' | 'end';
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** A text, and the name that errors give it. */
export interface Source {
  readonly text: string;
  readonly file?: string;
}

const anyToken = /(?<word>[A-Za-z0-9][A-Za-z0-9._-]*)|(?<mark>:|=>|;)|(?<newline>\n)|[ \t\r\f\v]+|#[^\n]*/uy;

/**
 * The tokens of a layout file, one at a time; the last one is the end. Blanks, new lines and comments (`#` to the end of the line) only separate.
 *
 * @throws LayoutError `bad-syntax`, `too-large`
 */
export function* tokensOf({ text, file }: Source): Generator<Token, undefined> {
  const place = (line: number, column: number) => ({ ...(file === undefined ? {} : { file }), line, column });
  if (text.length > longestText)
    throw new LayoutError('too-large', `The text is longer than ${longestText} characters.`, place(1, 1));
  const pattern = new RegExp(anyToken);
  let line = 1;
  let lineStart = 0;
  while (pattern.lastIndex < text.length) {
    const start = pattern.lastIndex;
    const column = start - lineStart + 1;
    const match = pattern.exec(text);
    if (match === null)
      throw new LayoutError(
        'bad-syntax',
        `Expected a host, ":", "=>" or ";", and found ${quoted(String.fromCodePoint(text.codePointAt(start) ?? 0))}.`,
        place(line, column),
      );
    const { word, mark, newline } = match.groups ?? {};
    if (word !== undefined) yield { kind: 'word', text: word, line, column };
    else if (mark === ':' || mark === '=>' || mark === ';') yield { kind: mark, text: mark, line, column };
    else if (newline !== undefined) {
      line++;
      lineStart = pattern.lastIndex;
    }
  }
  yield { kind: 'end', text: '', line, column: text.length - lineStart + 1 };
}
