import type { ParameterMeasurements } from '../../core/modeling/measurements';
import { decoded } from './decoded';
import { invalidFile } from './errors';
import { readJson } from './json';
import { JsonReader, type JsonFields } from './jsonReader';
import { readOldJson } from './oldJson';
import { jsonLines, readRecords, talpas, type RecordForm } from './records';
import { readSavedExperiment } from './savedExperiment';
import { readText } from './text';
import { isZip } from './zip';

/**
 * Reads measurements for performance models from a file in one of the formats of Extra-P, which is recognised from the content: text,
 * JSON (both forms), JSON Lines, Talpas, and what Extra-P saves (`.extra-p`). Repetitions of a point are together wherever in the file
 * they stand, and series may lack points.
 *
 * @param name of the file, for messages
 * @throws KymoError `measurements-invalid` with file, line and column
 */
export function readParameterMeasurements(bytes: Uint8Array, name: string): ParameterMeasurements {
  if (isZip(bytes)) return readSavedExperiment(bytes, name);
  const head = String.fromCharCode(...bytes.subarray(0, 512));
  if (head.startsWith('EXTRAP_EXPERIMENT', 6))
    throw invalidFile(
      name,
      'it is an experiment of Extra-P 3; open it with Extra-P 4 and save it, or export it as JSON',
    );
  if (head.startsWith('ustar', 257))
    throw invalidFile(
      name,
      'it is an archive, such as a profile of Cube; give the folder of the folders with profiles',
    );
  const source = { file: name, text: decoded(bytes, name) };
  if (!/^\s*[{[]/.test(source.text)) return readText(source);
  const reader = new JsonReader(source);
  const first = reader.fields('an object in “{” and “}”');
  const form = recordForm(reader, first);
  if (form !== undefined) {
    reader.position = 0;
    return readRecords(reader, form);
  }
  if (reader.semicolon !== undefined) reader.fail('“,”', undefined, reader.semicolon);
  if (!reader.isAtEnd) reader.fail('the end of the file');
  return first.offsets.has('callpaths') ? readOldJson(reader, first) : readJson(reader, first);
}

/** The form of records if the first object of the file is one. */
function recordForm(reader: JsonReader, { offsets }: JsonFields): RecordForm | undefined {
  if (offsets.has('params') || (offsets.has('value') && !offsets.has('parameters'))) return jsonLines;
  const parameters = offsets.get('parameters');
  return parameters !== undefined && reader.at(parameters, () => reader.next()) === '{' ? talpas : undefined;
}
