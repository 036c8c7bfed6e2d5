import path from 'node:path';
import type { Hypothesis } from '../../core/diagnosis/hypotheses/hypothesis';
import { usualHypotheses } from '../../core/diagnosis/hypotheses/usual';
import { fileError } from '../../measurement/files/explainFileError';
import { isFile } from '../../measurement/files/isFile';
import { readRegularFile } from '../../measurement/files/regularFile';
import { targetOfResults } from '../targets/targetOfResults';
import { hypothesesFileName, readHypotheses } from './hypothesesFile';

/** Maximum size of a file with hypotheses; any file written by a person is smaller. */
const mostBytes = 16 << 20;

/** The usual hypotheses with those of a file. @throws KymoError `config-invalid` with line and column */
export async function hypothesesOf(file: string): Promise<readonly Hypothesis[]> {
  const bytes = await readRegularFile(file, mostBytes).catch((error: unknown) => {
    throw fileError(file, 'read', error);
  });
  return readHypotheses(bytes.toString('utf8'), file);
}

/**
 * The usual hypotheses, with those of `kymo.hypotheses.json` in the workspace of a measurement; else in its own folder, or in another one.
 * @throws KymoError `config-invalid` with line and column
 */
export async function hypothesesFor(measurement: string, otherwise?: string): Promise<readonly Hypothesis[]> {
  const own = targetOfResults(measurement)?.workspace ?? path.dirname(path.resolve(measurement));
  for (const folder of [own, ...(otherwise === undefined ? [] : [otherwise])]) {
    const file = path.join(folder, hypothesesFileName);
    if (await isFile(file)) return hypothesesOf(file);
  }
  return usualHypotheses;
}
