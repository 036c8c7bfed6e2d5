import type { Candidate } from './budget';

/** About one in so many visits is timed. Below 16 little is saved, above 512 nothing more. */
const intervals = [16, 32, 64, 128, 256, 512] as const;

/** Of what is only to be counted; the runtime then times more of the first visits, so that what has few of them has some time, too. */
export const countingInterval = 1024;

/** So many visits stay timed: where a few visits take most of the time, fewer samples would miss them. */
const leastTimedVisits = 16384;

/** Cost of a candidate in percent, with the interval that was chosen for it. */
export function costWith(chosen: ReadonlyMap<string, number>, candidate: Candidate): number {
  const interval = chosen.get(candidate.key);
  return interval === undefined
    ? candidate.overheadPercent
    : (candidate.sampledPercent?.(interval) ?? candidate.overheadPercent);
}

/**
 * Of which hot spots not all visits are timed, so that recording them stays within the target. In their order (the least time per
 * visit first) each gets the smallest interval that suffices, or the largest when none does; then the next one has to help too.
 *
 * The runtime keeps no frame for a visit that is not timed. So only a function below which nothing is recorded, itself included, can be
 * sampled: else callees would hang under its caller, and recursion could not be told from a visit that has ended.
 *
 * @param fixedPercent cost of what is recorded whatever it costs
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
    const { sampledPercent, overheadPercent, key, known } = candidate;
    if (sampledPercent === undefined || !isDisjoint(below(key), recorded)) continue;
    const others = percent - overheadPercent;
    const possible = intervals.filter((n) => n * leastTimedVisits <= known.visits);
    const interval =
      possible.find((n) => others + sampledPercent(n) <= targetPercent) ?? possible[possible.length - 1];
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
