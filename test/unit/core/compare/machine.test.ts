import { describe, expect, test } from 'vitest';
import { betweenVariance, loadVariance, type Shift } from '../../../../src/core/compare/between';
import { functionChanges, type JudgedHow } from '../../../../src/core/compare/functionChanges';
import { changesOf } from '../../../../src/core/compare/significance';
import { compareRuns } from '../../../../src/core/compare/differences';
import { compareSides, type MeasuredHow, type Side } from '../../../../src/core/compare/sides';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import { makeContext } from '../../../../src/core/problems/context/makeContext';
import { comparedRun } from '../../../../src/core/compare/run';
import { runOf } from '../problems/runs';
import { sideOf } from './planted';

const seeds = Array.from({ length: 100 }, (_, seed) => seed);

function normals(seed: number): () => number {
  const random = randomNumbers(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

interface Machine {
  readonly functions: number;
  readonly runs?: number;
  /** By how much functions take longer on the second side, by position: logarithms. */
  readonly slower: (position: number, normal: () => number) => number;
  /** Logarithm of the factor by which the load lengthened the runs of the second side; absent: not known. */
  readonly load?: number;
  /** Both were measured by turns. */
  readonly isByTurns?: true;
  /** By how much each function's time may be wrong. */
  readonly doubt?: number;
}

/** Positions of the functions that are named. Noise is 2 % of each function and 1 % of each run. */
function namedOn(seed: number, { functions, runs = 5, slower, ...given }: Machine): readonly number[] {
  const normal = normals(seed);
  const wholes = Array.from({ length: 2 * runs }, () => 0.01 * normal());
  const sums = Array.from({ length: functions }, (_, position) => {
    const change = slower(position, normal);
    const values = Float64Array.from(wholes, (whole, run) =>
      Math.exp(whole + 0.02 * normal() + (run < runs ? 0 : change)),
    );
    const visits = new Float64Array(2 * runs).fill(1);
    return { visits, seconds: values, values, doubts: values.map((value) => value * (given.doubt ?? 0)) };
  });
  const how: JudgedHow = given.isByTurns === true ? {} : { expected: loadVariance(given.load) };
  return functionChanges(sums, runs, 0.05, 0, how)
    .changes.filter(({ isSure }) => isSure)
    .map(({ function: own }) => own);
}

const none = (): number => 0;
const first =
  (change: number, others: Machine['slower'] = none): Machine['slower'] =>
  (position, normal) =>
    position === 0 ? change : others(position, normal);
const many = (machine: Machine, isIt: (named: readonly number[]) => boolean): number =>
  seeds.filter((seed) => isIt(namedOn(7 * seed + 3, machine))).length;

describe('where only the machine changed, at most 5 of 100 comparisons name something', () => {
  const memoryBound: Machine['slower'] = (position, normal) =>
    position % 3 === 0 ? 0.15 * Math.abs(normal()) : 0;
  test.each<[string, Machine]>([
    ['functions are memory-bound more or less', { functions: 30, slower: (_, normal) => 0.1 * normal() }],
    ['the same of three repetitions', { functions: 30, runs: 3, slower: (_, normal) => 0.1 * normal() }],
    ['a third of them is', { functions: 12, slower: memoryBound, load: 0.5 }],
    ['few functions, one in three', { functions: 5, slower: memoryBound, load: 0.5 }],
    ['the same on a machine that was busy before', { functions: 5, slower: memoryBound, load: -0.5 }],
    ['few functions, all alike', { functions: 5, slower: () => 0.1 }],
    ['recording costs more in one place', { functions: 12, slower: first(0.25), doubt: 0.1 }],
  ])('%s', (_, machine) => {
    expect(many(machine, (named) => named.length > 0)).toBeLessThanOrEqual(5);
  });
});

describe('a function that takes 10 % longer is named in at least 95 of 100', () => {
  const slower = first(Math.log(1.1));
  test.each<[string, Machine]>([
    ['of 3', { functions: 3, slower }],
    ['of 4', { functions: 4, slower }],
    ['of 5 with a load that hardly differs', { functions: 5, slower, load: 0.02 }],
    ['of 12', { functions: 12, slower }],
    ['of 100', { functions: 100, slower }],
  ])('%s', (_, machine) => {
    expect(many(machine, (named) => named.includes(0))).toBeGreaterThanOrEqual(95);
  });
});

test('and in most beside one that takes 40 % longer, which is named in all', () => {
  const slower = first(Math.log(1.1), (position) => (position === 1 ? 0.34 : 0));
  const machine: Machine = { functions: 12, slower };
  expect(many(machine, (named) => named.includes(0))).toBeGreaterThanOrEqual(80);
  expect(many(machine, (named) => named.includes(1))).toBe(100);
});

test('measured by turns, functions are judged by their repetitions only', () => {
  const slower: Machine['slower'] = (position) => (position % 2 === 0 ? 0.2 : -0.2);
  const machine: Machine = { functions: 6, slower };
  expect(many({ ...machine, isByTurns: true }, (named) => named.length === 6)).toBeGreaterThanOrEqual(95);
  expect(many(machine, (named) => named.length > 0)).toBeLessThanOrEqual(5);
});

test('knowledge of the machine makes no change surer', () => {
  for (const seed of seeds) {
    const normal = normals(seed);
    const quantities = Array.from({ length: 6 }, () => {
      const noise = 0.02 * Math.exp(normal());
      return { values: Float64Array.from({ length: 4 }, () => Math.exp(noise * normal())) };
    });
    const known = changesOf(quantities, 2, loadVariance(0.05));
    changesOf(quantities, 2).forEach(({ byChance = NaN }, row) => {
      expect(known[row]?.byChance).toBeGreaterThanOrEqual(byChance);
    });
  }
});

describe('the variance between measurements', () => {
  const shifts = (seed: number, between: number, count = 40): readonly Shift[] => {
    const normal = normals(seed);
    return Array.from({ length: count }, () => ({
      difference: Math.hypot(0.01, between) * normal(),
      variance: 1e-4,
      freedom: 8,
      doubt: 0,
    }));
  };
  const shown = (all: readonly Shift[]): number => betweenVariance(all, loadVariance(undefined)).variance;
  test('is found', () => {
    const mean = seeds.reduce((sum, seed) => sum + shown(shifts(seed, 0.05)), 0) / seeds.length;
    expect(Math.sqrt(mean) / 0.05).toBeCloseTo(1, 1);
  });
  test('is none of noise, in most', () => {
    expect(seeds.filter((seed) => shown(shifts(seed, 0)) > 0).length).toBeLessThanOrEqual(3);
  });
  test('is not that of one function that changed', () => {
    const changed = { difference: 1, variance: 1e-4, freedom: 8, doubt: 0 };
    expect(seeds.filter((seed) => shown([...shifts(seed, 0), changed]) > 0).length).toBeLessThanOrEqual(3);
  });
  test('of two or no functions is what the load lets expect', () => {
    const expected = loadVariance(Math.log(2));
    expect(Math.sqrt(expected.variance)).toBeCloseTo(0.2, 1);
    expect(betweenVariance(shifts(1, 0.5, 2), expected).variance).toBe(expected.variance);
    expect(betweenVariance([], expected).variance).toBe(expected.variance);
    expect(shown([])).toBe(0);
  });
  test('shrinks what is expected where functions do not show it', () => {
    const expected = loadVariance(1);
    expect(betweenVariance(shifts(1, 0), expected).variance).toBeLessThan(expected.variance / 10);
  });
});

describe('sides', () => {
  const measured = (
    times: readonly [startedAt: string, wallSeconds: number, cpuSeconds?: number][],
  ): readonly MeasuredHow[] =>
    times.map(([startedAt, wallSeconds, cpuSeconds]) => ({
      ...{ buildId: 'b', host: 'h', command: [], startedAt, wallSeconds },
      ...(cpuSeconds === undefined ? {} : { cpuSeconds }),
    }));
  const side = (seed: number, how?: Side['measured'], slower = 1): Side => ({
    ...sideOf(`${seed}`, seed, { slower }, { repetitions: how?.length ?? 5 }),
    ...(how === undefined ? {} : { measured: how }),
  });
  test('know by how much the load differed, either way', () => {
    const quiet = measured([
      ['1', 1, 1],
      ['2', 2, 2],
    ]);
    const busy = measured([
      ['3', 2, 1],
      ['4', 1, 1],
    ]);
    expect(compareSides(side(1, quiet), side(2, busy)).load).toBeCloseTo(Math.log(2) / 2, 10);
    expect(compareSides(side(1, busy), side(2, quiet)).load).toBeCloseTo(-Math.log(2) / 2, 10);
    expect(compareSides(side(1, quiet), side(2, measured([['3', 1]]))).load).toBeUndefined();
    expect(compareSides(side(1), side(2)).load).toBeUndefined();
  });
  test('of other numbers of threads wait otherwise', () => {
    const quiet = side(1, measured([['1', 1, 1]]));
    const runs = quiet.runs.map((run) => ({ ...run, locations: 7 }));
    expect(compareSides(quiet, { ...quiet, runs }).load).toBeUndefined();
  });
  test('were measured one after the other, or by turns', () => {
    const [early, late, both] = [
      measured([
        ['1', 1],
        ['2', 1],
      ]),
      measured([
        ['3', 1],
        ['4', 1],
      ]),
      measured([
        ['1', 1],
        ['4', 1],
      ]),
    ];
    const isOneAfterOther = (a: Side['measured'], b: Side['measured']): boolean =>
      compareSides(side(1, a), side(2, b)).isOneAfterOther;
    expect(isOneAfterOther(early, late)).toBe(true);
    expect(isOneAfterOther(late, early)).toBe(true);
    expect(isOneAfterOther(both, late)).toBe(false);
    expect(isOneAfterOther(early, undefined)).toBe(true);
  });
  test('a function that waits is not named, and neither is one whose time recording blurs', () => {
    const sides = compareSides(side(1), side(2, undefined, 1.5));
    const kernel = sides.functions.findIndex(({ name }) => name === 'kernel');
    const named = (given: typeof sides): number => compareRuns(given).differences.length;
    expect(named(sides)).toBe(1);
    const functions = sides.functions.map((own, at) => ({ ...own, isWaiting: at === kernel }));
    expect(named({ ...sides, functions })).toBe(0);
    const paths = sides.paths.map((path) =>
      path.function === kernel ? { ...path, doubts: path.seconds.map((value) => value * 0.3) } : path,
    );
    expect(named({ ...sides, paths })).toBe(0);
  });
  test('of another metric than time are judged by their repetitions only', () => {
    const sides = compareSides(side(1), side(2));
    const changed = (own: typeof sides): typeof sides => ({
      ...own,
      paths: own.paths.map((path) => ({
        ...path,
        values: path.values.map((value, run) =>
          run < 5 ? value : value * (path.function % 2 === 0 ? 1.3 : 0.7),
        ),
      })),
    });
    const metric = { name: 'PAPI_TOT_INS', displayName: 'Instructions', unit: '#' };
    expect(compareRuns(changed(sides)).differences).toEqual([]);
    expect(compareRuns(changed({ ...sides, metric })).differences.length).toBeGreaterThan(10);
  });
});

test('what recording blurs and what waits is read from a profile', () => {
  const cost = { pairSeconds: 1e-6, spreadSeconds: 0, insideSeconds: 4e-7, outsideSeconds: 6e-7 };
  const leaf = { region: { name: 'leaf' }, seconds: [1], visits: [100_000] };
  const send = { region: { name: 'MPI_Send', paradigm: 'mpi' }, seconds: [1], visits: [0] };
  const root = { region: { name: 'main' }, seconds: [1], visits: [1], calls: [leaf, send] };
  const run = comparedRun(
    makeContext({ profile: runOf(root, 1), calibration: { probe: cost, entry: cost } }),
  );
  const { functions, paths } = compareSides({ name: 'a', runs: [run] }, { name: 'b', runs: [run] });
  const doubts = paths.map(({ function: own, doubts: [first = NaN] }) => [functions[own]?.name, first]);
  // 30 % of 0.04 s inside of 100,000 visits, and of 0.06 s outside of them.
  expect(Object.fromEntries(doubts)).toEqual({
    leaf: expect.closeTo(0.012, 6) as number,
    main: expect.closeTo(0.018, 6) as number,
    MPI_Send: 0,
  });
  expect(functions.filter(({ isWaiting }) => isWaiting).map(({ name }) => name)).toEqual(['MPI_Send']);
});
