import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conceptGraph } from '../../../../src/core/groups/graph/conceptGraph';
import { nodeBox } from '../../../../src/core/groups/graph/export';
import { graphLayout } from '../../../../src/workflows/grouping/graphLayout';
import { randomContext } from '../../core/groups/contexts';

describe('the layout of a graph of groups', () => {
  it('G-3: has each box inside, on no other one, and below those above it, with edges from border to border', () => {
    fc.assert(
      fc.property(randomContext, (context) => {
        const graph = conceptGraph(context);
        const { width, height, centres, edges } = graphLayout(graph);
        expect(centres).toHaveLength(graph.nodes.length);
        centres.forEach(({ x, y }, node) => {
          expect(x).toBeGreaterThanOrEqual(nodeBox.width / 2);
          expect(x).toBeLessThanOrEqual(width - nodeBox.width / 2);
          expect(y).toBeGreaterThanOrEqual(nodeBox.height / 2);
          expect(y).toBeLessThanOrEqual(height - nodeBox.height / 2);
          for (const upper of graph.nodes[node]?.above ?? [])
            expect(centres[upper]!.y).toBeLessThanOrEqual(y - nodeBox.height);
          const near = centres.filter(
            (other) => Math.abs(other.x - x) < nodeBox.width && Math.abs(other.y - y) < nodeBox.height,
          );
          expect(near).toHaveLength(1);
        });
        expect(edges.map(({ lower, upper }) => [lower, upper])).toEqual(
          graph.nodes.flatMap(({ above }, lower) => above.map((upper) => [lower, upper])),
        );
        for (const { lower, upper, points } of edges) {
          const [from, to] = [centres[upper]!, centres[lower]!];
          expect(points[0]).toEqual({ x: from.x, y: from.y + nodeBox.height / 2 });
          expect(points.at(-1)).toEqual({ x: to.x, y: to.y - nodeBox.height / 2 });
          for (const { x, y } of points) expect(Number.isFinite(x) && Number.isFinite(y)).toBe(true);
        }
      }),
    );
  });

  it('G-3: puts neighbours near each other, so that edges that need not cross do not', () => {
    const above = [[], [], [], [2], [1], [0]];
    const { centres } = graphLayout({ nodes: above.map((upper) => ({ own: [0], above: upper })) });
    const x = centres.map((centre) => centre.x);
    expect([x[3], x[4], x[5]]).toEqual([x[2], x[1], x[0]]);
  });

  it('is empty without nodes', () => {
    expect(graphLayout({ nodes: [] })).toEqual({ width: 1, height: 1, centres: [], edges: [] });
  });
});
