import { at, atFloat, atUint } from '../at';
import type { CallGraph } from '../callgraph/callGraph';
import { calleesOf } from '../callgraph/reachability';
import { condense, membersOf } from '../callgraph/condense';

/** An optimised statement takes a few cycles. Deliberately low: a function that it underestimates is only recorded one round later. */
const statementSeconds = 2e-9;
/** Repetitions of a loop. PGIS assumes 100 for call counts; a cautious assumption for the time of one visit is lower. */
const loopRepetitions = 10;
/** Assumed statements of a function without any static record (Fortran, a unit that did not parse). */
const unknownStatements = 20;
const longestSeconds = 1;

/**
 * A cautious estimate of the time of one visit, from statements, loops and direct calls: used only to judge the cost of recording a
 * function that was never measured. Calls within the function's cycle and through pointers or virtual tables count nothing.
 */
export function estimateVisitSeconds(graph: CallGraph): Float64Array {
  const condensed = condense(graph);
  const { component } = condensed;
  const seconds = new Float64Array(graph.functions.length);
  // Callees have smaller component numbers, so they are done before their callers.
  for (const group of membersOf(condensed)) {
    for (const index of group) {
      const f = at(graph.functions, index);
      let sum = ownStatements(f) * statementSeconds;
      for (const { callee, kind } of at(graph.edges, index)) {
        if (kind !== 'direct' && kind !== 'measured') continue;
        if (component[callee] !== component[index]) sum += atFloat(seconds, callee);
      }
      seconds[index] = Math.min(longestSeconds, sum * loopRepetitions ** Math.min(2, f.loopDepth));
    }
  }
  return seconds;
}

/** Least time of a visit in most functions: its own statements once. Loops may end at once, and calls may be for rare cases. */
export function briefVisitSeconds(graph: CallGraph): Float64Array {
  return Float64Array.from(graph.functions, (f) => ownStatements(f) * statementSeconds);
}

function ownStatements(f: CallGraph['functions'][number]): number {
  if (!hasStaticRecord(f) && f.hasBody) {
    const lines = f.line === undefined || f.endLine === undefined ? undefined : f.endLine - f.line;
    return lines === undefined ? unknownStatements : Math.max(1, lines / 2);
  }
  return f.statements;
}

/** Whether statements and calls of the body are known from its source. */
export function hasStaticRecord(f: CallGraph['functions'][number]): boolean {
  return f.statements > 0 || f.definitions.length > 0;
}

/** Longest chain of loops around a call of each function, from the entry function down, by each caller's own loop nesting. */
export function callLoopDepth(graph: CallGraph): Uint32Array {
  const condensed = condense(graph);
  const { component } = condensed;
  const depth = new Uint32Array(graph.functions.length);
  for (const group of [...membersOf(condensed)].reverse()) {
    // A cycle is a loop too.
    const cycle = group.length > 1 ? 1 : 0;
    const deepest = Math.max(...group.slice(0, 1000).map((index) => atUint(depth, index))) + cycle;
    for (const index of group) {
      depth[index] = deepest;
      const inside = deepest + at(graph.functions, index).loopDepth;
      for (const callee of calleesOf(graph, index)) {
        if (component[callee] !== component[index]) depth[callee] = Math.max(atUint(depth, callee), inside);
      }
    }
  }
  return depth;
}
