import { at } from '../../at';
import type { ProcessContext } from '../context';
import { attributeBlocks } from '../graph/conceptGraph';
import { hasMember } from '../sets/bitSet';
import { membersOfGroups } from '../words';
import { medianProcess, type ProcessTimes } from './processTimes';

/** Attributes that always occur together, and that one of two groups has and the other one does not. */
export interface Block {
  /** The group that has them, and the one that does not. */
  readonly group: number;
  readonly without: number;
  readonly attributes: readonly number[];
  /** Of all attributes (0…1). */
  readonly share: number;
  /** Inclusive time of these calls in the median process of the group; absent where no times are given. */
  readonly seconds?: number;
}

/** By what blocks are ranked: the time that they take, or their share of all attributes. */
export const blockOrders = ['time', 'share'] as const;
export type BlockOrder = (typeof blockOrders)[number];

/** What distinguishes two groups, most significant first. Without times, the order is that of shares. */
export function differingBlocks(
  context: ProcessContext,
  times?: ProcessTimes,
): (one: number, other: number, order?: BlockOrder) => readonly Block[] {
  const blocks = attributeBlocks(context);
  const all = blocks.reduce((sum, { length }) => sum + length, 0);
  const members = membersOfGroups(context);
  const only = (group: number, without: number): readonly Block[] => {
    const median = times === undefined ? undefined : medianProcess(times, at(members, group));
    // What takes longest is read first.
    const byTime = (attributes: readonly number[], process: number | undefined): readonly number[] => {
      if (times === undefined || process === undefined) return attributes;
      const seconds = new Map(attributes.map((own) => [own, times.inclusiveAt([own], process)]));
      return [...attributes].sort((a, b) => (seconds.get(b) ?? 0) - (seconds.get(a) ?? 0));
    };
    const has = (of: number, attributes: readonly number[]): boolean =>
      hasMember(at(context.sets, of), at(attributes, 0));
    return blocks
      .filter((attributes) => has(group, attributes) && !has(without, attributes))
      .map((attributes) => ({
        group,
        without,
        attributes: byTime(attributes, median),
        share: attributes.length / all,
        ...(times === undefined || median === undefined
          ? {}
          : { seconds: times.inclusiveAt(attributes, median) }),
      }));
  };
  return (one, other, order = 'time') => rankedBlocks([...only(one, other), ...only(other, one)], order);
}

export function rankedBlocks(blocks: readonly Block[], order: BlockOrder): readonly Block[] {
  return [...blocks].sort(
    (a, b) => (order === 'time' ? (b.seconds ?? 0) - (a.seconds ?? 0) : 0) || b.share - a.share,
  );
}
