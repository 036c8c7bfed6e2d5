import type { FilterEdit } from '../../formats/scorep-filter/syntax/diagnostics';
import { formatFilter } from '../../formats/scorep-filter/editing/format';
import { filterNames, type NamedPattern } from '../../workflows/filters/filterNames';
import {
  effectiveDecisions,
  inspectFilter,
  ruleMatchesOf,
  type AskedFunction,
  type FilterInspection,
  type RuleMatches,
} from '../../workflows/filters/inspectFilter';
import type { FunctionSource } from '../../workflows/filters/knownFunctions';
import { parsedFilter } from '../../workflows/filters/parsedFilter';
import { turn } from '../../workflows/running/turn';
import { lensesOf, type FilterLens } from './filterLensText';
import { placeAt, type FilterPlace } from '../../formats/scorep-filter/editing/filterPlace';
import {
  foldedLines,
  outlineOf,
  type FoldedLines,
  type OutlineItem,
} from '../../formats/scorep-filter/editing/filterStructure';
import { formatLines } from '../../formats/scorep-filter/editing/formatLines';
import { query, type Context } from './request';

/** Everything that an editor shows for a filter. */
export interface ShownFilter extends FilterInspection {
  readonly folded: readonly FoldedLines[];
  readonly outline: readonly OutlineItem[];
  readonly lenses: readonly FilterLens[];
}

export interface FilterMatchesOptions {
  readonly text: string;
  readonly source: FunctionSource;
  /** Maximum number of functions to name. */
  readonly most: number;
}

/** A word of a filter. */
export interface FilterWord {
  readonly offset: number;
  readonly text: string;
  /** For a pattern: the position of its rule and the functions that it matches. */
  readonly rule?: { readonly position: number; readonly matches: RuleMatches };
}

/** Completions at a position of a filter. */
export interface FilterCompletions {
  readonly place: FilterPlace;
  readonly patterns: readonly NamedPattern[];
}

async function inspect(
  { text, source }: { readonly text: string; readonly source: FunctionSource },
  context: Context,
): Promise<ShownFilter> {
  const inspection = await inspectFilter(text, source, context);
  await turn(context);
  const syntax = parsedFilter(text);
  return {
    ...inspection,
    folded: foldedLines(syntax),
    outline: outlineOf(syntax),
    lenses: inspection.total === 0 ? [] : lensesOf(syntax, inspection),
  };
}

async function wordAt(
  { text, source, most, offset }: FilterMatchesOptions & { readonly offset: number },
  context: Context,
): Promise<FilterWord | undefined> {
  const syntax = parsedFilter(text);
  const { word } = placeAt(syntax, offset);
  if (word === undefined) return undefined;
  const plain = { offset: word.offset, text: word.text };
  const position = syntax.filter.rules.findIndex((rule) => rule.offset === word.offset);
  if (position < 0) return plain;
  const matches = await ruleMatchesOf(text, [position], source, most, context);
  return { ...plain, rule: { position, matches: matches } };
}

async function completionsAt(
  {
    text,
    offset,
    source,
  }: { readonly text: string; readonly offset: number; readonly source: FunctionSource },
  context: Context,
): Promise<FilterCompletions> {
  const place = placeAt(parsedFilter(text), offset);
  const { block, mangled, hasAction, word } = place;
  if (block === undefined || !hasAction) return { place, patterns: [] };
  const typed = word === undefined ? '' : word.text.slice(0, offset - word.offset);
  return { place, patterns: await filterNames({ block, mangled, typed }, source, context) };
}

async function layOut(
  {
    text,
    lines,
  }: { readonly text: string; readonly lines?: { readonly first: number; readonly last: number } },
  context: Context,
): Promise<FilterEdit | undefined> {
  const syntax = parsedFilter(text);
  await turn(context);
  if (lines !== undefined) return formatLines(syntax, lines.first, lines.last);
  const formatted = formatFilter(syntax);
  return formatted === text ? undefined : { offset: 0, length: text.length, text: formatted };
}

/** Questions about the text of a filter. The engine parses it, because a filter may have 10,000 rules and must not block the extension host. */
export const filterRequests = {
  inspectFilter: query(inspect),
  /** The functions that rules of a filter match; `rules` are their positions in the file. */
  filterMatches: query(
    (options: FilterMatchesOptions & { readonly rules: readonly number[] }, context: Context) =>
      ruleMatchesOf(options.text, options.rules, options.source, options.most, context),
  ),
  /** The word at a position of a filter; for a pattern, with the matches of its rule. */
  filterWord: query(wordAt),
  filterCompletions: query(completionsAt),
  /** Formats a filter, or some of its lines (from 1, inclusive). The answer has no edit if the text is formatted already or cannot be. */
  formatFilter: query(layOut),
  /** The decision of a filter for a function; `text` replaces the content of the file if an editor has unsaved changes. */
  filterDecisions: query(
    (
      {
        filter,
        asked,
        source,
      }: {
        readonly filter: { readonly file: string; readonly text?: string };
        readonly asked: AskedFunction;
        readonly source: FunctionSource;
      },
      context,
    ) => effectiveDecisions(filter, asked, source, context),
  ),
};
