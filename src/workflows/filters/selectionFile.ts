import type { CallGraphFunction } from '../../core/callgraph/callGraph';
import { nearestName } from '../../core/nearest';
import { plainName } from '../../core/callgraph/regionKeys';
import type { Filter } from '../../formats/scorep-filter/syntax/filter';
import { importSelection } from '../../formats/scorep-filter/lists/imports';
import { parseFilter } from '../../formats/scorep-filter/syntax/parse';
import { symbolVariants } from '../../formats/scorep-filter/effects/structors';
import { writeFilter } from '../../formats/scorep-filter/lists/write';
import { readFilterText } from './filterText';

/** The names of a program's function. */
export type ProgramFunction = Pick<CallGraphFunction, 'name' | 'mangledName'> &
  Partial<Pick<CallGraphFunction, 'hasBody' | 'isSystem'>>;

/** A selection file of any supported format, as a filter with the same decisions. */
export interface SelectionInFile {
  readonly filter: Filter;
  /** The individually listed functions, by mangled name if the file has it. */
  readonly names: readonly string[];
  /** Parts of the file that were ignored or interpreted differently; sentences. */
  readonly notes: readonly string[];
}

/**
 * A Score-P filter (also as `scorep-score -g` proposes it), a list of functions as CaPI, MetaCG and PIRA write it, a selection file of TAU, or
 * the `functions.json` of a study.
 * @throws KymoError `file-missing`, `file-unusable`, `filter-invalid`, `selection-invalid`
 */
export async function readSelectionFile(file: string): Promise<SelectionInFile> {
  return selectionIn(await readFilterText(file), file);
}

/** @param file name of the text in messages; its extension identifies a plain list */
export function selectionIn(text: string, file: string): SelectionInFile {
  const imported = importSelection(text, file);
  const { notes } = imported;
  switch (imported.kind) {
    case 'rules':
      return { filter: parseFilter(imported.text, file), names: [], notes };
    case 'exclude':
      return { filter: parseFilter(text, file), names: imported.entries.map(nameOf), notes };
    case 'include':
      return {
        filter: parseFilter(writeFilter(imported.entries), file),
        names: imported.entries.map(nameOf),
        notes,
      };
  }
}

/** A note on listed functions that the program lacks, each with a suggestion; empty if it has all of them. */
export function unknownNames(
  names: readonly string[],
  functions: readonly ProgramFunction[],
  file: string,
): readonly string[] {
  const programNames = new Set(
    functions.flatMap(({ name, mangledName }) => [name, ...symbolVariants(mangledName ?? name)]),
  );
  const unknown = names.filter((name) => !programNames.has(name));
  if (unknown.length === 0) return [];
  const listed = unknown
    .slice(0, mostListed)
    .map((name) => `${name}${didYouMean(meantBy(name, functions))}`)
    .join(', ');
  const more = unknown.length > mostListed ? ` and ${unknown.length - mostListed} more` : '';
  return [
    `${unknown.length} of the ${names.length} functions that ${file} names are not in the program: ${listed}${more}. C++ functions are named by their mangled names.`,
  ];
}

const mostListed = 3;

/** Symbol of the function with that name without parameters, else of the one with the most similar name. */
export function meantBy(word: string, functions: readonly ProgramFunction[]): string | undefined {
  const symbols = new Map<string, string>();
  for (const { name, mangledName = name, hasBody, isSystem } of functions) {
    if (hasBody === false || isSystem === true) continue;
    symbols.set(mangledName, mangledName);
    symbols.set(plainName(name), mangledName);
  }
  const near = nearestName(plainName(word), [...symbols.keys()]);
  return symbols.get(plainName(word)) ?? (near === undefined ? undefined : symbols.get(near));
}

export function didYouMean(symbol: string | undefined): string {
  return symbol === undefined ? '' : ` (did you mean ${symbol}?)`;
}

function nameOf({ name, mangledName }: { readonly name: string; readonly mangledName?: string }): string {
  return mangledName ?? name;
}
