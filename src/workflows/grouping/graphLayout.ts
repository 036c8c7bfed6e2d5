import { Graph, layout } from '@dagrejs/dagre';
import { at } from '../../core/at';
import type { ConceptGraph } from '../../core/groups/graph/conceptGraph';
import { nodeBox, type GraphLayout } from '../../core/groups/graph/export';

/** Pixels between boxes. */
const gap = { across: 24, down: 44 };

interface Box {
  readonly width: number;
  readonly height: number;
  /** Of the centre; the layout sets it. */
  readonly x?: number;
  readonly y?: number;
}

interface Way {
  readonly points?: readonly { readonly x: number; readonly y: number }[];
}

/**
 * Places of the nodes and ways of the edges, by the layered layout of the library dagre (Gansner et al. 1993): the top node above, few edges that cross, and
 * none that runs through a box. Half a second for a hundred nodes; the caller keeps to `drawingNodeLimit`.
 */
export function graphLayout({ nodes }: ConceptGraph): GraphLayout {
  if (nodes.length === 0) return { width: 1, height: 1, centres: [], edges: [] };
  const graph = new Graph<object, Box, Way>();
  graph.setGraph({ rankdir: 'TB', nodesep: gap.across, ranksep: gap.down, marginx: 1, marginy: 1 });
  graph.setDefaultEdgeLabel(() => ({}));
  nodes.forEach((_, node) => graph.setNode(String(node), { ...nodeBox }));
  const pairs = nodes.flatMap(({ above }, lower) => above.map((upper) => ({ lower, upper })));
  for (const { lower, upper } of pairs) graph.setEdge(String(upper), String(lower), {});
  layout(graph);
  const centres = nodes.map((_, node) => {
    const { x = 0, y = 0 } = graph.node(String(node));
    return { x, y };
  });
  return {
    width: 2 + Math.max(...centres.map(({ x }) => x)) + nodeBox.width / 2,
    height: 2 + Math.max(...centres.map(({ y }) => y)) + nodeBox.height / 2,
    centres,
    edges: pairs.map(({ lower, upper }) => {
      const { points = [] } = graph.edge(String(upper), String(lower));
      // At the middle of both boxes, whichever way it then takes.
      const [from, to] = [at(centres, upper), at(centres, lower)];
      return {
        lower,
        upper,
        points: [
          { x: from.x, y: from.y + nodeBox.height / 2 },
          ...points.slice(1, -1),
          { x: to.x, y: to.y - nodeBox.height / 2 },
        ],
      };
    }),
  };
}
