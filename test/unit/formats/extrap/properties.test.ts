import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { measuredPoint, type ParameterMeasurements } from '../../../../src/core/modeling/measurements';
import { limits } from '../../../../src/formats/extrap/limits';
import { writeJson, writeText } from '../../../../src/formats/extrap/write/textAndJson';
import { errorOf, read } from './reading';
import { zipArchive } from './zipArchive';

const number = fc.double({ min: -1e150, max: 1e150, noNaN: true }).map((value) => value + 0);
const name = fc.oneof(
  fc.constantFrom('main->f(int; char)', '__proto__', 'a b', '', '# x', 'ü→💡', '\n\t"\\', '1'),
  fc.string({ unit: 'binary' }),
);
const oneWord = fc.stringMatching(/^[^\s()]{1,8}$/);
const words = fc.array(fc.stringMatching(/^\S{1,8}$/), { maxLength: 3 }).map((parts) => parts.join(' '));

/** @param isComplete whether all series have all points */
function measurements(
  names: fc.Arbitrary<string>,
  parameterNames: fc.Arbitrary<string>,
  mostParameters: number,
  isComplete: boolean,
): fc.Arbitrary<ParameterMeasurements> {
  return fc
    .uniqueArray(parameterNames, { minLength: 1, maxLength: mostParameters })
    .chain((parameters) =>
      fc.record({
        parameters: fc.constant(parameters),
        points: fc.uniqueArray(
          fc.array(number, { minLength: parameters.length, maxLength: parameters.length }),
          {
            minLength: 1,
            maxLength: 5,
            selector: (point) => point.join(' '),
          },
        ),
        of: fc.uniqueArray(fc.tuple(names, names), {
          minLength: 1,
          maxLength: 5,
          selector: (pair) => JSON.stringify(pair),
        }),
        values: fc.array(fc.array(number, { minLength: 1, maxLength: 3 }), { minLength: 25, maxLength: 25 }),
        missing: fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }),
      }),
    )
    .map(({ parameters, points, of, values, missing }) => ({
      parameters,
      series: of.map(([callPath, metric], at) => ({
        callPath,
        metric,
        points: points.flatMap((point, p) => {
          const cell = 5 * at + p;
          return !isComplete && missing[cell] === true && p > 0
            ? []
            : [measuredPoint(point, values[cell] ?? [0])];
        }),
      })),
    }));
}

/** Series in the order of their names: formats group them by call path. */
function sorted({ parameters, series }: ParameterMeasurements): ParameterMeasurements {
  const keyed = series.map((one) => [JSON.stringify([one.callPath, one.metric]), one] as const);
  return { parameters, series: keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one) };
}

describe('what is written', () => {
  it('as JSON is read again', () => {
    const parameter = name.filter((text) => text !== '');
    fc.assert(
      fc.property(measurements(name, parameter, 6, false), (written) => {
        expect(sorted(read(writeJson(written)))).toEqual(sorted(written));
      }),
    );
  });

  it('as text is read again', () => {
    fc.assert(
      fc.property(measurements(words, oneWord, 4, true), (written) => {
        expect(sorted(read(writeText(written)))).toEqual(sorted(written));
      }),
    );
  });

  const point = measuredPoint([1], [2]);
  const onlyStatistics = {
    point: [2],
    mean: 3,
    median: 2,
    minimum: 1,
    maximum: 6,
    deviation: 2,
    repetitions: 3,
  };
  const of = (points: readonly object[], changes: object = {}): ParameterMeasurements =>
    ({
      parameters: ['p'],
      series: [{ callPath: 'f', metric: 't', points }],
      ...changes,
    }) as ParameterMeasurements;

  it.each([writeJson, writeText])('has the mean where only statistics are known (%s)', (write) => {
    expect(read(write(of([point, onlyStatistics]))).series[0]?.points).toEqual([
      point,
      measuredPoint([2], [3]),
    ]);
  });

  it('as text is refused when it would be read otherwise', () => {
    const series = (changes: object): object => ({ callPath: 'f', metric: 't', points: [point], ...changes });
    for (const changes of [
      { parameters: ['a', 'b', 'c', 'd', 'e'] },
      { parameters: ['a b'] },
      { parameters: ['('] },
      { series: [series({ callPath: 'a\nDATA 1' })] },
      { series: [series({ metric: ' t' })] },
      { series: [series({}), series({ callPath: 'g', points: [point, onlyStatistics] })] },
    ])
      expect(() => writeText(of([point], changes))).toThrow(
        expect.objectContaining({ reason: 'measurements-unwritable' }),
      );
  });

  it('as JSON is refused with a metric twice', () => {
    const { series } = of([point]);
    expect(() => writeJson(of([], { series: [...series, ...series] }))).toThrow(/“t” of “f” is there twice/);
  });
});

describe('damaged input', () => {
  const onlyKymoErrors = (bytes: Uint8Array | string): void => {
    try {
      read(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(KymoError);
      expect(error).toHaveProperty('reason', 'measurements-invalid');
    }
  };

  it('of any bytes is explained', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), onlyKymoErrors));
  });

  it('of any pieces of the formats is explained', () => {
    const piece = fc.constantFrom(
      ...'{ } [ ] ( ) , ; : " \\ \n 1 -1e3 nan null "params" "parameters" "measurements" "callpaths" "metrics" "value" "point" "values"'.split(
        ' ',
      ),
      ...[
        'PARAMETER p\n',
        'POINTS ',
        'DATA ',
        'REGION f\n',
        'METRIC t\n',
        '"id":1',
        '{"params":{"p":1},"value":',
        '{"parameters":["p"],"measurements":{',
      ],
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
        onlyKymoErrors,
      ),
      { numRuns: 1000 },
    );
  });

  it('of archives with wrong bytes is explained', () => {
    const archive = zipArchive([
      [
        'experiment.json',
        '{"parameters":["p"],"measurements":{"f":{"t":[{"coordinate":[1],"mean":1,"median":1,"minimum":1,"maximum":1,"std":0,"repetitions":1,"values":[0,0]}]}}}',
      ],
      ['values/0.vals', 'Extra-P VALUES\0\0', false],
      ['values/0.indx', 'Extra-P INDEX\0\0\0\x01\0\0\0\0\0\0\0\x10\0\0\0\0\0\0\0', false],
    ]);
    const changes = fc.array(fc.tuple(fc.nat(archive.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(changes, fc.nat(archive.length), (wrong, length) => {
        const copy = Uint8Array.from(archive);
        for (const [at, value] of wrong) copy[at] = value;
        onlyKymoErrors(copy);
        onlyKymoErrors(copy.subarray(0, length));
      }),
      { numRuns: 500 },
    );
  });

  it('with very many parameters or points is read or explained', () => {
    const numbers = Array.from({ length: 50_000 }, (_, at) => at).join(' ');
    const names = numbers.replace(/\d+/g, 'p$&');
    expect(read(`PARAMETER ${names}\nPOINTS (${numbers})\nREGION f\nDATA 1`).parameters).toHaveLength(50_000);
    expect(errorOf(`PARAMETER p\nPOINTS ${numbers}\nREGION f\nDATA 1`)).toContain(
      'DATA for point 2 of 50000',
    );
    expect(errorOf(`PARAMETER ${names}\nPOINTS (1)`)).toContain('a value for each of 50000 parameters');
    expect(errorOf(`PARAMETER p\nPOINTS ${'1 '.repeat(limits.words + 1)}`)).toContain(
      'in:2:2000008: at most 1000000 words in a line',
    );
    expect(errorOf(`${'\n'.repeat(1_000_000)}x`)).toContain('in:1000001:1: ');
  });
});
