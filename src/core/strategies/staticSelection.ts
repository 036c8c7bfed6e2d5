import type { CallGraph } from '../callgraph/callGraph';
import { cutoffThreshold, type Cutoff } from '../selection/cutoff';
import { inclusiveStatements } from '../callgraph/inclusiveStatements';
import { entryOf, reachableFromEntry } from '../callgraph/reachability';
import { atFloat } from '../at';
import { present } from '../present';
import type { Selection } from '../selection/selection';
import { decideAll } from './decideAll';

/** Statement aggregation over the part of the graph that the entry function reaches. */
export interface StaticAnalysis {
  readonly inclusive: Float64Array;
  /** One byte per function; all ones when the graph has no entry function. */
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
  return { inclusive, reachable, threshold, ...present({ entry }) };
}

/**
 * PIRA's static selection, to the digit (instrumentation-refinement §2.3): every function that `main` reaches and whose inclusive
 * statements reach the cut-off. Callers have at least their callees' statements, so all paths to main are selected, too.
 */
export function staticSelection(graph: CallGraph, cutoff: Cutoff = 'unique-median'): Selection {
  const { inclusive, reachable, threshold } = analyseStatements(graph, cutoff);
  return decideAll(graph, (index) => {
    if (reachable[index] !== 1) return [false, { rule: 'unreachable' }];
    const value = atFloat(inclusive, index);
    return value >= threshold
      ? [true, { rule: 'statements', value, threshold }]
      : [false, { rule: 'too-small', value, threshold }];
  });
}
