import { describe, expect, it } from 'vitest';
import { errorOf, read, valuesBySeries } from './reading';

const newForm = (measurements: string, parameters = '["p"]'): string =>
  `{"parameters": ${parameters}, "measurements": ${measurements}}`;
const onePoint = (point: string): string => newForm(`{"f": {"t": [${point}]}}`);

describe('JSON', () => {
  it('reads points as lists or numbers, and joins repetitions of a point', () => {
    const measurements = read(
      newForm(
        '{"main->f": {"time": [{"point": 1, "values": [1, 2]}, {"values": 3, "point": [2], "more": null}, {"point": [1.0], "values": [4]}], "visits": []}, "__proto__": {"constructor": [{"point": 2, "values": [-1e-3]}]}}',
      ),
    );
    expect(valuesBySeries(measurements)).toEqual(
      Object.fromEntries([
        [
          'main->f|time',
          [
            [1, [1, 2, 4]],
            [2, [3]],
          ],
        ],
        ['__proto__|constructor', [[2, [-0.001]]]],
      ]),
    );
  });

  it('keeps series that lack points', () => {
    const { series } = read(
      newForm(
        '{"f": {"t": [{"point": 1, "values": [1]}, {"point": 2, "values": [1]}]}, "g": {"t": [{"point": 2, "values": [1]}]}}',
      ),
    );
    expect(series.map(({ points }) => points.length)).toEqual([2, 1]);
  });

  it('takes statistics over all values where a repetition has several', () => {
    const { series } = read(onePoint('{"point": 1, "values": [[1, 2], [3, [6, 8]]]}'));
    expect(series[0]?.points[0]).toMatchObject({
      mean: 4,
      median: 3,
      minimum: 1,
      maximum: 8,
      repetitions: 2,
    });
    expect(series[0]?.points[0]).not.toHaveProperty('values');
  });

  it('understands escapes in names', () => {
    const { series } = read(newForm('{"a\\u002d\\"\\\\\\n": {"t": [{"point": 1, "values": 1}]}}'));
    expect(series[0]?.callPath).toBe('a-"\\\n');
  });

  it.each([
    ['{', 'in:1:2: a name in double quotes was expected, but the end of the file'],
    ['[1]', 'in:1:1: an object in “{” and “}” was expected, but “[”'],
    ['{}', 'in:1:1: an object with “parameters” was expected, but one without'],
    ['{"parameters": ["p"]}', 'an object with “measurements” was expected, but one without'],
    [newForm('{}'), 'measurements was expected, but none'],
    [newForm('{}', '[]'), 'in:1:16: at least one parameter was expected, but none'],
    [newForm('{}', '["p", "p"]'), 'different names of parameters was expected, but “p” twice'],
    [newForm('{}', '[""]'), 'a name for each parameter was expected, but an empty one'],
    [newForm('{}', '[1]'), 'in:1:17: a name of a parameter in double quotes was expected, but “1”'],
    [newForm('[]'), 'in:1:39: an object of call paths was expected, but “[”'],
    [newForm('{"f": 1}'), 'an object of metrics was expected, but “1”'],
    [newForm('{"f": {"t": {}}}'), 'a list of points was expected, but “{”'],
    [newForm('{"f": {}, "f": {}}'), 'in:1:49: each name once was expected, but “f” again'],
    [onePoint('{"point": 1}'), 'in:1:52: an object with “values” was expected, but one without'],
    [onePoint('{"point": "1", "values": 1}'), 'in:1:62: a point was expected, but “"1"”'],
    [
      onePoint('{"point": [1, 2], "values": 1}'),
      'a value for each of the 1 parameters was expected, but a point of 2',
    ],
    [onePoint('{"point": 1, "values": []}'), 'at least one value was expected, but none'],
    [onePoint('{"point": 1, "values": [[]]}'), 'at least one value was expected, but none'],
    [onePoint('{"point": 1, "values": [NaN]}'), 'in:1:76: a number was expected, but “NaN”'],
    [onePoint('{"point": 1, "values": ["2"]}'), 'a number was expected, but “"2"”'],
    [
      onePoint('{"point": 1, "values": [1e999]}'),
      'a number within the range of doubles was expected, but “1e999”',
    ],
    [onePoint('{"point": 1, "values": [01]}'), 'was expected, but “01” was found'],
    [onePoint('{"point": 1; "values": 1}'), '“,” was expected, but “;” was found'],
    [onePoint('{"point": 1 "values": 1}'), '“,” or “}” was expected, but “"values"”'],
    [onePoint('{"point" 1}'), '“:” was expected, but “1”'],
    ['{"a\nb": 1}', 'in:1:4: the end of the text in double quotes was expected, but the end of the line'],
    ['{"a\\qb": 1}', 'in:1:2: a text with JSON’s escapes was expected, but another escape'],
    ['{"a', 'the end of the text in double quotes was expected, but the end of the file'],
    [`${newForm('{}')}\n x`, 'in:2:2: the end of the file was expected, but “x”'],
    [
      `{"a": ${'['.repeat(100_000)}`,
      'at most 100 lists and objects within each other was expected, but more',
    ],
    [
      `{"a": ${'{"a":'.repeat(100_000)}`,
      'at most 100 lists and objects within each other was expected, but more',
    ],
    ['{"a": tru}', 'in:1:7: a value was expected, but “tru”'],
  ])('explains %.80j', (text, message) => {
    expect(errorOf(text)).toContain(message);
  });
});

