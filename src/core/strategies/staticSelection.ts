import type { CallGraph } from '../callgraph/callGraph';
import { cutoffThreshold, type Cutoff } from '../selection/cutoff';
import { inclusiveStatements } from '../callgraph/inclusiveStatements';
import { entryOf, reachableFromEntry } from '../callgraph/reachability';
import { atFloat, atUint } from '../at';
import { callLoopDepth } from '../knowledge/visitEstimate';
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

/** Passes of a loop where nothing is known of it: PGIS' factor for call counts (instrumentation-refinement §2.10). */
const loopPasses = 100;
/** More loops around each other have an end somewhere: the numbers would be beyond all others. */
const mostLoops = 6;

/**
 * Statements by how often they would be executed: those of a function with nested loops, called from nested loops, count 100 times for each
 * loop around them. Which of its statements and calls a loop contains is not known, so that all of them are taken to be in the deepest one.
 */
function executedStatements(graph: CallGraph): Float64Array {
  const around = callLoopDepth(graph);
  return Float64Array.from(
    graph.functions,
    ({ statements, loopDepth }, index) =>
      statements * loopPasses ** Math.min(mostLoops, loopDepth + atUint(around, index)),
  );
}

/** @param loops whether loops weigh statements */
export function analyseStatements(graph: CallGraph, cutoff: Cutoff, loops = false): StaticAnalysis {
  const entry = entryOf(graph);
  const inclusive = loops
    ? inclusiveStatements(graph, executedStatements(graph))
    : inclusiveStatements(graph);
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
 * @param loops whether loops weigh statements, which PIRA's selection does not know
 */
export function staticSelection(
  graph: CallGraph,
  cutoff: Cutoff = 'unique-median',
  loops = false,
): Selection {
  const { inclusive, reachable, threshold } = analyseStatements(graph, cutoff, loops);
  const weighed = loops ? ({ loops: true } as const) : {};
  return decideAll(graph, (index) => {
    if (reachable[index] !== 1) return [false, { rule: 'unreachable' }];
    const value = atFloat(inclusive, index);
    return value >= threshold
      ? [true, { rule: 'statements', value, threshold, ...weighed }]
      : [false, { rule: 'too-small', value, threshold, ...weighed }];
  });
}
