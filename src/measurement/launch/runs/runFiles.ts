import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../../core/errors';
import type { Target } from '../../config/config';
import { templateOf } from '../../config/inputFiles';
import { launcherWords } from '../../config/oneProgram';
import { placeholders, substitute } from '../../config/substitute';
import { writeError } from '../../files/disk';
import { makeOwnFolder } from '../../files/ownFiles';

export type PlaceholderValues = Readonly<Record<string, string>>;

export interface RunFilesOptions {
  readonly target: Target;
  /** Absolute path, which templates are relative to. */
  readonly workspace: string;
  /** Folder for the files, below that of the run's results. */
  readonly folder: string;
  readonly parameters: PlaceholderValues;
  readonly ranks: number;
  /** Number of threads that the environment sets. */
  readonly threads: string | undefined;
}

/**
 * The values of placeholders of a run.
 * @throws KymoError `config-invalid` for `${threads}` in words of the run if nothing sets their number
 */
export function placeholderValues(options: RunFilesOptions): PlaceholderValues {
  const { target, folder, parameters, ranks, threads } = options;
  const names = Object.keys(target.run.files ?? {});
  const values = {
    ...(threads === undefined ? {} : { threads }),
    ...parameters,
    ranks: String(ranks),
    ...Object.fromEntries(names.map((name) => [`file:${name}`, path.join(folder, name)])),
  };
  const { arguments: words, input = '', launcher } = target.run;
  requireThreads(target, [...words, input, ...launcherWords(launcher)].join('\n'), values);
  return values;
}

/**
 * Writes the files of a run from their templates. What an earlier attempt left in their folder is removed.
 * @throws KymoError as `templateOf` and `makeOwnFolder`, `disk-full`, `write-failed`
 */
export async function writeRunFiles(options: RunFilesOptions, values: PlaceholderValues): Promise<void> {
  const { target, workspace, folder } = options;
  const { files } = target.run;
  if (files === undefined) return;
  await makeOwnFolder(path.dirname(folder));
  await rm(folder, { recursive: true, force: true });
  await makeOwnFolder(folder);
  for (const [name, input] of Object.entries(files)) {
    const { bytes, text } = await templateOf(workspace, input);
    if (text !== undefined) requireThreads(target, text, values);
    const file = path.join(folder, name);
    await writeFile(file, text === undefined ? bytes : substitute(text, values), { flag: 'wx' }).catch(
      (error: unknown) => {
        throw writeError(file, error);
      },
    );
  }
}

function requireThreads({ name }: Target, text: string, values: PlaceholderValues): void {
  if (Object.hasOwn(values, 'threads') || !placeholders(text).includes('threads')) return;
  throw new KymoError(
    'config-invalid',
    `\${threads} is used by the runs of ${name}, and nothing sets the number of threads. Give it to the study (--threads 1,2,4, or "threads" in "study"), or set OMP_NUM_THREADS in "environment" of "run" in kymo.json.`,
  );
}
