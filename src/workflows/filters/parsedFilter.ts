import { parseFilterSyntax } from '../../formats/scorep-filter/syntax/parse';
import type { FilterSyntax } from '../../formats/scorep-filter/syntax/syntax';

let last: { readonly text: string; readonly syntax: FilterSyntax } | undefined;

/** The syntax of a filter; of the text that was asked about last it is known already, for an editor asks several things of each. */
export function parsedFilter(text: string): FilterSyntax {
  if (last?.text !== text) last = { text, syntax: parseFilterSyntax(text) };
  return last.syntax;
}
