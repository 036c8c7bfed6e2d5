import { describe, expect, it } from 'vitest';
import { buildsWithMpi, proposedRanks } from '../../../../src/workflows/init/programDrafts';

describe('the number of ranks that init proposes', () => {
  it.each([
    [0, 2],
    [1, 2],
    [2, 2],
    [3, 2],
    [4, 4],
    [128, 4],
  ])('is for %i processors %i', (processors, ranks) =>
    expect(proposedRanks(processors, { usesOpenMp: false })).toBe(ranks),
  );
  it('leaves processors for the threads of each rank', () =>
    expect(proposedRanks(64, { usesOpenMp: true })).toBe(2));
});

describe('init sees that a build uses MPI', () => {
  it.each([
    'CC = mpicc',
    'MPICH_CC=cc mpicxx -c a.cc',
    'FC := /opt/bin/mpifort -O2',
    '[{"fragment":"-I/usr/lib/x86_64-linux-gnu/openmpi/include"}]',
    'cc -o a a.o -lmpi',
    'find_package(MPI REQUIRED)',
    'find_package ( MPI 3.1 COMPONENTS Fortran )',
    "dependency('mpi', language: 'fortran')",
    'dependency("mpi")',
  ])('%s', (text) => expect(buildsWithMpi(text)).toBe(true));
  it.each(['CC = cc', 'empire: a.o', 'find_package(MPIR)', "dependency('mpir')"])('not in %s', (text) =>
    expect(buildsWithMpi(text)).toBe(false),
  );
});
