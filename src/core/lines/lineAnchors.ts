/** A line that is the same in both texts; 0-based. */
export interface LineAnchor {
  readonly measured: number;
  readonly current: number;
}

/**
 * Lines that occur once in each of two texts, as many as are in the same order in both: for texts that differ too much to be compared
 * line by line. O(n log n).
 */
export function uniqueAnchors(measured: Uint32Array, current: Uint32Array): readonly LineAnchor[] {
  const places = onlyPlaces(current);
  const own = onlyPlaces(measured);
  const pairs: LineAnchor[] = [];
  measured.forEach((hash, at) => {
    const there = places.get(hash);
    if (own.get(hash) === at && there !== undefined && there >= 0)
      pairs.push({ measured: at, current: there });
  });
  return longestIncreasing(pairs);
}

/** Where each value is; −1 for one that occurs more than once. */
function onlyPlaces(hashes: Uint32Array): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  hashes.forEach((hash, at) => places.set(hash, places.has(hash) ? -1 : at));
  return places;
}

/** The longest part of the pairs whose second lines ascend, too (patience sorting). */
function longestIncreasing(pairs: readonly LineAnchor[]): readonly LineAnchor[] {
  /** `ends[k]`: the pair with the smallest second line that ends a chain of k + 1. */
  const ends: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(({ current }, at) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pairs[ends[middle] ?? 0]?.current ?? 0) < current) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = at;
  });
  const chain: LineAnchor[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) chain.push(pair);
  }
  return chain.reverse();
}
