import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowthModeler } from '../../../../src/core/modeling/choice';
import { nextPoint, type NextPointInput, type StudiedPoint } from '../../../../src/core/study/nextPoint';
import { coordinatesKey } from '../../../../src/core/study/points';
import { grid, line, measuredWith } from '../modeling/made';

type Truth = (point: readonly number[]) => number;

/** A study that measured all points, and the models of its functions. */
function studyOf(
  parameters: readonly string[],
  points: readonly (readonly number[])[],
  functions: Readonly<Record<string, Truth>>,
  noise: number,
  { target = points.at(-1)?.map((value) => 10 * value) ?? [], seed = 1 } = {},
): NextPointInput {
  const modeler = new GrowthModeler();
  const modelled = Object.entries(functions).map(([callPath, truth], i) => {
    const model = modeler.model(measuredWith(noise, truth, points, seed + i));
    return { ...model, callPath, miss: model.smape / 100, value: model.predict(target).value };
  });
  const total = modelled.reduce((sum, { value }) => sum + value, 0);
  return {
    parameters,
    points: points.map((point) => studied(parameters, point, 5)),
    steady: new Set(),
    models: modelled.map(({ value, ...model }) => ({ ...model, share: value / total })),
    target,
  };
}

function studied(parameters: readonly string[], point: readonly number[], runs: number): StudiedPoint {
  const seconds = Array.from(
    { length: runs },
    () => 0.1 + 1e-3 * point.reduce((product, x) => product * x, 1),
  );
  return {
    coordinates: Object.fromEntries(parameters.map((name, i) => [name, String(point[i])])),
    seconds,
    failed: false,
    isUnfinished: false,
  };
}

const sizes = line(16, 32, 64, 128, 256);
const noisy = (seed = 1) => studyOf(['n'], sizes, { work: ([n = 0]) => n ** 2 + 5 * n }, 0.1, { seed });

test('of an uncertain growth a point is measured that says more about the prediction, with as many runs as the others', () => {
  const next = nextPoint(noisy());
  expect(next?.repetitions).toBe(5);
  expect(['512', '1024']).toContain(next?.coordinates.n);
  expect(next?.expectedSeconds).toBeGreaterThan(0);
  expect(next?.why).toMatch(
    /^This point should reduce .* for n = 2560 from [\d.]+ % to [\d.]+ % \(one standard deviation; .*\), above all that of work\.$/,
  );
});

test('what is certain needs no further point', () => {
  expect(nextPoint(studyOf(['n'], sizes, { work: ([n = 0]) => 3 * n ** 2 }, 0))).toBeUndefined();
  expect(nextPoint(studyOf(['n'], sizes, { work: () => 3 }, 0))).toBeUndefined();
  expect(nextPoint({ ...noisy(), models: [] })).toBeUndefined();
});

test('the function that makes the prediction uncertain decides, and one without a share does not', () => {
  const { models, ...study } = noisy();
  const [work] = models;
  if (work === undefined) throw new Error('There is a model.');
  const sure = { ...work, callPath: 'main->sure', share: 0.5, covariance: () => 0 };
  const next = nextPoint({ ...study, models: [sure, { ...work, callPath: 'main->unsure', share: 0.5 }] });
  expect(next?.why).toContain('unsure');
  expect(nextPoint({ ...study, models: [{ ...work, share: 0 }] })).toBeUndefined();
});

test('a study with points to measure has its own next point', () => {
  const study = noisy();
  const [first, ...others] = study.points;
  if (first === undefined) throw new Error('There is a point.');
  expect(nextPoint({ ...study, points: [{ ...first, isUnfinished: true }, ...others] })).toBeUndefined();
});

test('a formula needs five values: the next one of the parameter that lacks them, where runs are shortest', () => {
  const points = grid([1, 2, 4], [10, 20, 40, 80, 160]);
  const study = studyOf(['p', 'n'], points, { work: ([p = 0, n = 0]) => p * n }, 0.05);
  expect(nextPoint(study)).toMatchObject({
    coordinates: { p: '8', n: '10' },
    repetitions: 5,
    why: 'A formula needs 5 values of p, and 3 are measured.',
  });
});

test('combinations that are missing show whether parameters multiply', () => {
  const along = [
    ...line(1, 2, 4, 8, 16).map(([p = 0]) => [p, 10]),
    ...line(20, 40, 80, 160).map(([n = 0]) => [1, n]),
  ];
  const study = studyOf(['p', 'n'], along, { work: ([p = 0, n = 0]) => p * n + 100 }, 0.02, {
    target: [16, 160],
  });
  const next = nextPoint(study);
  expect(Number(next?.coordinates.p)).toBeGreaterThan(1);
  expect(Number(next?.coordinates.n)).toBeGreaterThan(10);
});

test('a point that failed is not proposed, and no value beyond the one to predict', () => {
  const study = noisy();
  const failed = { ...studied(['n'], [512], 0), failed: true };
  expect(nextPoint({ ...study, points: [...study.points, failed] })?.coordinates.n).not.toBe('512');
  expect(Number(nextPoint({ ...study, target: [300] })?.coordinates.n ?? 0)).toBeLessThanOrEqual(300);
});

