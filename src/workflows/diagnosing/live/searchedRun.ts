import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SearchRecord } from '../../../core/diagnosis/search/searchRecord';
import { liveFileName, readLive } from '../../studies/liveFile';
import { readSavedSearch } from '../savedSearch';
import { readDiagnosisWish, usualWish, writeDiagnosisWish, type DiagnosisWish } from './diagnosisWish';

/** In the folder of an experiment: the search that was made in it while it ran. Rewritten as a whole while it runs. */
export const searchFileName = 'search.json';

/** How often it is seen whether the files have changed, in milliseconds; and each how many times whether whoever watches the run still does. */
const [lookEvery, looksEach] = [200, 5];

/** Follows the search in a run that is under way, until the run ends: the search each time that it was written, and at first, undefined until it begins. */
export async function* followSearch(
  folder: string,
  { signal }: { readonly signal: AbortSignal },
): AsyncGenerator<SearchRecord | undefined> {
  let last: string | undefined;
  for (let look = 0; ; look++) {
    if ((await stamp(path.join(folder, liveFileName))) === undefined) return;
    if (look % looksEach === 0 && (await readLive(folder)) === undefined) return;
    const written = (await stamp(path.join(folder, searchFileName))) ?? '';
    if (written !== last) yield searchOf(folder);
    last = written;
    await pause(lookEvery, undefined, { signal });
  }
}

/** The search that was made in a run, as it was written last; undefined: none was. @throws KymoError `search-invalid` */
export async function searchOf(folder: string): Promise<SearchRecord | undefined> {
  const file = path.join(folder, searchFileName);
  return (await stamp(file)) === undefined ? undefined : readSavedSearch(file);
}

/** Begins a search in a run that is under way, or changes what is wanted of it: thresholds, and whether it goes on. */
export async function wishDiagnosis(folder: string, change: Partial<DiagnosisWish>): Promise<void> {
  const known = (await readDiagnosisWish(folder)) ?? usualWish;
  await writeDiagnosisWish(folder, {
    ...known,
    ...change,
    thresholds: { ...known.thresholds, ...change.thresholds },
  });
}

/** Of the file as it is now; undefined: there is none. */
async function stamp(file: string): Promise<string | undefined> {
  return stat(file).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
    () => undefined,
  );
}
