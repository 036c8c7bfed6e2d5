import type { Activity } from '../functions/activities';
import { clockOf } from '../profile/computingTime';
import type { Profile } from '../profile/profile';
import { workGroups } from '../profile/workGroups';

/** What a profile shows of waiting, by the regions that it has. Without it, waiting counts as work of the function that waits. */
export interface SeenWaiting {
  readonly processes: number;
  /** Some process has several threads. */
  readonly hasThreads: boolean;
  /** MPI functions are regions; true where there is one process. */
  readonly mpi: boolean;
  /** Barriers and locks are regions, or blocked time is known; true where no process has several threads. */
  readonly threads: boolean;
  /** Threads that wait actively are only seen in regions. */
  readonly activeWaiting: boolean;
}

export function seenWaiting(profile: Profile, activities: readonly Activity[]): SeenWaiting {
  const { ranks, teams } = workGroups(profile.locations);
  const hasBarriers = activities.includes('synchronisation');
  return {
    processes: ranks.length,
    hasThreads: teams.length > 0,
    mpi: ranks.length < 2 || activities.includes('communication'),
    threads: teams.length === 0 || hasBarriers || clockOf(profile) === 'cpu',
    activeWaiting: teams.length === 0 || hasBarriers,
  };
}
