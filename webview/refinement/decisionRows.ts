import { at } from '../../src/core/at';
import { csvText } from '../../src/core/csv';
import { shareRank } from '../../src/core/functions/shareOrder';
import { nameTest, type NameTest } from '../../src/core/names/namePattern';
import type { DecisionRow } from '../../src/protocol/refinement';
import type { SortOrder } from '../ui/grid/columns';
import { ruleName } from './words';

export interface DecisionView {
  readonly search: string;
  readonly regex: boolean;
  readonly state: DecisionState;
  /** Only functions that this rule decided; empty: all. */
  readonly rule: string;
  readonly sort: SortOrder;
}

export const decisionStates = ['all', 'in', 'out', 'pinned'] as const;
export type DecisionState = (typeof decisionStates)[number];

export const defaultDecisionView: DecisionView = {
  search: '',
  regex: false,
  state: 'all',
  rule: '',
  sort: { column: 'exclusive', direction: 'descending' },
};

export interface ShownRows {
  /** Positions in the decision table, in the order in which they are shown. */
  readonly rows: Uint32Array;
  /** Why the search finds nothing: its expression is wrong. */
  readonly error?: string;
}

/** Which functions are shown, and in which order. The search looks at names, files and reasons. */
export function shownRows(decisions: readonly DecisionRow[], view: DecisionView): ShownRows {
  let test: NameTest = () => true;
  try {
    if (view.search !== '') test = nameTest({ text: view.search, regex: view.regex, matchCase: false });
  } catch (error) {
    return { rows: new Uint32Array(0), error: error instanceof Error ? error.message : String(error) };
  }
  const rows: number[] = [];
  decisions.forEach((row, position) => {
    if (!hasState(row, view.state) || (view.rule !== '' && row.rule !== view.rule)) return;
    if (test(row.name) || test(row.reason) || (row.file !== undefined && test(row.file))) rows.push(position);
  });
  return { rows: Uint32Array.from(sorted(decisions, rows, view.sort)) };
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

type SortKey = (row: DecisionRow) => number | string;

const byExclusive: SortKey = ({ exclusiveShare, round }) => shareRank(exclusiveShare, round);

const sortKeys: Readonly<Record<string, SortKey>> = {
  name: ({ name }) => name,
  state: (row) => (wanted(row) ? 1 : 0) + (row.pinned === undefined ? 0 : 0.5),
  rule: ({ rule }) => ruleName(rule),
  reason: ({ reason }) => reason,
  visits: ({ visits = -1 }) => visits,
  inclusive: ({ inclusiveShare, round }) => shareRank(inclusiveShare, round),
  exclusive: byExclusive,
  overhead: ({ overheadPercent = -1 }) => overheadPercent,
};

function sorted(
  decisions: readonly DecisionRow[],
  rows: readonly number[],
  { column, direction }: SortOrder,
): readonly number[] {
  const key = sortKeys[column] ?? byExclusive;
  const sign = direction === 'ascending' ? 1 : -1;
  return rows
    .map((position) => {
      const row = at(decisions, position);
      return { position, key: key(row), name: row.name };
    })
    .sort((a, b) => sign * compare(a.key, b.key) || compare(a.name, b.name) || a.position - b.position)
    .map(({ position }) => position);
}

/** Not by locale: 100,000 names are sorted while the user waits. */
function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether the next iteration is to record it, as far as the user's wish and the last decision tell. */
export function wanted({ pinned, selected }: DecisionRow): boolean {
  return pinned === undefined ? selected : pinned === 'in';
}

/** The state in words. */
export function stateText({ pinned, selected }: DecisionRow): string {
  if (pinned !== undefined) return pinned === 'in' ? 'pinned in' : 'pinned out';
  return selected ? 'in' : 'out';
}

/** The rules that occur, with the number of their functions, by name. */
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
