import { shareOf } from '../functions/share';
import { announceNeeded } from '../selection/announce';
import type { FunctionKnowledge } from '../knowledge/knowledge';
import { blackList, costOf, decideEach, type AdaptiveStep } from './overheadReduction';
import { callersOf, entryOf } from '../callgraph/reachability';
import type { Reason, Selection } from '../selection/selection';
import type { OverheadReduction } from '../selection/strategy';

/**
 * AGOR, once everything was recorded in one run: that run fills the black list, which is permanent; then only the entry function and the
 * phase are recorded, and from there on what the analysis asks for. All of it is a change of what the runtime patches at the start of a
 * run: nothing is built again. What the analysis asks for follows from undisturbed runs alone.
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
    // Severe enough, and yet not on the way down: all that calls it is not.
    if (share === undefined || share >= threshold) return [false, { rule: 'not-needed', ...cost }];
    return [false, { rule: 'not-hot', value: share, threshold, measure: 'inclusive', ...cost }];
  });
}

function neededBy(step: AdaptiveStep, black: ReadonlyMap<string, Reason>): ReadonlyMap<number, Reason> {
  const { graph, sites, knowledge, options } = step;
  const key = (index: number): string => graph.functions[index]?.key ?? '';
  const known = (index: number): FunctionKnowledge | undefined => knowledge.functions.get(key(index));
  return announceNeeded({
    graph,
    roots: rootsOf(step),
    canRecord: (index) =>
      sites.has(key(index)) && !options.pinnedOut.has(key(index)) && !black.has(key(index)),
    mayRun: (index) => known(index)?.visits !== 0,
    share: (index) => measuredShare(step, known(index)),
    likelyShare: (index) => shareOf(known(index)?.inclusiveSeconds ?? 0, { seconds: step.baselineSeconds }),
    leastShare: options.hotInclusiveShare,
    wasSevere: (index) => step.previous?.decisions.get(key(index))?.reason.rule === 'hot-spot',
    costPercent: (index) => costOf(step, key(index)).cost?.overheadPercent ?? 0,
    limitPercent: options.overheadPercent * options.aimShare,
  });
}

/** The phase; without one the entry function; without that what nothing calls. */
function rootsOf({ graph, options }: AdaptiveStep): readonly number[] {
  const phase = graph.functions.flatMap(({ key }, index) => (options.phase.has(key) ? [index] : []));
  if (phase.length > 0) return phase;
  const entry = entryOf(graph);
  if (entry !== undefined) return [entry];
  return callersOf(graph).flatMap((callers, index) => (callers.length === 0 ? [index] : []));
}

/** Inclusive share of the run time, by runs that were not disturbed; undefined before there is one. */
function measuredShare(
  { baselineSeconds }: AdaptiveStep,
  known: FunctionKnowledge | undefined,
): number | undefined {
  if (known === undefined || known.disturbed === true || known.visits <= 0) return undefined;
  return shareOf(known.inclusiveSeconds, { seconds: baselineSeconds });
}
