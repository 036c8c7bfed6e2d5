import { stat } from 'node:fs/promises';
import path from 'node:path';
import { iterationsFileIn, newestIterations, repetitionsOf } from './newestExperiment';
import { noIterations } from './openInput';
import { whyNoIterations } from './whyNoIterations';

/**
 * The file with iterations for a path: for a folder, that of its newest experiment; for an experiment's profile, the file beside it with more
 * data.
 * @throws KymoError `no-iterations`
 */
export async function inputFile(given: string): Promise<string> {
  if (!(await isFolder(given))) {
    const isProfile = path.basename(given) === 'profile.cubex';
    return (isProfile ? await iterationsFileIn(path.dirname(given)) : undefined) ?? given;
  }
  const experiment = await newestIterations(given);
  const file = experiment === undefined ? undefined : await iterationsFileIn(experiment);
  if (file === undefined)
    throw noIterations(`No experiment in ${given} has iterations`, given, await whyNoIterations(given));
  return file;
}

/**
 * The files with iterations for a path: for a folder, of all repetitions of its newest experiment; else the one of `inputFile`.
 * @throws KymoError `no-iterations`
 */
export async function inputFiles(given: string): Promise<readonly string[]> {
  const experiment = (await isFolder(given)) ? await newestIterations(given) : undefined;
  return experiment === undefined ? [await inputFile(given)] : repetitionsOf(experiment);
}

async function isFolder(given: string): Promise<boolean> {
  return stat(given).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}
