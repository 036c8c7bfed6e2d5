import type { CallGraph } from '../callgraph/callGraph';
import { at, condense } from '../callgraph/condense';

/** An optimised statement takes a few cycles. Deliberately low: what it underestimates is only looked at one iteration later. */
const statementSeconds = 2e-9;
/** Rounds of a loop. PGIS guesses 100 for call counts; a cautious guess for the time of one visit is lower. */
const loopRounds = 10;
/** What a function without any static record (Fortran, a unit that did not parse) is taken for. */
const unknownStatements = 20;
const longestSeconds = 1;

/**
 * A cautious guess of what one visit takes, from statements, loops and direct calls: used only to judge how much it would cost to
 * record a function that was never measured. Calls back into the own cycle and through pointers or virtual tables count nothing.
 */
export function estimateVisitSeconds(graph: CallGraph): Float64Array {
  const { component, count } = condense(graph);
  const members: number[][] = Array.from({ length: count }, () => []);
  graph.functions.forEach((_, index) => members[at(component, index)]?.push(index));
  const seconds = new Float64Array(graph.functions.length);
  // Callees have smaller component numbers, so they are done before their callers.
  for (const group of members) {
    for (const index of group) {
      const f = graph.functions[index];
      if (f === undefined) continue;
      let sum = ownStatements(f) * statementSeconds;
      for (const { callee, kind } of graph.edges[index] ?? []) {
        if (kind !== 'direct' && kind !== 'measured') continue;
        if (at(component, callee) !== at(component, index)) sum += at(seconds, callee);
      }
      seconds[index] = Math.min(longestSeconds, sum * loopRounds ** Math.min(2, f.loopDepth));
    }
  }
  return seconds;
}

/** What a visit takes at least in most functions: its own statements once. Loops may end at once, and calls be for rare cases. */
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
  const { component, count } = condense(graph);
  const members: number[][] = Array.from({ length: count }, () => []);
  graph.functions.forEach((_, index) => members[at(component, index)]?.push(index));
  const depth = new Uint32Array(graph.functions.length);
  for (const group of members.reverse()) {
    // A cycle is a loop too.
    const cycle = group.length > 1 ? 1 : 0;
    const deepest = Math.max(...group.slice(0, 1000).map((index) => at(depth, index))) + cycle;
    for (const index of group) {
      depth[index] = deepest;
      const inside = deepest + (graph.functions[index]?.loopDepth ?? 0);
      for (const { callee } of graph.edges[index] ?? []) {
        if (at(component, callee) !== at(component, index))
          depth[callee] = Math.max(at(depth, callee), inside);
      }
    }
  }
  return depth;
}
