import { isParallelRuntime, type Activity } from '../functions/activities';

/** Which activities count as computation, as MPI, and as part of the run at all. */
export const countsAs = {
  computing: (activity: Activity) => !isParallelRuntime(activity),
  mpi: (activity: Activity) => activity === 'communication',
  elapsed: (activity: Activity) => activity !== 'start-up',
} as const;
