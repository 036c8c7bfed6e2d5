import { list, record, count, text } from '../control/shape';
import type { Layout } from '../layout/layout';
import { OverlayError } from '../packets/overlayError';

const shape = record({
  nodes: list(record({ rank: count, host: text(255), index: count, children: list(count) })),
  root: count,
  leaves: count,
});

/** The tree as a parent sends it to an inner process. @throws OverlayError `malformed` */
export function readLayout(content: string): Layout {
  try {
    const layout = shape(JSON.parse(content), 'layout');
    const parents = new Map(
      layout.nodes.flatMap(({ rank, children }) => children.map((child) => [child, rank])),
    );
    return {
      ...layout,
      nodes: layout.nodes.map((node) => {
        const parent = parents.get(node.rank);
        return parent === undefined ? node : { ...node, parent };
      }),
    };
  } catch (error) {
    if (error instanceof OverlayError) throw error;
    throw new OverlayError('malformed', 'The layout is not JSON.', error);
  }
}
