import { matchesEverything, matchParts, type PatternPart } from './fnmatch';

/** A Score-P filter: its rules in the order of the file, blocks of the same kind joined. */
export interface Filter {
  readonly rules: readonly FilterRule[];
}

export interface FilterRule {
  readonly block: 'file' | 'region';
  readonly action: 'include' | 'exclude';
  /** As written, with escapes. */
  readonly pattern: string;
  readonly parts: readonly PatternPart[];
  /** Matched against the mangled name; file rules never are. */
  readonly mangled: boolean;
  /** Place of the pattern, from 1. */
  readonly line: number;
  readonly column: number;
}

/** What a filter is asked about. */
export interface FilterSubject {
  /** As the compiler prints it; unknown when only a mangled name is at hand. */
  readonly name?: string;
  readonly mangledName?: string;
  /** Absolute path of the source. */
  readonly file?: string;
}

export interface FilterVerdict {
  readonly instrumented: boolean;
  /** The rule that decided; undefined: no rule matched, and everything is included at the start. */
  readonly rule?: FilterRule;
}

/**
 * Score-P's verdict: the last matching rule of a block wins, and a region is left out when either its file or its name is. Without
 * a known name only patterns that match everything apply to it.
 */
export function matchFilter(filter: Filter, subject: FilterSubject): FilterVerdict {
  const byFile = lastMatch(filter, 'file', subject);
  if (byFile?.action === 'exclude') return { instrumented: false, rule: byFile };
  const byName = lastMatch(filter, 'region', subject);
  if (byName !== undefined) return { instrumented: byName.action === 'include', rule: byName };
  return byFile === undefined ? { instrumented: true } : { instrumented: true, rule: byFile };
}

function lastMatch(
  filter: Filter,
  block: FilterRule['block'],
  subject: FilterSubject,
): FilterRule | undefined {
  return filter.rules.findLast((rule) => rule.block === block && matches(rule, subject));
}

function matches(rule: FilterRule, subject: FilterSubject): boolean {
  if (rule.block === 'file') return subject.file !== undefined && matchParts(rule.parts, subject.file);
  const text = rule.mangled ? (subject.mangledName ?? subject.name) : subject.name;
  return text === undefined ? matchesEverything(rule.parts) : matchParts(rule.parts, text);
}
