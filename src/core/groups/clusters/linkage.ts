import { at, atFloat, atInt } from '../../at';

/** Two clusters become one. */
export interface Merge {
  /** Items that stand for the clusters: of each, the one with the smallest process. `into` has the smaller of both. */
  readonly into: number;
  readonly from: number;
  /** The smallest similarity of an item of one and an item of the other. */
  readonly similarity: number;
}

/**
 * Complete linkage: the clusters whose most different items are the most similar become one, until there is one. Of equal similarities, the clusters with
 * the smallest process. Time grows with the square of the number of items, usually.
 * @param matrix similarities, `[item * items + item]`, symmetric
 * @param first the smallest process, by item
 * @returns in the order of falling similarity
 */
export function completeLinkage(matrix: Float64Array, first: readonly number[]): readonly Merge[] {
  const items = first.length;
  const order = first.map((_, item) => item).sort((a, b) => at(first, a) - at(first, b));
  const work = matrix.slice();
  const active = new Set(order);
  const similarity = (a: number, b: number): number => atFloat(work, a * items + b);
  // Of each item, the best one after it in the order: pairs are looked for from their first.
  const best = new Int32Array(items).fill(-1);
  const place = new Int32Array(items);
  order.forEach((item, position) => (place[item] = position));
  const lookFor = (item: number): void => {
    best[item] = -1;
    for (const other of active)
      if (atInt(place, other) > atInt(place, item))
        if (atInt(best, item) < 0 || similarity(item, other) > similarity(item, atInt(best, item)))
          best[item] = other;
  };
  order.forEach(lookFor);
  const merges: Merge[] = [];
  while (active.size > 1) {
    let into = -1;
    // A set is walked in the order of insertion, which is that of processes.
    for (const item of active)
      if (atInt(best, item) >= 0)
        if (into < 0 || similarity(item, atInt(best, item)) > similarity(into, atInt(best, into)))
          into = item;
    const from = atInt(best, into);
    merges.push({ into, from, similarity: similarity(into, from) });
    active.delete(from);
    const changed = [into];
    for (const other of active) {
      const joined = Math.min(similarity(into, other), similarity(from, other));
      work[into * items + other] = joined;
      work[other * items + into] = joined;
      if (atInt(best, other) === from || atInt(best, other) === into) changed.push(other);
    }
    changed.forEach(lookFor);
  }
  return merges;
}

/** By item, the number of its cluster where those at least as similar as `threshold` are one; in the order of the smallest items. */
export function cutLinkage(merges: readonly Merge[], items: number, threshold: number): Int32Array {
  const above = Int32Array.from({ length: items }, (_, item) => item);
  for (const { into, from, similarity } of merges) if (similarity >= threshold) above[from] = into;
  const rootOf = (item: number): number => {
    let root = item;
    while (atInt(above, root) !== root) root = atInt(above, root);
    return root;
  };
  const numbers = new Map<number, number>();
  return above.map((_, item) => {
    const root = rootOf(item);
    if (!numbers.has(root)) numbers.set(root, numbers.size);
    return numbers.get(root) ?? 0;
  });
}
