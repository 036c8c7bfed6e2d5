import { Graph, layout } from '@dagrejs/dagre';
import { at } from '../../core/at';

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Box extends Partial<Point> {
  readonly width: number;
  readonly height: number;
}

interface Way {
  readonly points?: readonly Point[];
}

/** Boxes of one size, and which of them is above, or left of, which. */
export interface Layered {
  /** Number of boxes. */
  readonly count: number;
  /** Positions of boxes: the upper (left) one, the lower (right) one. */
  readonly edges: readonly (readonly [upper: number, lower: number])[];
  readonly box: { readonly width: number; readonly height: number };
  /** Pixels between boxes of a layer, and between layers. */
  readonly gap: { readonly inLayer: number; readonly layers: number };
  readonly direction: 'down' | 'right';
}

/** Places in pixels. */
export interface Places {
  readonly width: number;
  readonly height: number;
  /** By box. */
  readonly centres: readonly Point[];
  /** By edge: from the middle of a side of the upper box to the middle of a side of the lower one. */
  readonly ways: readonly (readonly Point[])[];
}

/**
 * Places of boxes and ways of edges, by the layered layout of the library dagre (Gansner et al. 1993): few edges that cross, and none that runs through a
 * box. Half a second for a hundred boxes; the caller limits their number.
 */
export function layeredLayout({ count, edges, box, gap, direction }: Layered): Places {
  if (count === 0) return { width: 1, height: 1, centres: [], ways: [] };
  const graph = new Graph<object, Box, Way>();
  const isDown = direction === 'down';
  graph.setGraph({
    rankdir: isDown ? 'TB' : 'LR',
    nodesep: gap.inLayer,
    ranksep: gap.layers,
    marginx: 1,
    marginy: 1,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (let node = 0; node < count; node++) graph.setNode(String(node), { ...box });
  for (const [upper, lower] of edges) graph.setEdge(String(upper), String(lower), {});
  layout(graph);
  const centres = Array.from({ length: count }, (_, node) => {
    const { x = 0, y = 0 } = graph.node(String(node));
    return { x, y };
  });
  const side = ({ x, y }: Point, sign: 1 | -1): Point =>
    isDown ? { x, y: y + (sign * box.height) / 2 } : { x: x + (sign * box.width) / 2, y };
  return {
    width: 2 + Math.max(...centres.map(({ x }) => x)) + box.width / 2,
    height: 2 + Math.max(...centres.map(({ y }) => y)) + box.height / 2,
    centres,
    ways: edges.map(([upper, lower]) => {
      const { points = [] } = graph.edge(String(upper), String(lower));
      // At the middle of both boxes, whichever way it then takes.
      return [side(at(centres, upper), 1), ...points.slice(1, -1), side(at(centres, lower), -1)];
    }),
  };
}
