import path from 'node:path';
import { JsonSchema } from '../../core/jsonSchema';
import { KymoError } from '../../core/errors';
import { laterVersion } from '../../core/fileVersion';
import { isRecord } from '../../core/present';
import { writeFileAtomically } from '../files/disk';
import type { Experiment } from '../../core/profile/experiment';
import experimentSchema from './experiment.schema.json';
import { readOwnFile } from '../files/ownFiles';

export const experimentFileName = 'experiment.json';

/** The version that Kymo writes. */
const currentVersion = 1;

/** Functions from each older version to the next one. Version 1 is the first. */
const upgraders: Readonly<Record<number, (old: Fields) => Fields>> = {};
type Fields = Readonly<Record<string, unknown>>;

/** Writes `experiment.json`, the last file of an experiment: a folder with it is complete. */
export async function writeExperiment(folder: string, experiment: Experiment): Promise<void> {
  await writeFileAtomically(
    path.join(folder, experimentFileName),
    `${JSON.stringify(experiment, undefined, 2)}\n`,
  );
}

/**
 * @param folder the experiment's folder
 * @throws KymoError `experiment-missing` (never completed), `experiment-invalid`, or `experiment-newer`
 */
export async function readExperiment(folder: string): Promise<Experiment> {
  const file = path.join(folder, experimentFileName);
  let text: string;
  try {
    text = await readOwnFile(file);
  } catch (cause) {
    throw new KymoError(
      'experiment-missing',
      `${folder} has no complete experiment: ${experimentFileName} cannot be read (${String(cause)}).`,
      { file },
      { cause },
    );
  }
  return parseExperiment(text, file);
}

/** @throws KymoError `experiment-invalid` or `experiment-newer` */
export function parseExperiment(text: string, file: string): Experiment {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(file, `not valid JSON (${String(cause)})`, cause);
  }
  if (!isRecord(value)) throw invalid(file, 'not a JSON object');
  const upgraded = upgrade(value, file);
  if (!experiments.describes(upgraded)) {
    const { place, rule } = experiments.mistake;
    throw invalid(file, `the content${place} ${rule}`);
  }
  return upgraded;
}

function upgrade(value: Fields, file: string): Fields {
  const version = value.kymoExperiment;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    throw invalid(file, '"kymoExperiment" must be the version of the format');
  const later = laterVersion(value, 'kymoExperiment', currentVersion);
  if (later !== undefined)
    throw new KymoError('experiment-newer', `${file} ${later}. Update Kymo.`, { file });
  let result = value;
  for (let from = version; from < currentVersion; from++) result = upgraders[from]?.(result) ?? result;
  return result;
}

const experiments = new JsonSchema<Experiment>(experimentSchema);

function invalid(file: string, what: string, cause?: unknown): KymoError {
  return new KymoError(
    'experiment-invalid',
    `${file}: ${what}. Remove its folder to have the experiment measured again.`,
    { file },
    { cause },
  );
}
