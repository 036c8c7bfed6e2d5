import { parseFilterSyntax } from '../../formats/scorep-filter/syntax/parse';
import type { FilterSyntax } from '../../formats/scorep-filter/syntax/syntax';

let last: { readonly text: string; readonly syntax: FilterSyntax } | undefined;

/** Parses a filter and caches the last result, because an editor sends several requests about each text. */
export function parsedFilter(text: string): FilterSyntax {
  if (last?.text !== text) last = { text, syntax: parseFilterSyntax(text) };
  return last.syntax;
}
