import { at, atInt } from '../../src/core/at';
import type { Gauge } from '../../src/core/diagnosis/folding/foldedTree';
import { printFocus } from '../../src/core/diagnosis/resources/focusText';
import type { RefinementKind, SearchNode, Truth } from '../../src/core/diagnosis/search/searchRecord';
import type { ChildLinks } from '../../src/core/profile/tree';
import { childLinksInOrder, childrenOf } from '../../src/core/views/treeRows';
import { searchedRows } from '../ui/search/rowSearch';
import type { SearchQuery } from '../ui/search/searchBox';
import { stepText, type SearchWords } from './words';

/** A row of the search: an experiment below the first one that it refines, its shadow below another one, or what several are folded to. */
export interface SearchRow {
  readonly label: string;
  /** Undefined: it is no experiment, but leads to some. */
  readonly truth: Truth | undefined;
  /** How it was reached from the row above. */
  readonly by: RefinementKind;
  /** Below another parent than the first: the experiment itself has a row elsewhere. */
  readonly isShadow: boolean;
  /** What it stands for. */
  readonly experiments: readonly SearchNode[];
  /** Share of hosts, processes or places that it stands for. */
  readonly gauge?: Gauge;
  /** Identifies it in another search of the same program. */
  readonly key: string;
}

/** All rows of a search; shadows are the last ones. Parents come before their children. */
export interface SearchRows {
  readonly rows: readonly SearchRow[];
  /** Row above, or −1. */
  readonly parent: Int32Array;
  /** Number of rows without shadows. */
  readonly count: number;
  /** Row of each experiment, by its id. */
  readonly rowOf: Int32Array;
}

/** A row for each experiment. @param nodes by their ids. A parent that does not come before its child, as in a forged file, is none. */
export function experimentRows(nodes: readonly SearchNode[], words: SearchWords): SearchRows {
  const rows: SearchRow[] = [];
  const parents: number[] = [];
  const add = (node: SearchNode, parent: number, by: RefinementKind, isShadow: boolean): void => {
    const label = stepText(words, node, nodes[parent]);
    const key = `${node.hypothesis} ${printFocus(node.focus)}`;
    rows.push({ label, truth: node.truth, by, isShadow, experiments: [node], key });
    parents.push(parent);
  };
  nodes.forEach((node, id) => {
    const [first] = node.parents;
    add(node, first?.node !== undefined && first.node < id ? first.node : -1, first?.by ?? 'root', false);
  });
  nodes.forEach((node, id) => {
    for (const { node: parent, by } of node.parents.slice(1))
      if (parent !== undefined && nodes[parent] !== undefined && parent !== id) add(node, parent, by, true);
  });
  return {
    rows,
    parent: Int32Array.from(parents),
    count: nodes.length,
    rowOf: Int32Array.from(nodes.keys()),
  };
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
  /** Rows that match the search; all, if nothing is searched for. */
  readonly matches: readonly number[];
  /** Number of rows, with those that lead to what matches. */
  readonly count: number;
  readonly error?: string;
}

/** The rows that match, and those above them: a match without what leads to it would say nothing. */
export function shownSearch(all: SearchRows, filter: RowFilter, words: SearchWords): ShownSearch {
  const { rows, parent, count } = all;
  const found = searchedRows(rows, filter.query, ({ label, key, experiments: [node] }) => [
    label,
    key,
    words.label(node?.hypothesis ?? ''),
    ...(node?.problem === undefined ? [] : [node.problem]),
  ]);
  const matches = found.matches.filter((row) => !filter.onlyTrue || at(rows, row).truth === 'true');
  const kept = withAbove(
    all,
    matches.filter((row) => row < count),
  );
  // A shadow is shown where its experiment and what it is below are.
  for (const row of matches) if (row >= count) kept[row] = kept[atInt(parent, row)] ?? 0;
  const rank = siblingRanks(all);
  const excesses = rows.map(({ experiments }) => excess(experiments, words));
  const order = Uint32Array.from(kept.keys())
    .filter((row) => kept[row] === 1)
    .sort((a, b) => (rank[a] ?? 0) - (rank[b] ?? 0) || (excesses[b] ?? 0) - (excesses[a] ?? 0) || a - b);
  const { error } = found;
  return {
    links: childLinksInOrder(parent, order),
    matches: matches.filter((row) => kept[row] === 1),
    count: order.length,
    ...(error !== undefined && { error }),
  };
}

/** 1 for these rows and those above them. */
function withAbove({ parent }: SearchRows, wanted: Iterable<number>): Uint8Array {
  const kept = new Uint8Array(parent.length);
  for (const row of wanted) kept[row] = 1;
  for (let row = parent.length - 1; row >= 0; row--) {
    const above = atInt(parent, row);
    if (kept[row] === 1 && above >= 0) kept[above] = 1;
  }
  return kept;
}

/** Rows that are true, and those above them. */
function trueRows(all: SearchRows): Uint8Array {
  return withAbove(
    all,
    all.rows.flatMap(({ truth }, row) => (truth === 'true' ? [row] : [])),
  );
}

/** What is true first, or leads to it; then what is undecided, then the others. */
function siblingRanks(all: SearchRows): Uint8Array {
  const leads = trueRows(all);
  return Uint8Array.from(all.rows, ({ truth }, row) =>
    truth === undefined ? (leads[row] === 1 ? 0 : 2) : truthRanks[truth],
  );
}

const truthRanks: Readonly<Record<Truth, number>> = { true: 0, unknown: 1, false: 2 };

/** How many times the threshold the largest value is, or for hypotheses that hold below it, how many times smaller; 0 without a value. */
function excess(experiments: readonly SearchNode[], words: SearchWords): number {
  return experiments.reduce((largest, { hypothesis, value, threshold }) => {
    if (value === undefined || words.isVirtual(hypothesis)) return largest;
    const isBelow = words.hypothesis(hypothesis)?.holds === 'below';
    const [more, less] = isBelow ? [threshold, value] : [value, threshold];
    return Math.max(largest, less > 0 ? Math.min(more / less, 1e9) : more > 0 ? 1e9 : 0);
  }, 0);
}

/** Rows to open at first: level by level, those above what is true, as long as no more than `most` rows are shown. */
export function firstOpen(all: SearchRows, { links }: ShownSearch, most: number): readonly number[] {
  const { rows, parent } = all;
  const leads = withAbove(
    all,
    rows.flatMap(({ truth }, row) =>
      truth === 'true' && atInt(parent, row) >= 0 ? [atInt(parent, row)] : [],
    ),
  );
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
