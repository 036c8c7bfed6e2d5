import { at, atFloat, atUint } from '../at';
import { clockOf } from '../profile/computingTime';
import type { RankTime } from '../profile/experiment';
import type { Profile } from '../profile/profile';
import { ranksOf } from '../profile/workGroups';
import { activityOf, isMpiName, isParallelRuntime } from './activities';
import { largestOf } from '../sums';
import { programTime } from './programTime';

/**
 * The rank that computes most, which the others wait for: by CPU time of its processes less what they spend in MPI and in waiting for threads.
 * Undefined where that is unknown: for one rank, and for profiles that do not show MPI calls or blocked time.
 * @param cpuSeconds CPU time of each rank's processes, with the time before the first recorded function and with threads that record nothing
 */
export function slowestRank(
  profile: Profile,
  cpuSeconds: ReadonlyMap<number, number> | undefined,
): RankTime | undefined {
  if (cpuSeconds === undefined || !showsComputingRanks(profile)) return undefined;
  const { exclusive } = programTime(profile, () => undefined);
  const waiting = secondsByRank(profile, exclusive, true);
  return most([...cpuSeconds].map(([rank, all]) => ({ rank, seconds: all - (waiting.get(rank) ?? 0) })));
}

/**
 * Computing time of the rank that computes most, as far as the profile shows it; undefined as above.
 * @param exclusive computing seconds per call path and location
 */
export function slowestRankSeconds(profile: Profile, exclusive: Float64Array): number | undefined {
  const computing = computingByRank(profile, exclusive);
  return computing === undefined ? undefined : largestOf(computing.values());
}

/** Computing time of each rank. Parameters and result as above. */
export function computingByRank(
  profile: Profile,
  exclusive: Float64Array,
): ReadonlyMap<number, number> | undefined {
  return showsComputingRanks(profile) ? secondsByRank(profile, exclusive, false) : undefined;
}

function showsComputingRanks(profile: Profile): boolean {
  const ranks = new Set(profile.locations.map(({ rank }) => rank));
  return ranks.size > 1 && clockOf(profile) === 'cpu' && profile.regions.some(({ name }) => isMpiName(name));
}

/** Time in MPI and in waiting for threads, or all other time, over the threads of each rank. */
function secondsByRank(
  { locations, regions, callPaths }: Profile,
  exclusive: Float64Array,
  waiting: boolean,
): ReadonlyMap<number, number> {
  const counts = regions.map((region) => isParallelRuntime(activityOf(region)) === waiting);
  const { ranks, positions } = ranksOf(locations);
  const seconds = new Float64Array(ranks.length);
  const width = locations.length;
  callPaths.region.forEach((region, path) => {
    if (!at(counts, region)) return;
    for (let location = 0; location < width; location++) {
      const rank = atUint(positions, location);
      seconds[rank] = atFloat(seconds, rank) + atFloat(exclusive, path * width + location);
    }
  });
  return new Map(ranks.map((rank, position) => [rank, atFloat(seconds, position)]));
}

function most(ranks: readonly RankTime[]): RankTime | undefined {
  return ranks.reduce<RankTime | undefined>(
    (slowest, rank) => (slowest === undefined || rank.seconds > slowest.seconds ? rank : slowest),
    undefined,
  );
}
