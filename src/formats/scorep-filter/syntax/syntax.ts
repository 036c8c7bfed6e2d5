import type { FilterDiagnostic } from './diagnostics';
import type { BlockKind, Filter, RuleAction } from './filter';
import type { Token } from './tokens';

/** The meaning of a word in its place; `stray` for a word that Score-P does not expect there. */
export type WordRole = 'begin' | 'end' | 'action' | 'mangling' | 'pattern' | 'stray';

/** A piece of the file; only words have a role. */
export interface SyntaxToken extends Token {
  readonly role?: WordRole;
}

/** A filter file without loss: it includes blanks, comments and words that Score-P does not understand. */
export interface FilterSyntax {
  /** Their concatenation is the text. */
  readonly tokens: readonly SyntaxToken[];
  readonly blocks: readonly SyntaxBlock[];
  /** The rules of all blocks that could be read. */
  readonly filter: Filter;
  /** Text that Score-P would refuse or misread, in the order of the file. */
  readonly diagnostics: readonly FilterDiagnostic[];
}

/** From a BEGIN to its END, as positions in `tokens`. */
export interface SyntaxBlock {
  readonly block: BlockKind;
  readonly begin: number;
  /** Absent if the block is not closed. */
  readonly end?: number;
  /** Last word of the block. */
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

/** Returns the original text, byte for byte. */
export function printFilter({ tokens }: FilterSyntax): string {
  return tokens.map((token) => token.text).join('');
}
