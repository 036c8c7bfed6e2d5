import { KymoError } from '../../../core/errors';
import type { ImportedSelection } from './imports';
import { writeExclusions, writeFilter } from './write';

/** Formats for a set of functions. */
export type ListFormat = 'scorep' | 'capi' | 'plain';

/** The format by file name ending: `.json` is CaPI's selection, `.txt`, `.list` and `.lst` are plain lists, all others Score-P filters. */
export function listFormatOf(fileName: string): ListFormat {
  if (/\.json$/i.test(fileName)) return 'capi';
  return /\.(txt|list|lst)$/i.test(fileName) ? 'plain' : 'scorep';
}

/** Whether a filter lists the included or the excluded functions. */
export type FilterForm = 'include' | 'exclude';

export interface WriteOptions {
  readonly form?: FilterForm;
  /** User regions that remain included where everything else is excluded. */
  readonly userRegions?: readonly string[];
}

/**
 * Converts a selection. Throws `KymoError`: `filter-not-a-list` if a list of functions is requested, but the result of the filter depends on
 * the names in the program; `usage` if the other form of a filter is requested, but not all functions are known.
 */
export function writeSelection(
  selection: ImportedSelection,
  format: ListFormat,
  file: string,
  options: WriteOptions = {},
): string {
  if (format === 'scorep') return filterOf(selection, file, options);
  const names = listedNames(selection, file);
  return format === 'plain'
    ? names.map((name) => `${name}\n`).join('')
    : // CaPI's flag 1: always instrumented.
      `${JSON.stringify({ selection: Object.fromEntries(names.map((name) => [name, { flags: 1 }])) }, undefined, 2)}\n`;
}

function filterOf(selection: ImportedSelection, file: string, { form, userRegions }: WriteOptions): string {
  if (selection.kind === 'include' && form === 'exclude' && selection.others !== undefined) {
    // Included functions are named as well, because the compiler does not instrument inline functions otherwise.
    return writeExclusions(selection.others, selection.entries);
  }
  if (form !== undefined && form !== selection.kind) {
    throw new KymoError(
      'usage',
      `${file} cannot be turned into rules that ${form}: it does not list all functions of the program. The functions.json of a study does.`,
      { file },
    );
  }
  switch (selection.kind) {
    case 'include':
      return writeFilter(selection.entries, undefined, userRegions);
    case 'exclude':
      return writeExclusions(selection.entries);
    case 'rules':
      return selection.text;
  }
}

function listedNames(selection: ImportedSelection, file: string): readonly string[] {
  if (selection.kind === 'include') {
    return [...new Set(selection.entries.map(({ name, mangledName }) => mangledName ?? name))];
  }
  const why =
    selection.kind === 'rules' ? selection.why : 'it lists excluded functions only (no “EXCLUDE *”)';
  const place =
    selection.kind === 'rules' && selection.line !== undefined
      ? { line: selection.line, column: selection.column ?? 1 }
      : { line: 1, column: 1 };
  throw new KymoError(
    'filter-not-a-list',
    `${file}:${place.line}:${place.column}: This filter cannot be written as a list of functions: ${why}. Use “kymo filter match” with the program's names instead.`,
    { file, ...place },
  );
}
