import { at } from '../../src/core/at';
import { csvText } from '../../src/core/csv';
import { shareRank } from '../../src/core/functions/shareOrder';
import type { DecisionRow } from '../../src/protocol/refinement';
import type { SortOrder } from '../ui/grid/columns';
import { compare, searchedRows, sortedRows } from '../ui/search/rowSearch';
import { ruleName } from './words';

export interface DecisionView {
  readonly search: string;
  readonly regex: boolean;
  readonly state: DecisionState;
  /** Only functions with a decision by this rule; empty: all. */
  readonly rule: string;
  readonly sort: SortOrder;
}

export const decisionStates = ['all', 'in', 'out', 'pinned'] as const;
export type DecisionState = (typeof decisionStates)[number];

export interface ShownRows {
  /** Positions in the decision table, in display order. */
  readonly rows: Uint32Array;
  /** The syntax error in the search expression, if any. */
  readonly error?: string;
}

/** Selects and sorts the shown functions. The search includes names, files and reasons. */
export function shownRows(decisions: readonly DecisionRow[], view: DecisionView): ShownRows {
  const query = { text: view.search, regex: view.regex };
  const { matches, ...problem } = searchedRows(decisions, query, ({ name, reason, file = '' }) => [
    name,
    reason,
    file,
  ]);
  const fitting = matches.filter((position) => {
    const row = at(decisions, position);
    return hasState(row, view.state) && (view.rule === '' || row.rule === view.rule);
  });
  const byName = (a: DecisionRow, b: DecisionRow): number => compare(a.name, b.name);
  return { rows: Uint32Array.from(sortedRows(decisions, fitting, view.sort, sortKeys, byName)), ...problem };
}

function hasState(row: DecisionRow, state: DecisionState): boolean {
  switch (state) {
    case 'all':
      return true;
    case 'in':
      return row.selected;
    case 'out':
      return !row.selected;
    case 'pinned':
      return row.pinned !== undefined;
  }
}

const sortKeys = {
  name: ({ name }: DecisionRow) => name,
  state: (row: DecisionRow) => (wanted(row) ? 1 : 0) + (row.pinned === undefined ? 0 : 0.5),
  rule: ({ rule }: DecisionRow) => ruleName(rule),
  reason: ({ reason }: DecisionRow) => reason,
  visits: ({ visits = -1 }: DecisionRow) => visits,
  inclusive: ({ inclusiveShare, round }: DecisionRow) => shareRank(inclusiveShare, round),
  overhead: ({ overheadPercent = -1 }: DecisionRow) => overheadPercent,
  usual: ({ exclusiveShare, round }: DecisionRow) => shareRank(exclusiveShare, round),
};

/** Whether the next round will record the function, according to the user's pin or else the last decision. */
export function wanted({ pinned, selected }: DecisionRow): boolean {
  return pinned === undefined ? selected : pinned === 'in';
}

export function stateText({ pinned, selected }: DecisionRow): string {
  if (pinned !== undefined) return pinned === 'in' ? 'pinned in' : 'pinned out';
  return selected ? 'in' : 'out';
}

/** The occurring rules with the number of their functions, sorted by name. */
export function rulesOf(
  decisions: readonly DecisionRow[],
): readonly { readonly rule: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { rule } of decisions) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts]
    .map(([rule, count]) => ({ rule, count }))
    .sort((a, b) => compare(ruleName(a.rule), ruleName(b.rule)));
}

const csvHead = [
  ...['function', 'file', 'line', 'selected', 'pinned', 'rule', 'reason', 'visits'],
  ...['inclusive share', 'exclusive share', 'overhead percent', 'shares of'],
];

/** The shown rows as CSV. */
export function decisionsCsv(decisions: readonly DecisionRow[], rows: Iterable<number>): string {
  const lines = Array.from(rows, (position) => {
    const { name, file, line, selected, pinned, rule, reason, ...measures } = at(decisions, position);
    const { visits, inclusiveShare, exclusiveShare, overheadPercent, base } = measures;
    const cells = [name, file, line, String(selected), pinned, rule, reason, visits];
    return [...cells, inclusiveShare, exclusiveShare, overheadPercent, base].map((cell) => cell ?? '');
  });
  return csvText([csvHead, ...lines]);
}
