import { at } from '../../core/at';
import type { ConceptGraph } from '../../core/groups/graph/conceptGraph';
import { nodeBox, type GraphLayout } from '../../core/groups/graph/export';
import { layeredLayout } from '../layout/layeredLayout';

/** Places of the nodes and ways of the edges, the top node above; the caller keeps to `drawingNodeLimit`. */
export function graphLayout({ nodes }: ConceptGraph): GraphLayout {
  const pairs = nodes.flatMap(({ above }, lower) => above.map((upper) => ({ lower, upper })));
  const { ways, ...places } = layeredLayout({
    count: nodes.length,
    edges: pairs.map(({ lower, upper }) => [upper, lower]),
    box: nodeBox,
    gap: { inLayer: 24, layers: 44 },
    direction: 'down',
  });
  return { ...places, edges: pairs.map((pair, edge) => ({ ...pair, points: at(ways, edge) })) };
}
