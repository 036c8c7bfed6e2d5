import { at, atFloat, atInt } from '../at';
import { firstPosition } from '../firstPosition';
import type { ChildLinks } from '../profile/tree';

/** Rectangles of an icicle graph, level by level from the left as they were met; arrays have `count` elements. */
export interface Icicle {
  readonly count: number;
  readonly node: Uint32Array;
  /** 0 at the top. */
  readonly level: Uint32Array;
  /** Left border and width, in the unit of `IcicleOptions.width`. */
  readonly x: Float64Array;
  readonly width: Float64Array;
  /** Positions in these arrays per level, ascending by x. */
  readonly levels: readonly (readonly number[])[];
}

export interface IcicleOptions {
  /** The node that takes the whole width; −1: all roots. */
  readonly root: number;
  readonly width: number;
  /** Narrower rectangles are left out with all below them. */
  readonly minimum: number;
}

/**
 * Lays out a tree by its inclusive values; siblings in the order of `links`. Nodes above `root` take the whole width as well, so that
 * users can go back. Children never reach out of their parent, also where measured values do (rounding, broken counters).
 */
export function icicle(
  parent: Int32Array,
  links: ChildLinks,
  inclusive: Float64Array,
  { root, width, minimum }: IcicleOptions,
): Icicle {
  const build = new Layout(parent.length, width, minimum);
  const scale = width / (root >= 0 ? positive(inclusive[root]) : sumOfRoots(links, inclusive));
  if (!Number.isFinite(scale)) return build.icicle();
  build.above(parent, root, width);
  let node = root >= 0 ? root : links.firstRoot;
  while (node >= 0) {
    const shown = build.place(
      node,
      node === root ? -1 : atInt(parent, node),
      positive(inclusive[node]) * scale,
    );
    const child = shown ? atInt(links.firstChild, node) : -1;
    node = child >= 0 ? child : withinRoot(parent, links, node, root);
  }
  return build.icicle();
}

/** The rectangle at a point, as a position in the arrays; −1: none. */
export function rectangleAt(shown: Icicle, level: number, x: number): number {
  const row = shown.levels[level] ?? [];
  const left = (rectangle: number): number => atFloat(shown.x, rectangle);
  const endsBehind = (rectangle: number): boolean => left(rectangle) + atFloat(shown.width, rectangle) > x;
  const rectangle = row[firstPosition(row.length, (position) => endsBehind(at(row, position)))];
  return rectangle !== undefined && left(rectangle) <= x ? rectangle : -1;
}

/** The next node after the subtree of `node` that is still below `root`; −1: none. */
function withinRoot(parent: Int32Array, links: ChildLinks, node: number, root: number): number {
  for (let current = node; current !== root; current = atInt(parent, current)) {
    const sibling = atInt(links.nextSibling, current);
    if (sibling >= 0) return sibling;
  }
  return -1;
}

function positive(value: number | undefined): number {
  return value !== undefined && value > 0 ? value : 0;
}

function sumOfRoots({ firstRoot, nextSibling }: ChildLinks, inclusive: Float64Array): number {
  let sum = 0;
  for (let child = firstRoot; child >= 0; child = atInt(nextSibling, child))
    sum += positive(inclusive[child]);
  return sum;
}

class Layout {
  private readonly nodes: number[] = [];
  private readonly levelOf: number[] = [];
  private readonly xs: number[] = [];
  private readonly widths: number[] = [];
  private readonly levels: number[][] = [];
  /** Per node of the tree: its rectangle, −1: none; and where its next child begins. */
  private readonly rectangle: Int32Array;
  private readonly next: Float64Array;
  private rootCursor = 0;
  private firstLevel = 0;

  constructor(
    count: number,
    private readonly whole: number,
    private readonly minimum: number,
  ) {
    this.rectangle = new Int32Array(count).fill(-1);
    this.next = new Float64Array(count);
  }

  /** Places the nodes above the root; each takes the whole width. */
  above(parent: Int32Array, root: number, width: number): void {
    const ancestors: number[] = [];
    for (
      let ancestor = root < 0 ? -1 : atInt(parent, root);
      ancestor >= 0;
      ancestor = atInt(parent, ancestor)
    )
      ancestors.push(ancestor);
    for (const node of ancestors.reverse()) this.push(node, this.levels.length, 0, width);
    this.firstLevel = ancestors.length;
  }

  /** Puts a node to the right of its siblings, below `above` (−1: at the top); false when there is no room to see it. */
  place(node: number, above: number, wanted: number): boolean {
    const upper = above < 0 ? -1 : atInt(this.rectangle, above);
    const left = upper < 0 ? this.rootCursor : atFloat(this.next, above);
    const end = upper < 0 ? this.whole : at(this.xs, upper) + at(this.widths, upper);
    const width = Math.min(wanted, end - left);
    if (!(width > 0) || width < this.minimum) return false;
    this.push(node, upper < 0 ? this.firstLevel : at(this.levelOf, upper) + 1, left, width);
    if (upper < 0) this.rootCursor = left + width;
    else this.next[above] = left + width;
    return true;
  }

  icicle(): Icicle {
    return {
      count: this.nodes.length,
      node: Uint32Array.from(this.nodes),
      level: Uint32Array.from(this.levelOf),
      x: Float64Array.from(this.xs),
      width: Float64Array.from(this.widths),
      levels: this.levels,
    };
  }

  private push(node: number, level: number, x: number, width: number): void {
    const rectangle = this.nodes.push(node) - 1;
    this.levelOf.push(level);
    this.xs.push(x);
    this.widths.push(width);
    this.rectangle[node] = rectangle;
    this.next[node] = x;
    (this.levels[level] ??= []).push(rectangle);
  }
}
