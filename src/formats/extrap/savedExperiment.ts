import type { MeasuredPoint, ParameterMeasurements } from '../../core/modeling/measurements';
import { present } from '../../core/present';
import { CollectedMeasurements } from './collected';
import { invalidFile } from './errors';
import { eachPoint, readParameters, readPoint } from './json';
import { JsonReader, type JsonFields } from './jsonReader';
import { KeptValues } from './keptValues';
import { decoded } from './decoded';
import { ZipArchive } from './zip';

const member = 'experiment.json';

/** Reads what Extra-P saves (`.extra-p`), a ZIP archive: points with statistics, and with values if these were kept. Models are ignored. */
export function readSavedExperiment(bytes: Uint8Array, file: string): ParameterMeasurements {
  const archive = new ZipArchive(bytes, file);
  if (!archive.has(member))
    throw invalidFile(file, `“${member}” was expected in the archive, but is not there`);
  const reader = new JsonReader({
    file,
    member,
    text: decoded(archive.read(member), file),
  });
  const document = reader.fields('an object in “{” and “}”');
  const collected = new CollectedMeasurements(readParameters(reader, document));
  const kept = new KeptValues(archive, file);
  reader.field(document, 'measurements', () => {
    eachPoint(reader, (callPath, metric) => {
      const point = reader.fields('a point with its statistics');
      collected.addStatistics(callPath, metric, readMeasured(reader, point, kept), (expected, found) =>
        reader.fail(expected, found, point.start),
      );
    });
  });
  return collected.finish((expected, found) => reader.fail(expected, found, document.start));
}

function readMeasured(reader: JsonReader, fields: JsonFields, kept: KeptValues): MeasuredPoint {
  const number = (name: string): number => reader.field(fields, name, () => reader.number('a finite number'));
  // Files of Extra-P 4.0 have no number of repetitions.
  const repetitions = fields.offsets.has('repetitions') ? number('repetitions') : 1;
  if (!(Number.isSafeInteger(repetitions) && repetitions > 0))
    reader.fail('a number of repetitions from 1 on', `${repetitions}`, fields.offsets.get('repetitions'));
  const values = fields.offsets.has('values')
    ? reader.field(fields, 'values', () => readValues(reader, kept, repetitions))
    : undefined;
  return {
    point: reader.field(fields, 'coordinate', () => readPoint(reader)),
    mean: number('mean'),
    median: number('median'),
    minimum: number('minimum'),
    maximum: number('maximum'),
    deviation: number('std'),
    repetitions,
    ...present({ values }),
  };
}

/** The kept values that a pair of numbers stands for; undefined for `null`, and where a repetition has several values. */
function readValues(
  reader: JsonReader,
  kept: KeptValues,
  repetitions: number,
): readonly number[] | undefined {
  if (reader.next() !== '[') {
    reader.null('null or the two numbers of kept values');
    return undefined;
  }
  const start = reader.here();
  const place = readPoint(reader);
  const [chunk, position] = place;
  if (place.length !== 2 || chunk === undefined || position === undefined)
    return reader.fail('null or the two numbers of kept values', `${place.length} numbers`, start);
  const values = kept.read(chunk, position, repetitions);
  if (values?.every(Number.isFinite) === false) reader.fail('finite values', 'others', start);
  return values;
}
