import { atFloat } from '../at';
import type { Profile } from '../profile/profile';
import { rankSums, workGroups } from '../profile/workGroups';
import { rankSet } from '../properties/rankSet';
import type { RankSpread } from '../functions/functionRow';
import { computationPerLocation } from '../functions/computationSpread';

/** Differences below this share are not seen in three digits. */
const sameShare = 0.005;

/** By region; empty for a run of one process. @param exclusive seconds per call path and location */
export function rankSpreads(profile: Profile, exclusive: Float64Array): ReadonlyMap<number, RankSpread> {
  const { ranks } = workGroups(profile.locations);
  if (ranks.length < 2) return new Map();
  const perRank = rankSums(profile.locations);
  const numbers = ranks.map(({ rank }) => rank);
  const spreads = new Map<number, RankSpread>();
  for (const [region, seconds] of computationPerLocation(profile, exclusive)) {
    const spread = spreadOver(numbers, perRank(seconds));
    if (spread.mostSeconds > 0) spreads.set(region, spread);
  }
  return spreads;
}

function spreadOver(ranks: readonly number[], seconds: Float64Array): RankSpread {
  const leastSeconds = seconds.reduce((least, value) => Math.min(least, value), Infinity);
  const mostSeconds = seconds.reduce((most, value) => Math.max(most, value), 0);
  const near = (value: number): string =>
    rankSet(ranks.filter((_, index) => Math.abs(atFloat(seconds, index) - value) <= sameShare * value));
  return {
    leastSeconds,
    meanSeconds: seconds.reduce((sum, value) => sum + value, 0) / seconds.length,
    mostSeconds,
    leastRanks: near(leastSeconds),
    mostRanks: near(mostSeconds),
  };
}
