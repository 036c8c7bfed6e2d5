import { describe, expect, test } from 'vitest';
import { functionChanges } from '../../../../src/core/compare/functionChanges';
import { randomNumbers } from '../../../../src/core/randomNumbers';

interface Noise {
  readonly runs: readonly [number, number];
  /** Standard deviation of a function's time, as a share of it; of each side. */
  readonly noise?: readonly [number, number];
  /** Of the whole run. */
  readonly run?: number;
  readonly functions?: number;
  /** Functions are of noise that differs by factors. */
  readonly isMixed?: boolean;
  /** Student's t with three degrees of freedom instead of a normal distribution. */
  readonly isHeavy?: boolean;
  /** One run of the first side takes longer as a whole, by this logarithm. */
  readonly outlier?: number;
  /** Each run takes longer than the one before, and all of the second side longer, by these logarithms. */
  readonly drift?: number;
  readonly common?: number;
}

const seeds = Array.from({ length: 100 }, (_, seed) => seed);

/** Times of functions by run; the first has a share of 20 % and takes longer on the second side by the factor `slower`. */
function timesOf(seed: number, given: Noise, slower = 1): readonly Float64Array[] {
  const {
    runs,
    functions = 30,
    noise = [0.02, 0.02],
    run = 0.01,
    outlier = 0,
    drift = 0,
    common = 0,
  } = given;
  const random = randomNumbers(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const heavy = (): number => normal() / Math.hypot(normal(), normal(), normal());
  const [first, second] = runs;
  const wholes = Array.from(
    { length: first + second },
    (_, own) =>
      run * normal() +
      drift * own +
      (own < first ? 0 : common) +
      (own === Math.min(2, first - 1) ? outlier : 0),
  );
  const scales = Array.from({ length: functions }, () => (given.isMixed === true ? Math.exp(normal()) : 1));
  return scales.map((scale, position) =>
    Float64Array.from(wholes, (whole, own) => {
      const factor = position === 0 && own >= first ? slower : 1;
      const own1 =
        (own < first ? noise[0] : noise[1]) * scale * (given.isHeavy === true ? heavy() : normal());
      return (position === 0 ? 0.2 : 0.8 / functions) * factor * Math.exp(whole + own1);
    }),
  );
}

/** Positions of the functions that are named. */
function namedIn(rows: readonly Float64Array[], first: number): readonly number[] {
  const visits = new Float64Array(rows[0]?.length ?? 0).fill(1);
  const sums = rows.map((values) => ({
    visits,
    seconds: values,
    values,
    doubts: new Float64Array(values.length),
  }));
  return functionChanges(sums, first, 0.05, 0, { expected: { variance: 0, freedom: 0 } })
    .changes.filter(({ isSure }) => isSure)
    .map(({ function: own }) => own);
}

const falselyNamed = (given: Noise): number =>
  seeds.filter((seed) => namedIn(timesOf(2 * seed + 1, given), given.runs[0]).length > 0).length;

function found(given: Noise): { readonly planted: number; readonly others: number } {
  const named = seeds.map((seed) => namedIn(timesOf(2 * seed + 20001, given, 1.1), given.runs[0]));
  return {
    planted: named.filter((own) => own.includes(0)).length,
    others: named.filter((own) => own.some((position) => position > 0)).length,
  };
}

describe('where nothing changed, at most 5 of 100 comparisons name something', () => {
  test.each<[string, Noise]>([
    ['two repetitions', { runs: [2, 2] }],
    ['three repetitions', { runs: [3, 3] }],
    ['ten repetitions', { runs: [10, 10] }],
    ['heavy tails', { runs: [5, 5], noise: [0.03, 0.03], isHeavy: true }],
    ['noise of 10 %', { runs: [5, 5], noise: [0.1, 0.1] }],
    ['an outlier', { runs: [5, 5], outlier: 0.5 }],
    ['a drift', { runs: [5, 5], drift: 0.02 }],
    ['a machine that is slower for the second side', { runs: [5, 5], common: 0.1 }],
    ['functions of different noise', { runs: [5, 5], isMixed: true }],
    ['functions of different noise, two repetitions', { runs: [2, 2], isMixed: true }],
    ['2 and 10 runs', { runs: [2, 10] }],
    ['1 and 5 runs', { runs: [1, 5] }],
    ['few runs of the noisier side', { runs: [2, 10], noise: [0.08, 0.01] }],
    ['few runs of the noisier second side', { runs: [10, 2], noise: [0.01, 0.08] }],
    ['the same of few functions', { runs: [2, 10], noise: [0.06, 0.02], functions: 4 }],
    [
      'functions of different noise on sides of different noise',
      { runs: [3, 10], noise: [0.04, 0.01], isMixed: true },
    ],
    ['few functions', { runs: [3, 3], functions: 4 }],
    ['a side that is unstable', { runs: [5, 5], noise: [0.02, 0.15] }],
  ])('%s', (_, given) => {
    expect(falselyNamed(given)).toBeLessThanOrEqual(5);
  });
});

describe('a function of 20 % that takes 10 % longer is named in at least 95 of 100, and others in at most 5', () => {
  test.each<[string, Noise]>([
    ['five repetitions', { runs: [5, 5] }],
    ['ten repetitions', { runs: [10, 10] }],
    ['five and ten', { runs: [5, 10] }],
    ['an outlier', { runs: [5, 5], outlier: 0.5 }],
    ['a drift', { runs: [5, 5], drift: 0.02 }],
    ['runs that differ by 10 % as a whole', { runs: [5, 5], run: 0.1 }],
    ['a machine that is slower for the second side', { runs: [5, 5], common: 0.1 }],
    ['a machine that is faster for the second side', { runs: [5, 5], common: -0.1 }],
    ['few functions', { runs: [5, 5], functions: 4 }],
  ])('%s', (_, given) => {
    const { planted, others } = found(given);
    expect(planted).toBeGreaterThanOrEqual(95);
    expect(others).toBeLessThanOrEqual(5);
  });
  test('of three repetitions in most', () => {
    expect(found({ runs: [3, 3] }).planted).toBeGreaterThanOrEqual(80);
  });
});

test('what all functions have in common is their shift', () => {
  const rows = timesOf(5, { runs: [5, 5], common: 0.1 });
  const visits = new Float64Array(10).fill(1);
  const { shift } = functionChanges(
    rows.map((values) => ({ visits, seconds: values, values, doubts: new Float64Array(values.length) })),
    5,
    0.05,
    0,
  );
  expect(shift).toBeCloseTo(Math.exp(0.1), 1);
});

test('one run of each side is compared without a probability, and by the sensitivity only', () => {
  const visits = Float64Array.of(1, 1);
  const rows = [Float64Array.of(1, 1.04), Float64Array.of(1, 1.2)];
  const { changes } = functionChanges(
    rows.map((values) => ({ visits, seconds: values, values, doubts: new Float64Array(values.length) })),
    1,
    0.05,
    0,
  );
  expect(changes.map(({ isSure, byChance }) => [isSure, byChance])).toEqual([
    [false, undefined],
    [true, undefined],
  ]);
});
