import { lineHeight } from '../../../src/core/groups/graph/export';
import { translucent } from '../../charts/configuration';
import { boxOf, type GraphView } from '../../charts/graph/placedGraph';
import { outline } from '../../charts/marks';
import type { PlotColors } from '../../charts/plotColors';
import { fittedStart, type Surface } from '../../charts/surface';
import { linesIn, type DrawnGraph } from './graphModel';

export interface GraphPicture {
  readonly graph: DrawnGraph;
  readonly view: GraphView;
  readonly cursor: number | undefined;
  readonly isChosen: (node: number) => boolean;
}

/** Boxes with as many lines as they have room for, above their edges; those of the node under the cursor stand out. */
export function drawGraph(surface: Surface, colors: PlotColors, picture: GraphPicture): void {
  const { graph, view, cursor, isChosen } = picture;
  const screen = { x: 0, y: 0, width: surface.width, height: surface.height };
  const ends = graph.nodes.flatMap(({ above }, lower) => above.map((upper) => [lower, upper] as const));
  surface.inside(screen, () => {
    graph.edges.forEach((points, edge) => {
      const isNear = cursor !== undefined && (ends[edge]?.includes(cursor) ?? false);
      const places = points.map((value, index) => (index % 2 === 0 ? view.x : view.y) + view.scale * value);
      surface.line(places, isNear ? { color: colors.focus, width: 2 } : { color: colors.muted });
    });
    graph.nodes.forEach(({ lines }, node) => {
      const box = boxOf(graph, node, view);
      if (box.x > surface.width || box.x + box.width < 0) return;
      surface.rectangle(box, {
        fill: colors.background,
        stroke: { color: colors.isHighContrast ? colors.foreground : colors.muted },
      });
      if (isChosen(node)) surface.rectangle(box, { fill: translucent(colors.focus, 0.25) });
      surface.inside(box, () =>
        lines
          .slice(0, linesIn(box.height))
          .forEach((line, index) =>
            surface.text(
              fittedStart(surface, line, (index === 0 ? 0.92 : 1) * (box.width - 12)),
              box.x + 6,
              box.y + 12 + index * lineHeight,
              { color: index === 0 ? colors.foreground : colors.muted, bold: index === 0 },
            ),
          ),
      );
    });
    if (cursor !== undefined) outline(surface, colors, boxOf(graph, cursor, view));
  });
}
