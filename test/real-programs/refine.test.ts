import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { debianSources, type DebianSources } from './debianSource';
import { refineProgram } from '../refineProgram';
import { onlyInFull } from '../volume';

// Programs that nobody here wrote, as Debian distributes their sources; the build and run commands are what a user would type.
describe('refining real programs', () => {
  let sources: DebianSources | undefined;
  beforeAll(() => {
    sources = debianSources();
  });
  afterAll(() => sources?.remove());

  const program = (name: string, work: (tree: string) => void): void => {
    it(name, (context) => {
      const tree = sources?.unpack(name);
      if (tree === undefined) {
        context.skip('package sources cannot be reached');
        return;
      }
      work(tree);
    });
  };

  // C: a graph partitioner built by CMake into a static library. Few large parts: with hundreds, a fifth of the time goes to heap
  // operations of some ten nanoseconds, and timing each of their visits would exceed the target.
  program('metis', (tree) => {
    const target = {
      name: 'gpmetis',
      build: {
        command:
          'cmake -S . -B b -DCMAKE_BUILD_TYPE=Release -DGKLIB_PATH="$PWD/GKlib" && make -j2 -C b gpmetis',
        clean: 'rm -rf b',
      },
      executable: 'b/programs/gpmetis',
      run: { arguments: ['-ncuts=4', 'graphs/mdual.graph', '8'] },
      repetitions: 1,
    };
    const result = refineProgram(tree, target, { compared: true });
    expect(result.functionsKnown).toBeGreaterThan(300);
    expect(result.hotFunctions[0]).toMatchObject({ name: 'libmetis__CreateCoarseGraph', selected: true });
  });

  // Fortran: the double precision tests of LAPACK's drivers for linear equations, with the largest matrices that they take. Its builds take minutes.
  const lapack = (tree: string): void => {
    spawnSync('cp', ['INSTALL/make.inc.gfortran', 'make.inc'], { cwd: tree });
    writeFileSync(path.join(tree, 'TESTING/drivers.in'), largeDrivers);
    const make = (folder: string): string => `make -s -j2 -C ${folder} FC=\${fc} double`;
    const target = {
      name: 'xlintstd',
      build: {
        command: ['BLAS/SRC', 'SRC', 'TESTING/MATGEN', 'TESTING/LIN'].map(make).join(' && '),
        clean: 'make -s clean',
      },
      executable: 'TESTING/LIN/xlintstd',
      run: { arguments: [], input: 'TESTING/drivers.in' },
      repetitions: 1,
    };
    const result = refineProgram(tree, target);
    expect(result.functionsKnown).toBeGreaterThan(400);
    expect(result.hotFunctions[0]).toMatchObject({ name: 'dtrsm', selected: true });
  };
  for (const work of onlyInFull([lapack])) program('lapack', work);
});

const largeDrivers = `Data file for testing DOUBLE PRECISION LAPACK linear eqn. routines
2                      Number of values of M
100 130                Values of M (row dimension)
2                      Number of values of N
100 130                Values of N (column dimension)
1                      Number of values of NRHS
15                     Values of NRHS (number of right hand sides)
2                      Number of values of NB
20 32                  Values of NB (the blocksize)
0 5                    Values of NX (crossover point)
1                      Number of values of RANK
90                     Values of rank (as a % of order)
30.0                   Threshold value of test ratio
F                      Put T to test the LAPACK routines
T                      Put T to test the driver routines
F                      Put T to test the error exits
DGE   11               List types on next line if 0 < NTYPES < 11
DPO    9               List types on next line if 0 < NTYPES <  9
DSY   10               List types on next line if 0 < NTYPES < 10
`;
