import { describe, expect, it } from 'vitest';
import { GrowthModeler } from '../../../../src/core/modeling/choice';
import { parseExpectation } from '../../../../src/core/modeling/expectations';
import {
  callPathModel,
  combineModels,
  type CallPathModel,
  type CallPathSeries,
} from '../../../../src/core/modeling/functionModels';
import { measuredPoint } from '../../../../src/core/modeling/measurements';

const values = [16, 32, 64, 128, 256];
const seriesOf = (
  key: string,
  seconds: (n: number) => number,
  visits: (n: number) => number,
): CallPathSeries => ({
  key,
  seconds: values.map((n) => measuredPoint([n], [seconds(n), seconds(n) * 1.0001])),
  visits: values.map((n) => measuredPoint([n], [visits(n)])),
});
const model = (series: CallPathSeries, limit?: string): CallPathModel =>
  callPathModel(
    new GrowthModeler(),
    series,
    [512],
    ['n'],
    limit === undefined ? undefined : parseExpectation(limit, ['n']),
  );
const square = seriesOf(
  'square',
  (n) => 1e-6 * n ** 2,
  (n) => n ** 2,
);

describe('the model of a call path', () => {
  it('predicts seconds and visits at the point', () => {
    const { formula, isConstant, doubt, seconds, visits } = model(square);
    expect({ formula, isConstant, doubt }).toEqual({
      formula: '1 µs · n²',
      isConstant: false,
      doubt: undefined,
    });
    expect(seconds.predicted).toBeCloseTo(0.2621, 3);
    expect(seconds.measured).toBeCloseTo(0.0655, 3);
    expect(visits.predicted).toBeCloseTo(512 ** 2, 3);
  });

  it('says how probably it grows faster than a limit', () => {
    expect(model(square, 'O(n)').faster).toBeGreaterThan(0.99);
    expect(model(square, 'O(n^2)').faster).toBeLessThan(0.01);
    expect(model(square)).not.toHaveProperty('faster');
  });

  it('predicts nothing where it cannot be relied on', () => {
    const jumps = [1, 9, 0.2, 7, 0.5];
    const noisy = seriesOf(
      'noisy',
      (n) => jumps[values.indexOf(n)] ?? 0,
      () => 3,
    );
    const { doubt, seconds, visits, faster } = model(noisy, 'O(1)');
    expect(doubt).toBeDefined();
    expect({ predicted: seconds.predicted, faster }).toEqual({ predicted: undefined, faster: undefined });
    expect(seconds.measured).toBeCloseTo(9, 2);
    expect(visits.predicted).toBe(3);
    const few = { ...square, seconds: square.seconds.slice(0, 3) };
    expect(model(few)).toMatchObject({ doubt: 'not-enough-data', isConstant: true });
  });
});

describe('the models of call paths by function', () => {
  const path = (
    key: string,
    predicted: number | undefined,
    measured: number,
    more: Partial<CallPathModel> = {},
  ): CallPathModel => ({
    key,
    formula: `${measured} s`,
    isConstant: false,
    seconds: { predicted, measured },
    visits: { predicted: 10, measured: 5 },
    ...more,
  });

  it('are added, or combined as asked for', () => {
    const paths = [path('f', 4, 2), path('f', 8, 2, { faster: 0.7 }), path('g', 1, 1, { isConstant: true })];
    const { functions, totalSeconds } = combineModels(paths, 'sum');
    expect(functions.get('f')).toEqual({
      seconds: 12,
      visits: 20,
      formula: '2 s',
      otherPaths: 1,
      isConstant: false,
      faster: 0.7,
    });
    expect(functions.get('g')).toMatchObject({ isConstant: true, otherPaths: 0 });
    expect(totalSeconds).toBe(13);
    const mixed = [path('h', 1, 1, { isConstant: true }), path('h', 2, 1)];
    expect(combineModels(mixed, 'sum').functions.get('h')?.isConstant).toBe(false);
    const secondsBy = (how: 'maximum' | 'average' | 'first'): number | undefined =>
      combineModels(paths, how).functions.get('f')?.seconds;
    expect([secondsBy('maximum'), secondsBy('average'), secondsBy('first')]).toEqual([8, 6, 4]);
    expect(combineModels(paths, 'first').functions.get('f')?.visits).toBe(20);
  });

  describe('where a model cannot be relied on', () => {
    const few = { predicted: 1, measured: 1 };
    const doubtful = path('noisy', undefined, 3, { doubt: 'noise-too-large', isConstant: true, visits: few });
    const reliable = [path('f', 9, 2), path('g', 1, 3)];
    const noisySeconds = (
      paths: readonly CallPathModel[],
      program?: CallPathModel['seconds'],
    ): number | undefined => combineModels(paths, 'sum', program).functions.get('noisy')?.seconds;

    it('let it grow as the program does', () => {
      const { functions, growth } = combineModels([...reliable, doubtful], 'sum', {
        predicted: 80,
        measured: 8,
      });
      expect(growth).toBe(10);
      expect(functions.get('noisy')).toMatchObject({
        seconds: 30,
        doubt: 'noise-too-large',
        isConstant: false,
      });
    });

    it('let it grow as the others do together where nothing is known of the program', () => {
      expect(noisySeconds([...reliable, doubtful])).toBe(6);
      expect(noisySeconds([...reliable, doubtful], { predicted: undefined, measured: 8 })).toBe(6);
      expect(noisySeconds([doubtful])).toBe(3);
    });

    it('let it grow as its visits where these grow more, so that the function with the most time and noise keeps its share', () => {
      const square = { ...doubtful, visits: { predicted: 256, measured: 1 } };
      const constants = [path('f', 2, 2), path('g', 3, 3)];
      expect(noisySeconds([...constants, square], { predicted: 8, measured: 8 })).toBe(3 * 256);
      expect(noisySeconds([...constants, { ...square, visits: { predicted: undefined, measured: 1 } }])).toBe(
        3,
      );
    });
  });
});
