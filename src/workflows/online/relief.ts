/** From this multiple of the target on, the most expensive functions are only counted. */
const hopeless = 3;

/**
 * Slots that are to be counted and not timed for the rest of a window, because timing them costs a multiple of what it may: the most expensive ones.
 * @param costs what recording has taken so far, seconds, by slot
 * @param target what it may take in the window, seconds
 * @param canCount whether a slot is timed now and can be counted instead
 */
export function slotsToCount(
  costs: ReadonlyMap<number, number>,
  target: number,
  canCount: (slot: number) => boolean,
): ReadonlySet<number> {
  const timed = [...costs].filter(([slot]) => canCount(slot)).sort(([, a], [, b]) => b - a);
  let seconds = timed.reduce((sum, [, cost]) => sum + cost, 0);
  const count = new Set<number>();
  if (seconds <= hopeless * target) return count;
  for (const [slot, cost] of timed) {
    if (seconds <= target) break;
    count.add(slot);
    seconds -= cost;
  }
  return count;
}