const oldForm = (changes: object = {}): string =>
  JSON.stringify({
    parameters: [
      { id: 7, name: 'q' },
      { id: 3, name: 'p' },
    ],
    callpaths: [{ id: 1, name: 'main' }],
    metrics: [{ id: 2, name: 'time' }],
    coordinates: [
      { id: 5, parameter_value_pairs: [pair(7, 10), pair(3, 1)] },
      { id: 4, parameter_value_pairs: [pair(3, 2), pair(7, 10)] },
    ],
    measurements: [measured(5, 1.5), measured(4, 2), measured(5, 2.5)],
    ...changes,
  });

function pair(id: number, value: number): object {
  return { parameter_id: id, parameter_value: value };
}

function measured(coordinate: number, value: number): object {
  return { id: 1, callpath_id: 1, metric_id: 2, coordinate_id: coordinate, value };
}

describe('the older JSON', () => {
  it('reads any ids, with parameters in their order', () => {
    const measurements = read(oldForm());
    expect(measurements.parameters).toEqual(['p', 'q']);
    expect(valuesBySeries(measurements)).toEqual({
      'main|time': [
        [1, 10, [1.5, 2.5]],
        [2, 10, [2]],
      ],
    });
  });

  it.each([
    [{ measurements: [measured(6, 1)] }, 'an id that the file describes was expected, but “6”'],
    [{ metrics: [] }, 'an id that the file describes was expected, but “2”'],
    [{ parameters: [] }, 'at least one parameter was expected, but none'],
    [
      {
        callpaths: [
          { id: 1, name: 'a' },
          { id: 1, name: 'b' },
        ],
      },
      'each id once was expected, but 1 again',
    ],
    [
      { coordinates: [{ id: 5, parameter_value_pairs: [pair(3, 1)] }] },
      'a value for each parameter was expected, but none for parameter 7',
    ],
    [
      { coordinates: [{ id: 5, parameter_value_pairs: [pair(3, 1), pair(3, 2)] }] },
      'each parameter once was expected, but the parameter 3 again',
    ],
    [{ measurements: [] }, 'measurements was expected, but none'],
    [{ measurements: [{ ...measured(5, 1), value: '1' }] }, 'a number was expected, but “"1"”'],
  ])('explains %j', (changes, message) => {
    expect(errorOf(oldForm(changes))).toContain(message);
  });
});

describe('JSON Lines', () => {
  it('reads one line, too', () => {
    expect(valuesBySeries(read('{"params": {"p": 1}, "value": 1.5}'))).toEqual({
      '<root>|<default>': [[1, [1.5]]],
    });
  });

  it('joins repetitions across lines; parameters are those of the first line', () => {
    const measurements = read(
      [
        '{"params": {"p": 1, "n": 2}, "value": 1, "callpath": "a->b", "metric": "t"}',
        '',
        '{"metric": "t", "params": {"n": 2, "p": 3}, "value": [4, 5], "callpath": "a->b"}',
        '{"params": {"n": 2, "p": 1, "x": "y"}, "value": [2, 3], "callpath": "a->b", "metric": "t"}\r\n',
      ].join('\n'),
    );
    expect(measurements.parameters).toEqual(['p', 'n']);
    expect(valuesBySeries(measurements)).toEqual({
      'a->b|t': [
        [1, 2, [1, 2, 3]],
        [3, 2, [4, 5]],
      ],
    });
  });

  it('keeps the order of parameters whose names are numbers', () => {
    expect(read('{"params": {"b": 1, "2": 2, "1": 3}, "value": 1}').parameters).toEqual(['b', '2', '1']);
  });

  it.each([
    ['{"params": {}, "value": 1}', 'at least one parameter was expected, but none'],
    ['{"value": 1}', 'in:1:1: an object with “params” was expected, but one without'],
    ['{"params": {"p": 1}}', 'an object with “value” was expected, but one without'],
    [
      '{"params": {"p": 1}, "value": 1}\n{"params": {"q": 1}, "value": 1}',
      'in:2:12: an object with “p” was expected',
    ],
    ['{"params": {"p": 1}, "value": 1}\n1', 'in:2:1: a record in “{” and “}” was expected, but “1”'],
    ['{"params": {"p": 1}; "value": 1}', 'in:1:20: “,” was expected, but “;”'],
    ['{"params": {"p": "1"}, "value": 1}', 'in:1:18: a number was expected, but “"1"”'],
    ['{"params": {"p": 1}, "value": null}', 'a number or a list of numbers was expected, but “null”'],
    ['{"params": {"p": 1}, "value": 1, "metric": 1}', 'a text in double quotes was expected, but “1”'],
    ['{"params": {"p": 1, "p": 2}, "value": 1}', 'each name once was expected, but “p” again'],
  ])('explains %j', (text, message) => {
    expect(errorOf(text)).toContain(message);
  });
});

describe('Talpas', () => {
  it('takes “;” between values and leaves it in names', () => {
    const measurements = read(
      '{"parameters":{"p":1;"q":2};"metric":"m";"callpath":"main(int; char)->b";"value":1.5}\n' +
        '{"parameters":{"p":1,"q":2},"metric":"m","callpath":"main(int; char)->b","value":2.5}\n',
    );
    expect(measurements.parameters).toEqual(['p', 'q']);
    expect(valuesBySeries(measurements)).toEqual({ 'main(int; char)->b|m': [[1, 2, [1.5, 2.5]]] });
  });

  it.each(['metric', 'callpath', 'value'])('needs %s', (name) => {
    const record = { parameters: { p: 1 }, metric: 'm', callpath: 'c', value: 1 };
    expect(errorOf(JSON.stringify({ ...record, [name]: undefined }))).toContain(
      `in:1:1: an object with “${name}” was expected, but one without`,
    );
  });
});
