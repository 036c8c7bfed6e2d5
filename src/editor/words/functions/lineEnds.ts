import { shorten } from './lensText';

/** Limit for a text behind a line, where there is less room than above it. */
const lineEndCharacters = 160;
/** The separator that VS Code draws between lenses. */
const between = ' | ';

/** The text behind a line, joined from several sources. */
export interface LineEnd {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** Joins the lists to one text per line, ascending by line. Texts of earlier lists are first, as with lenses. */
export function joinLineEnds(...lists: readonly (readonly LineEnd[])[]): readonly LineEnd[] {
  const lines = new Map<number, string[]>();
  for (const { line, text } of lists.flat()) {
    const texts = lines.get(line);
    if (texts === undefined) lines.set(line, [text]);
    else texts.push(text);
  }
  return [...lines]
    .map(([line, texts]) => ({ line, text: shorten(texts.join(between), lineEndCharacters) }))
    .sort((a, b) => a.line - b.line);
}
