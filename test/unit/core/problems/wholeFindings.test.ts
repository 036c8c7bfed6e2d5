import { describe, expect, it } from 'vitest';
import { findProperties } from '../../../../src/core/problems/findProperties';
import type { Profile } from '../../../../src/core/profile/profile';
import { isDynamic, kindRecord } from '../../../../src/core/properties/kinds';
import { degradationKinds } from '../../../../src/core/properties/kinds/degradations';
import { profileKinds } from '../../../../src/core/properties/kinds/profile';
import { resultLines } from '../../resultText';
import { graphOfProgram, measure, randomProgram, sampledCosts, sitesOf } from '../selection/simulatedProgram';
import { runOf, type Call } from './runs';

const main = { name: 'main', firstLine: 1 };
const solve = { name: 'solve', firstLine: 10 };
const kernel = { name: 'kernel', firstLine: 20 };
const mpi = (name: string, role = 'function'): Call['region'] => ({
  name,
  paradigm: 'mpi',
  role,
  file: 'MPI',
});
const omp = (name: string, role: string): Call['region'] => ({
  name,
  paradigm: 'openmp',
  role,
  firstLine: 30,
});

/** Four ranks that wait for rank 3, call MPI in two ways, read and write, allocate, and have functions without a source. */
const ranks: Call = {
  region: main,
  seconds: [0.1, 0.1, 0.1, 0.1],
  calls: [
    { region: mpi('MPI_Init'), seconds: [0.6, 0.6, 0.6, 0.6] },
    {
      region: solve,
      seconds: [1, 1, 1, 2],
      visits: [10, 10, 10, 10],
      calls: [
        { region: kernel, seconds: [2, 2, 2, 4], visits: [1e6, 1e6, 1e6, 2e6] },
        { region: mpi('MPI_Waitall'), seconds: [1.5, 1.5, 1.5, 0], visits: [10, 10, 10, 10] },
        { region: mpi('MPI_Allreduce', 'all2all'), seconds: [0.5, 0.5, 0.5, 0] },
      ],
    },
    { region: kernel, seconds: [0, 0, 0, 1] },
    { region: mpi('MPI_Barrier', 'barrier'), seconds: [1, 1, 1, 0] },
    { region: { name: 'fwrite', paradigm: 'io', role: 'function', file: 'IO' }, seconds: [1, 0, 0, 0] },
    {
      region: { name: 'malloc', paradigm: 'memory', role: 'function', file: 'MEM' },
      seconds: [0.5, 0.5, 0.5, 0.5],
    },
    ...['a_', 'b_', 'c_', 'd_'].map((name, at) => ({
      region: { name, file: '' },
      seconds: [0.1, 0.2, 0.3, 0.4].map((each) => each * (at + 1)),
    })),
  ],
};

/** Two ranks with three threads each: a serial part, an uneven parallel region with its barrier. */
const threads: Call = {
  region: main,
  seconds: [2, 0, 0, 1, 0, 0],
  calls: [
    {
      region: omp('!$omp parallel @a.c:30', 'parallel'),
      seconds: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
      calls: [
        { region: solve, seconds: [1, 2, 4, 1, 1, 1], visits: [5, 5, 5, 5, 5, 5] },
        { region: omp('!$omp implicit barrier @a.c:30', 'implicit barrier'), seconds: [3, 2, 0, 0.1, 0, 0] },
      ],
    },
    { region: kernel, seconds: [1, 0, 0, 0, 0, 0] },
  ],
};

/** The file beside this one has all findings. A change that is wanted changes it (`npx vitest run -u`): its difference shows what users will read. */
describe('all findings', () => {
  const program = randomProgram(8);
  it.each<[string, () => Profile]>([
    ['ranks', () => runOf(ranks, 4)],
    ['threads', () => runOf(threads, 2, 3)],
    [
      'tiny',
      () =>
        runOf({ region: main, seconds: [0.01], calls: [{ region: kernel, seconds: [1], visits: [9e6] }] }, 1),
    ],
  ])('of the run %s', async (name, profile) => {
    const text = resultLines(findProperties({ profile: profile() }));
    await expect(text).toMatchFileSnapshot(`results/${name}.txt`);
  });

  it('of a simulated program with its graph and the cost of recording', async () => {
    const sites = sitesOf(program);
    const graph = graphOfProgram(program);
    const half = new Set([...sites.keys()].filter((_, position) => position % 2 === 0));
    const text = resultLines(
      [new Set(sites.keys()), half].flatMap((recorded) =>
        findProperties({ profile: measure(program, recorded), graph, sites, calibration: sampledCosts }),
      ),
    );
    await expect(text).toMatchFileSnapshot('results/simulated.txt');
  });
});

it('each kind of property has its words, icon and place in the editor', async () => {
  const kinds = Object.keys({ ...profileKinds, ...degradationKinds, fromTheFuture: undefined });
  const text = resultLines(kinds.map((kind) => [kind, kindRecord(kind)]));
  await expect(text).toMatchFileSnapshot('results/kinds.txt');
  expect(isDynamic({ kind: 'periodic-peaks' })).toBe(true);
  expect(isDynamic({ kind: 'hot-spot' })).toBe(false);
});
