import { at } from '../at';
import { shareOf } from '../functions/share';
import { announceNeeded } from '../selection/announce';
import type { FunctionKnowledge } from '../knowledge/knowledge';
import { blackList, costOf, decideEach, type AdaptiveStep } from './overheadReduction';
import { callersOf, entryOf } from '../callgraph/reachability';
import type { Reason, Selection } from '../selection/selection';
import type { OverheadReduction } from '../selection/strategy';

/**
 * AGOR, after one run that recorded everything. That run fills the black list, which is permanent. The next run records only the entry
 * function and the phase, and later runs the functions that the analysis asks for. Each step only changes what the runtime patches at
 * the start of a run: nothing is built again. The analysis uses undisturbed runs alone.
 */
export function guidedSelection(step: AdaptiveStep, base: OverheadReduction): Selection {
  const black = blackList(step, base);
  const needed = step.knowledge.runs > 1 ? neededBy(step, black) : new Map<number, Reason>();
  return decideEach(step, black, (key, index) => {
    const cost = costOf(step, key);
    const reason = needed.get(index);
    if (reason !== undefined) return [true, { ...reason, ...cost }];
    const share = measuredShare(step, step.knowledge.functions.get(key));
    const threshold = step.options.hotInclusiveShare;
    // Severe enough, but none of its callers is, so that the analysis does not reach it.
    if (share === undefined || share >= threshold) return [false, { rule: 'not-needed', ...cost }];
    return [false, { rule: 'not-hot', value: share, threshold, measure: 'inclusive', ...cost }];
  });
}

function neededBy(step: AdaptiveStep, black: ReadonlyMap<string, Reason>): ReadonlyMap<number, Reason> {
  const { graph, sites, knowledge, options } = step;
  const key = (index: number): string => at(graph.functions, index).key;
  const measured = (index: number): FunctionKnowledge | undefined => knowledge.functions.get(key(index));
  return announceNeeded({
    graph,
    roots: rootsOf(step),
    canRecord: (index) =>
      sites.has(key(index)) && !options.pinnedOut.has(key(index)) && !black.has(key(index)),
    mayRun: (index) => measured(index)?.visits !== 0,
    share: (index) => measuredShare(step, measured(index)),
    likelyShare: (index) =>
      shareOf(measured(index)?.inclusiveSeconds ?? 0, { seconds: step.baselineSeconds }),
    leastShare: options.hotInclusiveShare,
    wasSevere: (index) => step.previous?.decisions.get(key(index))?.reason.rule === 'hot-spot',
    costPercent: (index) => costOf(step, key(index)).cost?.overheadPercent ?? 0,
    limitPercent: options.overheadPercent * options.aimShare,
  });
}

/** The phase; without one the entry function; without that all functions that nothing calls. */
function rootsOf({ graph, options }: AdaptiveStep): readonly number[] {
  const phase = graph.functions.flatMap(({ key }, index) => (options.phase.has(key) ? [index] : []));
  if (phase.length > 0) return phase;
  const entry = entryOf(graph);
  if (entry !== undefined) return [entry];
  return callersOf(graph).flatMap((callers, index) => (callers.length === 0 ? [index] : []));
}

/** Inclusive share of the run time by runs that were not disturbed; undefined before the first of them. */
function measuredShare(
  { baselineSeconds }: AdaptiveStep,
  measured: FunctionKnowledge | undefined,
): number | undefined {
  if (measured === undefined || measured.disturbed === true || measured.visits <= 0) return undefined;
  return shareOf(measured.inclusiveSeconds, { seconds: baselineSeconds });
}
