import { shorten } from './lensText';

/** Behind a line there is less room than above it. */
const lineEndCharacters = 160;
/** As VS Code draws it between lenses. */
const between = ' | ';

/** What stands behind a line: texts of several origins, as one. */
export interface LineEnd {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** One text per line, ascending; what comes from the earlier list stands first, as lenses of one line do. */
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
