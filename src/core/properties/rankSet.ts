/** A set of ranks as people write it: `0-3,7`. */
export function rankSet(ranks: Iterable<number>): string {
  const given = [...ranks];
  // Most sets are in order; thousands of functions have one of thousands of ranks.
  const isInOrder = given.every((rank, index) => index === 0 || rank > (given[index - 1] ?? rank));
  const sorted = isInOrder ? given : [...new Set(given)].sort((a, b) => a - b);
  const parts: { readonly first: number; last: number }[] = [];
  for (const rank of sorted) {
    const open = parts.at(-1);
    if (open?.last === rank - 1) open.last = rank;
    else parts.push({ first: rank, last: rank });
  }
  return parts.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}
