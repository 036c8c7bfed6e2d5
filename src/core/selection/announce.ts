import { at } from '../at';
import { recordableBelow } from '../callgraph/reachability';
import { present } from '../present';
import type { CallGraph } from '../callgraph/callGraph';
import type { Reason } from './selection';

/** Knowledge of the analysis when it chooses the functions that it needs next. Shares are inclusive, of the run time, 0…1. */
export interface AnalysisState {
  readonly graph: CallGraph;
  /** Where the analysis begins: the phase, or the entry function. */
  readonly roots: readonly number[];
  readonly canRecord: (index: number) => boolean;
  /** False for a function that is known not to be executed; nothing runs below it. */
  readonly mayRun: (index: number) => boolean;
  /** As measured in undisturbed runs; undefined before the first of them. */
  readonly share: (index: number) => number | undefined;
  /** As measured in the run that recorded everything: too much disturbed for decisions, good enough to look ahead. */
  readonly likelyShare: (index: number) => number;
  /** A function with this share is severe; one that was severe before stays so a little below it. */
  readonly leastShare: number;
  readonly wasSevere: (index: number) => boolean;
  readonly costPercent: (index: number) => number;
  /** Limit of the cost of looking ahead together with the needed functions, percent. */
  readonly limitPercent: number;
}

/** Shares near the limit come and go with the noise of the runs; each change would cost an experiment. */
const stillSevere = 0.75;

/**
 * The analysis walks down the hierarchy of hot spots. It needs the severe functions, which show where the time goes, and their callees
 * that were not measured yet. Below such callees it looks ahead where they are likely to be severe and the cost allows it, so that fewer
 * experiments are needed. @returns the needed functions with the reason
 */
export function announceNeeded(state: AnalysisState): ReadonlyMap<number, Reason> {
  const { leastShare, limitPercent } = state;
  const needed = new Map<number, Reason>();
  let percent = 0;
  const queue = [...state.roots];
  const seen = new Set(queue);
  const need = (index: number, reason: Reason, descend: boolean): void => {
    seen.add(index);
    needed.set(index, reason);
    percent += state.costPercent(index);
    if (descend) queue.push(index);
  };
  for (const node of queue) {
    const isMeasured = needed.get(node)?.rule !== 'expand';
    for (const callee of recordableBelow(state.graph, node, state.canRecord, state.mayRun)) {
      if (seen.has(callee)) continue;
      const share = state.share(callee);
      if (share !== undefined) {
        const least = state.wasSevere(callee) ? stillSevere * leastShare : leastShare;
        if (share >= least) need(callee, severe(share, least), true);
      } else if (isMeasured || percent + state.costPercent(callee) <= limitPercent) {
        need(callee, below(state, node, callee), state.likelyShare(callee) >= leastShare);
      }
    }
  }
  return needed;
}

function severe(value: number, threshold: number): Reason {
  return { rule: 'hot-spot', value, threshold, measure: 'inclusive' };
}

function below({ graph, share, leastShare }: AnalysisState, node: number, callee: number): Reason {
  const path = [node, callee].map((index) => at(graph.functions, index).name);
  return {
    rule: 'expand',
    measure: 'inclusive',
    threshold: leastShare,
    path,
    ...present({ value: share(node) }),
  };
}
