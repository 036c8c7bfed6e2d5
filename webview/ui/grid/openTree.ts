import { childLinks, type ChildLinks } from '../../../src/core/profile/tree';
import { expandAbove, visibleRows } from '../../../src/core/views/treeRows';

/** The nodes of a tree that are open, the order of siblings, and the rows that follow from both. Parents come before their children. */
export class OpenTree {
  private readonly open: Uint8Array;

  /** @param links children in the order in which they stand; another order replaces it */
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

  /** A node with everything below it; undefined: all. */
  setBelow(row: number | undefined, isOpen: boolean): void {
    const inside = new Uint8Array(this.parent.length);
    this.parent.forEach((above, node) => {
      if (row !== undefined && node !== row && inside[above] !== 1) return;
      inside[node] = 1;
      this.open[node] = isOpen ? 1 : 0;
    });
  }

  /** Opens everything above a node. */
  reveal(row: number): void {
    expandAbove(this.parent, this.open, row);
  }

  /** A node and all beside it. */
  siblings(row: number): readonly number[] {
    const above = this.parent[row] ?? -1;
    const { firstRoot, firstChild, nextSibling } = this.links;
    const all: number[] = [];
    for (
      let node = above < 0 ? firstRoot : (firstChild[above] ?? -1);
      node >= 0;
      node = nextSibling[node] ?? -1
    )
      all.push(node);
    return all;
  }

  get roots(): readonly number[] {
    return this.siblings(-1);
  }

  /** What is shown, from top to bottom. */
  get rows(): Uint32Array {
    return visibleRows(this.parent, this.links, this.open);
  }

  /** All nodes in the order in which a person reads the tree. */
  get all(): Uint32Array {
    return visibleRows(this.parent, this.links, new Uint8Array(this.parent.length).fill(1));
  }
}
