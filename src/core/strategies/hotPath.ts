import { at, atFloat } from '../at';
import type { CallGraph } from '../callgraph/callGraph';
import { inclusiveStatements } from '../callgraph/inclusiveStatements';
import type { Knowledge } from '../knowledge/knowledge';
import { calleesOf, entryOf, reachableFrom } from '../callgraph/reachability';
import type { Reason, Selection } from '../selection/selection';
import { decideAll } from './decideAll';

/** Share of the hottest function's inclusive time that a function of the hot path has at least. */
const hotShare = 0.5;
/** Factor of the average statements per callee that a callee below the path's end must exceed. */
const calleeShare = 0.3;

interface Walk {
  readonly graph: CallGraph;
  readonly statements: Float64Array;
  readonly seconds: (index: number) => number;
  readonly threshold: number;
  readonly reasons: Map<number, Reason>;
  readonly dominant: Set<number>;
}

/**
 * PIRA I's run-time selection (instrumentation-refinement §2.4): from the entry function down the one hot path (inclusive time of
 * at least half of the hottest function's), extended below its end to the callees with many statements. Needs at least one
 * executed function; without any only the entry function is selected.
 */
export function hotPathSelection(graph: CallGraph, knowledge: Knowledge): Selection {
  const seconds = (index: number): number =>
    knowledge.functions.get(at(graph.functions, index).key)?.inclusiveSeconds ?? 0;
  const hottest = graph.functions.reduce((most, _, index) => Math.max(most, seconds(index)), 0);
  const entry = entryOf(graph);
  const walk: Walk = {
    graph,
    statements: inclusiveStatements(graph),
    seconds,
    threshold: hotShare * hottest,
    reasons: new Map(),
    dominant: new Set(),
  };
  if (entry !== undefined) {
    walk.dominant.add(entry);
    walk.reasons.set(entry, { rule: 'entry' });
    const queue = [entry];
    const seen = new Set(queue);
    for (const node of queue) {
      if (hottest > 0) visit(walk, node);
      for (const callee of calleesOf(graph, node)) {
        if (seen.has(callee)) continue;
        seen.add(callee);
        queue.push(callee);
      }
    }
  }
  const reachable = reachableFrom(graph, entry === undefined ? [] : [entry]);
  return decideAll(graph, (index) => {
    const reason = walk.reasons.get(index);
    if (reason !== undefined) return [true, reason];
    if (reachable[index] !== 1) return [false, { rule: 'unreachable' }];
    const value = hottest > 0 ? seconds(index) / hottest : 0;
    return [false, { rule: 'not-hot', value, threshold: hotShare, measure: 'inclusive' }];
  });
}

function visit(walk: Walk, node: number): void {
  const { graph, statements, seconds, threshold, reasons, dominant } = walk;
  if (seconds(node) < threshold) return;
  select(walk, node);
  const callees = calleesOf(graph, node);
  const withStatements = callees.filter((callee) => atFloat(statements, callee) > 0);
  const most = withStatements.reduce((max, callee) => Math.max(max, atFloat(statements, callee)), 0);
  const least = Math.floor(most / Math.max(1, withStatements.length)) * calleeShare;
  if (least < 1) return;
  const principal = callees
    .filter((callee) => callee !== node && seconds(callee) >= threshold)
    .sort((a, b) => seconds(b) - seconds(a) || a - b)[0];
  if (principal !== undefined) {
    dominant.add(principal);
    select(walk, principal);
  } else if (dominant.has(node)) {
    const path = [at(graph.functions, node).name];
    for (const callee of callees) {
      const value = atFloat(statements, callee);
      if (value > least && !reasons.has(callee))
        reasons.set(callee, { rule: 'statements', value, threshold: least, path });
    }
  }
}

function select({ seconds, threshold, reasons }: Walk, node: number): void {
  if (reasons.get(node)?.rule === 'entry') return;
  const value = seconds(node) / (threshold / hotShare);
  reasons.set(node, { rule: 'hot-spot', value, threshold: hotShare, measure: 'inclusive' });
}
