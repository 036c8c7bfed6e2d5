import { describe, expect, it } from 'vitest';
import type { Target } from '../../../../src/measurement/config/config';
import { parseConfig } from '../../../../src/measurement/config/parseConfig';
import {
  changesSomething,
  planAgain,
  planStudy,
  runAtPoint,
  variablesOf,
} from '../../../../src/workflows/study/planStudy';

const target = (fields: object): Target => {
  const whole = { name: 'x', build: { command: 'make CC=${cc}' }, executable: 'x', ...fields };
  const [parsed] = parseConfig(JSON.stringify({ version: 1, targets: [whole] }), '/w/kymo.json').config
    .targets;
  if (parsed === undefined) throw new Error('no target');
  return parsed;
};
const mpi = { run: { launcher: { kind: 'mpirun', ranks: [1, 2] } }, parameters: { n: [100, 200] } };

describe('the plan of a study', () => {
  it('has all combinations of the target’s own values without settings', () => {
    const plan = planStudy(target({ ...mpi, repetitions: 4 }), {});
    expect(plan).toMatchObject({ design: 'all', repetitions: 4, ranksName: 'p' });
    expect(plan.points.map(({ p, n }) => `${p}/${n}`)).toEqual(['1/100', '1/200', '2/100', '2/200']);
  });
  it('takes settings of the study for those of the target, and the request for both', () => {
    const study = { parameters: { n: [1, 2, 3] }, ranks: [4], threads: [1, 2], repetitions: 5 };
    const configured = planStudy(target({ ...mpi, study }), {});
    expect(configured.points).toHaveLength(6);
    expect(configured).toMatchObject({ repetitions: 5, ranksName: 'p', threadsName: 't' });
    const asked = planStudy(target({ ...mpi, study }), {
      values: { n: ['7', '7', '8'] },
      ranks: [1],
      threads: [3],
      repetitions: 2,
      design: 'one-at-a-time',
    });
    expect(asked.repetitions).toBe(2);
    expect(asked.points).toEqual([
      { p: '1', t: '3', n: '7' },
      { p: '1', t: '3', n: '8' },
    ]);
    expect(runAtPoint(asked, { p: '16', t: '3', n: '8' })).toEqual({
      parameters: { n: '8' },
      ranks: 16,
      threads: 3,
    });
  });
  it('gives ranks another name where a parameter has it', () => {
    const { points } = planStudy(target({ ...mpi, parameters: { p: [3, 4] } }), {});
    expect(points[0]).toEqual({ np: '1', p: '3' });
    expect(runAtPoint({ ranksName: 'np', constants: {} }, { np: '2', p: '4' })).toEqual({
      parameters: { p: '4' },
      ranks: 2,
    });
  });
  it('leaves out texts that are the same everywhere, and still runs with them', () => {
    const plan = planStudy(target({ parameters: { input: ['a.in'], n: [1, 2], m: [5] } }), {});
    expect(plan.points).toEqual([
      { n: '1', m: '5' },
      { n: '2', m: '5' },
    ]);
    expect(runAtPoint(plan, { n: '2', m: '5' }).parameters).toEqual({ n: '2', m: '5', input: 'a.in' });
  });
  it('goes through all lists side by side, ranks and threads too', () => {
    const study = {
      parameters: { n: [100, 200, 400] },
      ranks: [1, 2, 4],
      threads: [1, 1, 2],
      design: 'linear',
    };
    expect(planStudy(target({ ...mpi, study }), {}).points).toEqual([
      { p: '1', t: '1', n: '100' },
      { p: '2', t: '1', n: '200' },
      { p: '4', t: '2', n: '400' },
    ]);
    expect(() => planStudy(target({ ...mpi, study }), { ranks: [1, 2] })).toThrow(
      /side by side.*p has 2, t has 3, n has 3/,
    );
    expect(planStudy(target({ ...mpi, study }), { ranks: [2] }).points.map(({ p }) => p)).toEqual([
      '2',
      '2',
      '2',
    ]);
  });
  it('takes a list of points, with first values for what they lack', () => {
    const study = { points: [{ n: 5, ranks: 8 }, { n: 6 }, { n: 6 }] };
    expect(planStudy(target({ ...mpi, study }), {})).toMatchObject({
      design: 'list',
      points: [
        { p: '8', n: '5' },
        { p: '1', n: '6' },
      ],
    });
    expect(planStudy(target({ ...mpi, study }), { values: { n: ['1', '2'] } }).design).toBe('all');
    expect(planStudy(target(mpi), { points: [{ n: '9', threads: '4' }] }).points).toEqual([
      { p: '1', t: '4', n: '9' },
    ]);
  });
  it.each([
    ['an unknown parameter', mpi, { values: { m: ['1'] } }, /no parameter "m".*It has: n/],
    ['an unknown parameter of a point', mpi, { points: [{ m: '1' }] }, /no parameter "m"/],
    ['ranks of a point that are no number', mpi, { points: [{ ranks: 'x' }] }, /whole number/],
    ['no change', { parameters: { n: [1] } }, {}, /Nothing changes/],
    ['ranks without a launcher', { parameters: { n: [1, 2] } }, { ranks: [2] }, /"launcher"/],
    [
      'ranks of points without a launcher',
      { parameters: { n: [1] } },
      { points: [{ ranks: '2' }] },
      /"launcher"/,
    ],
    ['a list without points', mpi, { design: 'list' as const }, /needs points/],
    [
      'far too many points',
      {
        parameters: {
          n: Array.from({ length: 101 }, (_, i) => i),
          m: Array.from({ length: 100 }, (_, i) => i),
        },
      },
      {},
      /10100 points/,
    ],
  ])('refuses %s', (_, fields, request, message) => {
    expect(() => planStudy(target(fields), request)).toThrow(message);
  });
  it('is the same again from its file, with further points, whatever the settings are now', () => {
    const study = { parameters: { n: [1, 2] }, ranks: [4], threads: [1, 2] };
    const parameters = { input: ['a.in'], n: [100] };
    const first = planStudy(target({ ...mpi, parameters, study }), { repetitions: 7 });
    const file = {
      ...first,
      points: [
        ...first.points.map((coordinates) => ({ coordinates, planned: true, runs: [] })),
        { coordinates: { p: '9', t: '9', n: '9' }, planned: false, runs: [] },
      ],
    };
    const now = target({ ...mpi, parameters: { input: ['b.in'], n: [5] } });
    expect(planAgain(now, file, [])).toEqual(first);
    const far = { p: '4', t: '2', n: '64' };
    expect(planAgain(now, file, [far])).toEqual({ ...first, points: [...first.points, far] });
    expect(() => planAgain(target({ ...mpi, parameters: {} }), file, [])).toThrow(/no parameter/);
  });
  it('has one point and several things that can change, without values', () => {
    const one = target({ run: mpi.run, parameters: { n: [3] } });
    expect(changesSomething(one, {})).toBe(true);
    expect(changesSomething(one, { ranks: [2] })).toBe(false);
    expect(changesSomething(one, { points: [{ n: '3' }] })).toBe(true);
    expect(variablesOf(one, {})).toEqual([
      { kind: 'ranks', name: 'p', values: ['1', '2'] },
      { kind: 'parameter', name: 'n', values: ['3'] },
      { kind: 'threads', name: 'threads', values: [] },
    ]);
    expect(variablesOf(one, { threads: [2] }).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'ranks p',
      'threads t',
      'parameter n',
    ]);
  });
});
