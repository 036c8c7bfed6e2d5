import type { FilterSyntax } from '../../formats/scorep-filter/syntax/syntax';
import type { FilterInspection } from '../../workflows/filters/inspectFilter';
import { groupText, ruleText, summaryText } from './filterTexts';

/** Maximum number of lenses of a kind: more slow down scrolling and are not read. */
const mostLenses = 2000;

export interface FilterLens {
  /** From 0. */
  readonly line: number;
  readonly title: string;
  /** Rules whose functions a click shows. */
  readonly rules?: readonly number[];
  /** The lens belongs to a rule for a single name, where an additional line is of little use. */
  readonly ofName: boolean;
}

/**
 * The lens above the first block summarises what the filter instruments; those above each INCLUDE and EXCLUDE count the matching functions and
 * those that it decides.
 */
export function lensesOf(
  { tokens, blocks, filter }: FilterSyntax,
  inspection: FilterInspection,
): readonly FilterLens[] {
  const lenses = { names: [] as FilterLens[], others: [] as FilterLens[] };
  for (const [index, { begin, groups }] of blocks.entries()) {
    if (index === 0)
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
