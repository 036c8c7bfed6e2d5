import { describe, expect, it } from 'vitest';
import { isWaiting } from '../../../../src/core/trace/waiting';

describe('functions whose time depends on others', () => {
  it.each([
    ['MPI_Waitall', undefined, true],
    ['PMPI_Bcast', undefined, true],
    ['!$omp implicit barrier @heat.f90:60', 'heat.f90', true],
    ['mpi_stuff.f [85-102]', 'mpi_stuff.f', false],
    ['MPI_Pack_ghosts', 'halo.c', false],
    ['!$omp parallel @heat.f90:60', 'heat.f90', false],
    ['copyBack', 'halo.cpp', false],
  ])('are those of MPI and barriers: %s', (name, file, waits) => {
    const place = file === undefined ? { name } : { name, file };
    expect(isWaiting({ kind: 'context', name, place })).toBe(waits);
  });
});
