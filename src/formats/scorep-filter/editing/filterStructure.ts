import type { FilterSyntax, SyntaxToken } from '../syntax/syntax';

/** Lines that fold into the first of them, from 0. */
export interface FoldedLines {
  readonly first: number;
  readonly last: number;
  readonly isComment: boolean;
}

/** Blocks without their END, rules of several lines, and comments of several lines. */
export function foldedLines({ tokens, blocks }: FilterSyntax): readonly FoldedLines[] {
  const folded: FoldedLines[] = [];
  const fold = (first: number, last: number, isComment = false): void => {
    if (last > first) folded.push({ first, last, isComment });
  };
  for (const { begin, end, last, groups } of blocks) {
    const endLine = end === undefined ? undefined : lineOf(tokens[end]);
    fold(lineOf(tokens[begin]), endLine === undefined ? lineOf(tokens[last]) : endLine - 1);
    for (const group of groups) fold(lineOf(tokens[group.keyword]), lineOf(tokens[group.last]));
  }
  for (const [first, last] of commentRuns(tokens)) fold(first, last, true);
  return folded;
}

/** First and last lines of consecutive lines that contain only a comment. */
function commentRuns(tokens: readonly SyntaxToken[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  let lastWordLine = -1;
  for (const token of tokens) {
    const line = lineOf(token);
    if (token.kind === 'word') lastWordLine = line;
    if (token.kind !== 'comment' || line === lastWordLine) continue;
    const run = runs.at(-1);
    if (run?.[1] === line - 1) run[1] = line;
    else runs.push([line, line]);
  }
  return runs;
}

/** An entry of the outline, with offsets in the text. */
export interface OutlineItem {
  readonly name: string;
  readonly detail: string;
  readonly kind: 'block' | 'include' | 'exclude';
  readonly begin: number;
  readonly end: number;
  /** Offset that a click selects. */
  readonly nameBegin: number;
  readonly nameEnd: number;
  readonly children: readonly OutlineItem[];
}

/** Maximum number of entries; nobody reads a longer list. */
const mostItems = 2000;

/** The blocks with their patterns. */
export function outlineOf({ tokens, blocks, filter }: FilterSyntax): readonly OutlineItem[] {
  let room = mostItems;
  return blocks.map(({ block, begin, last, groups }) => {
    const rules = groups.flatMap(({ rules: positions }) => positions);
    const shown = rules.slice(0, room);
    room -= shown.length;
    const children = shown.flatMap((position): readonly OutlineItem[] => {
      const rule = filter.rules[position];
      if (rule === undefined) return [];
      const { pattern, action, mangled, offset } = rule;
      const end = offset + pattern.length;
      const detail = `${action.toUpperCase()}${mangled ? ' MANGLED' : ''}`;
      return [
        {
          name: pattern,
          detail,
          kind: action,
          begin: offset,
          end,
          nameBegin: offset,
          nameEnd: end,
          children: [],
        },
      ];
    });
    const [first, final] = [tokens[begin], tokens[last]];
    return {
      name: block === 'file' ? 'File names' : 'Region names',
      detail: `${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}`,
      kind: 'block',
      begin: first?.offset ?? 0,
      end: endOf(final),
      nameBegin: first?.offset ?? 0,
      nameEnd: endOf(first),
      children,
    };
  });
}

function endOf(token: SyntaxToken | undefined): number {
  return token === undefined ? 0 : token.offset + token.text.length;
}

function lineOf(token: SyntaxToken | undefined): number {
  return (token?.line ?? 1) - 1;
}
