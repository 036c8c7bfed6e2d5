import { KymoError } from '../../core/errors';
import type { Filter } from './filter';
import { parseFilter } from './parse';
import { writeFilter } from './write';

/** Ways to write down a set of functions by mangled name. */
export type ListFormat = 'scorep' | 'capi' | 'plain';

/** By the ending: `.json` is CaPI's selection, `.txt`, `.list` and `.lst` are plain lists, everything else a Score-P filter. */
export function listFormatOf(fileName: string): ListFormat {
  if (/\.json$/i.test(fileName)) return 'capi';
  return /\.(txt|list|lst)$/i.test(fileName) ? 'plain' : 'scorep';
}

/** The mangled names in a file. Throws `KymoError` with the place: `filter-invalid`, `filter-not-a-list`, `selection-invalid`. */
export function readNames(text: string, file: string, format: ListFormat): readonly string[] {
  switch (format) {
    case 'scorep':
      return namesOfWhitelist(parseFilter(text, file), file);
    case 'capi':
      return namesOfCapi(text, file);
    case 'plain':
      return unique(
        text
          .split(/\r?\n/)
          .map((line) => line.trim())
          .filter((line) => line !== '' && !line.startsWith('#')),
      );
  }
}

export function writeNames(names: readonly string[], format: ListFormat): string {
  switch (format) {
    case 'scorep':
      return writeFilter(names.map((name) => ({ name, mangledName: name })));
    case 'capi':
      // CaPI's flag 1: always instrumented.
      return `${JSON.stringify({ selection: Object.fromEntries(names.map((name) => [name, { flags: 1 }])) }, undefined, 2)}\n`;
    case 'plain':
      return names.map((name) => `${name}\n`).join('');
  }
}

/** Only a filter that first excludes everything and then includes literal names is a list of names. */
function namesOfWhitelist(filter: Filter, file: string): readonly string[] {
  const [first, ...rest] = filter.rules;
  if (first !== undefined && (first.action !== 'exclude' || !first.matcher.everything)) {
    throw notAList(file, first.line, first.column, 'it does not begin with “EXCLUDE *”');
  }
  if (first === undefined)
    throw notAList(file, 1, 1, 'it excludes nothing, so every function is instrumented');
  const names: string[] = [];
  for (const { block, action, matcher, pattern, line, column } of rest) {
    const { literal } = matcher;
    if (block !== 'region' || action !== 'include' || literal === undefined) {
      throw notAList(file, line, column, `the rule “${pattern}” depends on the names in the program`);
    }
    names.push(literal);
  }
  return unique(names);
}

function notAList(file: string, line: number, column: number, why: string): KymoError {
  return new KymoError(
    'filter-not-a-list',
    `${file}:${line}:${column}: This filter cannot be written as a list of functions: ${why}. Use “kymo filter match” with the program's names instead.`,
    { file, line, column },
  );
}

function namesOfCapi(text: string, file: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new KymoError('selection-invalid', `${file} is not JSON: ${String(cause)}`, { file }, { cause });
  }
  const selection = isRecord(value) ? value.selection : undefined;
  if (!isRecord(selection)) {
    throw new KymoError(
      'selection-invalid',
      `${file} is not a CaPI selection: expected {"selection": {"<function>": {"flags": 1}, …}}.`,
      { file },
    );
  }
  return Object.keys(selection);
}

function isRecord(value: unknown): value is { readonly selection?: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
