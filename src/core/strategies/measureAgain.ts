import { isTelling } from '../functions/doubt';
import { shareOf } from '../functions/share';
import type { Candidate } from './budget';
import type { SelectionOptions } from '../selection/selectionOptions';

/** Measured once in a dear run and once beside little else, a function has shown what it can; a third time is for a disturbed run. */
const mostTimes = 3;

/**
 * Functions whose time the cost of recording so much blurred that their shares say nothing, and that may be hot. A run that
 * records them beside what is recorded anyhow, and little else, shows their times: what seems hottest comes first, as many as the limit allows, the
 * others in the runs that follow. What costs more alone than the limit would be blurred again.
 * @param budgetPercent what is recorded anyhow costs; where that is far above the target, every run is as blurred
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
    .filter(({ known }) => {
      const share = shareOf(known.inclusiveSeconds, { seconds: runSeconds });
      const doubt = shareOf(known.doubtSeconds ?? 0, { seconds: runSeconds });
      return (
        known.timesMeasured < mostTimes && share + doubt >= hotExclusiveShare && !isTelling(share, doubt)
      );
    })
    .sort((a, b) => b.known.inclusiveSeconds - a.known.inclusiveSeconds || (a.key < b.key ? -1 : 1));
  const chosen = new Set<string>();
  let percent = budgetPercent;
  for (const { key, overheadPercent } of blurred) {
    if (percent + overheadPercent > target + againPercent) continue;
    percent += overheadPercent;
    chosen.add(key);
  }
  return chosen;
}
