import type { Comparison } from '../../core/groups/comparison/compareGroups';
import { conceptGraph, type ConceptGraph } from '../../core/groups/graph/conceptGraph';
import { graphDot, graphDrawing, type GraphDrawing } from '../../core/groups/graph/export';
import { withoutEqualGroups } from '../../core/groups/graph/fallbacks';
import { conceptLattice } from '../../core/groups/graph/lattice';
import type { ProcessContext } from '../../core/groups/context';
import { graphLayout } from './graphLayout';

/** Above this, a graph takes seconds. */
const mostGroups = 1000;

interface GroupGraph {
  readonly context: ProcessContext;
  readonly graph: ConceptGraph;
}

/**
 * What groups have in common, as a graph; or why there is none.
 * @param isWhole the whole concept lattice, with the nodes that have neither attributes nor a group of their own
 */
function groupGraph(
  { groups, comparable }: Comparison,
  isWhole: boolean,
): GroupGraph | { readonly reason: string } {
  if (comparable.step === 'equality')
    return { reason: 'Only equal processes are grouped: what groups have in common is not compared.' };
  const context = withoutEqualGroups(groups);
  const count = context.sets.length;
  if (count > mostGroups)
    return { reason: `There are ${count} groups; a graph has at most ${mostGroups}. Compare more coarsely.` };
  if (!isWhole) return { context, graph: conceptGraph(context) };
  const lattice = conceptLattice(context);
  return lattice.isComplete
    ? { context, graph: lattice.graph }
    : { reason: `${lattice.reason} The graph without nodes that are empty shows the same differences.` };
}

export function drawnGraph(comparison: Comparison, isWhole = false): GraphDrawing {
  const found = groupGraph(comparison, isWhole);
  return 'reason' in found ? found : graphDrawing(found.context, found.graph, graphLayout);
}

/** In the language of Graphviz, of any size. */
export function dotGraph(
  comparison: Comparison,
  isWhole = false,
): { readonly text: string } | { readonly reason: string } {
  const found = groupGraph(comparison, isWhole);
  return 'reason' in found ? found : { text: graphDot(found.context, found.graph) };
}
