import type { CallGraph } from '../callgraph/callGraph';
import type { Reason } from './selection';

/** What the analysis knows when it says which functions it needs next. Shares are of the run time, 0…1, callees included. */
export interface AnalysisState {
  readonly graph: CallGraph;
  /** Where the analysis begins: the phase, or the entry function. */
  readonly roots: readonly number[];
  readonly canRecord: (index: number) => boolean;
  /** It was executed, as far as is known; nothing runs below what was not. */
  readonly mayRun: (index: number) => boolean;
  /** As measured without disturbance; undefined: not yet. */
  readonly share: (index: number) => number | undefined;
  /** As it was in the run that recorded everything: too much disturbed to decide by, good enough to look ahead. */
  readonly likelyShare: (index: number) => number;
  /** From here on a function is severe; one that was found so before stays it a little below. */
  readonly leastShare: number;
  readonly wasSevere: (index: number) => boolean;
  readonly costPercent: (index: number) => number;
  /** What looking ahead may cost together with what is needed anyway, percent. */
  readonly limitPercent: number;
}

/** Shares near the limit come and go with the noise of the runs; each change would cost an experiment. */
const stillSevere = 0.75;

/**
 * The hierarchy of hot spots, as the analysis walks it down: needed are the severe functions, which show where the time goes, and the
 * callees of these that were not measured yet. Below functions that were just asked for it looks ahead where they are likely to turn out
 * severe and the cost allows it, so that fewer experiments are needed. @returns what is needed, with the reason
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
    for (const callee of recordableBelow(state, node)) {
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
  const path = [node, callee].map((index) => graph.functions[index]?.name ?? '');
  const value = share(node);
  return {
    rule: 'expand',
    measure: 'inclusive',
    threshold: leastShare,
    path,
    ...(value === undefined ? {} : { value }),
  };
}

/** The nearest functions below `node` that can be recorded: through those that cannot, but run. */
function recordableBelow({ graph, canRecord, mayRun }: AnalysisState, node: number): readonly number[] {
  const found: number[] = [];
  const queue = [node];
  const seen = new Set(queue);
  for (const caller of queue) {
    for (const { callee } of graph.edges[caller] ?? []) {
      if (seen.has(callee) || !mayRun(callee)) continue;
      seen.add(callee);
      (canRecord(callee) ? found : queue).push(callee);
    }
  }
  return found;
}
