import type { Region } from '../profile/profile';

/** What the time in a region is spent for. */
export type Activity =
  | 'computation'
  /** Starting and ending MPI, which is no work of the program. */
  | 'start-up'
  | 'communication'
  /** Waiting for other threads. */
  | 'synchronisation'
  | 'io'
  | 'memory'
  /** No code of the program: roots, threads as such, collapsed call paths. */
  | 'artificial';

/** Activities that are no computation: what a program does to be parallel. */
export function isParallelRuntime(activity: Activity | undefined): boolean {
  return activity === 'communication' || activity === 'synchronisation' || activity === 'start-up';
}

/** By paradigm and role as Score-P writes them; MPI also by name, for tools that know no paradigms. */
export function activityOf({ name, paradigm, role }: Region): Activity {
  if (role === 'artificial' || paradigm === 'measurement') return 'artificial';
  if (role.startsWith('file io') || /\bio\b/.test(paradigm.replaceAll('_', ' '))) return 'io';
  if (role === 'allocate' || role === 'reallocate' || role === 'deallocate' || paradigm === 'memory')
    return 'memory';
  if (paradigm === 'mpi' || (paradigm === 'unknown' && isMpiName(name)))
    return /^P?MPI_(init|init_thread|finalize)_?$/i.test(name) ? 'start-up' : 'communication';
  if (paradigm === 'shmem') return 'communication';
  return threadsWait(paradigm, role, name) ? 'synchronisation' : 'computation';
}

/** `MPI_Send`, `mpi_send_`, `PMPI_Send` */
export function isMpiName(name: string): boolean {
  return /^P?MPI_/i.test(name);
}

/** Whether a call of this MPI function may last until another rank does its part, by name. */
export function canWaitInMpi(name: string): boolean {
  return waitingCalls.test(name);
}

const waitingCalls =
  /^P?MPI_(s?send|sendrecv(_replace)?|m?recv|m?probe|wait(all|any|some)?|barrier|bcast|(all)?gatherv?|scatterv?|(all)?reduce(_scatter(_block)?)?|alltoall[vw]?|(ex)?scan|neighbor_all\w+|win_(fence|wait|lock|lock_all|unlock|unlock_all|complete|start|flush|flush_all)|file_\w+_all|comm_(dup|split|create))(_c)?_?$/i;

function threadsWait(paradigm: string, role: string, name: string): boolean {
  // Score-P calls locks and conditions wrappers; nothing of Pthreads computes.
  if (paradigm === 'pthread') return true;
  if (paradigm !== 'openmp') return false;
  // Setting a lock waits for it; Score-P gives it no role of its own.
  return (
    /^omp_set_(nest_)?lock\b/.test(name) ||
    /^(implicit )?barrier$|^critical$|^ordered$|^task wait$/.test(role)
  );
}

/** How ranks talk to each other, by the role of an MPI region. */
export type CommunicationType = 'pointToPoint' | 'waiting' | 'collective' | 'barrier' | 'other';

export function communicationType({ name, role }: Region): CommunicationType {
  // Score-P gives MPI_Wait and its kin no role of their own.
  if (/^P?MPI_(wait|test)/i.test(name)) return 'waiting';
  if (role === 'point2point') return 'pointToPoint';
  if (role === 'barrier') return 'barrier';
  return ['one2all', 'all2one', 'all2all', 'other collective'].includes(role) ? 'collective' : 'other';
}
