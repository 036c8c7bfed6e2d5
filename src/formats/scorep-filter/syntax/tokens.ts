import { readLines } from './readLines';

/** A piece of a filter file. The concatenation of all pieces is its text, byte for byte. */
export interface Token {
  readonly kind: 'word' | 'comment' | 'blank';
  /** Words with their escapes, comments from `#` to the end of the line. */
  readonly text: string;
  /** From 0, UTF-16 units. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** A piece that Score-P reads otherwise than its author probably intended. */
  readonly trouble?: TokenTrouble;
}

export type TokenTrouble =
  /** A `\` before the end of the line, for which Score-P refuses the file. */
  | 'continued-line'
  /** The last word of a file without a newline, ending in `\`: Score-P ignores it. */
  | 'lost-word'
  /** A carriage return, which Score-P reads as a part of the word. */
  | 'carriage-return'
  /** A comment with which Score-P joins the next line. */
  | 'joined-lines';

/**
 * Splits a filter file as Score-P 8.4 does, line by line (`readLines.ts`). A `#` begins a comment unless a `\` precedes it, and a blank or tab
 * ends a word unless a `\` precedes it – even if that `\` is itself escaped, so no word ends in `\`. Score-P refuses the file if a `\` is the last character of a line, or
 * the last but one before a comment or the end of the file.
 */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const { offset, end, line } of readLines(text)) addLine(text.slice(offset, end), offset, line, tokens);
  return tokens;
}

function addLine(lineText: string, offset: number, firstLine: number, tokens: Token[]): void {
  const add = (kind: Token['kind'], begin: number, end: number, trouble?: TokenTrouble): void => {
    if (begin === end) return;
    const before = lineText.slice(0, begin).split('\n');
    const line = firstLine + before.length - 1;
    const column = (before.at(-1)?.length ?? 0) + 1;
    const place = { text: lineText.slice(begin, end), offset: offset + begin, line, column };
    tokens.push(trouble === undefined ? { kind, ...place } : { kind, ...place, trouble });
  };
  const hasNewline = lineText.endsWith('\n');
  const body = hasNewline ? lineText.slice(0, -1) : lineText;
  const comment = commentBegin(body);
  // For Score-P a carriage return belongs to the last word. Here it is a separate token, so that words are those of the author.
  const content = comment === undefined && body.endsWith('\r') ? body.slice(0, -1) : body.slice(0, comment);
  const hasReturn = comment === undefined && content.length < body.length;
  addWords(content, comment === undefined && hasNewline, add);
  if (comment !== undefined)
    add('comment', comment, body.length, body.includes('\n', comment) ? 'joined-lines' : undefined);
  const rest = comment === undefined ? content.length : body.length;
  add('blank', rest, lineText.length, hasReturn ? 'carriage-return' : undefined);
}

function commentBegin(line: string): number | undefined {
  for (let index = line.indexOf('#'); index >= 0; index = line.indexOf('#', index + 1)) {
    if (line[index - 1] !== '\\') return index;
  }
  return undefined;
}

type Add = (kind: Token['kind'], begin: number, end: number, trouble?: TokenTrouble) => void;

/** Words and blanks of a line without its comment; `ended`: whether a newline follows. */
function addWords(content: string, ended: boolean, add: Add): void {
  const refused = refusedAt(content, ended);
  let begin = 0;
  let inWord = false;
  for (let index = 0; index <= content.length; index++) {
    const separates = index === content.length || isSeparator(content, index);
    if (separates === !inWord) continue;
    if (!inWord) {
      add('blank', begin, index);
    } else {
      addWord(content, begin, index, refused, ended, add);
    }
    begin = index;
    inWord = !inWord;
  }
  add('blank', begin, content.length);
}

function addWord(
  content: string,
  begin: number,
  end: number,
  refused: number | undefined,
  ended: boolean,
  add: Add,
): void {
  if (refused !== undefined && refused >= begin && refused < end) add('word', begin, end, 'continued-line');
  else if (!ended && end === content.length && content[end - 1] === '\\')
    add('word', begin, end, 'lost-word');
  else add('word', begin, end);
}

/** Offset of the `\` that Score-P reads as the continuation of a line. */
function refusedAt(content: string, ended: boolean): number | undefined {
  const index = content.length - (ended ? 1 : 2);
  return content[index] === '\\' ? index : undefined;
}

function isSeparator(content: string, index: number): boolean {
  const character = content[index];
  return (character === ' ' || character === '\t' || character === '\n') && content[index - 1] !== '\\';
}
