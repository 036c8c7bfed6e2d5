import { activityOf } from '../functions/activities';
import type { Region } from '../profile/profile';
import type { SeriesRegion } from './series';

/** The kind of a profile's region in series: by what its time is spent for, so that findings over time do not contradict those of the profile. */
export function kindOf(region: Region): SeriesRegion['kind'] {
  const activity = activityOf(region);
  if (activity === 'communication' || activity === 'start-up') return 'mpi';
  if (activity === 'io') return 'io';
  if (activity === 'synchronisation') return 'openmp';
  if (region.role === 'loop') return 'loop';
  return region.paradigm === 'user' ? 'user' : 'function';
}
