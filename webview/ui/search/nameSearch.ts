import { matchingRegions, nameTest } from '../../../src/core/names/namePattern';
import type { SearchQuery } from './searchBox';
import type { TextRange } from '../base/highlight';

/** The result of a search. */
export interface Found {
  readonly query: SearchQuery;
  /** 1 for each region whose name matches. */
  readonly regions: Uint8Array;
  readonly error?: string;
}

/** Searches names in the folded and the full form, ignoring case. */
export function search(names: readonly string[], folded: readonly string[], query: SearchQuery): Found {
  try {
    const test = nameTest({ ...query, matchCase: false });
    const regions = query.text === '' ? new Uint8Array(names.length) : matchingRegions(names, folded, test);
    return { query, regions };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { query, regions: new Uint8Array(names.length), error: message };
  }
}

/** The matching part of a shown name. For a regular expression, or a match in the folded part, it is the whole name. */
export function matchRanges(name: string, { query }: Found): readonly TextRange[] {
  const start = query.regex ? -1 : name.toLowerCase().indexOf(query.text.toLowerCase());
  return start < 0 || name.toLowerCase().length !== name.length
    ? [[0, name.length]]
    : [[start, start + query.text.length]];
}
