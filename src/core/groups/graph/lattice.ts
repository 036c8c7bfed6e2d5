import { at } from '../../at';
import type { ProcessContext } from '../context';
import {
  type BitSet,
  commonOf,
  hasMember,
  isPartOf,
  isSameSet,
  membersOf,
  sizeOf,
  unionOf,
  withoutOf,
} from '../sets/bitSet';
import { type ConceptGraph, nodesUpwards, upperNeighbours } from './conceptGraph';

/** Above this, a lattice takes longer than what is learned from it. */
export const latticeNodeLimit = 5000;

/** A lattice, with reduced labels and its empty nodes; or how far its construction came. */
export type Lattice =
  | { readonly isComplete: true; readonly graph: ConceptGraph }
  | {
      readonly isComplete: false;
      /** Nodes so far, which is the limit. */
      readonly nodes: number;
      /** Groups inserted completely, of `groups`. */
      readonly inserted: number;
      readonly groups: number;
      /** For people. */
      readonly reason: string;
    };

/**
 * The concept lattice, by inserting one set after the other (AddIntent; van der Merwe, Obiedkov and Kourie 2004). Its size is exponential in
 * the worst case; `conceptGraph` has no such case and is what differences are read from.
 */
export function conceptLattice(
  { sets }: Pick<ProcessContext, 'sets'>,
  nodeLimit = latticeNodeLimit,
): Lattice {
  const builder = new AddIntent(nodeLimit);
  const nodeOf: number[] = [];
  for (const set of sets) {
    const node = builder.insert(set);
    if (node === undefined)
      return {
        isComplete: false,
        nodes: builder.size,
        inserted: nodeOf.length,
        groups: sets.length,
        reason: `The concept lattice has more than ${nodeLimit} nodes; ${nodeOf.length} of ${sets.length} groups were inserted.`,
      };
    nodeOf.push(node);
  }
  return { isComplete: true, graph: builder.finish(nodeOf) };
}

/** Thrown inside of the recursion only. */
class LimitReached extends Error {}

/** Nodes keep their full intents until the last set is inserted. */
class AddIntent {
  private readonly intents: BitSet[] = [];
  private readonly above: Set<number>[] = [];
  /** The node of all attributes; undefined: nothing was inserted. */
  private bottom: number | undefined;
  private readonly withGroup = new Set<number>();

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.intents.length;
  }

  /** The node of the set; undefined when the limit is reached, after which nothing can be inserted. */
  insert(set: BitSet): number | undefined {
    try {
      const node = this.add(set, this.bottomWith(set));
      this.withGroup.add(node);
      return node;
    } catch (error) {
      if (error instanceof LimitReached) return undefined;
      throw error;
    }
  }

  /** Reduced labels: what is inherited is dropped. Nodes in the order of the sizes of their intents, the upper ones first. */
  finish(nodeOf: readonly number[]): ConceptGraph {
    const order = this.intents
      .map((intent, node) => ({ node, size: sizeOf(intent) }))
      .sort((a, b) => a.size - b.size)
      .map(({ node }) => node);
    const position = new Map(order.map((node, index) => [node, index]));
    const groups = new Map(nodeOf.map((node, group) => [node, group]));
    return {
      nodes: order.map((node) => {
        const above = [...at(this.above, node)];
        const intent = at(this.intents, node);
        const own = above.reduce((rest, upper) => withoutOf(rest, at(this.intents, upper)), intent);
        const group = groups.get(node);
        return {
          own: membersOf(own),
          ...(group === undefined ? {} : { group }),
          above: above.map((upper) => position.get(upper) ?? 0).sort((a, b) => a - b),
        };
      }),
    };
  }

  private node(intent: BitSet): number {
    if (this.intents.length >= this.limit) throw new LimitReached();
    this.above.push(new Set());
    return this.intents.push(intent) - 1;
  }

  /** The bottom node, with the attributes of the set. */
  private bottomWith(set: BitSet): number {
    if (this.bottom === undefined) return (this.bottom = this.node(set));
    const intent = at(this.intents, this.bottom);
    if (isPartOf(set, intent)) return this.bottom;
    const all = unionOf(intent, set);
    if (!this.withGroup.has(this.bottom)) {
      this.intents[this.bottom] = all;
      return this.bottom;
    }
    const below = this.node(all);
    at(this.above, below).add(this.bottom);
    return (this.bottom = below);
  }

  private add(intent: BitSet, from: number): number {
    const generator = this.lowestWith(intent, from);
    if (isSameSet(at(this.intents, generator), intent)) return generator;
    const uppers = this.uppersOfNew(intent, generator);
    const node = this.node(intent);
    for (const upper of uppers) {
      at(this.above, generator).delete(upper);
      at(this.above, node).add(upper);
    }
    at(this.above, generator).add(node);
    return node;
  }

  /** The node nearest to the top that has all of the intent. */
  private lowestWith(intent: BitSet, from: number): number {
    let node = from;
    for (;;) {
      const upper = [...at(this.above, node)].find((parent) => isPartOf(intent, at(this.intents, parent)));
      if (upper === undefined) return node;
      node = upper;
    }
  }

  /** The upper neighbours of a node with the intent, which are made where they are missing. */
  private uppersOfNew(intent: BitSet, generator: number): readonly number[] {
    let uppers: number[] = [];
    for (const parent of [...at(this.above, generator)]) {
      const parentIntent = at(this.intents, parent);
      const candidate = isPartOf(parentIntent, intent)
        ? parent
        : this.add(commonOf(parentIntent, intent), parent);
      const itsIntent = at(this.intents, candidate);
      if (uppers.some((upper) => isPartOf(itsIntent, at(this.intents, upper)))) continue;
      uppers = uppers.filter((upper) => !isPartOf(at(this.intents, upper), itsIntent));
      uppers.push(candidate);
    }
    return uppers;
  }
}

/** The graph without nodes that have neither attributes nor a group; what is reached upwards from the others stays. */
export function withoutEmptyNodes(graph: ConceptGraph): ConceptGraph {
  const upwards = nodesUpwards(graph);
  const stays = [...graph.nodes.keys()].filter((node) => {
    const { own, group } = at(graph.nodes, node);
    return own.length > 0 || group !== undefined;
  });
  const above = upperNeighbours(stays.length, (upper, lower) =>
    hasMember(at(upwards, at(stays, lower)), at(stays, upper)),
  );
  return { nodes: stays.map((node, position) => ({ ...at(graph.nodes, node), above: at(above, position) })) };
}
