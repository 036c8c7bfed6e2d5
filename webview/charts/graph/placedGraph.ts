import { at } from '../../../src/core/at';
import type { Area } from '../surface';

/** A graph whose boxes have places, in pixels of the layout. Pure, tested without a browser. */
export interface PlacedGraph {
  readonly width: number;
  readonly height: number;
  readonly box: { readonly width: number; readonly height: number };
  /** Where the lower boxes of an edge are. */
  readonly direction: 'down' | 'right';
  readonly nodes: readonly PlacedNode[];
  /** From this scale on, boxes are readable; default: for a line of text. */
  readonly readable?: number;
}

interface PlacedNode {
  /** Of the centre. */
  readonly x: number;
  readonly y: number;
  /** Positions of the nodes above, or left. */
  readonly above: readonly number[];
}

/** How a graph is seen: pixels of the picture = offset + scale × pixels of the layout. */
export interface GraphView {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The whole graph, no larger than it was laid out. */
export function wholeGraph({ width, height }: Size, wide: number, high: number): GraphView {
  const margin = 8;
  const scale = Math.min(1, (wide - 2 * margin) / width, (high - 2 * margin) / height);
  return { scale, x: (wide - scale * width) / 2, y: Math.max(margin, (high - scale * height) / 2) };
}

/** From this scale on, a box has room for a line. */
const usuallyReadable = 0.45;

/** The whole graph where it is readable, else what is around the first box. */
export function firstView(graph: PlacedGraph, wide: number, high: number): GraphView {
  const { readable = usuallyReadable } = graph;
  const whole = wholeGraph(graph, wide, high);
  if (whole.scale >= readable) return whole;
  const first = at(graph.nodes, 0);
  const beside = (length: number, room: number): number => Math.max(8, (room - readable * length) / 2);
  return graph.direction === 'down'
    ? { scale: readable, x: wide / 2 - readable * first.x, y: beside(graph.height, high) }
    : { scale: readable, x: beside(graph.width, wide), y: high / 2 - readable * first.y };
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

export function boxOf({ nodes, box }: PlacedGraph, node: number, { scale, x, y }: GraphView): Area {
  const centre = at(nodes, node);
  const [width, height] = [scale * box.width, scale * box.height];
  return { x: x + scale * centre.x - width / 2, y: y + scale * centre.y - height / 2, width, height };
}

export function nodeAt(graph: PlacedGraph, view: GraphView, x: number, y: number): number | undefined {
  return [...graph.nodes.keys()].find((node) => {
    const box = boxOf(graph, node, view);
    return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
  });
}

/** What an arrow key does in a graph that grows to the right, as in one that grows downwards. */
const turnedKeys: Readonly<Record<string, string>> = {
  ArrowLeft: 'ArrowUp',
  ArrowRight: 'ArrowDown',
  ArrowUp: 'ArrowLeft',
  ArrowDown: 'ArrowRight',
};

/** Where an arrow key leads: along edges to the nearest node, or beside within a layer. */
export function nextNode(graph: PlacedGraph, from: number | undefined, key: string): number | undefined {
  const { nodes, box, direction } = graph;
  if (from === undefined) return nodes.length === 0 ? undefined : 0;
  const isDown = direction === 'down';
  const own = at(nodes, from);
  const all = [...nodes.keys()];
  const layerOf = (node: number): number => (isDown ? at(nodes, node).y : at(nodes, node).x);
  const placeOf = (node: number): number => (isDown ? at(nodes, node).x : at(nodes, node).y);
  const isBeside = (node: number): boolean =>
    Math.abs(layerOf(node) - layerOf(from)) < (isDown ? box.height : box.width);
  const candidates = {
    ArrowUp: () => own.above,
    ArrowDown: () => all.filter((node) => at(nodes, node).above.includes(from)),
    ArrowLeft: () => all.filter((node) => isBeside(node) && placeOf(node) < placeOf(from)),
    ArrowRight: () => all.filter((node) => isBeside(node) && placeOf(node) > placeOf(from)),
  }[isDown ? key : (turnedKeys[key] ?? key)];
  if (candidates === undefined) return undefined;
  const distance = (node: number): number => Math.hypot(at(nodes, node).x - own.x, at(nodes, node).y - own.y);
  return [...candidates()].sort((a, b) => distance(a) - distance(b))[0] ?? from;
}
