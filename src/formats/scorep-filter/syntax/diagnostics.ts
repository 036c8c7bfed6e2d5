import type { Token } from './tokens';

export type FilterDiagnosticCode =
  // Score-P refuses the file.
  | 'continued-line'
  | 'nested-block'
  | 'stray-end'
  | 'outside-block'
  | 'no-action'
  | 'mangling-misplaced'
  // Score-P misreads the author's intention.
  | 'carriage-return'
  | 'joined-lines'
  | 'bytes'
  | 'lost-word'
  | 'not-closed'
  | 'empty-rule'
  | 'keyword-like'
  | 'relative-file'
  | 'mangled-without-keyword'
  | 'include-first'
  | 'overridden'
  // Findings about the functions of a program.
  | 'matches-nothing'
  | 'no-effect'
  | 'inlined';

/** A message about a filter, with its place. */
export interface FilterDiagnostic {
  /** `error`: Score-P refuses the file. */
  readonly severity: 'error' | 'warning' | 'info';
  readonly code: FilterDiagnosticCode;
  readonly message: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** From 0, UTF-16 units. */
  readonly offset: number;
  readonly length: number;
  readonly fixes?: readonly FilterFix[];
}

/** A change of the text that fixes the problem. */
export interface FilterFix {
  readonly title: string;
  /** Ascending, not overlapping; offsets in the original text. */
  readonly edits: readonly FilterEdit[];
}

export interface FilterEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** A diagnostic for a word (or anything with a place and a length). */
export function diagnosticAt(
  place: Pick<Token, 'line' | 'column' | 'offset' | 'text'>,
  severity: FilterDiagnostic['severity'],
  code: FilterDiagnosticCode,
  message: string,
  fixes: readonly FilterFix[] = [],
): FilterDiagnostic {
  const { line, column, offset, text } = place;
  const where = { line, column, offset, length: text.length };
  return { severity, code, message, ...where, ...(fixes.length === 0 ? {} : { fixes }) };
}

export function replaceWord(title: string, place: Pick<Token, 'offset' | 'text'>, text: string): FilterFix {
  return { title, edits: [{ offset: place.offset, length: place.text.length, text }] };
}
