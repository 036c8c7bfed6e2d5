/** A word of a filter file, with its escapes as written. Lines and columns count from 1. */
export interface Token {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** A `\` at the end of the line, which Score-P refuses. */
  readonly continued?: true;
}

/**
 * Splits a filter file into words: separated by blank, tab and newline; `#` begins a comment unless a `\` stands before it; a `\`
 * takes the next character into the word, so that `\ ` is a blank inside a pattern (spec of the language: docs/formats.md).
 */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  text.split('\n').forEach((line, index) => {
    addLine(line.endsWith('\r') ? line.slice(0, -1) : line, index + 1, tokens);
  });
  return tokens;
}

function addLine(line: string, number: number, tokens: Token[]): void {
  let begin = -1;
  const finish = (end: number, continued: boolean): void => {
    if (begin < 0) return;
    tokens.push({
      text: line.slice(begin, end),
      line: number,
      column: begin + 1,
      ...(continued ? { continued: true as const } : {}),
    });
    begin = -1;
  };
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === '#') {
      finish(at, false);
      return;
    }
    if (character === ' ' || character === '\t') {
      finish(at, false);
      continue;
    }
    if (begin < 0) begin = at;
    if (character === '\\') {
      if (at + 1 === line.length) {
        finish(line.length, true);
        return;
      }
      at++;
    }
  }
  finish(line.length, false);
}
