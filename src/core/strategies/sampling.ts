import type { Candidate } from './budget';

/** About one in this number of visits is timed. Below 16 this saves little, above 512 nothing more. */
const intervals = [16, 32, 64, 128, 256, 512] as const;

/** Interval of functions that are only to be counted. The runtime times more of the first visits, so that functions with few visits have a time, too. */
export const countingInterval = 1024;

/** Least number of timed visits: where a few visits take most of the time, fewer samples would miss them. */
const leastTimedVisits = 16384;

/** Cost of a candidate in percent, with its chosen interval. */
export function costWith(chosen: ReadonlyMap<string, number>, candidate: Candidate): number {
  const interval = chosen.get(candidate.key);
  return interval === undefined
    ? candidate.overheadPercent
    : (candidate.sampledPercent?.(interval) ?? candidate.overheadPercent);
}

/**
 * Chooses hot spots whose visits are not all timed, so that recording stays within the target. In their order (the least time per visit
 * first) each gets the smallest interval that suffices, or the largest when none does; then the next hot spot is sampled, too.
 *
 * The runtime has no frame for a visit that is not timed. So only a function below which nothing is recorded, itself included, can be
 * sampled: otherwise callees would appear under its caller, and a recursive call would look like a visit that has ended.
 *
 * @param fixedPercent cost of the mandatory functions
 */
export function chooseIntervals(
  hot: readonly Candidate[],
  recorded: ReadonlySet<string>,
  below: (key: string) => ReadonlySet<string>,
  fixedPercent: number,
  targetPercent: number,
): { readonly intervals: ReadonlyMap<string, number>; readonly percent: number } {
  const chosen = new Map<string, number>();
  let percent = hot.reduce((sum, c) => sum + c.overheadPercent, fixedPercent);
  for (const candidate of hot) {
    if (percent <= targetPercent) break;
    const { sampledPercent, overheadPercent, key, measured } = candidate;
    if (sampledPercent === undefined || !isDisjoint(below(key), recorded)) continue;
    const others = percent - overheadPercent;
    const possible = intervals.filter((n) => n * leastTimedVisits <= measured.visits);
    const interval = possible.find((n) => others + sampledPercent(n) <= targetPercent) ?? possible.at(-1);
    if (interval === undefined || sampledPercent(interval) >= overheadPercent) continue;
    chosen.set(key, interval);
    percent = others + sampledPercent(interval);
  }
  return { intervals: chosen, percent };
}

function isDisjoint(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [smaller, larger] = a.size < b.size ? [a, b] : [b, a];
  for (const key of smaller) if (larger.has(key)) return false;
  return true;
}
