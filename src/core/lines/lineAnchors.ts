import { at, atInt } from '../at';
import { firstPosition } from '../firstPosition';

/** A line that is the same in both texts; 0-based. */
export interface LineAnchor {
  readonly measured: number;
  readonly current: number;
}

/**
 * Lines that occur once in each of two texts, as many as are in the same order in both: for texts that differ too much to be compared
 * line by line. O(n log n).
 */
export function uniqueAnchors(measured: Uint32Array, today: Uint32Array): readonly LineAnchor[] {
  const places = onlyPlaces(today);
  const own = onlyPlaces(measured);
  const pairs: LineAnchor[] = [];
  measured.forEach((hash, line) => {
    const current = places.get(hash);
    if (own.get(hash) === line && current !== undefined && current >= 0)
      pairs.push({ measured: line, current });
  });
  return longestIncreasing(pairs);
}

/** Where each value is; −1 for one that occurs more than once. */
function onlyPlaces(hashes: Uint32Array): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  hashes.forEach((hash, line) => places.set(hash, places.has(hash) ? -1 : line));
  return places;
}

/** The longest part of the pairs whose second lines ascend, too (patience sorting). */
function longestIncreasing(pairs: readonly LineAnchor[]): readonly LineAnchor[] {
  /** `ends[k]`: the pair with the smallest second line that ends a chain of k + 1. */
  const ends: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(({ current }, index) => {
    const place = firstPosition(ends.length, (chain) => at(pairs, at(ends, chain)).current >= current);
    before[index] = place === 0 ? -1 : at(ends, place - 1);
    ends[place] = index;
  });
  const chain: LineAnchor[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = atInt(before, index)) chain.push(at(pairs, index));
  return chain.reverse();
}
