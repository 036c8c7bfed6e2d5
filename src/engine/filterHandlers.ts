import type { FilterEdit } from '../formats/scorep-filter/diagnostics';
import { formatFilter } from '../formats/scorep-filter/format';
import { filterNames, type NamedPattern } from '../workflows/filters/filterNames';
import {
  inspectFilter,
  ruleMatchesOf,
  type FilterInspection,
  type RuleMatches,
} from '../workflows/filters/inspectFilter';
import type { FunctionSource } from '../workflows/filters/knownFunctions';
import { parsedFilter } from '../workflows/filters/parsedFilter';
import { lensesOf, type FilterLens } from './filterLensText';
import { placeAt, type FilterPlace } from '../formats/scorep-filter/filterPlace';
import {
  foldedLines,
  outlineOf,
  type FoldedLines,
  type OutlineItem,
} from '../formats/scorep-filter/filterStructure';
import { formatLines } from '../formats/scorep-filter/formatLines';

/** All that an editor shows of a filter. */
export interface ShownFilter extends FilterInspection {
  readonly folded: readonly FoldedLines[];
  readonly outline: readonly OutlineItem[];
  readonly lenses: readonly FilterLens[];
}

export interface FilterMatchesOptions {
  readonly text: string;
  readonly source: FunctionSource;
  /** So many functions are named. */
  readonly most: number;
}

/** A word of a filter. */
export interface FilterWord {
  readonly offset: number;
  readonly text: string;
  /** Of a pattern: the position of its rule, and what that matches. */
  readonly rule?: { readonly position: number; readonly found: RuleMatches };
}

/** What may be written at a place. */
export interface FilterCompletions {
  readonly place: FilterPlace;
  readonly patterns: readonly NamedPattern[];
}

async function inspect(text: string, source: FunctionSource): Promise<ShownFilter> {
  const inspection = await inspectFilter(text, source);
  const syntax = parsedFilter(text);
  return {
    ...inspection,
    folded: foldedLines(syntax),
    outline: outlineOf(syntax),
    lenses: inspection.total === 0 ? [] : lensesOf(syntax, inspection),
  };
}

async function wordAt(
  offset: number,
  { text, source, most }: FilterMatchesOptions,
): Promise<FilterWord | undefined> {
  const syntax = parsedFilter(text);
  const { word } = placeAt(syntax, offset);
  if (word === undefined) return undefined;
  const at = { offset: word.offset, text: word.text };
  const position = syntax.filter.rules.findIndex((rule) => rule.offset === word.offset);
  if (position < 0) return at;
  return { ...at, rule: { position, found: await ruleMatchesOf(text, [position], source, most) } };
}

async function completionsAt(
  text: string,
  offset: number,
  source: FunctionSource,
): Promise<FilterCompletions> {
  const place = placeAt(parsedFilter(text), offset);
  const { block, mangled, hasAction, word } = place;
  if (block === undefined || !hasAction) return { place, patterns: [] };
  const typed = word === undefined ? '' : word.text.slice(0, offset - word.offset);
  return { place, patterns: await filterNames({ block, mangled, typed }, source) };
}

function layOut(
  text: string,
  lines: { readonly first: number; readonly last: number } | undefined,
): FilterEdit | undefined {
  const syntax = parsedFilter(text);
  if (lines !== undefined) return formatLines(syntax, lines.first, lines.last);
  const formatted = formatFilter(syntax);
  return formatted === text ? undefined : { offset: 0, length: text.length, text: formatted };
}

/** Answers about the text of a filter, which is parsed here and not in the extension host: it may have 10,000 rules. */
export const filterHandlers = {
  inspectFilter: ({ text, source }: { readonly text: string; readonly source: FunctionSource }) =>
    inspect(text, source),
  filterMatches: (options: FilterMatchesOptions & { readonly rules: readonly number[] }) =>
    ruleMatchesOf(options.text, options.rules, options.source, options.most),
  filterWord: (options: FilterMatchesOptions & { readonly offset: number }) =>
    wordAt(options.offset, options),
  filterCompletions: (options: {
    readonly text: string;
    readonly offset: number;
    readonly source: FunctionSource;
  }) => completionsAt(options.text, options.offset, options.source),
  formatFilter: (options: {
    readonly text: string;
    readonly lines?: { readonly first: number; readonly last: number };
  }) => Promise.resolve(layOut(options.text, options.lines)),
};
