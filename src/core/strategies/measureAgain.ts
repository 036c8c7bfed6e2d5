import { isTelling } from '../functions/doubt';
import { shareOf } from '../functions/share';
import type { Candidate } from './budget';
import type { SelectionOptions } from '../selection/selectionOptions';

/** One measurement in an expensive run, one beside few other functions, and a third in case one of these runs was disturbed. */
const mostTimes = 3;

/**
 * Functions that may be hot, but whose times the cost of recording blurred so much that their shares are worthless. A run that records
 * them and little beyond the budget's selection shows their times. The functions that seem hottest come first, as many as the limit
 * allows; the others follow in later runs. A function that alone costs more than the limit would be blurred again.
 * @param budgetPercent cost of the budget's selection; where it is far above the target, every run is as blurred
 */
export function measureAgain(
  candidates: readonly Candidate[],
  runSeconds: number,
  budgetPercent: number,
  {
    overheadPercent: target,
    againPercent,
    hotExclusiveShare,
  }: Pick<SelectionOptions, 'overheadPercent' | 'againPercent' | 'hotExclusiveShare'>,
): ReadonlySet<string> {
  const blurred = candidates
    .filter(({ measured }) => {
      const share = shareOf(measured.inclusiveSeconds, { seconds: runSeconds });
      const doubt = shareOf(measured.doubtSeconds ?? 0, { seconds: runSeconds });
      return (
        measured.timesMeasured < mostTimes && share + doubt >= hotExclusiveShare && !isTelling(share, doubt)
      );
    })
    .sort((a, b) => b.measured.inclusiveSeconds - a.measured.inclusiveSeconds || (a.key < b.key ? -1 : 1));
  const chosen = new Set<string>();
  let percent = budgetPercent;
  for (const { key, overheadPercent } of blurred) {
    if (percent + overheadPercent > target + againPercent) continue;
    percent += overheadPercent;
    chosen.add(key);
  }
  return chosen;
}
