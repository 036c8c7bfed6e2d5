/** The candidate that `word` was most likely meant to be, or undefined when none is near (more than a third differs). */
export function nearestName(word: string, candidates: readonly string[]): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of candidates) {
    const longest = Math.max(word.length, name.length);
    if (longest > 200) continue;
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance <= Math.max(1, Math.floor(longest / 3)) && (best === undefined || distance < best.distance))
      best = { name, distance };
  }
  return best?.name;
}

/** `; did you mean "…"?`, or nothing. */
export function suggestion(word: string, candidates: readonly string[]): string {
  const name = nearestName(word, candidates);
  return name === undefined ? '' : `; did you mean ${JSON.stringify(name)}?`;
}

/** Insertions, deletions, replacements and swaps of neighbours count one each (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(last, j) + 1,
          at(row, j - 1) + 1,
          at(last, j - 1) + (same ? 0 : 1),
          swapped ? at(beforeLast, j - 2) + 1 : Infinity,
        ),
      );
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
