import { atFloat } from '../core/at';
import { parallelFacts } from '../core/efficiency/parallelFacts';
import type { RankSpread } from '../core/functions/functionRow';
import type { PropertyContext } from '../core/problems/context/propertyContext';
import { rankNames, type RankName } from '../core/views/ranks/rankRows';
import { rankTimes } from '../core/views/ranks/rankTimes';

/** What a rank spends its time for: all its threads together, without MPI's start and end. */
export interface RankReport extends RankName {
  readonly computingSeconds: number;
  /** Absent: the profile does not tell waiting in MPI from moving data, and `movingSeconds` is both. */
  readonly waitingSeconds?: number;
  readonly movingSeconds: number;
  /** Neither computing nor in MPI. */
  readonly otherSeconds: number;
}

/** The ranks of a run and how they differ in each function, by its key (docs/INTERFACES.md). */
export interface RanksReport {
  readonly ranks: readonly RankReport[];
  readonly spreads: ReadonlyMap<string, RankSpread>;
  /** The profile shows no MPI function of its processes: time in MPI counts as computing. */
  readonly hidesMpi: boolean;
}

export function ranksReport(context: PropertyContext): RanksReport {
  const { computing, waiting, moving, other, hidesMpi } = rankTimes(context);
  const spreads = new Map<string, RankSpread>();
  for (const [key, { ranks }] of parallelFacts(context)) if (ranks !== undefined) spreads.set(key, ranks);
  return {
    ranks: rankNames(context.profile).map((name, rank) => ({
      ...name,
      computingSeconds: atFloat(computing, rank),
      ...(waiting === undefined ? {} : { waitingSeconds: atFloat(waiting, rank) }),
      movingSeconds: atFloat(moving, rank),
      otherSeconds: atFloat(other, rank),
    })),
    spreads,
    hidesMpi,
  };
}
