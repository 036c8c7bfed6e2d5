import { present } from '../../core/present';
import { KymoError } from '../../core/errors';
import {
  explainDecision,
  type FilterDecision,
  type FilterTime,
} from '../../formats/scorep-filter/effects/decide';
import type { FilterDiagnostic } from '../../formats/scorep-filter/syntax/diagnostics';
import { diagnoseEffects } from '../../formats/scorep-filter/effects/diagnoseEffects';
import { analyseEffects } from '../../formats/scorep-filter/effects/effects';
import { readFilterText } from './filterText';
import { turn, type Cancellable } from '../running/turn';
import { parsedFilter } from './parsedFilter';
import {
  knownFunctions,
  type FilterFunction,
  type FunctionSource,
  type KnownFunctions,
} from './knownFunctions';

/** The effect of a filter on the known functions. */
export interface FilterInspection {
  readonly known: Omit<KnownFunctions, 'functions'>;
  /** Number of known functions; if it is 0, nothing is stated about matches. */
  readonly total: number;
  /** Number of functions that the filter instruments. */
  readonly instrumented: Readonly<Record<FilterTime, number>>;
  /** Number of matching functions per rule, in the order of the file. */
  readonly matches: Uint32Array;
  /** Number of matching functions per rule that no later rule overrides. */
  readonly wins: Uint32Array;
  /** 1 per rule if the compiler may spell names differently, so that the rule may match more or fewer functions. */
  readonly uncertain: Uint8Array;
  /** Diagnostics in the order of the file, up to a maximum. */
  readonly diagnostics: readonly FilterDiagnostic[];
}

/** Maximum number of diagnostics. */
const mostDiagnostics = 1000;
/** Names are cut to this length; a name may have 10 kB. */
const longestName = 200;

/** Everything that an editor shows for a filter while the user writes it. */
export async function inspectFilter(
  text: string,
  source: FunctionSource,
  context: Cancellable = {},
): Promise<FilterInspection> {
  const { functions, ...known } = await knownFunctions(source);
  await turn(context);
  const syntax = parsedFilter(text);
  await turn(context);
  const effects = analyseEffects(syntax.filter, functions);
  await turn(context);
  const atRunTime = analyseEffects(syntax.filter, functions, 'run-time');
  await turn(context);
  const diagnostics = [
    ...syntax.diagnostics,
    ...(functions.length === 0 ? [] : diagnoseEffects(syntax, functions)),
  ];
  const loudest = [...diagnostics].sort(
    (a, b) => loudness[a.severity] - loudness[b.severity] || a.offset - b.offset,
  );
  return {
    known,
    total: functions.length,
    instrumented: {
      'compile-time': effects.instrumented,
      'run-time': atRunTime.instrumented,
    },
    matches: Uint32Array.from(effects.rules, (rule) => rule.matches),
    wins: Uint32Array.from(effects.rules, (rule) => rule.wins),
    uncertain: Uint8Array.from(effects.rules, (rule) => (rule.uncertain ? 1 : 0)),
    diagnostics: loudest.slice(0, mostDiagnostics).sort((a, b) => a.offset - b.offset),
  };
}

const loudness = { error: 0, warning: 1, info: 2 } as const;

/** A function and the filter's decision. */
export interface RuleMatch {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  /** Whether this filter instruments the function at compile time. */
  readonly instrumented: boolean;
  /** Whether one of the given rules decides. */
  readonly decided: boolean;
}

/** Functions that rules match. */
export interface RuleMatches {
  readonly total: number;
  /** The heaviest functions first, up to the given number. */
  readonly matches: readonly RuleMatch[];
}

/**
 * The functions that rules of a filter match, the heaviest first.
 * @param rules positions of the rules in the file
 */
