import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LiveRun } from '../../../core/views/liveRun';
import type { SearchRecord } from '../../../core/diagnosis/search/searchRecord';
import { readLive } from '../../studies/liveFile';
import { readSavedSearch } from '../savedSearch';
import { readDiagnosisWish, usualWish, writeDiagnosisWish, type DiagnosisWish } from './diagnosisWish';

/** In the folder of an experiment: the search that was made in it while it ran. Rewritten as a whole while it runs. */
export const searchFileName = 'search.json';

export interface SearchUpdate {
  readonly live: LiveRun;
  /** Undefined until the search begins. */
  readonly record: SearchRecord | undefined;
}

/** How often the files are looked at, in milliseconds. */
const lookEvery = 200;

/** Follows the search in a run that is under way, until the run ends: an update for each time that the search was written. */
export async function* followSearch(
  folder: string,
  { signal }: { readonly signal: AbortSignal },
): AsyncGenerator<SearchUpdate> {
  let last: string | undefined;
  for (;;) {
    const live = await readLive(folder);
    if (live === undefined) return;
    const written = await stamp(path.join(folder, searchFileName));
    if (written !== last || last === undefined) {
      last = written ?? '';
      yield { live, record: await searchOf(folder) };
    }
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
