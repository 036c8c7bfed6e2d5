import type { FilterInspection, RuleMatch } from '../../workflows/filters/inspectFilter';
import { formatCount } from '../../core/format';
import { escapeMarkdown } from '../../core/markdown';

type Counts = Pick<FilterInspection, 'total' | 'matches' | 'wins' | 'uncertain' | 'known' | 'instrumented'>;

/** Explanations of the keywords of the filter language, as Markdown. */
export const keywordHelp: ReadonlyMap<string, string> = new Map([
  [
    'SCOREP_FILE_NAMES_BEGIN',
    'Rules for **source files**. Names are absolute, so patterns begin with `*/`. A function in an excluded file stays out, whatever the rules for regions are.',
  ],
  ['SCOREP_FILE_NAMES_END', 'End of the rules for source files.'],
  [
    'SCOREP_REGION_NAMES_BEGIN',
    'Rules for **functions** and user regions. Everything is included at the start, and the **last** rule that matches decides. MPI and OpenMP are not filtered.',
  ],
  ['SCOREP_REGION_NAMES_END', 'End of the rules for functions.'],
  [
    'INCLUDE',
    'What matches the patterns that follow is instrumented, unless a later rule excludes it. A list of functions begins with `EXCLUDE *`. Functions that are declared inline are instrumented at compile time only by an INCLUDE other than `*`.',
  ],
  [
    'EXCLUDE',
    'What matches the patterns that follow is not instrumented, unless a later rule includes it. In `EXCLUDE *`, only functions that later rules include are instrumented.',
  ],
  [
    'MANGLED',
    'The patterns up to the next INCLUDE or EXCLUDE are compared with **mangled** names (`_ZN4Heap4swapEii`, `__solver_MOD_sweep`). These are the same for every compiler version; demangled ones carry return types and typedefs as gcc prints them.',
  ],
  ['DEMANGLED', 'The patterns that follow are compared with demangled names again, as without MANGLED.'],
]);

/** The origin of the functions, as the end of a sentence. */
export function knownText({ kind, label }: FilterInspection['known']): string {
  return kind === 'study' ? `of study ${label}` : kind === 'profiles' ? `of ${label}` : '';
}

/** `matches 14 of 373 functions`, with the number that the rule decides if it differs. */
export function ruleText({ matches, wins, uncertain, total }: Counts, rule: number): string {
  const [matched, won] = [matches[rule] ?? 0, wins[rule] ?? 0];
  if (matched === 0 && uncertain[rule] === 1)
    return 'matches by a spelling that only the compiler knows (return types, typedefs)';
  const decides = won === matched ? '' : won === 0 ? ', decides none' : `, decides ${formatCount(won)}`;
  return `matches ${formatCount(matched)} of ${functionsText(total)}${decides}`;
}

/** The number of functions that the patterns of one INCLUDE or EXCLUDE decide together. */
export function groupText({ wins, total }: Counts, rules: readonly number[]): string {
  const decided = rules.reduce((sum, rule) => sum + (wins[rule] ?? 0), 0);
  return `${formatCount(rules.length)} patterns decide ${formatCount(decided)} of ${functionsText(total)}`;
}

/** The effect of the whole filter, shown above the first block. */
export function summaryText({ total, instrumented, known }: Counts): string {
  const [compiled, run] = [instrumented['compile-time'], instrumented['run-time']];
  const both =
    compiled === run ? formatCount(run) : `${formatCount(compiled)} (at run time ${formatCount(run)})`;
  return `Instruments ${both} of ${functionsText(total)} ${knownText(known)}`;
}

function functionsText(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'function' : 'functions'}`;
}

/** The functions that a pattern matches, by name, as Markdown. */
export function matchesMarkdown(
  counts: Counts,
  rule: number,
  { total, matches }: { readonly total: number; readonly matches: readonly RuleMatch[] },
): string {
  const counted = ruleText(counts, rule);
  const sentence = `${counted.charAt(0).toUpperCase()}${counted.slice(1)}${total === 0 ? '.' : ':'}`;
  const lines = matches.map(({ name, instrumented }) => {
    const icon = instrumented ? '$(pass)' : '$(circle-slash)';
    return `- ${icon} ${escapeMarkdown(name)}`;
  });
  const more = total - matches.length;
  return [
    sentence,
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
    ...(more > 0 ? [`… and ${formatCount(more)} more`] : []),
    `_Functions ${escapeMarkdown(knownText(counts.known))}._`,
  ].join('\n\n');
}
