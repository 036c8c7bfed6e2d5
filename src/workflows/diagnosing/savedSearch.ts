import type { SearchRecord } from '../../core/diagnosis/search/searchRecord';
import { readSearch } from '../../formats/kymo-search/searchFile';
import { fileError } from '../../measurement/files/explainFileError';
import { readRegularFile } from '../../measurement/files/regularFile';

/** Saved searches are as large as what was searched. */
const mostBytes = 512 << 20;

/** Whether an input is a search that `--export` or the editor wrote, and no measurement. */
export function isSavedSearch(input: string): boolean {
  return input.endsWith('.json');
}

/** @throws KymoError `search-invalid` with the place, `search-newer`, or why it cannot be read */
export async function readSavedSearch(file: string): Promise<SearchRecord> {
  const bytes = await readRegularFile(file, mostBytes).catch((error: unknown) => {
    throw fileError(file, 'read', error);
  });
  return readSearch(bytes.toString('utf8'), file);
}
