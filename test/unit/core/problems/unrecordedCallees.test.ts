import { expect, test } from 'vitest';
import { callColumns, callsOf } from '../../../../src/workflows/refine/results/callColumns';
import { unrecordedCallees, unrecordedInRows } from '../../../../src/core/problems/context/unrecordedCallees';
import { findProperties } from '../../../../src/core/problems/findProperties';
import type { Profile } from '../../../../src/core/profile/profile';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import { fn, graphOf } from '../selection/graphs';
import { ProfileBuilder } from '../../../profileBuilder';

const body = { hasBody: false };
const functions = [fn('main'), fn('solve'), fn('kernel'), fn('tiny'), fn('exp', body), fn('MPI_Abort', body)];
const graph = graphOf(functions, [
  ['main', 'solve'],
  ['main', 'MPI_Abort'],
  ['solve', 'kernel'],
  ['solve', 'tiny'],
  ['kernel', 'exp'],
]);
/** `main` > `solve` > `kernel`, and MPI; `tiny` was not recorded, and `exp` is of a library. */
const profile = recorded();
const keys = profile.regions.map(({ name }) => name);

function recorded(): Profile {
  const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
  const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
  builder.location({ name: 'thread 0', rank: 0, thread: 0, process, kind: 'thread' });
  let above: number | undefined;
  for (const [name, paradigm, seconds] of [
    ['main', 'compiler', 10],
    ['solve', 'compiler', 9],
    ['kernel', 'compiler', 5],
    ['MPI_Wait', 'mpi', 0],
  ] as const) {
    const path = builder.callPath(above, builder.region({ name, paradigm, role: 'function' }));
    builder.set('time', path, 0, seconds);
    builder.set('visits', path, 0, 1);
    above = path;
  }
  return builder.build();
}

/** Rows of the functions with a body, as a refinement writes them. */
const known = { graph, selection: { decisions: new Map() }, measures: new Map() };
const prepared = { sites: new Map() };
const shown = [0, 1, 2, 3];
const columns = callColumns(known, prepared, callsOf(known, prepared), shown);
const rows = shown.map((index, row) => ({ key: functions[index]?.key ?? '', ...columns[row] }));

test('the rows of a study know as many functions that are not recorded as its call graph', () => {
  const regions = [...profile.regions.keys()];
  expect(regions.map(unrecordedCallees(profile, graph, keys))).toEqual([0, 1, 1, 0]);
  expect(regions.map(unrecordedInRows(profile, rows, keys))).toEqual([0, 1, 1, 0]);
});

test('a function takes time itself only where all that it calls is recorded', () => {
  const titles = (input: object): readonly string[] =>
    findProperties({ profile, keys, ...input }).flatMap(({ kind, title }) =>
      kind === 'hot-spot' ? [title] : [],
    );
  const expected = [
    'kernel, with callees that are not recorded, takes 50.0 % of the run time',
    'solve, with callees that are not recorded, takes 40.0 % of the run time',
    'main itself takes 10.0 % of the run time',
  ];
  expect(titles({ graph })).toEqual(expected);
  expect(titles({ rows })).toEqual(expected);
});
