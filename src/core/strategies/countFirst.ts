import type { CallGraph } from '../callgraph/callGraph';
import { mostCounted, surelyCheap } from '../knowledge/explore';
import type { PairCosts, SiteKind } from '../cost/pairCost';
import { countingInterval } from './sampling';
import type { Decision, Rule } from '../selection/selection';

interface FirstRun {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly pairCosts: PairCosts;
  /** What a visit takes at least in most functions (`briefVisitSeconds`). */
  readonly briefSeconds: Float64Array;
}

/** What the user or the analysis cannot do without is timed from the start. */
const timedRules: ReadonlySet<Rule> = new Set<Rule>(['entry', 'phase', 'pinned-in']);

/**
 * Nothing is known of a program before its first run, and statements tell badly how often a function is called: what is not surely cheap to
 * time, by what its own statements take whatever it calls, is only counted, where the measurement can do that. The run then shows the
 * visits of everything for a tenth of the cost, and the next one times what is worth it. The shortest visits go first where there is not room for all.
 */
export function countFirst(
  decisions: ReadonlyMap<string, Decision>,
  { graph, sites, pairCosts, briefSeconds }: FirstRun,
): ReadonlyMap<string, Decision> {
  const risky = graph.functions.flatMap(({ key }, index) => {
    const { selected, reason } = decisions.get(key) ?? {};
    if (selected !== true || reason === undefined || timedRules.has(reason.rule)) return [];
    const { pairSeconds, sampled } = pairCosts[sites.get(key) ?? 'entry'];
    const seconds = briefSeconds[index] ?? 0;
    const costs = { timed: pairSeconds, counted: sampled?.countedSeconds };
    return sampled === undefined || surelyCheap(costs, seconds, seconds) ? [] : [{ key, seconds }];
  });
  risky.sort((a, b) => a.seconds - b.seconds || (a.key < b.key ? -1 : 1));
  const counted = new Set(risky.slice(0, mostCounted).map(({ key }) => key));
  return new Map(
    [...decisions].map(([key, decision]) => [
      key,
      counted.has(key)
        ? { ...decision, reason: { ...decision.reason, countedFirst: countingInterval } }
        : decision,
    ]),
  );
}
