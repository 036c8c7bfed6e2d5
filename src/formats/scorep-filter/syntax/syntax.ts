import type { FilterDiagnostic } from './diagnostics';
import type { BlockKind, Filter, RuleAction } from './filter';
import type { Token } from './tokens';

/** What a word means where it stands; `stray` where Score-P expects none such. */
export type WordRole = 'begin' | 'end' | 'action' | 'mangling' | 'pattern' | 'stray';

/** A piece of the file; only words have a role. */
export interface SyntaxToken extends Token {
  readonly role?: WordRole;
}

/** A filter file with nothing lost: blanks, comments and what Score-P does not understand are all there. */
export interface FilterSyntax {
  /** Together exactly the text. */
  readonly tokens: readonly SyntaxToken[];
  readonly blocks: readonly SyntaxBlock[];
  /** The rules of all blocks; what could not be read is left out of it. */
  readonly filter: Filter;
  /** What Score-P would refuse or misunderstand, in the order of the file. */
  readonly diagnostics: readonly FilterDiagnostic[];
}

/** From a BEGIN to its END; numbers are positions in `tokens`. */
export interface SyntaxBlock {
  readonly block: BlockKind;
  readonly begin: number;
  /** Absent where the block is not closed. */
  readonly end?: number;
  /** The last word that belongs to it. */
  readonly last: number;
  readonly groups: readonly SyntaxGroup[];
}

/** An INCLUDE or EXCLUDE with its patterns. */
export interface SyntaxGroup {
  readonly action: RuleAction;
  readonly keyword: number;
  readonly last: number;
  /** Positions in `filter.rules`. */
  readonly rules: readonly number[];
}

/** The text that was read, byte for byte. */
export function printFilter({ tokens }: FilterSyntax): string {
  return tokens.map((token) => token.text).join('');
}
