import { present } from '../../../core/present';
import { at, atInt, atUint } from '../../../core/at';
import type { CallPaths, Region } from '../../../core/profile/profile';
import { subtreeEnds } from '../../../core/profile/tree';

/** Call paths in an order that may differ from that of the file, to which the rows of values refer. */
export interface MovedCallPaths {
  readonly callPaths: CallPaths;
  /** Position of each call path of the file; undefined if the order is the file's. */
  readonly positionOf?: Uint32Array;
}

/**
 * Score-P writes the tree of OpenMP tasks (`TASKS`) below the program's root. The Cube library treats it as a second root, whose values
 * are not part of the program's. Here it follows the program's tree.
 */
export function withTasksApart(callPaths: CallPaths, regions: readonly Region[]): MovedCallPaths {
  const { count, parent } = callPaths;
  const ends = subtreeEnds(callPaths);
  const staying: number[] = [];
  const moved: number[] = [];
  const roots = new Set<number>();
  for (let i = 0; i < count; i++) {
    if (!isNestedTasks(callPaths, regions, i)) {
      staying.push(i);
      continue;
    }
    roots.add(i);
    const end = atUint(ends, i);
    for (; i < end; i++) moved.push(i);
    i--;
  }
  if (roots.size === 0) return { callPaths };
  const order = [...staying, ...moved];
  const positionOf = new Uint32Array(count);
  order.forEach((old, position) => {
    positionOf[old] = position;
  });
  const placed = <Value>(map: ReadonlyMap<number, Value> | undefined): Map<number, Value> | undefined =>
    map && new Map([...map].map(([old, value]) => [atUint(positionOf, old), value]));
  return {
    positionOf,
    callPaths: {
      count,
      parent: Int32Array.from(order, (old) => {
        const above = roots.has(old) ? -1 : atInt(parent, old);
        return above < 0 ? -1 : atUint(positionOf, above);
      }),
      region: Uint32Array.from(order, (old) => atUint(callPaths.region, old)),
      fileId: Uint32Array.from(order, (old) => atUint(callPaths.fileId, old)),
      ...present({ parameters: placed(callPaths.parameters), callSites: placed(callPaths.callSites) }),
    },
  };
}

function isNestedTasks({ parent, region }: CallPaths, regions: readonly Region[], callPath: number): boolean {
  const above = atInt(parent, callPath);
  const { name, role } = at(regions, atUint(region, callPath));
  return above >= 0 && atInt(parent, above) < 0 && name === 'TASKS' && role === 'artificial';
}
