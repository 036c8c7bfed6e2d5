import type { ParameterMeasurements } from '../../core/modeling/measurements';
import { checkParameters, CollectedMeasurements } from './collected';
import { readRepetitions } from './json';
import type { JsonFields, JsonReader } from './jsonReader';

/** Names of the fields of a record, and what stands for those that may be absent. */
export interface RecordForm {
  readonly parameters: 'params' | 'parameters';
  readonly defaults: { readonly callpath?: string; readonly metric?: string };
  /** Whether `;` stands for `,` between values. */
  readonly semicolons: boolean;
}

/** JSON Lines: `{"params": {"p": 1}, "value": 1.5, "callpath": "main->f", "metric": "time"}`. */
export const jsonLines: RecordForm = {
  parameters: 'params',
  defaults: { callpath: '<root>', metric: '<default>' },
  semicolons: false,
};

/** Talpas: `{"parameters":{"p":1;"q":2};"metric":"time";"callpath":"main->f";"value":1.5}`. */
export const talpas: RecordForm = { parameters: 'parameters', defaults: {}, semicolons: true };

/**
 * Reads records one after another, each with the value or values of one or more repetitions. Parameters are in the order of the first
 * record; others in later records are ignored.
 */
export function readRecords(reader: JsonReader, form: RecordForm): ParameterMeasurements {
  let collected: CollectedMeasurements | undefined;
  const start = reader.here();
  while (!reader.isAtEnd) {
    const fields = reader.fields('a record in “{” and “}”');
    const complain = (expected: string, found?: string): never => reader.fail(expected, found, fields.start);
    const values = reader.field(fields, form.parameters, () => reader.fields('an object of parameters'));
    collected ??= startedBy(values, complain);
    const point = collected.parameters.map((name) =>
      reader.field(values, name, () => reader.number('a number')),
    );
    const text = (name: 'callpath' | 'metric'): string => {
      const absent = fields.offsets.has(name) ? undefined : form.defaults[name];
      return absent ?? reader.field(fields, name, () => reader.string('a text in double quotes'));
    };
    const repetitions = reader.field(fields, 'value', () => readRepetitions(reader));
    collected.add(text('callpath'), text('metric'), point, repetitions, complain);
  }
  if (!form.semicolons && reader.semicolon !== undefined) reader.fail('“,”', undefined, reader.semicolon);
  const complain = (expected: string, found?: string): never => reader.fail(expected, found, start);
  return (collected ?? complain('a record', 'nothing')).finish(complain);
}

function startedBy(values: JsonFields, complain: (expected: string) => never): CollectedMeasurements {
  const names = [...values.offsets.keys()];
  checkParameters(names, complain);
  return new CollectedMeasurements(names);
}