export async function ruleMatchesOf(
  text: string,
  rules: readonly number[],
  source: FunctionSource,
  most: number,
  context: Cancellable = {},
): Promise<RuleMatches> {
  const { functions } = await knownFunctions(source);
  await turn(context);
  const { filter } = parsedFilter(text);
  const rulesAsked = new Set(rules.flatMap((rule) => filter.rules[rule] ?? []));
  const alone = analyseEffects({ rules: [...rulesAsked] }, functions).decisions;
  await turn(context);
  const together = analyseEffects(filter, functions).decisions;
  const matching = functions.flatMap((candidate, index) => {
    const decision = together[index];
    return alone[index]?.rule === undefined || decision === undefined ? [] : [{ candidate, decision }];
  });
  const matches = matching
    .sort((a, b) => byWeight(a.candidate, b.candidate))
    .slice(0, most)
    .map(({ candidate, decision }): RuleMatch => ({
      name: shorten(candidate.name),
      ...present({ file: candidate.file, line: candidate.line }),
      instrumented: decision.instrumented,
      decided: decision.rule !== undefined && rulesAsked.has(decision.rule),
    }));
  return { total: matching.length, matches };
}

/** The decision of a filter on one function. */
export interface EffectiveDecision {
  readonly name: string;
  readonly when: FilterTime;
  readonly instrumented: boolean;
  /** A sentence with the rule. */
  readonly reason: string;
  /** Line of the deciding rule, from 1; absent: no rule decides. */
  readonly line?: number;
}

/** A function, given by its key in the study, its (mangled) name in a profile, or its place. */
export interface AskedFunction {
  readonly keys?: readonly string[];
  readonly names?: readonly string[];
  /** Absolute path. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
}

/**
 * The decisions of a filter on a function, at compile time and at run time. Instances of a template at one place are several functions.
 * @param filter absolute path, or the text in an editor
 * @throws KymoError `file-missing`, `file-unusable`; `unknown-function`
 */
export async function effectiveDecisions(
  filter: { readonly file: string; readonly text?: string },
  asked: AskedFunction,
  source: FunctionSource,
  context: Cancellable = {},
): Promise<readonly EffectiveDecision[]> {
  const { functions } = await knownFunctions(source);
  await turn(context);
  const instances = functions.filter((candidate) => isMeant(candidate, asked)).slice(0, mostInstances);
  if (instances.length === 0)
    throw new KymoError(
      'unknown-function',
      'The cursor is in no function that the last study or an opened profile knows. Put it into one that was measured, or refine first.',
    );
  const rules = parsedFilter(filter.text ?? (await readFilterText(filter.file))).filter;
  await turn(context);
  return instances.flatMap((instance) =>
    (['compile-time', 'run-time'] as const).flatMap((when) =>
      analyseEffects(rules, [instance], when).decisions.map((decision) =>
        decisionText(instance, decision, when),
      ),
    ),
  );
}

const mostInstances = 20;

function isMeant(candidate: FilterFunction, { keys, names, file, line }: AskedFunction): boolean {
  if (keys !== undefined && candidate.key !== undefined) return keys.includes(candidate.key);
  if (names?.includes(candidate.mangledName ?? candidate.name) === true) return true;
  if (file === undefined || line === undefined || candidate.line === undefined) return false;
  return candidate.file === file && candidate.line <= line && line <= (candidate.endLine ?? candidate.line);
}

function decisionText(
  { name }: FilterFunction,
  decision: FilterDecision,
  when: FilterTime,
): EffectiveDecision {
  const { instrumented, rule } = decision;
  return {
    name: shorten(name),
    when,
    instrumented,
    reason: explainDecision(decision),
    ...(rule === undefined ? {} : { line: rule.line }),
  };
}

/** Sorts the heaviest functions first, then by name. */
function byWeight(a: FilterFunction, b: FilterFunction): number {
  return (b.exclusiveShare ?? -1) - (a.exclusiveShare ?? -1) || (a.name < b.name ? -1 : 1);
}

function shorten(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName - 1)}…`;
}
