import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { experimentPoints } from '../../../../src/formats/extrap/experimentPoints';
import { joinMeasurements } from '../../../../src/formats/extrap/join';
import { read, valuesBySeries } from './reading';

describe('measurements of several files', () => {
  const one = { file: 'one', measurements: read('{"params": {"p": 1, "n": 2}, "value": 1}') };
  const two = {
    file: 'two',
    measurements: read('{"params": {"n": 2, "p": 1}, "value": 3}\n{"params": {"n": 4, "p": 1}, "value": 5}'),
  };

  it('join by the names of parameters', () => {
    const joined = joinMeasurements([one, two]);
    expect(joined.parameters).toEqual(['p', 'n']);
    expect(valuesBySeries(joined)).toEqual({
      '<root>|<default>': [
        [1, 2, [1, 3]],
        [1, 4, [5]],
      ],
    });
    expect(joinMeasurements([one])).toBe(one.measurements);
  });

  it('keep statistics, once for each point', () => {
    const { series } = one.measurements;
    const statistics = {
      file: 'statistics',
      measurements: {
        parameters: ['p', 'n'],
        series: [
          {
            callPath: 'f',
            metric: 't',
            points: [
              { point: [1, 2], mean: 1, median: 1, minimum: 1, maximum: 1, deviation: 0, repetitions: 2 },
            ],
          },
        ],
      },
    };
    expect(joinMeasurements([one, statistics]).series).toEqual([
      ...series,
      ...statistics.measurements.series,
    ]);
    expect(() => joinMeasurements([statistics, statistics])).toThrow(
      'statistics: each point once was expected, but “1 2” again',
    );
    const { callPath, metric } = series[0] ?? { callPath: '', metric: '' };
    const same = {
      ...statistics,
      measurements: {
        ...statistics.measurements,
        series: [{ callPath, metric, points: statistics.measurements.series[0]?.points ?? [] }],
      },
    };
    expect(() => joinMeasurements([same, one])).toThrow('one: a point without statistics was expected');
  });

  it.each([
    '{"params": {"p": 1}, "value": 1}',
    '{"params": {"p": 1, "m": 1}, "value": 1}',
    '{"params": {"p": 1, "n": 1, "m": 1}, "value": 1}',
  ])('need the same parameters: %s', (other) => {
    expect(() => joinMeasurements([one, { file: 'other', measurements: read(other) }])).toThrow(
      /^other: measurements with the parameters “p, n”, as in one, was expected, but “p/,
    );
  });
});

describe('points of experiments', () => {
  const of = (
    ...values: readonly (readonly [string, number | string])[][]
  ): Parameters<typeof experimentPoints<number>>[0] => {
    const [first, ...others] = values.map((parameters, at) => ({
      experiment: at,
      file: `e${at}`,
      parameters: new Map(parameters),
    }));
    if (first === undefined) throw new Error('no experiment');
    return [first, ...others];
  };

  it('are sorted, have their repetitions, and leave out what is the same everywhere', () => {
    expect(
      experimentPoints(
        of(
          [
            ['x', 10],
            ['c', 1],
            ['y', 2],
            ['s', 'cg'],
          ],
          [
            ['y', 10],
            ['x', 2],
            ['c', 1],
            ['s', 'cg'],
          ],
          [
            ['x', 10],
            ['y', 1],
            ['c', 1],
            ['s', 'cg'],
          ],
          [
            ['x', 10],
            ['y', 2],
            ['c', 1],
            ['s', 'cg'],
          ],
        ),
      ),
    ).toEqual({
      parameters: ['x', 'y'],
      constants: new Map<string, number | string>([
        ['c', 1],
        ['s', 'cg'],
      ]),
      points: [
        { point: [2, 10], experiments: [1] },
        { point: [10, 1], experiments: [2] },
        { point: [10, 2], experiments: [0, 3] },
      ],
    });
  });

  it.each([
    [of([['x', 1]], [['y', 1]]), 'e1: the parameters “x”, as in e0, were expected, but “y” were found'],
    [
      of(
        [['x', 1]],
        [
          ['x', 1],
          ['y', 1],
        ],
      ),
      'e1: the parameters “x”, as in e0',
    ],
    [of([['x', 1]], [['x', 1]]), 'e0: no parameter has several values (x is 1)'],
    [
      of([['s', 'cg']], [['s', 'gs']]),
      'e0: a number was expected as s, which has several values, but “cg” was found',
    ],
  ])('need the same names, and several values', (experiments, message) => {
    expect(() => experimentPoints(experiments)).toThrow(message);
    expect(() => experimentPoints(experiments)).toThrow(KymoError);
  });
});
