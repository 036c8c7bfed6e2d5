import { at } from '../../at';
import type { ProcessContext } from '../context';
import { type ConceptGraph, newShares, nodesOfGroups, nodesUpwards } from '../graph/conceptGraph';
import { membersOf, withoutOf } from '../sets/bitSet';
import { membersOfGroups } from '../words';
import { medianProcess, type ProcessTimes } from './processTimes';

/** Attributes that always occur together. */
export interface Block {
  /** Position in the graph. */
  readonly node: number;
  readonly attributes: readonly number[];
  /** Of all attributes (0…1). */
  readonly share: number;
  /** Inclusive time of these calls in the median process of the group that makes them; absent where no times are given. */
  readonly seconds?: number;
}

export interface DifferingBlocks {
  readonly onlyOne: readonly Block[];
  readonly onlyOther: readonly Block[];
}

/**
 * What distinguishes two groups, most significant first: by time, or by the share of all attributes, which is the order without times too.
 * @returns undefined for a group without a node
 */
export function differingBlocks(
  context: ProcessContext,
  graph: ConceptGraph,
  one: number,
  other: number,
  times?: ProcessTimes,
  order: 'time' | 'share' = 'time',
): DifferingBlocks {
  const node = nodesOfGroups(graph);
  const upwards = nodesUpwards(graph);
  const shares = newShares(graph);
  const members = membersOfGroups(context);
  const blocks = (group: number, without: number): readonly Block[] => {
    const nodes = membersOf(
      withoutOf(at(upwards, node.get(group) ?? -1), at(upwards, node.get(without) ?? -1)),
    );
    const median = times === undefined ? undefined : medianProcess(times, at(members, group));
    return nodes
      .filter((position) => at(graph.nodes, position).own.length > 0)
      .map((position): Block => {
        const { own } = at(graph.nodes, position);
        const block = { node: position, attributes: own, share: at(shares, position) };
        return times === undefined || median === undefined
          ? block
          : { ...block, seconds: times.inclusiveAt(own, median) };
      })
      .sort(
        (a, b) =>
          (order === 'time' ? (b.seconds ?? 0) - (a.seconds ?? 0) : 0) ||
          b.share - a.share ||
          a.node - b.node,
      );
  };
  return { onlyOne: blocks(one, other), onlyOther: blocks(other, one) };
}
