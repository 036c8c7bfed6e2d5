import { expect, it } from 'vitest';
import { kindByName } from '../../../../src/formats/series/contexts';

it.each([
  ['!$omp barrier @heat.c:12', 'openmp'],
  ['!$omp implicit barrier @heat.c:12', 'openmp'],
  ['!$omp implicit barrier', 'openmp'],
  ['!$omp taskwait @heat.c:12', 'openmp'],
  ['omp barrier @heat.c:12', 'openmp'],
  ['omp_set_lock', 'openmp'],
  // Its own time is that until the lock is free, as in profiles; the code inside is below it.
  ['!$omp critical @heat.c:12', 'openmp'],
  ['!$omp critical sblock @heat.c:12', 'function'],
  ['!$omp parallel @heat.c:12', 'function'],
  ['!$omp single @heat.c:12', 'function'],
  ['!$omp for @heat.c:12', 'loop'],
  ['!$omp do @heat.f90:12', 'loop'],
  ['omp_get_wtime', 'function'],
  ['ompression', 'function'],
  ['mpi_recv_', 'mpi'],
  ['PMPI_Recv', 'mpi'],
])('without a kind in the file, %s is of the kind %s', (name, kind) => {
  expect(kindByName(name)).toBe(kind);
});
