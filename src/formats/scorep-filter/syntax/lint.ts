import { isAscii } from '../patterns/bytes';
import { diagnosticAt, replaceWord, type FilterDiagnostic } from './diagnostics';
import { asMangled } from './edits';
import type { FilterRule } from './filter';
import { nearestKeyword } from './keywords';
import type { FilterSyntax } from './syntax';

type Readable = Pick<FilterSyntax, 'tokens' | 'blocks' | 'filter'>;

/** Rules that Score-P accepts and that do not do what they seem to; needs no knowledge of the program. */
export function lintRules(syntax: Readable): readonly FilterDiagnostic[] {
  const { rules } = syntax.filter;
  return [
    ...lintOrder(rules.filter((rule) => rule.block === 'file')),
    ...lintOrder(rules.filter((rule) => rule.block === 'region')),
    ...rules.flatMap((rule, at) => oddities(syntax, rule, at)),
  ];
}

/** Checks the order of one block's rules. */
function lintOrder(rules: readonly FilterRule[]): readonly FilterDiagnostic[] {
  const found: FilterDiagnostic[] = [];
  const sweeping = rules.findLastIndex((rule) => rule.matcher.everything);
  const last = rules[sweeping];
  // An INCLUDE before `INCLUDE *` is not lost: it still brings functions in that are declared inline.
  const lost = rules
    .slice(0, Math.max(0, sweeping))
    .some(({ action }) => action !== 'include' || last?.action !== 'include');
  if (last !== undefined && lost) {
    found.push(
      diagnosticAt(
        placeOf(last),
        'warning',
        'overridden',
        'Matches everything, so the rules before it have no effect: the last matching rule wins.',
      ),
    );
  }
  const first = rules[0];
  if (first?.action === 'include') {
    found.push(
      diagnosticAt(
        placeOf(first),
        'warning',
        'include-first',
        'Everything is included at the start, so this has no effect but for functions that are declared inline; a list of functions begins with “EXCLUDE *”.',
      ),
    );
  }
  return found;
}

function oddities(syntax: Readable, rule: FilterRule, at: number): readonly FilterDiagnostic[] {
  const { block, pattern, mangled } = rule;
  const place = placeOf(rule);
  const keyword = nearestKeyword(pattern);
  if (keyword !== undefined) {
    return [
      diagnosticAt(
        place,
        'warning',
        'keyword-like',
        `“${pattern}” is taken for a name; the keyword is ${keyword}, in capitals.`,
        [replaceWord(`Change to ${keyword}`, place, keyword)],
      ),
    ];
  }
  if (block === 'file' && !/^[*/?[]/.test(pattern)) {
    return [
      diagnosticAt(
        place,
        'warning',
        'relative-file',
        `File names are absolute, so “${pattern}” matches none; write “*/${pattern}”.`,
        [replaceWord(`Change to */${pattern}`, place, `*/${pattern}`)],
      ),
    ];
  }
  if (block === 'region' && !mangled && pattern.startsWith('_Z')) {
    return [
      diagnosticAt(
        place,
        'warning',
        'mangled-without-keyword',
        `“${pattern}” is a mangled name and matches nothing without MANGLED after INCLUDE or EXCLUDE.`,
        [asMangled(syntax, at, 'Write MANGLED before it')],
      ),
    ];
  }
  if (setsOf(pattern).some((set) => !isAscii(set)))
    return [bytesDiagnostic(rule, `the characters in ${setsOf(pattern).find((set) => !isAscii(set)) ?? ''}`)];
  return [];
}

/** Escapes, sets and question marks of a pattern. */
const wildcards = /\\[\s\S]|\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\]|\?/g;

function setsOf(pattern: string): readonly string[] {
  return (pattern.match(wildcards) ?? []).filter((one) => one.startsWith('['));
}

/** @param what has several bytes for a character */
export function bytesDiagnostic(rule: FilterRule, what: string): FilterDiagnostic {
  const starred = rule.pattern
    .replace(wildcards, (one) => (one.startsWith('\\') ? one : '*'))
    .replace(/\*{2,}/g, '*');
  return diagnosticAt(
    placeOf(rule),
    'warning',
    'bytes',
    `Score-P compares bytes here (the compiler does so outside of UTF-8 locales), and ${what} have several: “?” and “[…]” match one byte each.`,
    [replaceWord(`Change to ${starred}`, placeOf(rule), starred)],
  );
}

export function placeOf({ line, column, offset, pattern }: FilterRule): {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly text: string;
} {
  return { line, column, offset, text: pattern };
}
