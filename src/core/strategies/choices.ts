import { at, atFloat } from '../at';
import { remembered } from '../remembered';
import { shareOf } from '../functions/share';
import type { CallGraph } from '../callgraph/callGraph';
import { spendBudget, type BudgetResult, type Candidate } from './budget';
import { explore, surelyCheap, type Exploration, type VisitCosts } from '../knowledge/explore';
import { measureAgain } from './measureAgain';
import { calleesOf, callersOf, pathsToMain, reachableFrom } from '../callgraph/reachability';
import type { Measures, Step } from './selectionStep';

/** A hot spot with new functions below it must be recorded in full or not at all. */
export function choose(
  step: Step,
  measures: Measures,
): { readonly budget: BudgetResult; readonly exploration: Exploration } {
  const { graph } = step;
  const below = belowOf(graph);
  const inFull = new Set<string>();
  for (;;) {
    const budget = chooseMeasured(step, measures, below, inFull);
    const exploration = chooseNew(step, measures, budget);
    const chosen = [...exploration.chosen.keys()].map((index) => at(graph.functions, index).key);
    const over = [...budget.intervals.keys()].filter((key) =>
      chosen.some((callee) => below(key).has(callee)),
    );
    if (over.length === 0) return { budget, exploration };
    for (const key of over) inFull.add(key);
  }
}

/** Keys of the functions that are marked with 1. */
function keysOf(graph: CallGraph, marks: Uint8Array): ReadonlySet<string> {
  return new Set(graph.functions.filter((_, index) => marks[index] === 1).map(({ key }) => key));
}

/** Keys of the functions that one of these functions may call, at any depth. */
function belowAny(graph: CallGraph, intervals: BudgetResult['intervals']): ReadonlySet<string> {
  const callees = graph.functions.flatMap(({ key }, index) =>
    intervals.has(key) ? calleesOf(graph, index) : [],
  );
  return keysOf(graph, reachableFrom(graph, callees));
}

/** For each key, the keys of the functions that it may call at any depth; itself only if it is recursive. */
function belowOf(graph: CallGraph): (key: string) => ReadonlySet<string> {
  const positions = new Map(graph.functions.map((f, index) => [f.key, index]));
  const memo = new Map<string, ReadonlySet<string>>();
  return (key) => {
    const position = positions.get(key);
    const callees = position === undefined ? [] : calleesOf(graph, position);
    return remembered(memo, key, () => keysOf(graph, reachableFrom(graph, callees)));
  };
}

function chooseMeasured(
  step: Step,
  { costOf, runSeconds, remainingRuns }: Measures,
  below: (key: string) => ReadonlySet<string>,
  inFull: ReadonlySet<string>,
): BudgetResult {
  const { graph, sites, knowledge, options, statics } = step;
  const candidates: Candidate[] = [];
  const positions = new Map(graph.functions.map((f, index) => [f.key, index]));
  for (const { key } of graph.functions) {
    const measured = knowledge.functions.get(key);
    const cost = costOf(key);
    const site = sites.get(key);
    if (measured === undefined || cost === undefined || site === undefined || options.pinnedOut.has(key))
      continue;
    const canSample = step.pairCosts[site].sampled !== undefined && !inFull.has(key);
    candidates.push({
      key,
      measured,
      overheadPercent: cost.overheadPercent,
      ...(canSample
        ? { sampledPercent: (interval: number) => costOf(key, interval)?.overheadPercent ?? 0 }
        : {}),
    });
  }
  const mandatory = new Set([...options.pinnedIn, ...options.phase]);
  if (statics.entry !== undefined) mandatory.add(at(graph.functions, statics.entry).key);
  const callers = callersOf(graph);
  const reachable = graph.entry === undefined ? new Uint8Array(callers.length).fill(1) : statics.reachable;
  const pathsTo = (keys: readonly string[]): ReadonlySet<string> => {
    const targets = keys.flatMap((key) => positions.get(key) ?? []);
    return keysOf(graph, pathsToMain(callers, reachable, targets));
  };
  const canTry = remainingRuns > 1;
  return spendBudget({ candidates, knowledge, runSeconds, mandatory, pathsTo, below, options, canTry });
}

