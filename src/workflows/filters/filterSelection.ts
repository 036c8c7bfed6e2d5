import type { CallGraphFunction } from '../../core/callgraph/callGraph';
import { KymoError } from '../../core/errors';
import type { ProgressSink } from '../../core/progress';
import type { Decision, Selection } from '../../core/selection/selection';
import { namesIt } from '../../formats/scorep-filter/effects/decide';
import { analyseEffects, type FilterEffects } from '../../formats/scorep-filter/effects/effects';
import type { FilterRule } from '../../formats/scorep-filter/syntax/filter';
import type { Prepared } from '../../measurement/backends/common/backend';
import { admitNamed } from './admitNamed';
import { didYouMean, meantBy, unknownNames, type SelectionInFile } from './selectionFile';

export interface FilterSelection {
  readonly selection: Selection;
  /** The parts of the filter that have no effect; whole sentences. */
  readonly notes: readonly string[];
  /** Where the selection comes from, in a sentence for the end: the user did not name it. */
  readonly origin?: string;
}

/** What is missing is reported at once, too: a build for the selection may follow. */
export function reportChosen(
  { notes, origin }: FilterSelection,
  note: (sentence: string) => void,
  progress: ProgressSink,
): void {
  if (origin !== undefined) note(origin);
  for (const sentence of notes) {
    note(sentence);
    progress.log(sentence);
  }
}

/**
 * The recordable functions that a filter includes. The filter is the user's wish, so costs do not matter.
 * @param file name of the filter in sentences
 * @throws KymoError `unknown-function` if none of the named functions can be recorded
 */
export function filterSelection(
  given: SelectionInFile,
  prepared: Pick<Prepared, 'graph' | 'sites' | 'reserve' | 'whyNotRecorded'>,
  file: string,
): FilterSelection {
  const { graph, sites, reserve } = prepared;
  const effects = analyseEffects(given.filter, graph.functions, 'run-time');
  const verdict = (position: number): FilterEffects['decisions'][number] | undefined =>
    effects.decisions[position];
  const named = graph.functions.filter((f, position) => {
    const decision = verdict(position);
    return (
      decision !== undefined &&
      namesIt(decision) &&
      (isOwn(f) || decision.rule?.matcher.literal !== undefined)
    );
  });
  const missing = [
    ...unknownNames(given.names, graph.functions, file),
    ...idleRules(given, effects, graph.functions, file),
    ...admitNamed(prepared, new Set(named.map(({ key }) => key))),
  ];
  const decide = ({ key }: CallGraphFunction, position: number): Decision => {
    if (verdict(position)?.instrumented !== true)
      return { key, selected: false, reason: { rule: 'pinned-out' } };
    return sites.has(key)
      ? { key, selected: true, reason: { rule: 'pinned-in' } }
      : { key, selected: false, reason: { rule: 'no-site' } };
  };
  const decisions = graph.functions.map(decide);
  if (missing.length > 0 && !decisions.some(({ selected }) => selected))
    throw new KymoError(
      'unknown-function',
      `Nothing that ${file} names can be recorded, so nothing was measured. ${missing.join(' ')}`,
      { file },
    );
  const small = graph.functions.filter(
    ({ key }, position) => verdict(position)?.instrumented === true && reserve?.has(key) === true,
  ).length;
  return {
    selection: { decisions: new Map(decisions.map((decision) => [decision.key, decision])) },
    notes: [...given.notes, ...missing, ...(small === 0 ? [] : [smallNote(small, file)])],
  };
}

/** Patterns with stars also match many functions of libraries unintentionally. */
function isOwn({ hasBody, isSystem }: CallGraphFunction): boolean {
  return hasBody && !isSystem;
}

const mostRules = 5;

/** INCLUDE rules of a filter with patterns that match no function. `unknownNames` checks a list of names. */
function idleRules(
  { filter, names }: SelectionInFile,
  { rules }: FilterEffects,
  functions: readonly CallGraphFunction[],
  file: string,
): readonly string[] {
  if (names.length > 0) return [];
  const idle = filter.rules.filter(
    (rule, index) => rule.action === 'include' && !rule.matcher.everything && rules[index]?.matches === 0,
  );
  const more = idle.length - mostRules;
  return [
    ...idle.slice(0, mostRules).map((rule) => idleRule(rule, functions, file)),
    ...(more > 0 ? [`${more} more rules of ${file} match nothing.`] : []),
  ];
}

function idleRule(
  { block, pattern, matcher, line, mangled }: FilterRule,
  functions: readonly CallGraphFunction[],
  file: string,
): string {
  const { literal } = matcher;
  const what = block === 'file' ? 'no file' : 'no function';
  const symbol = block === 'file' || literal === undefined ? undefined : meantBy(literal, functions);
  const suggestion = symbol === undefined ? '' : didYouMean(mangled ? symbol : `MANGLED ${symbol}`);
  return `${file}:${line}: “${pattern}” matches ${what} of the program${suggestion}.`;
}

function smallNote(count: number, file: string): string {
  const [functions, are, them] = count === 1 ? ['function', 'is', 'it'] : ['functions', 'are', 'them'];
  return `${count} small ${functions} that ${file} lets in without naming ${them} ${are} not recorded, because the cost would exceed the benefit. An INCLUDE that matches ${them} by name brings ${them} in.`;
}
