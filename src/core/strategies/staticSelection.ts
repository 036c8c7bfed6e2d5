import type { CallGraph } from '../callgraph/callGraph';
import { cutoffThreshold, type Cutoff } from '../selection/cutoff';
import { inclusiveStatements } from '../callgraph/inclusiveStatements';
import { entryOf, reachableFromEntry } from '../callgraph/reachability';
import type { Reason, Selection } from '../selection/selection';

/** Statement aggregation over the part of the graph that the entry function reaches. */
export interface StaticAnalysis {
  readonly inclusive: Float64Array;
  /** One byte per function. All ones when the graph has no entry function. */
  readonly reachable: Uint8Array;
  readonly entry?: number;
  readonly threshold: number;
}

export function analyseStatements(graph: CallGraph, cutoff: Cutoff): StaticAnalysis {
  const entry = entryOf(graph);
  const inclusive = inclusiveStatements(graph);
  const reachable = reachableFromEntry(graph);
  const threshold = cutoffThreshold(
    inclusive.filter((_, index) => reachable[index] === 1),
    cutoff,
  );
  return { inclusive, reachable, threshold, ...(entry === undefined ? {} : { entry }) };
}

/**
 * PIRA's static selection, to the digit (instrumentation-refinement §2.3): every function that `main` reaches and whose inclusive
 * statements reach the cut-off. Callers have at least their callees' statements, so all paths to main are in by themselves.
 */
export function staticSelection(graph: CallGraph, cutoff: Cutoff = 'unique-median'): Selection {
  const analysis = analyseStatements(graph, cutoff);
  const { inclusive, reachable, threshold } = analysis;
  const decide = (index: number): readonly [boolean, Reason] => {
    if (reachable[index] !== 1) return [false, { rule: 'unreachable' }];
    const value = inclusive[index] ?? 0;
    return value >= threshold
      ? [true, { rule: 'statements', value, threshold }]
      : [false, { rule: 'too-small', value, threshold }];
  };
  return {
    decisions: new Map(
      graph.functions.map(({ key }, index) => {
        const [selected, reason] = decide(index);
        return [key, { key, selected, reason }];
      }),
    ),
  };
}
