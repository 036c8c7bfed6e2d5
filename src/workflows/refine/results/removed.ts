import { present } from '../../../core/present';
import { isBlackListed, surelyAdded } from '../../../core/strategies/overheadReduction';
import { percentOf } from '../../../core/knowledge/recordingCost';
import { scaledCost, type SiteKind } from '../../../core/cost/pairCost';
import type { RefineResult, RemovedFunction } from '../../studies/refine.types';
import type { LoopState } from '../loop/loop.types';

/** The black list with the numbers of each function, by descending cost; empty for strategies without one. */
export function removedFunctions(
  state: LoopState,
  sites: ReadonlyMap<string, SiteKind>,
): Pick<RefineResult, 'removed'> {
  const { graph, selection, knowledge, pairCosts, costBase } = state;
  const removed = graph.functions.flatMap((f): readonly RemovedFunction[] => {
    const decision = selection.decisions.get(f.key);
    if (decision === undefined || !isBlackListed(decision.reason)) return [];
    const measured = knowledge.functions.get(f.key);
    const visits = measured?.visits ?? 0;
    const calibrated = pairCosts[sites.get(f.key) ?? 'entry'];
    // The cost of a pair in this program that the decision assumed.
    const { pairSeconds = calibrated.pairSeconds } = decision.reason.cost ?? {};
    const cost = scaledCost(calibrated, pairSeconds / calibrated.pairSeconds);
    const { total, prolog } = surelyAdded(measured, cost);
    return [
      {
        name: f.name,
        ...present({ file: f.file, line: f.line }),
        visits: measured?.allVisits ?? 0,
        totalPercent: total,
        prologPercent: prolog,
        overheadPercent: percentOf(costBase, visits * cost.pairSeconds),
      },
    ];
  });
  if (removed.length === 0) return {};
  return { removed: removed.sort((a, b) => b.overheadPercent - a.overheadPercent) };
}
