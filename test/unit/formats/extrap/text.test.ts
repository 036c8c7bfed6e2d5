import { describe, expect, it } from 'vitest';
import { errorOf, read, valuesBySeries } from './reading';

describe('text', () => {
  it('reads regions and metrics in any order; a metric holds until the next', () => {
    const text = `# measured by hand
PARAMETER p
PARAMETER  n

POINTS (1 10) ( 2 10 )(4 10)
METRIC wall time
REGION main->a  b
DATA 1 2e0 +3.
DATA .5
DATA 1_0 -4
REGION c
DATA 7\nDATA 8\nDATA 9
METRIC visits
DATA 1\nDATA 1\nDATA 1
`;
    for (const content of [text, text.replaceAll('\n', '\r\n'), `\uFEFF${text}`]) {
      const measurements = read(content);
      expect(measurements.parameters).toEqual(['p', 'n']);
      expect(valuesBySeries(measurements)).toEqual({
        'main->a b|wall time': [
          [1, 10, [1, 2, 3]],
          [2, 10, [0.5]],
          [4, 10, [10, -4]],
        ],
        'c|wall time': [
          [1, 10, [7]],
          [2, 10, [8]],
          [4, 10, [9]],
        ],
        'c|visits': [
          [1, 10, [1]],
          [2, 10, [1]],
          [4, 10, [1]],
        ],
      });
    }
  });

  it.each([
    'POINTS 1 2 4',
    'POINTS (1) (2) (4)',
    'POINTS ((1) (2) (4))',
    'POINTS 1\nPOINTS 2 4 2',
    'POINTS ( 1 )(2)4',
  ])('reads points of one parameter as %j', (points) => {
    const { series } = read(`PARAMETER p\n${points}\nREGION f\nDATA 1\nDATA 2\nDATA 3`);
    expect(series[0]?.points.map(({ point }) => point)).toEqual([[1], [2], [4]]);
    expect(series[0]?.metric).toBe('');
  });

  it('computes the statistics of the repetitions', () => {
    const { series } = read('PARAMETER p\nPOINTS 1\nREGION f\nDATA 4 1 1 2');
    expect(series[0]?.points[0]).toEqual({
      point: [1],
      values: [4, 1, 1, 2],
      mean: 2,
      median: 1.5,
      minimum: 1,
      maximum: 4,
      deviation: Math.sqrt(1.5),
      repetitions: 4,
    });
  });

  it('takes more than four parameters', () => {
    const { parameters } = read('PARAMETER a b c d e\nPOINTS (1 2 3 4 5)\nREGION f\nDATA 1');
    expect(parameters).toHaveLength(5);
  });

  const head = 'PARAMETER p\nPOINTS 1 2\n';
  it.each([
    ['', 'in:1:1: a line PARAMETER with a name was expected, but the end of the file was found.'],
    ['PARAMETER p\n', 'in:2:1: a line POINTS was expected, but the end of the file'],
    [head, 'in:3:1: a line REGION and lines DATA was expected, but the end of the file'],
    ['POINTS 1', 'in:1:1: PARAMETER before POINTS was expected, but “POINTS”'],
    ['PARAMETER\n', 'in:1:1: a name after PARAMETER was expected, but none'],
    ['PARAMETER p p', 'different names of parameters was expected, but “p” twice'],
    [`${head}PARAMETER q`, 'in:3:1: PARAMETER before POINTS was expected, but “PARAMETER”'],
    [`${head}DATA 1`, 'in:3:1: REGION before DATA was expected'],
    ['PARAMETER p\nREGION f\nDATA 1', 'in:3:1: POINTS before DATA was expected'],
    [`${head}REGION f\nDATA 1\nPOINTS 3`, 'in:5:1: POINTS before DATA was expected, but “POINTS”'],
    [`${head}REGION f\nDATA 1 x2`, 'in:4:8: a finite number was expected, but “x2”'],
    [`${head}REGION f\nDATA nan`, 'in:4:6: a finite number was expected, but “nan”'],
    [`${head}REGION f\nDATA 1e999`, 'a finite number was expected, but “1e999”'],
    [`${head}REGION f\nDATA 1 -1e151`, 'in:4:1: values up to 1e+150 was expected, but -1e+151'],
    [`${head}REGION f\nDATA 1 # two`, 'in:4:8: a finite number was expected, but “#”'],
    [`${head}REGION f\nDATA`, 'in:4:1: a number after DATA was expected, but none'],
    [`${head}REGION f\nDATA 1\nREGION g`, 'in:5:1: DATA for point 2 of 2, “2” was expected, but “REGION”'],
    [`${head}REGION f\nDATA 1\nMETRIC t`, 'in:5:1: DATA for point 2 of 2, “2” was expected, but “METRIC”'],
    [`${head}REGION f\nDATA 1\n`, 'in:5:1: DATA for point 2 of 2, “2” was expected, but the end of the file'],
    [`${head}REGION f\nDATA 1\nDATA 2\nDATA 3`, 'in:6:1: at most one line DATA for each of the 2 points'],
    [`${head}REGION f\nDATA 1\nDATA 2\nREGION f\nDATA 3`, 'in:7:1: the DATA of a region and metric once'],
    [`${head}EXPERIMENT e`, 'in:3:1: PARAMETER, POINTS, METRIC, REGION, DATA or a comment (#) was expected'],
    ['PARAMETER p q\nPOINTS 1 2', 'in:2:8: “(” before the 2 values of a point was expected, but “1”'],
    [
      'PARAMETER p q\nPOINTS (1 2 3)',
      'in:2:14: a value for each of 2 parameters was expected, but a point of 3',
    ],
    ['PARAMETER p\nPOINTS 1)', 'a value for each of 1 parameters was expected, but a point of 0'],
    ['PARAMETER p\nPOINTS (1 (2)', 'in:2:11: a number or “)” was expected, but “(”'],
    ['PARAMETER p\nPOINTS (1', '“)” at the end was expected, but none'],
  ])('explains %j', (text, message) => {
    expect(errorOf(text)).toContain(message);
  });
});
