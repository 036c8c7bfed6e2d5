import { at } from '../at';
import type { CallGraph } from '../callgraph/callGraph';
import type { SiteKind } from '../cost/pairCost';
import type { Decision, Reason, Selection } from '../selection/selection';
import type { SelectionOptions } from '../selection/selectionOptions';

export type Verdict = readonly [selected: boolean, reason: Reason];

/** One decision for each function of the graph, in its order. */
export function decideAll(graph: CallGraph, decide: (index: number, key: string) => Verdict): Selection {
  return {
    decisions: new Map(
      graph.functions.map(({ key }, index): [string, Decision] => {
        const [selected, reason] = decide(index, key);
        return [key, { key, selected, reason }];
      }),
    ),
  };
}

/** Decisions that all strategies make alike, before anything else: functions without a site, the user's pins, entry function and phase. */
export function fixedVerdict(
  graph: CallGraph,
  sites: ReadonlyMap<string, SiteKind>,
  options: SelectionOptions,
  entry: number | undefined,
  index: number,
): Verdict | undefined {
  const { key } = at(graph.functions, index);
  if (!sites.has(key)) return [false, { rule: 'no-site' }];
  if (options.pinnedOut.has(key)) return [false, { rule: 'pinned-out' }];
  if (options.pinnedIn.has(key)) return [true, { rule: 'pinned-in' }];
  if (index === entry) return [true, { rule: 'entry' }];
  if (options.phase.has(key)) return [true, { rule: 'phase' }];
  return undefined;
}
