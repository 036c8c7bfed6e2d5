import { at } from '../../../core/at';
import { firstPosition } from '../../../core/firstPosition';
import { present } from '../../../core/present';
import type { BlockKind } from '../syntax/filter';
import type { FilterSyntax, SyntaxToken } from '../syntax/syntax';

/** What may be written at a place of a filter. */
export interface FilterPlace {
  readonly isComment: boolean;
  /** Absent: outside of blocks. */
  readonly block?: BlockKind;
  /** An INCLUDE or EXCLUDE stands before it in the block. */
  readonly hasAction: boolean;
  /** Patterns here are matched against mangled names. */
  readonly mangled: boolean;
  /** The last word before is the INCLUDE or EXCLUDE itself. */
  readonly afterAction: boolean;
  /** Patterns of the same rule follow. */
  readonly beforePattern: boolean;
  /** The word that the place is in or behind. */
  readonly word?: SyntaxToken;
}

const outside = { hasAction: false, mangled: false, afterAction: false, beforePattern: false };

/** @param offset a place between characters, as that of the cursor */
export function placeAt({ tokens }: FilterSyntax, offset: number): FilterPlace {
  const position = tokenAt(tokens, offset);
  const token = tokens[position];
  const before = tokens[position - 1];
  const inComment = token?.kind === 'comment' && offset > token.offset;
  if (inComment || ends(before, 'comment', offset)) return { ...outside, isComment: true };
  const word = token?.kind === 'word' ? token : ends(before, 'word', offset) ? before : undefined;
  const first = word === before && word !== undefined ? position - 1 : position;
  return {
    ...stateBefore(tokens, first),
    isComment: false,
    beforePattern: nextWord(tokens, word === undefined ? first : first + 1)?.role === 'pattern',
    ...present({ word }),
  };
}

function nextWord(tokens: readonly SyntaxToken[], from: number): SyntaxToken | undefined {
  return tokens.slice(from).find(({ kind }) => kind === 'word');
}

function ends(token: SyntaxToken | undefined, kind: SyntaxToken['kind'], offset: number): boolean {
  return token?.kind === kind && token.offset + token.text.length === offset;
}

/** Position of the token that begins at or before a place; the one behind the last at the end of the file. */
function tokenAt(tokens: readonly SyntaxToken[], offset: number): number {
  return firstPosition(tokens.length, (position) => {
    const token = at(tokens, position);
    return token.offset + token.text.length > offset;
  });
}

/** Which block, action and way of naming hold in front of a token. */
function stateBefore(
  tokens: readonly SyntaxToken[],
  end: number,
): Omit<FilterPlace, 'isComment' | 'beforePattern' | 'word'> {
  let mangled: boolean | undefined;
  let hasAction = false;
  let words = 0;
  let afterAction = false;
  for (let position = end - 1; position >= 0; position--) {
    const token = tokens[position];
    if (token?.kind !== 'word') continue;
    if (token.role === 'end') return outside;
    if (token.role === 'begin') {
      const block = token.text.includes('FILE') ? 'file' : 'region';
      return { block, hasAction, mangled: mangled ?? false, afterAction };
    }
    if (token.role === 'action' && !hasAction) {
      hasAction = true;
      afterAction = words === 0;
    }
    if (token.role === 'mangling' && !hasAction) mangled ??= token.text === 'MANGLED';
    words += 1;
  }
  return outside;
}
