import { describe, expect, it } from 'vitest';
import { unknownPlaceholder } from '../../../../src/measurement/config/buildPlaceholders';

describe('a name in a build command', () => {
  it.each<[string, object | undefined]>([
    ['make CC=${cc} CXX=${cxx} FC=${fc}', undefined],
    ['make CC=${ccc}', { name: 'ccc', intended: 'cc' }],
    ['make CC=$${ccc}', undefined],
    ['make CC=${cc} -j${jobs}', { name: 'jobs' }],
    ['jobs=4; make CC=${cc} -j${jobs}', undefined],
    ['for f in *.c; do ${cc} -c ${f}; done', undefined],
    ['ls *.c | while read -r f; do ${cc} -c ${f}; done', undefined],
    ['make CC=${cc} PREFIX=${prefix}', undefined],
    ['make CC=${cc} MPI=${MPI_HOME}', undefined],
  ])('%s', (command, expected) => {
    expect(unknownPlaceholder(command, { prefix: '/opt' })).toEqual(expected);
  });
});
