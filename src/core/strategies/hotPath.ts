import type { CallGraph } from '../callgraph/callGraph';
import { inclusiveStatements } from '../callgraph/inclusiveStatements';
import type { Knowledge } from '../knowledge/knowledge';
import { entryOf, reachableFrom } from '../callgraph/reachability';
import type { Decision, Reason, Selection } from '../selection/selection';

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
    knowledge.functions.get(graph.functions[index]?.key ?? '')?.inclusiveSeconds ?? 0;
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
      for (const { callee } of graph.edges[node] ?? []) {
        if (seen.has(callee)) continue;
        seen.add(callee);
        queue.push(callee);
      }
    }
  }
  const reachable = reachableFrom(graph, entry === undefined ? [] : [entry]);
  const decisions = graph.functions.map(({ key }, index): Decision => {
    const reason = walk.reasons.get(index);
    if (reason !== undefined) return { key, selected: true, reason };
    if (reachable[index] !== 1) return { key, selected: false, reason: { rule: 'unreachable' } };
    const value = hottest > 0 ? seconds(index) / hottest : 0;
    return {
      key,
      selected: false,
      reason: { rule: 'not-hot', value, threshold: hotShare, measure: 'inclusive' },
    };
  });
  return { decisions: new Map(decisions.map((d) => [d.key, d])) };
}

function visit(walk: Walk, node: number): void {
  const { graph, statements, seconds, threshold, reasons, dominant } = walk;
  if (seconds(node) < threshold || seconds(node) <= 0) return;
  select(walk, node);
  const callees = (graph.edges[node] ?? []).map((e) => e.callee);
  const withStatements = callees.filter((callee) => (statements[callee] ?? 0) > 0);
  const most = withStatements.reduce((max, callee) => Math.max(max, statements[callee] ?? 0), 0);
  const least = Math.floor(most / Math.max(1, withStatements.length)) * calleeShare;
  if (least < 1) return;
  const principal = callees
    .filter((callee) => callee !== node && seconds(callee) > 0 && seconds(callee) >= threshold)
    .sort((a, b) => seconds(b) - seconds(a) || a - b)[0];
  if (principal !== undefined) {
    dominant.add(principal);
    select(walk, principal);
  } else if (dominant.has(node)) {
    const path = [graph.functions[node]?.name ?? ''];
    for (const callee of callees) {
      const value = statements[callee] ?? 0;
      if (value > least && !reasons.has(callee))
        reasons.set(callee, { rule: 'statements', value, threshold: least, path });
    }
  }
}

function select({ seconds, threshold, reasons }: Walk, node: number): void {
  const hottest = threshold / hotShare;
  if (reasons.get(node)?.rule === 'entry') return;
  const value = seconds(node) / hottest;
  reasons.set(node, { rule: 'hot-spot', value, threshold: hotShare, measure: 'inclusive' });
}
