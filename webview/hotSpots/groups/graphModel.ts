import { lineHeight, nodeBox } from '../../../src/core/groups/graph/export';
import type { GroupPicture } from '../../../src/core/views/groupSummary';
import type { PlacedGraph } from '../../charts/graph/placedGraph';

type GivenGraph = Exclude<GroupPicture, { readonly reason: string }>;
export type DrawnGraph = Omit<PlacedGraph, 'nodes'> & GivenGraph;

/** The graph of groups: what more processes call is above. */
export function drawnGraph(graph: GivenGraph): DrawnGraph {
  return { ...graph, box: nodeBox, direction: 'down' };
}

/** The lines of a node that a box of this height has room for. */
export function linesIn(height: number): number {
  return Math.max(0, Math.floor((height + 2) / lineHeight));
}
