import { isAscii } from '../patterns/bytes';
import {
  diagnosticAt,
  replaceWord,
  type FilterDiagnostic,
  type FilterDiagnosticCode,
  type FilterFix,
} from './diagnostics';
import { asMangled } from './edits';
import type { FilterRule } from './filter';
import { nearestKeyword } from './keywords';
import type { FilterSyntax } from './syntax';

type Readable = Pick<FilterSyntax, 'tokens' | 'blocks' | 'filter'>;

/** Finds rules that Score-P accepts, but that are misleading; independent of the program. */
export function lintRules(syntax: Readable): readonly FilterDiagnostic[] {
  const { rules } = syntax.filter;
  return [
    ...lintOrder(rules.filter((rule) => rule.block === 'file')),
    ...lintOrder(rules.filter((rule) => rule.block === 'region')),
    ...rules.flatMap((rule, index) => oddities(syntax, rule, index)),
  ];
}

/** Checks the order of one block's rules. */
function lintOrder(rules: readonly FilterRule[]): readonly FilterDiagnostic[] {
  // Behind a mistyped INCLUDE or EXCLUDE, the order is not what its author intended.
  if (rules.some(({ pattern }) => nearestKeyword(pattern) !== undefined)) return [];
  const warnings: FilterDiagnostic[] = [];
  const sweeping = rules.findLastIndex((rule) => rule.matcher.everything);
  const last = rules[sweeping];
  // An INCLUDE before `INCLUDE *` has an effect: it includes inline functions.
  const lost = rules
    .slice(0, Math.max(0, sweeping))
    .some(({ action }) => action !== 'include' || last?.action !== 'include');
  if (last !== undefined && lost) {
    const message = 'Matches everything, so the rules before it have no effect: the last matching rule wins.';
    warnings.push(warning(last, 'overridden', message));
  }
  const first = rules[0];
  if (first?.action === 'include') {
    const message =
      'Everything is included at the start, so this has no effect but for functions that are declared inline; a list of functions begins with “EXCLUDE *”.';
    warnings.push(warning(first, 'include-first', message));
  }
  return warnings;
}

function oddities(syntax: Readable, rule: FilterRule, index: number): readonly FilterDiagnostic[] {
  const { block, pattern, mangled } = rule;
  const keyword = nearestKeyword(pattern);
  if (keyword !== undefined) {
    const capitals = pattern.toUpperCase() === keyword ? ', in capitals' : '';
    const message = `“${pattern}” is read as a name; the keyword is ${keyword}${capitals}.`;
    return [warning(rule, 'keyword-like', message, changeTo(rule, keyword))];
  }
  if (block === 'file' && !/^[*/?[]/.test(pattern)) {
    const message = `File names are absolute, so “${pattern}” matches none; write “*/${pattern}”.`;
    return [warning(rule, 'relative-file', message, changeTo(rule, `*/${pattern}`))];
  }
  if (block === 'region' && !mangled && pattern.startsWith('_Z'))
    return [withoutKeyword(syntax, rule, index)];
  const wideSet = setsOf(pattern).find((set) => !isAscii(set));
  return wideSet === undefined ? [] : [bytesDiagnostic(rule, `the characters in ${wideSet}`)];
}

/** Escapes, sets and question marks of a pattern. */
const wildcards = /\\[\s\S]|\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\]|\?/g;

function setsOf(pattern: string): readonly string[] {
  return (pattern.match(wildcards) ?? []).filter((wildcard) => wildcard.startsWith('['));
}

/** A mangled name that is compared with demangled names. */
export function withoutKeyword(syntax: Readable, rule: FilterRule, index: number): FilterDiagnostic {
  const message = `“${rule.pattern}” is a mangled name and matches nothing without MANGLED after INCLUDE or EXCLUDE.`;
  return warning(
    rule,
    'mangled-without-keyword',
    message,
    asMangled(syntax, index, 'Write MANGLED before it'),
  );
}

/** @param what text that has several bytes per character */
export function bytesDiagnostic(rule: FilterRule, what: string): FilterDiagnostic {
  const starred = rule.pattern
    .replace(wildcards, (wildcard) => (wildcard.startsWith('\\') ? wildcard : '*'))
    .replace(/\*{2,}/g, '*');
  const message = `Score-P compares bytes here (the compiler does so outside of UTF-8 locales), and ${what} have several: “?” and “[…]” match one byte each.`;
  return warning(rule, 'bytes', message, changeTo(rule, starred));
}

function changeTo(rule: FilterRule, text: string): FilterFix {
  return replaceWord(`Change to ${text}`, placeOf(rule), text);
}

/** A warning at the pattern of a rule. */
export function warning(
  rule: FilterRule,
  code: FilterDiagnosticCode,
  message: string,
  ...fixes: readonly FilterFix[]
): FilterDiagnostic {
  return diagnosticAt(placeOf(rule), 'warning', code, message, fixes);
}

export function placeOf({ line, column, offset, pattern }: FilterRule): Parameters<typeof diagnosticAt>[0] {
  return { line, column, offset, text: pattern };
}
