import { at, atFloat, atUint } from '../../at';
import type { Profile } from '../../profile/profile';
import { outermostOfRegion } from '../../profile/regions';
import { subtreeEnds } from '../../profile/tree';
import { rankSums } from '../../profile/workGroups';
import { addTo, pick } from '../../sums';
import { countsAs } from '../../efficiency/countsAs';
import type { EfficiencyInput } from '../../efficiency/efficiencies';
import { mpiWaitingMetrics } from '../../efficiency/mpiWaiting';
import { seenWaiting } from '../../efficiency/seenWaiting';
import { locationValues } from './locationValues';

/**
 * What the processes of a run, or of one function with its callees, spend their time for: seconds per process (`rankNames`), of all its threads together,
 * without MPI’s start and end and without the cost of recording. The parts add up to the time of the process.
 */
export interface RankTimes {
  readonly computing: Float64Array;
  /** In MPI, until other processes have arrived; absent where the profile does not have it, and then a part of `moving`. */
  readonly waiting?: Float64Array;
  /** In MPI otherwise. */
  readonly moving: Float64Array;
  /** Neither computing nor in MPI: waiting for other threads, blocked. */
  readonly other: Float64Array;
  /** The profile shows no MPI function of its processes: time in MPI counts as computing. */
  readonly hidesMpi: boolean;
}

/** Rests below this share are rounding. */
const rounding = 1e-9;

/**
 * @param region undefined: the whole run
 * @param locations positions of the threads whose times count; processes without one of them are left out
 */
export function rankTimes(
  input: EfficiencyInput,
  region?: number,
  locations: Uint32Array = Uint32Array.from(input.profile.locations.keys()),
): RankTimes {
  const { profile, activities } = input;
  const width = profile.locations.length;
  const ends = subtreeEnds(profile.callPaths);
  const sums = {
    computing: new Float64Array(width),
    elapsed: new Float64Array(width),
    mpi: new Float64Array(width),
    waiting: new Float64Array(width),
  };
  const waits = mpiWaitingMetrics(profile.metrics);
  for (const top of topPaths(profile, region)) {
    const end = at(ends, top);
    for (let path = top; path < end; path++) {
      const activity = at(activities, atUint(profile.callPaths.region, path));
      const row = (cells: Float64Array): Float64Array => cells.subarray(path * width, (path + 1) * width);
      if (countsAs.computing(activity)) addTo(sums.computing, row(input.cells));
      if (countsAs.mpi(activity)) addTo(sums.mpi, row(input.elapsed.cells));
      if (countsAs.elapsed(activity)) addTo(sums.elapsed, row(input.elapsed.cells));
    }
    for (const name of waits) addTo(sums.waiting, locationValues(profile, name, top, end).inclusive);
  }
  const sumsOfRanks = rankSums(Array.from(locations, (location) => at(profile.locations, location)));
  const perRank = (values: Float64Array): Float64Array => sumsOfRanks(pick(values, locations));
  const computing = perRank(sums.computing);
  const mpi = perRank(sums.mpi);
  // Waiting is a part of the time in MPI, which may have lost more to the cost of recording.
  const waiting = perRank(sums.waiting).map((seconds, rank) => Math.min(seconds, atFloat(mpi, rank)));
  return {
    computing,
    ...(waits.length === 0 ? {} : { waiting }),
    moving: waits.length === 0 ? mpi : mpi.map((seconds, rank) => seconds - atFloat(waiting, rank)),
    other: perRank(sums.elapsed).map((seconds, rank) => {
      const rest = seconds - atFloat(computing, rank) - atFloat(mpi, rank);
      return rest > rounding * seconds ? rest : 0;
    }),
    hidesMpi: !seenWaiting(profile, activities).mpi,
  };
}

/** Roots of what counts: the outermost call paths of a region, or those without a parent. */
function topPaths(profile: Profile, region: number | undefined): readonly number[] {
  const { parent, region: regions } = profile.callPaths;
  const outermost = outermostOfRegion(profile);
  return Array.from(parent.keys()).filter((path) =>
    region === undefined ? at(parent, path) < 0 : outermost[path] === 1 && at(regions, path) === region,
  );
}
