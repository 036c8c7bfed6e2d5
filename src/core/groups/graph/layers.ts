import { at } from '../../at';
import { pushTo } from '../../remembered';
import type { ConceptGraph } from './conceptGraph';

/** Rounds of ordering; more hardly remove crossings of at most 60 nodes. */
const rounds = 4;

/** Nodes by layer, which is the longest way from the top; within a layer, each near its neighbours (barycentres), so that few edges cross. */
export function graphLayers({ nodes }: ConceptGraph): readonly (readonly number[])[] {
  const layerOf: number[] = [];
  const layers: number[][] = [];
  const below = new Map<number, number[]>();
  for (const [node, { above }] of nodes.entries()) {
    const layer = above.reduce((lowest, upper) => Math.max(lowest, at(layerOf, upper) + 1), 0);
    layerOf.push(layer);
    (layers[layer] ??= []).push(node);
    for (const upper of above) pushTo(below, upper, node);
  }
  const place = new Float64Array(nodes.length);
  const settle = (layer: readonly number[]): void =>
    layer.forEach((node, index) => (place[node] = index - (layer.length - 1) / 2));
  const arrange = (layer: number[], neighbours: (node: number) => readonly number[]): void => {
    const centre = new Map(
      layer.map((node) => [node, barycentre(neighbours(node), place) ?? at(place, node)]),
    );
    layer.sort((a, b) => (centre.get(a) ?? 0) - (centre.get(b) ?? 0) || a - b);
    settle(layer);
  };
  layers.forEach(settle);
  for (let round = 0; round < rounds; round++) {
    for (const layer of layers) arrange(layer, (node) => at(nodes, node).above);
    for (const layer of [...layers].reverse()) arrange(layer, (node) => below.get(node) ?? []);
  }
  return layers;
}

function barycentre(neighbours: readonly number[], place: Float64Array): number | undefined {
  return neighbours.length === 0
    ? undefined
    : neighbours.reduce((sum, node) => sum + at(place, node), 0) / neighbours.length;
}
