import { at, atInt } from '../../src/core/at';
import type { RefinementKind, SearchNode, Truth } from '../../src/core/diagnosis/search/searchRecord';
import type { ChildLinks } from '../../src/core/profile/tree';
import { childLinksInOrder, childrenOf } from '../../src/core/views/treeRows';
import { searchedRows } from '../ui/search/rowSearch';
import type { SearchQuery } from '../ui/search/searchBox';
import { focusText, stepText, type SearchWords } from './words';

/** A row of the search: an experiment below the first one that it refines, or its shadow below another one. */
export interface SearchRow {
  readonly node: SearchNode;
  readonly label: string;
  /** How it was reached from the row above. */
  readonly by: RefinementKind;
  /** Below another parent than the first: the experiment itself has a row elsewhere. */
  readonly isShadow: boolean;
}

/** All rows of a search: those of the experiments by their ids, then the shadows. Parents come before their children. */
export interface SearchRows {
  readonly rows: readonly SearchRow[];
  /** Row above, or −1. */
  readonly parent: Int32Array;
  /** Number of experiments. */
  readonly count: number;
}

/** @param nodes by their ids. A parent that does not come before its child, as in a forged file, is none. */
export function searchRows(nodes: readonly SearchNode[], words: SearchWords): SearchRows {
  const rows: SearchRow[] = [];
  const parents: number[] = [];
  const shadows: { readonly node: SearchNode; readonly parent: number; readonly by: RefinementKind }[] = [];
  nodes.forEach((node, id) => {
    const [first, ...others] = node.parents;
    const above = first?.node !== undefined && first.node < id ? first.node : -1;
    const label = stepText(words, node, nodes[above]);
    rows.push({ node, label, by: first?.by ?? 'root', isShadow: false });
    parents.push(above);
    for (const { node: parent, by } of others)
      if (parent !== undefined && parent < nodes.length && parent !== id) shadows.push({ node, parent, by });
  });
  for (const { node, parent, by } of shadows) {
    rows.push({ node, by, isShadow: true, label: stepText(words, node, nodes[parent]) });
    parents.push(parent);
  }
  return { rows, parent: Int32Array.from(parents), count: nodes.length };
}

/** What is shown of a search. */
export interface RowFilter {
  readonly query: SearchQuery;
  /** Only experiments that are true, and what leads to them. */
  readonly onlyTrue: boolean;
}

export interface ShownSearch {
  /** Children in the order in which they are shown, without what the filter excludes. */
  readonly links: ChildLinks;
  /** Rows that match the search, from all that could be shown; all, if nothing is searched for. */
  readonly matches: readonly number[];
  /** Number of rows, with those that lead to what matches. */
  readonly count: number;
  readonly error?: string;
}

/** The rows that match, and those above them: a match without what leads to it would say nothing. */
export function shownSearch(all: SearchRows, filter: RowFilter, words: SearchWords): ShownSearch {
  const { rows, parent, count } = all;
  const found = searchedRows(rows, filter.query, ({ node, label }) => [
    label,
    words.label(node.hypothesis),
    focusText(node.focus),
    ...(node.problem === undefined ? [] : [node.problem]),
  ]);
  const matches = found.matches.filter((row) => !filter.onlyTrue || at(rows, row).node.truth === 'true');
  const kept = new Uint8Array(rows.length);
  for (const row of matches) if (row < count) kept[row] = 1;
  for (let row = count - 1; row >= 0; row--) if (kept[row] === 1 && atInt(parent, row) >= 0) kept[atInt(parent, row)] = 1;
  // A shadow is shown where its experiment and what it is below are.
  for (const row of matches) if (row >= count) kept[row] = kept[atInt(parent, row)] ?? 0;
  const order = Uint32Array.from(kept.keys())
    .filter((row) => kept[row] === 1)
    .sort((a, b) => siblingOrder(at(rows, a), at(rows, b), words) || a - b);
  const { error } = found;
  return {
    links: childLinksInOrder(parent, order),
    matches: matches.filter((row) => kept[row] === 1),
    count: order.length,
    ...(error !== undefined && { error }),
  };
}

const truthOrder: Readonly<Record<Truth, number>> = { true: 0, unknown: 1, false: 2 };

/** What is true first, and of that what exceeds its threshold by most. */
function siblingOrder(a: SearchRow, b: SearchRow, words: SearchWords): number {
  return truthOrder[a.node.truth] - truthOrder[b.node.truth] || excess(b.node, words) - excess(a.node, words);
}

/** How many times the threshold a value is, or for hypotheses that hold below it, how many times smaller; 0 without a value. */
export function excess({ hypothesis, value, threshold }: SearchNode, words: SearchWords): number {
  if (value === undefined || words.metric(hypothesis) === undefined) return 0;
  const isBelow = words.hypothesis(hypothesis)?.holds === 'below';
  const [more, less] = isBelow ? [threshold, value] : [value, threshold];
  return less > 0 ? Math.min(more / less, Number.MAX_VALUE) : more > 0 ? Number.MAX_VALUE : 0;
}

/** Rows to open at first: level by level, those above what is true, as long as no more than `most` rows are shown. */
export function firstOpen(all: SearchRows, { links }: ShownSearch, most: number): readonly number[] {
  const leads = new Uint8Array(all.rows.length);
  for (let row = all.rows.length - 1; row >= 0; row--) {
    if (leads[row] !== 1 && at(all.rows, row).node.truth !== 'true') continue;
    const above = atInt(all.parent, row);
    if (above >= 0) leads[above] = 1;
  }
  const open: number[] = [];
  let shown = 0;
  let level = [...childrenOf(links, -1)];
  while (level.length > 0) {
    shown += level.length;
    const next: number[] = [];
    for (const row of level) {
      const children = leads[row] === 1 ? [...childrenOf(links, row)] : [];
      if (children.length === 0 || shown + next.length + children.length > most) continue;
      open.push(row);
      for (const child of children) next.push(child);
    }
    level = next;
  }
  return open;
}

/** Identifies an experiment in another search of the same program. */
export function experimentKey({ hypothesis, focus }: SearchNode): string {
  return `${hypothesis} ${focusText(focus)}`;
}
