import { diagnosisDocument } from '../../../src/cli/terminal/diagnosis/diagnosisDocument';
import { diagnosisText } from '../../../src/cli/terminal/diagnosis/diagnosisText';
import type { SearchRecord } from '../../../src/core/diagnosis/search/searchRecord';
import { readSearch, writeSearch } from '../../../src/formats/kymo-search/searchFile';
import { diagnosisOf } from '../../../src/workflows/diagnose';
import { searchContradictions, type SearchOutput } from './searchOutput';

/** What the command line prints of a search. */
export interface Printed {
  readonly record: SearchRecord;
  readonly output: SearchOutput;
  readonly text: string;
}

/** As the command line would print a search that it reads from a file. */
export function printed(record: SearchRecord): Printed {
  const read = readSearch(writeSearch(record), 'search.json');
  const diagnosis = diagnosisOf(read);
  const output = JSON.parse(JSON.stringify(diagnosisDocument(diagnosis))) as SearchOutput;
  return { record: read, output, text: diagnosisText(diagnosis, true) };
}

/** Every contradiction in what the command line would print of a search. */
export function contradictionsOf(record: SearchRecord): readonly string[] {
  const { record: read, output, text } = printed(record);
  return searchContradictions(read, output, text);
}
