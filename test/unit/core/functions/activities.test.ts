import { describe, expect, it, test } from 'vitest';
import { activityOf, communicationType } from '../../../../src/core/functions/activities';
import type { Region } from '../../../../src/core/profile/profile';

const region = (name: string, paradigm = 'compiler', role = 'function'): Region => ({ name, paradigm, role });

describe('what the time in a region is spent for', () => {
  // Paradigms and roles as Score-P writes them (SCOREP_Types.h); names where a tool knows no paradigm.
  test.each([
    ['computation', region('solve')],
    ['computation', region('!$omp for @a.c:3', 'openmp', 'loop')],
    ['computation', region('!$omp parallel', 'openmp', 'parallel')],
    ['computation', region('MPI_like', 'compiler')],
    ['computation', region('barrier', 'compiler', 'barrier')],
    ['artificial', region('THREADS', 'measurement')],
    ['artificial', region('program', 'mpi', 'artificial')],
    ['io', region('fread', 'posix_io', 'file io')],
    ['io', region('fread', 'unknown', 'file io metadata')],
    ['io', region('MPI_File_read', 'mpi', 'file io')],
    ['io', region('fwrite', 'isoc_io')],
    ['computation', region('f', 'ratio')],
    ['memory', region('malloc', 'libwrap', 'allocate')],
    ['memory', region('realloc', 'libwrap', 'reallocate')],
    ['memory', region('free', 'libwrap', 'deallocate')],
    ['memory', region('malloc', 'memory')],
    ['communication', region('MPI_Send', 'mpi', 'point2point')],
    ['communication', region('mpi_send', 'unknown', 'unknown')],
    ['communication', region('PMPI_Send', 'unknown', 'unknown')],
    ['computation', region('call MPI_Send', 'unknown', 'unknown')],
    ['communication', region('shmem_put', 'shmem')],
    ['start-up', region('MPI_Init', 'mpi')],
    ['start-up', region('mpi_init_thread_', 'unknown')],
    ['start-up', region('PMPI_Finalize', 'mpi')],
    ['communication', region('MPI_Initialized', 'mpi')],
    ['communication', region('my_MPI_Init', 'mpi')],
    ['synchronisation', region('pthread_mutex_lock', 'pthread', 'wrapper')],
    ['synchronisation', region('!$omp implicit barrier', 'openmp', 'implicit barrier')],
    ['synchronisation', region('!$omp barrier', 'openmp', 'barrier')],
    ['synchronisation', region('!$omp critical', 'openmp', 'critical')],
    ['synchronisation', region('!$omp ordered', 'openmp', 'ordered')],
    ['synchronisation', region('!$omp taskwait', 'openmp', 'task wait')],
    ['synchronisation', region('omp_set_lock @a.c:3', 'openmp')],
    ['synchronisation', region('omp_set_nest_lock', 'openmp')],
    ['computation', region('omp_unset_lock @a.c:3', 'openmp')],
    ['computation', region('omp_set_lock')],
    ['computation', region('!$omp taskgroup @a.c:3', 'openmp', 'region')],
    ['computation', region('!$omp critical', 'openmp', 'critical sblock')],
    ['computation', region('!$omp ordered', 'openmp', 'ordered sblock')],
  ] as const)('%s: %o', (activity, one) => {
    expect(activityOf(one)).toBe(activity);
  });
});

describe('how ranks talk to each other', () => {
  test.each([
    ['waiting', region('MPI_Waitall', 'mpi', 'function')],
    ['waiting', region('mpi_testsome_', 'mpi', 'point2point')],
    ['waiting', region('PMPI_Wait', 'mpi', 'function')],
    ['pointToPoint', region('MPI_Send', 'mpi', 'point2point')],
    ['barrier', region('MPI_Barrier', 'mpi', 'barrier')],
    ['collective', region('MPI_Bcast', 'mpi', 'one2all')],
    ['collective', region('MPI_Reduce', 'mpi', 'all2one')],
    ['collective', region('MPI_Alltoall', 'mpi', 'all2all')],
    ['collective', region('MPI_Scan', 'mpi', 'other collective')],
    ['other', region('MPI_Comm_size', 'mpi', 'function')],
  ] as const)('%s: %o', (type, one) => {
    expect(communicationType(one)).toBe(type);
  });
  it('a name with MPI_Wait inside of it does not wait', () => {
    expect(communicationType(region('no_MPI_Wait', 'mpi', 'point2point'))).toBe('pointToPoint');
  });
});
