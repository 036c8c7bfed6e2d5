import { at } from '../../../core/at';
import { activityOf } from '../../../core/functions/activities';
import { shareOf } from '../../../core/functions/share';
import { getOrMake } from '../../../core/getOrMake';
import { makeContext, type PropertyInput } from '../../../core/problems/context/makeContext';
import type { Region } from '../../../core/profile/profile';
import type { LastRun } from '../../studies/refine.types';

/** Size of the last run, and where its computing time is that is not in functions: the tables of a refinement list functions only. */
export function besideFunctions(run: PropertyInput): LastRun {
  const { profile, times, base } = makeContext(run);
  const seconds = new Map<string, { sum: number }>();
  profile.regions.forEach((region, index) => {
    const what = noFunction(region);
    if (what === undefined) return;
    getOrMake(seconds, what, () => ({ sum: 0 })).sum += at(times.regions, index).exclusiveSeconds;
  });
  return {
    run: base.run,
    ranks: new Set(profile.locations.map(({ rank }) => rank)).size,
    threads: profile.locations.length,
    beside: [...seconds]
      .map(([what, { sum }]) => ({ what, share: shareOf(sum, base) }))
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share),
  };
}

/** What a region is if it is no function of the program; as users name it. */
function noFunction(region: Region): string | undefined {
  const activity = activityOf(region);
  if (activity === 'artificial') return 'code outside recorded functions';
  if (region.paradigm === 'openmp') return 'OpenMP regions';
  if (activity === 'communication' || activity === 'start-up') return 'MPI';
  if (activity === 'synchronisation') return 'waiting of threads';
  return activity === 'io' ? 'input and output' : undefined;
}
