import { at, atUint } from '../../at';
import { getOrMake } from '../../getOrMake';
import type { ProcessContext } from '../context';
import {
  addMember,
  type BitSet,
  bitSetOf,
  commonOf,
  emptySet,
  hasMember,
  isPartOf,
  membersOf,
  sizeOf,
  unionOf,
} from '../sets/bitSet';

/** Processes that have in common what this node and those above it hold. */
export interface GraphNode {
  /** Attributes that no node above has, ascending: each attribute is on one node. */
  readonly own: readonly number[];
  /** The group (position in `ProcessContext.sets`) whose attributes are exactly those of this node and the nodes above. */
  readonly group?: number;
  /** The nearest nodes above: positions of nodes that come earlier, ascending. */
  readonly above: readonly number[];
}

/** From the common attributes at the top down to single groups; nodes come after those above them. */
export interface ConceptGraph {
  readonly nodes: readonly GraphNode[];
}

/**
 * The nodes of the concept lattice that have an attribute or a group (AOC-poset), directly from the different sets: at most one for each group
 * and each attribute, where the lattice may have exponentially many. Attributes that no process has are on no node.
 * O((g + c)² · g / 32) for g groups and c different extents of attributes.
 */
export function conceptGraph({
  sets,
  attributes,
}: Pick<ProcessContext, 'sets' | 'attributes'>): ConceptGraph {
  const extents = extentsOf(sets, attributes.length);
  const found = new Map<string, { readonly extent: BitSet; readonly own: number[]; group?: number }>();
  const nodeOf = (extent: BitSet): { readonly own: number[]; group?: number } =>
    getOrMake(found, extent.join(), () => ({ extent, own: [] }));
  extents.forEach((extent, attribute) => {
    if (extent.some((word) => word !== 0)) nodeOf(extent).own.push(attribute);
  });
  sets.forEach((set, group) => {
    nodeOf(extentOfSet(set, extents, sets.length)).group = group;
  });
  const ordered = [...found.values()]
    .map((node) => ({ node, size: sizeOf(node.extent) }))
    .sort((a, b) => b.size - a.size)
    .map(({ node }) => node);
  const above = upperNeighbours(ordered.length, (upper, lower) =>
    isPartOf(at(ordered, lower).extent, at(ordered, upper).extent),
  );
  return {
    nodes: ordered.map(({ own, group }, node) => ({
      own,
      ...(group === undefined ? {} : { group }),
      above: at(above, node),
    })),
  };
}

/** Attributes that always occur together, ascending; each of the others alone. Those that no process has are in no block. */
export function attributeBlocks({
  sets,
  attributes,
}: Pick<ProcessContext, 'sets' | 'attributes'>): readonly (readonly number[])[] {
  const blocks = new Map<string, number[]>();
  extentsOf(sets, attributes.length).forEach((extent, attribute) => {
    if (extent.some((word) => word !== 0)) getOrMake(blocks, extent.join(), () => []).push(attribute);
  });
  return [...blocks.values()];
}

/** Of each attribute, the groups that have it. */
function extentsOf(sets: readonly BitSet[], attributes: number): readonly BitSet[] {
  const extents = Array.from({ length: attributes }, () => emptySet(sets.length));
  sets.forEach((set, group) => {
    for (const attribute of membersOf(set)) addMember(at(extents, attribute), group);
  });
  return extents;
}

/** The groups that have all attributes of a set. */
function extentOfSet(set: BitSet, extents: readonly BitSet[], groups: number): BitSet {
  return membersOf(set).reduce<BitSet>(
    (extent, attribute) => commonOf(extent, at(extents, attribute)),
    bitSetOf(Array(groups).keys(), groups),
  );
}

/**
 * The nearest nodes above each node, ascending: the order without what follows from it (transitive reduction).
 * @param isAbove a strict order, of nodes of which the upper one comes first
 */
export function upperNeighbours(
  count: number,
  isAbove: (upper: number, lower: number) => boolean,
): readonly (readonly number[])[] {
  const reached: BitSet[] = [];
  const neighbours: number[][] = [];
  for (let lower = 0; lower < count; lower++) {
    let seen = emptySet(count);
    const own: number[] = [];
    // What comes last is nearest: a node that is above a neighbour was reached before it is looked at.
    for (let upper = lower - 1; upper >= 0; upper--) {
      if (hasMember(seen, upper) || !isAbove(upper, lower)) continue;
      own.push(upper);
      seen = unionOf(seen, at(reached, upper));
    }
    addMember(seen, lower);
    reached.push(seen);
    neighbours.push(own.reverse());
  }
  return neighbours;
}

/** Of each node, itself and all nodes above. */
export function nodesUpwards({ nodes }: ConceptGraph): readonly BitSet[] {
  const upwards: BitSet[] = [];
  for (const [node, { above }] of nodes.entries())
    upwards.push(
      above.reduce((set, upper) => unionOf(set, at(upwards, upper)), bitSetOf([node], nodes.length)),
    );
  return upwards;
}

/** The node of each group. */
export function nodesOfGroups({ nodes }: ConceptGraph): ReadonlyMap<number, number> {
  return new Map(nodes.flatMap(({ group }, node) => (group === undefined ? [] : [[group, node] as const])));
}

/** Of each node, the share (0…1) of all attributes that it introduces. */
export function newShares({ nodes }: ConceptGraph): readonly number[] {
  const all = nodes.reduce((sum, { own }) => sum + own.length, 0);
  return nodes.map(({ own }) => (all === 0 ? 0 : own.length / all));
}

/**
 * Numbers of common attributes of groups, read from the graph: `common[i * groups + j]`, and on the diagonal the size of a set. All measures
 * of sets follow from them. As each attribute is on one node, sums of nodes replace sets.
 */
export function commonAttributes(graph: ConceptGraph): Uint32Array {
  const node = nodesOfGroups(graph);
  const groups = node.size;
  const upwards = nodesUpwards(graph);
  const sizes = Uint32Array.from(graph.nodes, ({ own }) => own.length);
  const common = new Uint32Array(groups * groups);
  for (const [one, itsNode] of node)
    for (const [other, otherNode] of node) {
      if (other > one) continue;
      const shared = membersOf(commonOf(at(upwards, itsNode), at(upwards, otherNode)));
      const size = shared.reduce((sum, upper) => sum + atUint(sizes, upper), 0);
      common[one * groups + other] = size;
      common[other * groups + one] = size;
    }
  return common;
}
