import { at } from '../../../core/at';
import { firstPosition } from '../../../core/firstPosition';
import { present } from '../../../core/present';
import type { BlockKind } from '../syntax/filter';
import type { FilterSyntax, SyntaxToken } from '../syntax/syntax';

/** Context at an offset of a filter, which determines what may be written there. */
export interface FilterPlace {
  readonly isComment: boolean;
  /** Absent outside of blocks. */
  readonly block?: BlockKind;
  /** Whether an INCLUDE or EXCLUDE precedes the offset in the block. */
  readonly hasAction: boolean;
  /** Whether patterns here are matched against mangled names. */
  readonly mangled: boolean;
  /** Whether the previous word is the INCLUDE or EXCLUDE itself. */
  readonly afterAction: boolean;
  /** Whether patterns of the same rule follow. */
  readonly beforePattern: boolean;
  /** The word that contains the offset or ends there. */
  readonly word?: SyntaxToken;
}

const outside = { hasAction: false, mangled: false, afterAction: false, beforePattern: false };

/** @param offset a position between characters, e.g. the cursor */
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

/** Position of the token that contains an offset; the number of tokens at the end of the file. */
function tokenAt(tokens: readonly SyntaxToken[], offset: number): number {
  return firstPosition(tokens.length, (position) => {
    const token = at(tokens, position);
    return token.offset + token.text.length > offset;
  });
}

/** Block, action and kind of names that apply before a token. */
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
