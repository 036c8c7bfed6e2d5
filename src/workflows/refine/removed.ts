import { relativeOverhead, runtimeCosts } from '../../core/selection/overheadModel';
import { isBlackListed } from '../../core/selection/overheadReduction';
import { median } from '../../core/selection/overhead';
import type { SiteKind } from '../../core/selection/pairCost';
import type { RefineResult, RemovedFunction } from '../refine.types';
import type { LoopState } from './loop';

/** The black list with the numbers of each function, what costs most first; nothing for a strategy without one. */
export function removedFunctions(
  state: LoopState,
  sites: ReadonlyMap<string, SiteKind>,
): Pick<RefineResult, 'removed'> {
  const { graph, selection, knowledge, pairCosts, baselineSeconds } = state;
  const removed = graph.functions.flatMap((f): readonly RemovedFunction[] => {
    const decision = selection.decisions.get(f.key);
    if (decision === undefined || !isBlackListed(decision.reason)) return [];
    const { visits = 0, inclusiveSeconds = 0 } = knowledge.functions.get(f.key) ?? {};
    const cost = pairCosts[sites.get(f.key) ?? 'entry'];
    const { total, prolog } = relativeOverhead(inclusiveSeconds, visits, runtimeCosts(cost));
    return [
      {
        name: f.name,
        ...(f.file === undefined ? {} : { file: f.file }),
        ...(f.line === undefined ? {} : { line: f.line }),
        visits,
        pureSeconds: inclusiveSeconds,
        totalPercent: Math.min(Number.MAX_VALUE, total),
        prologPercent: Math.min(Number.MAX_VALUE, prolog),
        overheadPercent: (100 * visits * cost.pairSeconds) / median(baselineSeconds),
      },
    ];
  });
  if (removed.length === 0) return {};
  return { removed: removed.sort((a, b) => b.overheadPercent - a.overheadPercent) };
}
