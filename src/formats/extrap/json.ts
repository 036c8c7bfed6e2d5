import type { ParameterMeasurements } from '../../core/modeling/measurements';
import { checkParameters, CollectedMeasurements, type Repetitions } from './collected';
import type { JsonFields, JsonReader } from './jsonReader';

/** Reads Extra-P's JSON: `{"parameters": ["p"], "measurements": {"main->f": {"time": [{"point": [1], "values": [2, 2.1]}]}}}`. */
export function readJson(reader: JsonReader, document: JsonFields): ParameterMeasurements {
  const collected = new CollectedMeasurements(readParameters(reader, document));
  reader.field(document, 'measurements', () => {
    eachPoint(reader, (callPath, metric) => {
      const fields = reader.fields('an object with “point” and “values”');
      const point = reader.field(fields, 'point', () => readPoint(reader));
      const values = reader.field(fields, 'values', () => readRepetitions(reader));
      collected.add(callPath, metric, point, values, (expected, found) =>
        reader.fail(expected, found, fields.start),
      );
    });
  });
  return collected.finish((expected, found) => reader.fail(expected, found, document.start));
}

export function readParameters(reader: JsonReader, document: JsonFields): readonly string[] {
  return reader.field(document, 'parameters', () => {
    const start = reader.here();
    const names: string[] = [];
    reader.array('a list of names of parameters', () => {
      names.push(reader.string('a name of a parameter in double quotes'));
    });
    checkParameters(names, (expected, found) => reader.fail(expected, found, start));
    return names;
  });
}

/** Visits the points of `{"<call path>": {"<metric>": [<point>, …]}}`; `visit` reads the point. */
export function eachPoint(reader: JsonReader, visit: (callPath: string, metric: string) => void): void {
  reader.object('an object of call paths', (callPath) => {
    reader.object('an object of metrics', (metric) => {
      reader.array('a list of points', () => {
        visit(callPath, metric);
      });
    });
  });
}

/** A list of numbers, or a number where there is one parameter. */
export function readPoint(reader: JsonReader): readonly number[] {
  if (reader.next() !== '[') return [reader.number('a point')];
  const point: number[] = [];
  reader.array('a point', () => {
    point.push(reader.number('a number'));
  });
  return point;
}

/** A number, or a list with a number or a list of numbers for each repetition. */
export function readRepetitions(reader: JsonReader): Repetitions {
  if (reader.next() !== '[') return [reader.number('a number or a list of numbers')];
  const start = reader.here();
  const repetitions: (number | number[])[] = [];
  reader.array('', () => {
    if (reader.next() === '[') repetitions.push(flatNumbers(reader));
    else repetitions.push(reader.number('a number'));
  });
  if (repetitions.length === 0) reader.fail('at least one value', 'none', start);
  return repetitions;
}

/** The numbers of lists within each other. */
function flatNumbers(reader: JsonReader, numbers: number[] = []): number[] {
  const start = reader.here();
  reader.array('', () => {
    if (reader.next() === '[') flatNumbers(reader, numbers);
    else numbers.push(reader.number('a number'));
  });
  if (numbers.length === 0) reader.fail('at least one value', 'none', start);
  return numbers;
}
