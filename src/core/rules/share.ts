/** Beyond this a share means nothing: the whole is a sum of times that cancel each other. */
const largestShare = 1e6;

/** Part of a whole; 0 of nothing. Always a number, whatever was measured. */
export function shareOf(part: number, whole: number): number {
  if (!(whole > 0) || Number.isNaN(part)) return 0;
  return Math.min(largestShare, Math.max(-largestShare, part / whole));
}
