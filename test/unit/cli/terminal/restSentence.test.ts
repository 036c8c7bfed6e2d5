import { expect, test } from 'vitest';
import { restSentence } from '../../../../src/cli/terminal/restSentence';
import { makeContext } from '../../../../src/core/problems/context/makeContext';
import { profileFunctions } from '../../../../src/core/problems/profileFunctions';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import type { Profile } from '../../../../src/core/profile/profile';
import { besideFunctions } from '../../../../src/workflows/refine/results/besideFunctions';
import type { HotFunction } from '../../../../src/workflows/studies/refine.types';
import { ProfileBuilder } from '../../../profileBuilder';

/** The program of 10 s: `main` itself 1 s, `solve` 2 s, an OpenMP region 3 s, MPI 3 s in two calls, and 1 s outside of all. */
function program(): Profile {
  const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
  const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
  builder.location({ name: 'thread 0', rank: 0, thread: 0, process, kind: 'thread' });
  const region = (name: string, paradigm: string, role: string): number =>
    builder.region({ name, paradigm, role });
  const add = (above: number | undefined, own: number, seconds: number): number => {
    const path = builder.callPath(above, own);
    builder.set('time', path, 0, seconds);
    builder.set('visits', path, 0, 1);
    return path;
  };
  const root = add(undefined, region('a.out', 'measurement', 'artificial'), 10);
  const main = add(root, region('main', 'compiler', 'function'), 9);
  add(main, region('solve', 'compiler', 'function'), 2);
  add(main, region('!$omp parallel @a.c:3', 'openmp', 'parallel'), 3);
  add(main, region('MPI_Recv', 'mpi', 'point2point'), 2);
  add(main, region('MPI_Allreduce', 'mpi', 'all2all'), 1);
  return builder.build();
}

const input = { profile: program(), run: 'i1.r2' };
const { beside, ...size } = besideFunctions(input);

test('what is beside functions adds up with them to the run', () => {
  expect(size).toEqual({ run: 'i1.r2', ranks: 1, threads: 1 });
  expect(beside).toEqual([
    { what: 'OpenMP regions', share: 0.3 },
    { what: 'MPI', share: 0.3 },
    { what: 'code outside recorded functions', share: 0.1 },
  ]);
  const functions = profileFunctions(makeContext(input)).filter(({ name }) => /^(main|solve)$/.test(name));
  const all = [...beside.map(({ share }) => share), ...functions.map((own) => own.exclusiveShare)];
  expect(all.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
});

test('a table of functions ends with where the rest is', () => {
  const rest = 'OpenMP regions 30.0 %, MPI 30.0 %, code outside recorded functions 10.0 %';
  const shown = (...shares: number[]): HotFunction[] =>
    shares.map((exclusiveShare) => ({ exclusiveShare }) as HotFunction);
  expect(restSentence({ beside }, shown(0.2, 0.1))).toBe(`The rest: ${rest} (kymo profile show lists it).`);
  expect(restSentence({ beside }, shown(0.2))).toBe(
    `The rest: ${rest}, other functions 10.0 % (kymo profile show lists it).`,
  );
  expect(restSentence({ beside: [] }, shown(0.2))).toBe('');
  expect(restSentence({}, shown(0.2))).toBe('');
});
