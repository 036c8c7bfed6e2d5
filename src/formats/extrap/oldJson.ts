import type { ParameterMeasurements } from '../../core/modeling/measurements';
import { checkParameters, CollectedMeasurements } from './collected';
import type { JsonFields, JsonReader } from './jsonReader';

/**
 * Reads the older JSON of Extra-P: lists of parameters, call paths, metrics and coordinates, each with an id, and of measurements that
 * give the ids. Ids may be any numbers that differ; parameters are in the order of theirs.
 */
export function readOldJson(reader: JsonReader, document: JsonFields): ParameterMeasurements {
  const complain = (expected: string, found?: string): never => reader.fail(expected, found, document.start);
  const byId = readNames(reader, document, 'parameters');
  const ids = [...byId.keys()].sort((a, b) => a - b);
  const parameters = ids.map((id) => byId.get(id) ?? '');
  checkParameters(parameters, complain);
  const callPaths = readNames(reader, document, 'callpaths');
  const metrics = readNames(reader, document, 'metrics');
  const points = readById(reader, document, 'coordinates', (fields) => readPoint(reader, fields, ids));
  const collected = new CollectedMeasurements(parameters);
  reader.field(document, 'measurements', () => {
    reader.array('a list of measurements', () => {
      const fields = reader.fields('a measurement');
      const named = <Value>(field: string, list: ReadonlyMap<number, Value>): Value =>
        reader.field(fields, field, () => {
          const offset = reader.here();
          return (
            list.get(reader.number('an id')) ??
            reader.fail('an id that the file describes', undefined, offset)
          );
        });
      const value = reader.field(fields, 'value', () => reader.number('a number'));
      collected.add(
        named('callpath_id', callPaths),
        named('metric_id', metrics),
        named('coordinate_id', points),
        [value],
        (expected, found) => reader.fail(expected, found, fields.start),
      );
    });
  });
  return collected.finish(complain);
}

function readNames(reader: JsonReader, document: JsonFields, list: string): ReadonlyMap<number, string> {
  return readById(reader, document, list, (fields) =>
    reader.field(fields, 'name', () => reader.string('a name in double quotes')),
  );
}

/** @param ids of the parameters, in their order */
function readPoint(reader: JsonReader, coordinate: JsonFields, ids: readonly number[]): readonly number[] {
  const values = new Map<number, number>();
  reader.field(coordinate, 'parameter_value_pairs', () => {
    reader.array('a list of pairs', () => {
      const fields = reader.fields('an object with “parameter_id” and “parameter_value”');
      const id = reader.field(fields, 'parameter_id', () => reader.number('an id'));
      if (values.has(id)) reader.fail('each parameter once', `the parameter ${id} again`, fields.start);
      values.set(
        id,
        reader.field(fields, 'parameter_value', () => reader.number('a number')),
      );
    });
  });
  return ids.map(
    (id) =>
      values.get(id) ??
      reader.fail('a value for each parameter', `none for parameter ${id}`, coordinate.start),
  );
}

function readById<Value>(
  reader: JsonReader,
  document: JsonFields,
  list: string,
  read: (fields: JsonFields) => Value,
): ReadonlyMap<number, Value> {
  const values = new Map<number, Value>();
  reader.field(document, list, () => {
    reader.array('a list', () => {
      const fields = reader.fields('an object with “id”');
      const id = reader.field(fields, 'id', () => reader.number('an id'));
      if (values.has(id)) reader.fail('each id once', `${id} again`, fields.start);
      values.set(id, read(fields));
    });
  });
  return values;
}
