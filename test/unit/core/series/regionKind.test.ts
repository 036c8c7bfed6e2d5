import { expect, test } from 'vitest';
import { kindOf } from '../../../../src/core/series/regionKind';

test.each([
  ['compiler', 'function', 'solve', 'function'],
  ['user', 'region', 'assembly', 'user'],
  ['mpi', 'point2point', 'MPI_Send', 'mpi'],
  ['mpi', 'function', 'MPI_Init', 'mpi'],
  // Constructs whose code computes are no waiting, in findings over time as in those of the profile.
  ['openmp', 'parallel', '!$omp parallel @a.c:1', 'function'],
  ['openmp', 'loop', '!$omp for @a.c:2', 'loop'],
  ['openmp', 'implicit barrier', '!$omp implicit barrier @a.c:2', 'openmp'],
  ['openmp', 'critical', '!$omp critical @a.c:3', 'openmp'],
  ['pthread', 'wrapper', 'pthread_mutex_lock @a.c:4', 'openmp'],
  ['io', 'file io', 'write', 'io'],
])('%s, %s: %s is of the kind %s', (paradigm, role, name, kind) => {
  expect(kindOf({ paradigm, role, name })).toBe(kind);
});
