import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../src/measurement/launch/findProgram';
import type { RefineResult } from '../../src/workflows/studies/refine.types';
import { kymo, refineProgram } from '../refineProgram';
import { debianSources, type DebianSources } from './debianSource';

const hasMpi = (await findProgram('mpicxx')) !== undefined && (await findProgram('mpirun')) !== undefined;

/** A profile as `profile show` prints it, summed over locations. */
interface Shown {
  readonly regions: readonly { readonly name: string }[];
  readonly callTree: readonly { readonly region: number }[];
  readonly values: Readonly<Record<string, { readonly exclusive: readonly number[] } | undefined>>;
}

/** The measured run of the last round: its folder, and sums of its profile over all call paths of a region. */
function lastRun({ directory, iterations }: RefineResult): {
  readonly output: string;
  readonly sum: (metric: string, region?: string) => number;
} {
  const round = path.join(directory, `i${iterations.length - 1}`);
  const run = path.join(round, readdirSync(round).find((name) => name.endsWith('.r1')) ?? '');
  const { regions, callTree, values } = kymo(['profile', 'show', path.join(run, 'profile.cubex')]) as Shown;
  const sum = (metric: string, region?: string): number =>
    callTree.reduce((all, own, at) => {
      const counts = region === undefined || regions[own.region]?.name === region;
      return counts ? all + (values[metric]?.exclusive[at] ?? 0) : all;
    }, 0);
  return { output: readFileSync(path.join(run, 'output.txt'), 'utf8'), sum };
}

const numberAfter = (output: string, label: string): number =>
  Number(new RegExp(`^\\s*${label}\\s*=\\s*(\\d+)`, 'm').exec(output)?.[1]);

/**
 * By counts, recording costs no more than the target. What it was measured to cost the slowest rank is within the noise of that, or, after one
 * run of each, far below the 312 % that published tools leave of an MPI program: ranks share processors here, with each other and with
 * other tests.
 */
function expectJudged({ final, iterations }: RefineResult): void {
  expect(iterations.at(-1)).toMatchObject({ clock: 'rank' });
  expect(final.predictedPercent).toBeLessThanOrEqual(5);
  expect(final.ranks?.map(({ ranks }) => ranks)).toEqual([4, 8]);
  for (const { ranks, clock, slowestRank = -1, overheadPercent, noisePercent } of final.ranks ?? []) {
    expect(clock).toBe('rank');
    expect(slowestRank).toBeGreaterThanOrEqual(0);
    expect(slowestRank).toBeLessThan(ranks);
    process.stderr.write(
      `${ranks} ranks: ${overheadPercent.toFixed(1)} %, noise ${noisePercent?.toFixed(1) ?? '?'} %\n`,
    );
    expect(overheadPercent).toBeLessThanOrEqual(5 + Math.max(60, noisePercent ?? 0));
  }
}

// The integrators of SUNDIALS, by two of the parallel programs that come with them.
describe.skipIf(!hasMpi)('refining real MPI programs', () => {
  let sources: DebianSources | undefined;
  beforeAll(() => {
    sources = debianSources();
  });
  afterAll(() => sources?.remove());

  const solvers = ['CVODE', 'CVODES', 'IDA', 'IDAS', 'KINSOL'].map((name) => `-DBUILD_${name}=OFF`).join(' ');
  const cmake = `cmake -S . -B b -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=\${cc} -DENABLE_MPI=ON -DBUILD_SHARED_LIBS=OFF -DEXAMPLES_ENABLE_C=OFF ${solvers}`;
  const examples = 'b/examples/arkode';
  const common = { repetitions: 1, refinement: { maximumIterations: 2 } };
  const launcher = { kind: 'mpirun', ranks: 1 };

  const program = (name: string, work: (tree: string) => void): void => {
    it(name, (context) => {
      const tree = sources?.unpack('sundials');
      if (tree === undefined) {
        context.skip('package sources cannot be reached');
        return;
      }
      work(tree);
    });
  };

  program('C++: heat on a plate, with conjugate gradients', (tree) => {
    const target = {
      ...common,
      name: 'ark_heat2D_p',
      build: {
        configure: `${cmake} -DCMAKE_CXX_COMPILER=\${cxx} -DEXAMPLES_ENABLE_CXX=ON`,
        command: 'OMPI_CXX=${cxx} MPICH_CXX=${cxx} make -s -j2 -C b ark_heat2D_p',
        clean: 'rm -rf b',
      },
      executable: `${examples}/CXX_parallel/ark_heat2D_p`,
      run: {
        arguments: '--np ${ranks} 1 --mesh 192 192 --tf 0.002 --nout 1 --output 1'.split(' '),
        launcher,
      },
    };
    const result = refineProgram(tree, target, { ranks: [4, 8] });
    expectJudged(result);
    expect(result.hotFunctions[0]).toMatchObject({ name: 'f', selected: true });
    expect(result.hotFunctions.filter(({ name }) => name.includes('MPI_'))).toEqual([]);
    const { output, sum } = lastRun(result);
    // What the solver says of itself: the right hand side is evaluated so often by each of four ranks.
    const evaluations = numberAfter(output, 'RHS evals') + numberAfter(output, 'LS RHS evals');
    expect(sum('visits', 'f')).toBe(4 * evaluations);
    expect(sum('bytes_sent')).toBeGreaterThan(0);
    expect(sum('bytes_received')).toBe(sum('bytes_sent'));
    expect(sum('visits', 'MPI_Irecv')).toBe(sum('visits', 'MPI_Isend'));
    expect(sum('visits', 'MPI_Wait')).toBe(2 * sum('visits', 'MPI_Isend'));
    // Three neighbours pairs of four ranks in a row exchange 192 numbers each way in each evaluation.
    expect(sum('bytes_sent', 'MPI_Isend')).toBe(evaluations * 3 * 2 * 192 * 8);
  });

  program('Fortran: a reaction that is carried along, with a nonlinear solver of its own', (tree) => {
    const target = {
      ...common,
      name: 'brusselator',
      build: {
        configure: `${cmake} -DCMAKE_Fortran_COMPILER=\${fc} -DEXAMPLES_ENABLE_CXX=OFF -DEXAMPLES_ENABLE_F2003=ON -DBUILD_FORTRAN_MODULE_INTERFACE=ON -DSUNDIALS_LOGGING_ENABLE_MPI=ON`,
        command: 'OMPI_FC=${fc} MPICH_FC=${fc} make -s -j2 -C b ark_brusselator1D_task_local_nls_f2003',
        clean: 'rm -rf b',
      },
      executable: `${examples}/F2003_parallel/ark_brusselator1D_task_local_nls_f2003`,
      run: { arguments: ['--nx', '20000', '--tf', '0.3', '--nout', '1'], launcher },
    };
    const result = refineProgram(tree, target, { ranks: [4, 8] });
    expectJudged(result);
    expect(result.hotFunctions[0]).toMatchObject({ name: 'tasklocallsolve', selected: true });
    const { output, sum } = lastRun(result);
    expect(sum('visits', 'advection')).toBe(4 * numberAfter(output, 'RHS evals Fe'));
    expect(sum('bytes_sent')).toBeGreaterThan(0);
    expect(sum('bytes_received')).toBe(sum('bytes_sent'));
    expect(sum('visits', 'MPI_Irecv')).toBe(sum('visits', 'MPI_Isend'));
  });
});
