import { describe, expect, it } from 'vitest';
import { doctorPage } from '../../../../../src/editor/words/studies/doctorText';

describe('the page of Run Doctor', () => {
  it('begins with what is missing, and lists each tool in a row of a table', () => {
    const text = doctorPage({
      compilers: [
        {
          path: '/usr/bin/gcc',
          language: 'c',
          family: 'gcc',
          version: '12.2.0',
          patchable: true,
          openmp: 'gnu',
        },
        { path: '/opt/icx', language: 'c', family: 'other', version: '1', patchable: false },
      ],
      mpi: { launcher: '/usr/bin/mpirun', version: 'Open MPI 4.1' },
      problems: ['No Fortran compiler was found.'],
      notes: ['It was not started.'],
    });
    expect(text.startsWith('- ✗ No Fortran compiler was found.\n\n- – It was not started.\n\n| |')).toBe(
      true,
    );
    for (const row of [
      '| ✓ | C compiler | gcc 12.2.0 | /usr/bin/gcc |',
      '| ✗ | C compiler | other 1 | /opt/icx: Kymo cannot measure what it builds |',
      '| ✓ | OpenMP |  | by gcc |',
      '| ✓ | MPI | Open MPI 4.1 | /usr/bin/mpirun |',
      '| – | Slurm | not found | needed only on clusters |',
    ])
      expect(text).toContain(row);
    expect(text).not.toContain('{');
  });

  it('says that all is well, and that a machine could not be examined', () => {
    expect(doctorPage({ compilers: [], problems: [], notes: [] })).toContain(
      'Everything that measuring needs',
    );
    expect(doctorPage('engine ended')).toBe('Doctor failed: engine ended');
  });
});
