import type { Matcher } from '../patterns/matcher';

/** A Score-P filter: its rules in the order of the file, with blocks of the same kind joined. */
export interface Filter {
  readonly rules: readonly FilterRule[];
}

export type BlockKind = 'file' | 'region';
export type RuleAction = 'include' | 'exclude';

export interface FilterRule {
  readonly block: BlockKind;
  readonly action: RuleAction;
  /** The pattern as written, with escapes. */
  readonly pattern: string;
  readonly matcher: Matcher;
  /** Whether the pattern is matched against the mangled name; always false for file rules. */
  readonly mangled: boolean;
  /** Place of the pattern, from 1; its offset from 0 and its position among the tokens of the file. */
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly token: number;
}
