import { at, atFloat, atUint } from '../../at';
import { emptySet, type BitSet } from './bitSet';

/** Different sets, and the number of processes that have each. */
export interface WeightedSets {
  readonly sets: readonly BitSet[];
  readonly weights: readonly number[];
  /** Numbers in the sets are below this. */
  readonly attributes: number;
}

export function weightOf({ weights }: WeightedSets, members: Iterable<number>): number {
  let weight = 0;
  for (const member of members) weight += at(weights, member);
  return weight;
}

/** By attribute, the number of processes that differ from `base` in it; from the empty set: that have it. */
export function deviationsFrom(
  { sets, weights, attributes }: WeightedSets,
  members: readonly number[],
  base: BitSet,
): Float64Array {
  const counts = new Float64Array(attributes);
  for (const member of members) {
    const set = at(sets, member);
    const weight = at(weights, member);
    for (let word = 0; word < set.length; word++)
      for (let bits = atUint(set, word) ^ atUint(base, word); bits !== 0; bits &= bits - 1) {
        const attribute = word * 32 + (31 - Math.clz32(bits & -bits));
        counts[attribute] = atFloat(counts, attribute) + weight;
      }
  }
  return counts;
}

/** The attributes that more than half of the processes have. */
export function majorityOf(
  weighted: WeightedSets,
  members: readonly number[],
  base: BitSet = emptySet(weighted.attributes),
): BitSet {
  const half = weightOf(weighted, members) / 2;
  const prototype = base.slice();
  deviationsFrom(weighted, members, base).forEach((count, attribute) => {
    const bit = 1 << (attribute & 31);
    const word = attribute >>> 5;
    const isIn = (atUint(base, word) & bit) !== 0;
    // Half and half: not in.
    if (isIn ? count >= half : count > half) prototype[word] = atUint(prototype, word) ^ bit;
  });
  return prototype;
}
