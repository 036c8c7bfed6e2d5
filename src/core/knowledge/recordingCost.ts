import type { FunctionKnowledge, Knowledge } from './knowledge';
import { visitCost, type PairCosts, type SiteKind } from '../cost/pairCost';
import type { CostBase } from '../cost/runTime';
import { intervalsOf, selectedKeys, type Selection } from '../selection/selection';

/**
 * The visits whose recording costs time: all threads and processes add to the CPU time of the run, those of one rank to its computing time,
 * and the busiest one alone to the wall time.
 */
export function chargedVisits(
  known: Pick<FunctionKnowledge, 'visits' | 'rankVisits' | 'allVisits'> | undefined,
  clock: CostBase['clock'],
): number {
  if (known === undefined) return 0;
  switch (clock) {
    case 'cpu':
      return known.allVisits;
    case 'rank':
      return known.rankVisits ?? known.visits;
    case 'wall':
      return known.visits;
  }
}

/** A cost in seconds as a percentage of the run with nothing recorded. */
export function percentOf({ seconds }: CostBase, cost: number): number {
  return seconds > 0 ? (100 * cost) / seconds : 0;
}

/** From this part of a run's predicted cost, merely counted functions determine its overhead more than timed ones. */
const largePart = 0.25;

/**
 * Whether a run shows the cost of a pair in this program. A run that counts hundreds of functions to learn how often they are called does
 * not: their code and counters push each other out of the caches, so that its overhead is far from that of the selections that follow.
 */
export function showsPairCost(selection: Selection, predict: (part: Selection) => number): boolean {
  const counted = [...selection.decisions].filter(([, { reason }]) => reason.countedFirst !== undefined);
  return predict({ decisions: new Map(counted) }) <= largePart * predict(selection);
}

/** Visits × calibrated cost of recording the selected functions, percent; functions that were never measured count nothing. */
export function predictedOverheadPercent(
  selection: Selection,
  knowledge: Knowledge,
  pairCosts: PairCosts,
  sites: ReadonlyMap<string, SiteKind> | undefined,
  base: CostBase,
): number {
  return percentOf(base, recordingSeconds(selection, knowledge, pairCosts, sites, base.clock));
}

/** The same in seconds, by a clock. */
export function recordingSeconds(
  selection: Selection,
  knowledge: Knowledge,
  pairCosts: PairCosts,
  sites: ReadonlyMap<string, SiteKind> | undefined,
  clock: CostBase['clock'],
): number {
  const intervals = intervalsOf(selection);
  let seconds = 0;
  for (const key of selectedKeys(selection)) {
    const pair = visitCost(pairCosts[sites?.get(key) ?? 'entry'], intervals.get(key));
    seconds += chargedVisits(knowledge.functions.get(key), clock) * pair;
  }
  return seconds;
}
