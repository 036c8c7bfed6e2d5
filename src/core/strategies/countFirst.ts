import { atFloat } from '../at';
import type { CallGraph } from '../callgraph/callGraph';
import { mostCounted, surelyCheap } from '../knowledge/explore';
import type { PairCosts, SiteKind } from '../cost/pairCost';
import { countingInterval } from './sampling';
import type { Decision, Rule } from '../selection/selection';

interface FirstRun {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly pairCosts: PairCosts;
  /** Least time of a visit in most functions (`briefVisitSeconds`). */
  readonly briefSeconds: Float64Array;
}

/** Functions that the user or the analysis cannot do without are timed from the start. */
const timedRules: ReadonlySet<Rule> = new Set<Rule>(['entry', 'phase', 'pinned-in']);

/**
 * Nothing is known of a program before its first run, and statements are a poor guess of how often a function is called. So a function
 * that is not surely cheap to time, by the time of its own statements alone, is only counted, where the measurement can do that. The run
 * then shows the visits of all functions for a tenth of the cost, and the next run times those that are worth it. Where not all
 * functions can be counted, those with the shortest visits are.
 */
export function countFirst(
  decisions: ReadonlyMap<string, Decision>,
  { graph, sites, pairCosts, briefSeconds }: FirstRun,
): ReadonlyMap<string, Decision> {
  const risky = graph.functions.flatMap(({ key }, index) => {
    const { selected, reason } = decisions.get(key) ?? {};
    if (selected !== true || reason === undefined || timedRules.has(reason.rule)) return [];
    const { pairSeconds, sampled } = pairCosts[sites.get(key) ?? 'entry'];
    const seconds = atFloat(briefSeconds, index);
    const costs = { timed: pairSeconds, counted: sampled?.countedSeconds };
    return sampled === undefined || surelyCheap(costs, seconds, seconds) ? [] : [{ key, seconds }];
  });
  risky.sort((a, b) => a.seconds - b.seconds || (a.key < b.key ? -1 : 1));
  const counted = new Set(risky.slice(0, mostCounted).map(({ key }) => key));
  const count = (decision: Decision): Decision =>
    counted.has(decision.key)
      ? { ...decision, reason: { ...decision.reason, countedFirst: countingInterval } }
      : decision;
  return new Map([...decisions].map(([key, decision]) => [key, count(decision)]));
}