function visitCosts({ pairCosts, sites }: Step, { scale }: Measures, key: string): VisitCosts {
  const { pairSeconds, sampled } = pairCosts[sites.get(key) ?? 'entry'];
  return {
    timed: pairSeconds * scale,
    counted: sampled === undefined ? undefined : sampled.countedSeconds * scale,
  };
}

const nothingNew: Exploration = { chosen: new Map(), refused: new Map(), riskPercent: 0 };

function chooseNew(step: Step, measures: Measures, budget: BudgetResult): Exploration {
  const { graph, sites, knowledge, options } = step;
  if (options.mode === 'filter-only') return nothingNew;
  const above = new Map<number, number>();
  graph.functions.forEach(({ key }, index) => {
    const share = shareOf(knowledge.functions.get(key)?.exclusiveSeconds ?? 0, {
      seconds: measures.runSeconds,
    });
    if (share >= options.hotInclusiveShare / 20) above.set(index, share);
  });
  const key = (index: number): string => at(graph.functions, index).key;
  const exploration = explore({
    graph,
    above,
    leastShare: options.hotInclusiveShare,
    isNew: (index) =>
      sites.has(key(index)) && !knowledge.functions.has(key(index)) && !options.pinnedOut.has(key(index)),
    isSettled: (index) => knowledge.functions.has(key(index)),
    visitSeconds: step.visitSeconds,
    briefSeconds: step.briefSeconds,
    costOfVisit: (index) => visitCosts(step, measures, key(index)),
    limitPercent: options.explorationPercent,
    timedPercent: options.timedAtOncePercent,
  });
  if (measures.remainingRuns > 1) return withContext(step, measures, exploration, budget);
  const refused = new Map(exploration.refused);
  for (const index of exploration.chosen.keys()) refused.set(index, exploration.riskPercent);
  return { chosen: new Map(), refused, riskPercent: 0 };
}

/** Adds functions on the way to hot spots that were never recorded: their callers show less time than they have, so they are new, too. */
function withContext(
  step: Step,
  measures: Measures,
  exploration: Exploration,
  budget: BudgetResult,
): Exploration {
  const { graph, sites, knowledge, options, visitSeconds, briefSeconds } = step;
  const chosen = new Map(exploration.chosen);
  graph.functions.forEach(({ key }, index) => {
    if (!budget.context.has(key) || knowledge.functions.has(key) || chosen.has(index)) return;
    if (!sites.has(key) || options.pinnedOut.has(key)) return;
    const costs = visitCosts(step, measures, key);
    const cheap = surelyCheap(costs, atFloat(visitSeconds, index), atFloat(briefSeconds, index));
    if (cheap || costs.counted !== undefined) chosen.set(index, { below: index, share: 0, counted: !cheap });
  });
  return { ...exploration, chosen };
}

export const nobody: ReadonlySet<string> = new Set();

/** Functions that are measured again (`measureAgain.ts`) beside the budget's selection, none of them below a sampled function. */
export function chooseAgain(
  { graph, sites, knowledge, options }: Step,
  { costOf, runSeconds, previous }: Measures,
  { affordable, intervals, overheadPercent }: BudgetResult,
): ReadonlySet<string> {
  if (options.mode === 'filter-only') return nobody;
  const sampled = belowAny(graph, intervals);
  const candidates = graph.functions.flatMap(({ key }) => {
    const measured = knowledge.functions.get(key);
    const cost = costOf(key);
    if (measured === undefined || cost === undefined || affordable.has(key) || sampled.has(key)) return [];
    // The last run measured it again, so its time cannot get more precise.
    if (previous?.decisions.get(key)?.reason.rule === 'again') return [];
    return sites.has(key) && !options.pinnedOut.has(key)
      ? [{ key, measured, overheadPercent: cost.overheadPercent }]
      : [];
  });
  return measureAgain(candidates, runSeconds, overheadPercent, options);
}