test('of points that say about as much, the one that says most in its time is chosen', () => {
  const study = noisy();
  const taking = (seconds: (n: number) => number) =>
    nextPoint({
      ...study,
      points: study.points.map((point) => ({
        ...point,
        seconds: point.seconds.map(() => seconds(Number(point.coordinates.n))),
      })),
    });
  const steep = taking((n) => 1e-6 * n ** 4);
  const flat = taking(() => 1);
  expect(Number(steep?.coordinates.n)).toBeLessThan(Number(flat?.coordinates.n));
});

/** A study of one function whose value at these sizes, and no other, says everything about the prediction, which is known to 20 %. */
function knownBy(sizesThatTell: readonly number[], noise = 0.2, miss = 0): NextPointInput {
  const tells = ([n = 0]: readonly number[]) => n === 2560 || sizesThatTell.includes(n);
  const covariance = (one: readonly number[], other: readonly number[]) =>
    tells(one) && tells(other) ? 0.04 : 0;
  return {
    parameters: ['n'],
    points: sizes.map((point) => studied(['n'], point, 5)),
    steady: new Set(),
    models: [{ callPath: 'main->work', share: 1, noise, miss, covariance }],
    target: [2560],
  };
}

test.each([
  ['the next larger value', 512],
  ['the one after it', 1024],
  ['a value between', 23],
])('%s is proposed where it says most', (_, size) => {
  expect(nextPoint(knownBy([size]))).toMatchObject({ coordinates: { n: String(size) }, repetitions: 5 });
});

test('one more run of a measured point is proposed where that says most, and takes the time of one run', () => {
  const next = nextPoint(knownBy([64], 0.1));
  expect(next).toMatchObject({ coordinates: { n: '64' }, repetitions: 1 });
  expect(next?.expectedSeconds).toBeCloseTo(0.164, 9);
  // 0.04 − 0.04² / (0.04 + 0.01)
  expect(next?.why).toBe(
    'One more run of this point should reduce the uncertainty of the time of all functions together predicted for n = 2560 from 20.0 % to 8.9 % (one standard deviation; the 95 % range of a function is about four of its own), above all that of work.',
  );
});

test('a point that failed is not proposed, even if it would say everything', () => {
  const study = knownBy([512]);
  const failed = { ...studied(['n'], [512], 0), failed: true };
  expect(nextPoint({ ...study, points: [...study.points, failed] })).toBeUndefined();
});

test('a cheap point that says little is no match for one that says much', () => {
  const parts = new Map([
    [2560, 0.2],
    [1024, 0.2],
    [23, 0.03],
  ]);
  const part = ([n = 0]: readonly number[]) => parts.get(n) ?? 0;
  const study = knownBy([]);
  const models = study.models.map((model) => ({
    ...model,
    covariance: (one: readonly number[], other: readonly number[]) => part(one) * part(other),
  }));
  expect(nextPoint({ ...study, models })?.coordinates.n).toBe('1024');
});

test('noise is less with more runs, and what a formula misses is not', () => {
  // 0.04 − 0.04² / (0.04 + 0.2² / 5), and the same with 0.3² − 0.2² more.
  expect(nextPoint(knownBy([512]))?.why).toContain('from 20.0 % to 8.2 %');
  expect(nextPoint(knownBy([512], 0.2, 0.3))?.why).toContain('from 20.0 % to 15.4 %');
  // Without noise, 1 % of it.
  expect(nextPoint(knownBy([512], 0, 0))?.why).toMatch(/from 20\.0 % to 0\.4 %/);
});

test('a study of nothing, or with too many combinations, is no error', () => {
  expect(nextPoint({ ...knownBy([512]), parameters: [] })).toBeUndefined();
  expect(nextPoint({ ...knownBy([512]), points: [] })).toBeUndefined();
  const many = Array.from({ length: 15 }, (_, i) => i + 1);
  const points = many.map((i) => studied(['p', 'n'], [i, i], 1));
  const covariance = () => 0.04;
  const models = [{ callPath: 'work', share: 1, miss: 0, covariance }];
  const input = { parameters: ['p', 'n'], points, steady: new Set<string>(), models, target: [150, 150] };
  const next = nextPoint(input);
  expect(next?.repetitions).toBeGreaterThan(0);
  const key = coordinatesKey(next?.coordinates ?? {});
  const [p, n] = [Number(next?.coordinates.p), Number(next?.coordinates.n)];
  const isMissing = p !== n && p <= 15 && n <= 15 && p > 1 && n > 1 && p < 15 && n < 15;
  expect([key, isMissing]).toEqual([key, false]);
});

test(
  'a new point as often as the others, or a known one once more; always the same one, and no promise to know less',
  { timeout: 60_000 },
  () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.constantFrom(0, 0.02, 0.1, 0.3), (seed, noise) => {
        const study = studyOf(['n'], sizes, { a: ([n = 0]) => n ** 1.5, b: ([n = 0]) => 40 * n }, noise, {
          seed,
        });
        const next = nextPoint(study);
        expect(nextPoint({ ...study, models: [...study.models] })).toEqual(next);
        if (next === undefined) return;
        const known = study.points.find(
          ({ coordinates }) => coordinatesKey(coordinates) === coordinatesKey(next.coordinates),
        );
        expect(next.repetitions).toBe(known === undefined ? 5 : 1);
        expect(next.expectedSeconds).toBeGreaterThan(0);
        const [, before = '', after = ''] = /from (?:<)?([\d.]+) % to (?:<)?([\d.]+) %/.exec(next.why) ?? [];
        expect(Number(after)).toBeLessThan(Number(before));
      }),
      { numRuns: 25 },
    );
  },
);
