import { at, atInt } from '../../src/core/at';
import { depths } from '../../src/core/profile/tree';
import { OpenTree } from '../ui/grid/openTree';
import {
  firstOpen,
  shownSearch,
  type RowFilter,
  type SearchRow,
  type SearchRows,
  type ShownSearch,
} from './searchRows';
import type { SearchWords } from './words';

/** As many rows as a panel shows without much scrolling. */
const mostAtFirst = 120;

/** More matches of a search, or more that has become true, is not all opened. */
export const mostRevealed = 2_000;

/** What tree and graph show of a search: its rows, which of them the filter leaves, and which are open. */
export class ShownRows {
  private readonly depth: Uint32Array;
  private tree: OpenTree;
  private filtered: ShownSearch;

  /** @param open positions of the open rows; undefined: those that lead to what is true */
  constructor(
    readonly all: SearchRows,
    readonly words: SearchWords,
    readonly isFolded: boolean,
    filter: RowFilter,
    open: readonly number[] | undefined,
  ) {
    const { parent } = all;
    this.depth = depths({ count: parent.length, parent });
    this.filtered = shownSearch(all, filter, words);
    this.tree = new OpenTree(parent, open ?? firstOpen(all, this.filtered, mostAtFirst), this.filtered.links);
  }

  /** Applies another filter; what is searched for is opened. */
  filter(filter: RowFilter): void {
    this.filtered = shownSearch(this.all, filter, this.words);
    this.tree.links = this.filtered.links;
    if (filter.query.text !== '')
      for (const row of this.filtered.matches.slice(0, mostRevealed)) this.tree.reveal(row);
  }

  row(position: number): SearchRow {
    return at(this.all.rows, position);
  }

  /** The row of the experiment that a shadow is of. */
  experimentRow(shadow: number): number {
    const [experiment] = this.row(shadow).experiments;
    return experiment === undefined ? -1 : atInt(this.all.rowOf, experiment.id);
  }

  /** 1 for roots. */
  level(row: number): number {
    return (this.depth[row] ?? 0) + 1;
  }

  /** Row above, or −1. */
  parent(row: number): number {
    return atInt(this.all.parent, row);
  }

  state(row: number): 'leaf' | 'open' | 'closed' {
    return this.tree.state(row);
  }

  setOpen(row: number, isOpen: boolean): void {
    this.tree.set([row], isOpen);
  }

  /** Opens or closes a row with all below it; undefined: everything. */
  setBelow(row: number | undefined, isOpen: boolean): void {
    this.tree.setBelow(row, isOpen);
  }

  openSiblings(row: number): void {
    this.tree.set(this.tree.siblings(row), true);
  }

  reveal(...rows: readonly number[]): void {
    for (const row of rows) this.tree.reveal(row);
  }

  /** The shown rows, from top to bottom. */
  get rows(): Uint32Array {
    return this.tree.rows;
  }

  get open(): readonly number[] {
    return this.tree.expanded;
  }

  get matches(): readonly number[] {
    return this.filtered.matches;
  }

  /** Number of rows that the filter leaves, open or not. */
  get count(): number {
    return this.filtered.count;
  }

  get error(): string | undefined {
    return this.filtered.error;
  }

  /** Number of rows directly below. */
  childCount(row: number): number {
    const { firstChild, nextSibling } = this.filtered.links;
    let count = 0;
    for (let child = firstChild[row] ?? -1; child >= 0; child = nextSibling[child] ?? -1) count++;
    return count;
  }
}
