import type { FunctionKnowledge, Knowledge } from './knowledge';
import { visitCost, type PairCosts, type SiteKind } from './pairCost';
import type { CostBase } from './runTime';
import { intervalsOf, selectedKeys, type Selection } from './selection';

/**
 * The visits that recording is paid for: all threads and processes add to the CPU time of the run, and the busiest one alone to its
 * wall time.
 */
export function chargedVisits(
  known: Pick<FunctionKnowledge, 'visits' | 'allVisits'> | undefined,
  clock: CostBase['clock'],
): number {
  return (clock === 'cpu' ? known?.allVisits : known?.visits) ?? 0;
}

/** So many seconds as a percentage of the run with nothing recorded. */
export function percentOf({ seconds }: CostBase, cost: number): number {
  return seconds > 0 ? (100 * cost) / seconds : 0;
}

/** Visits × calibrated cost of recording what is selected, percent; functions that were never measured count nothing. */
export function predictedOverheadPercent(
  selection: Selection,
  knowledge: Knowledge,
  pairCosts: PairCosts,
  sites: ReadonlyMap<string, SiteKind> | undefined,
  base: CostBase,
): number {
  const intervals = intervalsOf(selection);
  let seconds = 0;
  for (const key of selectedKeys(selection)) {
    const pair = visitCost(pairCosts[sites?.get(key) ?? 'entry'], intervals.get(key));
    seconds += chargedVisits(knowledge.functions.get(key), base.clock) * pair;
  }
  return percentOf(base, seconds);
}
