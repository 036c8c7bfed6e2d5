import { at } from '../../core/at';

/** Sorted ranks as ranges of first and last: communicators of neighbours stay short, however many they are. */
export function rangesOf(ranks: Iterable<number>): readonly (readonly [number, number])[] {
  const sorted = [...new Set(ranks)].sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const rank of sorted) {
    const last = ranges.length === 0 ? undefined : at(ranges, ranges.length - 1);
    if (last?.[1] === rank - 1) last[1] = rank;
    else ranges.push([rank, rank]);
  }
  return ranges;
}
