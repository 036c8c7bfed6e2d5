import { isAscii } from '../patterns/bytes';
import { diagnosticAt, type FilterDiagnostic } from '../syntax/diagnostics';
import { asMangled, removeRule } from '../syntax/edits';
import { analyseEffects, type RuleEffect } from './effects';
import { compilePattern, matchParts } from '../patterns/fnmatch';
import { bytesDiagnostic, placeOf, warning, withoutKeyword } from '../syntax/lint';
import type { FilterRule } from '../syntax/filter';
import type { KnownFunction } from './names';
import type { FilterSyntax } from '../syntax/syntax';
import { escapePattern } from '../syntax/escapePattern';

/**
 * Reports rules without effect on these functions, in the order of the file: rules that match nothing, rules that later ones
 * overrule everywhere, and rules for functions that the compiler inlined. Without functions it reports nothing.
 */
export function diagnoseEffects(
  syntax: FilterSyntax,
  functions: readonly KnownFunction[],
): readonly FilterDiagnostic[] {
  if (functions.length === 0) return [];
  const effects = analyseEffects(syntax.filter, functions);
  const mangledNames = new Set(functions.flatMap(({ mangledName }) => mangledName ?? []));
  // More specific diagnostics exist for these rules.
  const reported = new Set(
    syntax.diagnostics.filter(({ code }) => moreSpecific.has(code)).map(({ offset }) => offset),
  );
  const wide = wideNames(functions);
  return syntax.filter.rules.flatMap((rule, index) => {
    const effect = effects.rules[index];
    if (effect === undefined || reported.has(rule.offset)) return [];
    const counted = rule.matcher.counts ? wide(rule).find((name) => missedByBytes(rule, name)) : undefined;
    if (counted !== undefined) return [bytesDiagnostic(rule, `letters of “${counted}”`)];
    if (effect.matches === 0) return withoutMatch(syntax, rule, index, effect, mangledNames);
    if (effect.wins === 0) return withoutEffect(syntax, rule, index, effect);
    return inlinedAway(syntax, rule, index, effect, functions);
  });
}

const moreSpecific: ReadonlySet<string> = new Set([
  'mangled-without-keyword',
  'relative-file',
  'keyword-like',
  'bytes',
]);

/** The names beyond ASCII that a rule is compared with. */
function wideNames(functions: readonly KnownFunction[]): (rule: FilterRule) => readonly string[] {
  const wide = (names: readonly (string | undefined)[]): readonly string[] =>
    [...new Set(names)].filter((name) => name !== undefined).filter((name) => !isAscii(name));
  const files = wide(functions.map(({ file }) => file));
  const mangled = wide(functions.map(({ mangledName }) => mangledName));
  const shown = wide(functions.map(({ name }) => name));
  return ({ block, mangled: isMangled }) => (block === 'file' ? files : isMangled ? mangled : shown);
}

/** Whether the pattern matches characters, as its author sees the name, but not bytes. */
function missedByBytes({ pattern, matcher }: FilterRule, name: string): boolean {
  return matchParts(compilePattern(pattern), name) !== matcher.matches(name);
}

function withoutMatch(
  syntax: FilterSyntax,
  rule: FilterRule,
  index: number,
  { uncertain }: RuleEffect,
  mangledNames: ReadonlySet<string>,
): readonly FilterDiagnostic[] {
  const { block, mangled, matcher } = rule;
  if (block === 'region' && !mangled && matcher.literal !== undefined && mangledNames.has(matcher.literal)) {
    return [withoutKeyword(syntax, rule, index)];
  }
  if (uncertain) return [];
  const what = block === 'file' ? 'no file of the program' : 'none of the known functions';
  const message = `Matches ${what}.${hint(rule)}`;
  return [warning(rule, 'matches-nothing', message, removeRule(syntax, index))];
}

function hint({ block, mangled, matcher }: FilterRule): string {
  return block === 'file' || mangled || matcher.literal === undefined
    ? ''
    : ' Of C++, the whole name with return type and parameters must match; mangled names after MANGLED are safer.';
}

function withoutEffect(
  syntax: FilterSyntax,
  rule: FilterRule,
  index: number,
  { matches, examples }: RuleEffect,
): readonly FilterDiagnostic[] {
  if (examples.length === 0) return [];
  const later = syntax.filter.rules.slice(index + 1).some(({ block }) => block === rule.block);
  const why = later ? 'a later rule decides' : 'a rule for files excludes';
  const message = `Has no effect: ${why} ${matches === 1 ? 'the function' : `all ${matches} functions`} that it matches.`;
  return [warning(rule, 'no-effect', message, removeRule(syntax, index))];
}

/** Reports a rule only if all functions that it includes were inlined: a pattern for many functions is not wrong because of some. */
function inlinedAway(
  syntax: FilterSyntax,
  rule: FilterRule,
  index: number,
  { matches, examples }: RuleEffect,
  functions: readonly KnownFunction[],
): readonly FilterDiagnostic[] {
  if (rule.block === 'file' || rule.action === 'exclude' || matches > examples.length) return [];
  const matched = examples.flatMap((position) => functions[position] ?? []);
  if (!matched.every(({ inlinedInto }) => inlinedInto !== undefined && inlinedInto.length > 0)) return [];
  const callers = matched.flatMap(({ inlinedInto }) => inlinedInto ?? []);
  const [nearest] = [...new Set(callers)].flatMap((position) => functions[position] ?? []);
  const [first] = matched;
  if (nearest === undefined || first === undefined) return [];
  const message = `The compiler inlined ${first.name}; its time is in ${nearest.name}, the nearest caller that can be instrumented.`;
  const fixes =
    nearest.mangledName === undefined
      ? []
      : [asMangled(syntax, index, `Change to ${nearest.name}`, escapePattern(nearest.mangledName))];
  return [diagnosticAt(placeOf(rule), 'info', 'inlined', message, fixes)];
}
