import { at, atFloat, atInt, atUint } from '../at';
import { preOrder } from '../profile/tree';

/** A call tree in pre-order with the names of its regions. */
export interface NamedTree {
  readonly parent: Int32Array;
  readonly region: Uint32Array;
  /** By region. */
  readonly names: readonly string[];
}

/** Two trees as one, in pre-order. */
export interface MergedTree extends NamedTree {
  /** Per call path: its position in the first and in the second tree, −1 where it is not in that tree. */
  readonly inFirst: Int32Array;
  readonly inSecond: Int32Array;
  /** Per region of the merged tree: its position among the regions of the first and second tree, −1: not there. */
  readonly regionInFirst: Int32Array;
  readonly regionInSecond: Int32Array;
}

/**
 * Matches call paths by the names of the regions along them. Several children of one parent with the same name (iterations, parameters)
 * match in their order. What has no partner stays, below its parent. Linear.
 */
export function mergeTrees(first: NamedTree, second: NamedTree): MergedTree {
  const regions = mergeRegions(first.names, second.names);
  const { parents, partner, added } = matchTrees(first, second, regions);
  const order = preOrder(parents);
  const position = new Int32Array(order.length);
  order.forEach((handle, index) => {
    position[handle] = index;
  });
  const count = first.parent.length;
  const handleRegion = (handle: number): number =>
    handle < count
      ? atUint(regions.ofFirst, atUint(first.region, handle))
      : atUint(regions.ofSecond, atUint(second.region, at(added, handle - count)));
  return {
    parent: Int32Array.from(order, (handle) => {
      const above = at(parents, handle);
      return above < 0 ? -1 : atInt(position, above);
    }),
    region: Uint32Array.from(order, handleRegion),
    names: regions.names,
    inFirst: Int32Array.from(order, (handle) => (handle < count ? handle : -1)),
    inSecond: Int32Array.from(order, (handle) =>
      handle < count ? atInt(partner, handle) : at(added, handle - count),
    ),
    regionInFirst: inverse(regions.ofFirst, regions.names.length),
    regionInSecond: inverse(regions.ofSecond, regions.names.length),
  };
}

/** Values of a tree in the order of the merged one; 0 where it has none. */
export function inMerged(values: Float64Array, positions: Int32Array): Float64Array {
  return Float64Array.from(positions, (position) => (position < 0 ? 0 : atFloat(values, position)));
}

interface Matching {
  /** Per handle: first the call paths of the first tree, then the added ones. */
  readonly parents: readonly number[];
  /** Per call path of the first tree, −1: none. */
  readonly partner: Int32Array;
  /** Call paths of the second tree without a partner. */
  readonly added: readonly number[];
}

function matchTrees(first: NamedTree, second: NamedTree, regions: MergedRegions): Matching {
  const count = first.parent.length;
  const children = new ChildrenByName(first.parent, regions.names.length);
  for (let i = count - 1; i >= 0; i--) children.add(i, atUint(regions.ofFirst, atUint(first.region, i)));
  const parents: number[] = Array.from(first.parent);
  const partner = new Int32Array(count).fill(-1);
  const added: number[] = [];
  const handleOf = new Int32Array(second.parent.length);
  for (let i = 0; i < second.parent.length; i++) {
    const above = atInt(second.parent, i);
    const parent = above < 0 ? -1 : atInt(handleOf, above);
    const match = children.take(parent, atUint(regions.ofSecond, atUint(second.region, i)));
    if (match >= 0) {
      partner[match] = i;
      handleOf[i] = match;
    } else {
      handleOf[i] = parents.push(parent) - 1;
      added.push(i);
    }
  }
  return { parents, partner, added };
}

/** Lists of the children of one parent with the same name; what was added last is taken first. */
class ChildrenByName {
  private readonly head = new Map<number, number>();
  private readonly next: Int32Array;

  constructor(
    private readonly parent: Int32Array,
    private readonly names: number,
  ) {
    this.next = new Int32Array(parent.length).fill(-1);
  }

  add(child: number, name: number): void {
    const key = this.key(atInt(this.parent, child), name);
    this.next[child] = this.head.get(key) ?? -1;
    this.head.set(key, child);
  }

  take(parent: number, name: number): number {
    const key = this.key(parent, name);
    const child = this.head.get(key) ?? -1;
    if (child >= 0) this.head.set(key, atInt(this.next, child));
    return child;
  }

  private key(parent: number, name: number): number {
    return (parent + 1) * this.names + name;
  }
}

interface MergedRegions {
  readonly names: readonly string[];
  readonly ofFirst: Uint32Array;
  readonly ofSecond: Uint32Array;
}

/** Regions with the same name become one. */
function mergeRegions(first: readonly string[], second: readonly string[]): MergedRegions {
  const positions = new Map<string, number>();
  const names: string[] = [];
  const idOf = (name: string): number => {
    const id = positions.get(name);
    if (id !== undefined) return id;
    positions.set(name, names.length);
    return names.push(name) - 1;
  };
  const ofFirst = Uint32Array.from(first, idOf);
  return { names, ofFirst, ofSecond: Uint32Array.from(second, idOf) };
}

function inverse(of: Uint32Array, count: number): Int32Array {
  const result = new Int32Array(count).fill(-1);
  for (let i = of.length - 1; i >= 0; i--) result[atUint(of, i)] = i;
  return result;
}
