import { at } from '../../../src/core/at';
import { lineHeight, nodeBox } from '../../../src/core/groups/graph/export';
import type { GroupPicture } from '../../../src/core/views/groupSummary';
import type { Area } from '../../charts/surface';

export type DrawnGraph = Exclude<GroupPicture, { readonly reason: string }>;

/** How the graph is seen: pixels of the picture = offset + scale × pixels of the layout. */
export interface GraphView {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** The whole graph, no larger than it was laid out. */
export function wholeGraph({ width, height }: DrawnGraph, wide: number, high: number): GraphView {
  const margin = 8;
  const scale = Math.min(1, (wide - 2 * margin) / width, (high - 2 * margin) / height);
  return { scale, x: (wide - scale * width) / 2, y: Math.max(margin, (high - scale * height) / 2) };
}

/** From this scale on, a box has room for a line. */
const readable = 0.45;

/** The whole graph where it is readable, else what is around the first box. */
export function firstView(graph: DrawnGraph, wide: number, high: number): GraphView {
  const whole = wholeGraph(graph, wide, high);
  if (whole.scale >= readable) return whole;
  const x = wide / 2 - readable * at(graph.nodes, 0).x;
  return { scale: readable, x, y: Math.max(8, (high - readable * graph.height) / 2) };
}

/** Larger or smaller by a factor; what is at a place stays there. */
export function zoomedGraph(
  { scale, x, y }: GraphView,
  factor: number,
  place: { readonly x: number; readonly y: number },
  least: number,
): GraphView {
  const wanted = Math.min(1.5, Math.max(least, scale * factor));
  const ratio = wanted / scale;
  return { scale: wanted, x: place.x - ratio * (place.x - x), y: place.y - ratio * (place.y - y) };
}

export function boxOf({ nodes }: DrawnGraph, node: number, { scale, x, y }: GraphView): Area {
  const centre = at(nodes, node);
  const [width, height] = [scale * nodeBox.width, scale * nodeBox.height];
  return { x: x + scale * centre.x - width / 2, y: y + scale * centre.y - height / 2, width, height };
}

/** The lines of a node that a box of this height has room for. */
export function linesIn(height: number): number {
  return Math.max(0, Math.floor((height + 2) / lineHeight));
}

export function nodeAt(graph: DrawnGraph, view: GraphView, x: number, y: number): number | undefined {
  return [...graph.nodes.keys()].find((node) => {
    const box = boxOf(graph, node, view);
    return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
  });
}

/** Where an arrow key leads: up and down along edges to the nearest node, left and right within a layer. */
export function nextNode({ nodes }: DrawnGraph, from: number | undefined, key: string): number | undefined {
  if (from === undefined) return nodes.length === 0 ? undefined : 0;
  const own = at(nodes, from);
  const all = [...nodes.keys()];
  const isBeside = (node: number): boolean => Math.abs(at(nodes, node).y - own.y) < nodeBox.height;
  const candidates = {
    ArrowUp: () => own.above,
    ArrowDown: () => all.filter((node) => at(nodes, node).above.includes(from)),
    ArrowLeft: () => all.filter((node) => isBeside(node) && at(nodes, node).x < own.x),
    ArrowRight: () => all.filter((node) => isBeside(node) && at(nodes, node).x > own.x),
  }[key];
  if (candidates === undefined) return undefined;
  const distance = (node: number): number => Math.hypot(at(nodes, node).x - own.x, at(nodes, node).y - own.y);
  return [...candidates()].sort((a, b) => distance(a) - distance(b))[0] ?? from;
}
