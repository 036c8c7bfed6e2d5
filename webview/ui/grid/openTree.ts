import { childLinks, type ChildLinks } from '../../../src/core/profile/tree';
import { childrenOf, expandAbove, visibleRows } from '../../../src/core/views/treeRows';

/** The open nodes of a tree, the order of siblings, and the resulting rows. Parents come before their children. */
export class OpenTree {
  private readonly open: Uint8Array;

  /** @param links children in display order; another order replaces it */
  constructor(
    readonly parent: Int32Array,
    expanded: readonly number[],
    public links: ChildLinks = childLinks(parent),
  ) {
    this.open = new Uint8Array(parent.length);
    this.set(
      expanded.filter((row) => row < parent.length),
      true,
    );
  }

  state(row: number): 'leaf' | 'open' | 'closed' {
    if ((this.links.firstChild[row] ?? -1) < 0) return 'leaf';
    return this.open[row] === 1 ? 'open' : 'closed';
  }

  get expanded(): number[] {
    return Array.from(this.open.keys()).filter((row) => this.open[row] === 1);
  }

  set(rows: Iterable<number>, isOpen: boolean): void {
    for (const row of rows) this.open[row] = isOpen ? 1 : 0;
  }

  /** Opens or closes a node with everything below it; undefined: all nodes. */
  setBelow(row: number | undefined, isOpen: boolean): void {
    const inside = new Uint8Array(this.parent.length);
    this.parent.forEach((above, node) => {
      if (row !== undefined && node !== row && inside[above] !== 1) return;
      inside[node] = 1;
      this.open[node] = isOpen ? 1 : 0;
    });
  }

  /** Opens all ancestors of a node. */
  reveal(row: number): void {
    expandAbove(this.parent, this.open, row);
  }

  /** A node and its siblings. */
  siblings(row: number): readonly number[] {
    return [...childrenOf(this.links, this.parent[row] ?? -1)];
  }

  get roots(): readonly number[] {
    return this.siblings(-1);
  }

  /** The shown rows, from top to bottom. */
  get rows(): Uint32Array {
    return visibleRows(this.parent, this.links, this.open);
  }

  /** All nodes in depth-first display order. */
  get all(): Uint32Array {
    return visibleRows(this.parent, this.links, new Uint8Array(this.parent.length).fill(1));
  }
}
