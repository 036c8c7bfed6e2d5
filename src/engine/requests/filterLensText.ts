import type { FilterSyntax } from '../../formats/scorep-filter/syntax/syntax';
import type { FilterInspection } from '../../workflows/filters/inspectFilter';
import { groupText, ruleText, summaryText } from './filterTexts';

/** More lenses of a kind make scrolling slow, and nobody reads them. */
const mostLenses = 2000;

export interface FilterLens {
  /** From 0. */
  readonly line: number;
  readonly title: string;
  /** Their functions are shown at a click. */
  readonly rules?: readonly number[];
  /** At a rule for a single name: a line more for each of them says little. */
  readonly ofName: boolean;
}

/** Above the first block: what the filter instruments. Above each INCLUDE and EXCLUDE: how many functions it matches and decides. */
export function lensesOf(
  { tokens, blocks, filter }: FilterSyntax,
  inspection: FilterInspection,
): readonly FilterLens[] {
  const lenses = { names: [] as FilterLens[], others: [] as FilterLens[] };
  for (const [at, { begin, groups }] of blocks.entries()) {
    if (at === 0)
      lenses.others.push({ line: lineOf(tokens[begin]), title: summaryText(inspection), ofName: false });
    for (const { keyword, rules } of groups) {
      const [rule] = rules;
      if (rule === undefined) continue;
      const ofName = rules.length === 1 && filter.rules[rule]?.matcher.literal !== undefined;
      const room = ofName ? lenses.names : lenses.others;
      if (room.length >= mostLenses) continue;
      const title = rules.length === 1 ? ruleText(inspection, rule) : groupText(inspection, rules);
      room.push({ line: lineOf(tokens[keyword]), title, rules, ofName });
    }
  }
  return [...lenses.others, ...lenses.names];
}

function lineOf(token: { readonly line: number } | undefined): number {
  return (token?.line ?? 1) - 1;
}
