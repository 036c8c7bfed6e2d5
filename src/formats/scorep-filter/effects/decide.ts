import type { Filter, FilterRule } from '../syntax/filter';

/** When a filter is applied: by the compiler (`--instrument-filter`) or by the running program (`SCOREP_FILTERING_FILE`). */
export type FilterTime = 'compile-time' | 'run-time';

/** The function that a filter decides about. */
export interface FilterSubject {
  /** As the compiler prints it, for C++ with return type and parameters; undefined if only a mangled name is known. */
  readonly name?: string;
  readonly mangledName?: string;
  /** Absolute path of the source. */
  readonly file?: string;
  /** Declared inline, or defined in its class: the compiler does not instrument such a function unless a rule names it. */
  readonly inline?: boolean;
}

export interface FilterDecision {
  readonly instrumented: boolean;
  /** The rule that decided; undefined if no rule matched, since everything is included initially. */
  readonly rule?: FilterRule;
  readonly because: 'included' | 'excluded' | 'file-excluded' | 'no-rule' | 'inline';
}

/**
 * Score-P's verdict: the last matching rule of a block wins, and a function is excluded if either its file or its name is. At compile
 * time an inline function is excluded as well, unless the last rule that matches it – not counting `INCLUDE *` – is an
 * INCLUDE. If its name is unknown, only patterns that match everything apply to it.
 */
export function decide(filter: Filter, subject: FilterSubject, when: FilterTime): FilterDecision {
  return decideBy(
    (condition) => filter.rules.findLast((rule) => condition(rule) && ruleMatches(rule, subject)),
    subject,
    when,
  );
}

/** As `decide`, for known matches: `last` returns the last matching rule that satisfies a condition. */
export function decideBy(
  last: (condition: (rule: FilterRule) => boolean) => FilterRule | undefined,
  { inline }: Pick<FilterSubject, 'inline'>,
  when: FilterTime,
): FilterDecision {
  const byFile = last(({ block }) => block === 'file');
  if (byFile?.action === 'exclude') return { instrumented: false, rule: byFile, because: 'file-excluded' };
  const byName = last(({ block }) => block === 'region');
  if (byName?.action === 'exclude') return { instrumented: false, rule: byName, because: 'excluded' };
  if (when === 'compile-time' && inline === true) {
    const naming = last((rule) => rule.block === 'region' && !isIncludeStar(rule));
    if (naming?.action !== 'include') return { instrumented: false, because: 'inline' };
  }
  const rule = byName ?? byFile;
  return rule === undefined
    ? { instrumented: true, because: 'no-rule' }
    : { instrumented: true, rule, because: 'included' };
}

/** Whether a rule for its name includes the function, and not only a rule for everything or for its file. */
export function namesIt({ instrumented, rule }: FilterDecision): boolean {
  return instrumented && rule?.block === 'region' && !rule.matcher.everything;
}

/** The decision as a sentence. */
export function explainDecision({ rule, because }: FilterDecision): string {
  const place =
    rule === undefined
      ? ''
      : `${rule.action.toUpperCase()} ${rule.mangled ? 'MANGLED ' : ''}${rule.pattern} in line ${rule.line}`;
  switch (because) {
    case 'included':
      return `in: ${place} is the last rule that matches`;
    case 'excluded':
      return `out: ${place} is the last rule that matches`;
    case 'file-excluded':
      return `out: its file is excluded by ${place}, and no rule for names brings it back`;
    case 'no-rule':
      return 'in: no rule matches, and everything is included at the start';
    case 'inline':
      return 'out: it is declared inline, and the compiler instruments such functions only where an INCLUDE other than “*” matches them';
  }
}

/** Whether a rule applies to a function. If the mangled name is unknown, Score-P uses the shown name. */
function ruleMatches(rule: FilterRule, subject: FilterSubject): boolean {
  if (rule.block === 'file') return subject.file !== undefined && rule.matcher.matches(subject.file);
  const text = rule.mangled ? (subject.mangledName ?? subject.name) : subject.name;
  return text === undefined ? rule.matcher.everything : rule.matcher.matches(text);
}

/** Score-P has an exception for the pattern `*` only, not for other patterns that match everything. */
function isIncludeStar({ action, pattern }: FilterRule): boolean {
  return action === 'include' && pattern === '*';
}
