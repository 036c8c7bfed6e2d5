import type { CallPaths, Region } from '../../core/profile/profile';
import { subtreeEnds } from '../../core/profile/tree';

/** Call paths in another order than that of the file, to which the rows of values belong. */
export interface MovedCallPaths {
  readonly callPaths: CallPaths;
  /** Position of each call path of the file; undefined where nothing has moved. */
  readonly positionOf?: Uint32Array;
}

/**
 * Score-P writes the tree of OpenMP tasks (`TASKS`) below the program's root. The Cube library takes it for a root of its own: its values
 * are not part of the program's. Here it stands behind the program's tree.
 */
export function withTasksApart(callPaths: CallPaths, regions: readonly Region[]): MovedCallPaths {
  const { count, parent } = callPaths;
  const ends = subtreeEnds(callPaths);
  const kept: number[] = [];
  const moved: number[] = [];
  const roots = new Set<number>();
  for (let i = 0; i < count; i++) {
    if (!isNestedTasks(callPaths, regions, i)) {
      kept.push(i);
      continue;
    }
    roots.add(i);
    const end = ends[i] ?? i + 1;
    for (; i < end; i++) moved.push(i);
    i--;
  }
  if (roots.size === 0) return { callPaths };
  const order = [...kept, ...moved];
  const positionOf = new Uint32Array(count);
  order.forEach((old, position) => {
    positionOf[old] = position;
  });
  const placed = <Value>(map: ReadonlyMap<number, Value>): Map<number, Value> =>
    new Map([...map].map(([old, value]) => [positionOf[old] ?? 0, value]));
  return {
    positionOf,
    callPaths: {
      count,
      parent: Int32Array.from(order, (old) => {
        const above = roots.has(old) ? -1 : (parent[old] ?? -1);
        return above < 0 ? -1 : (positionOf[above] ?? -1);
      }),
      region: Uint32Array.from(order, (old) => callPaths.region[old] ?? 0),
      fileId: Uint32Array.from(order, (old) => callPaths.fileId[old] ?? 0),
      ...(callPaths.parameters === undefined ? {} : { parameters: placed(callPaths.parameters) }),
      ...(callPaths.callSites === undefined ? {} : { callSites: placed(callPaths.callSites) }),
    },
  };
}

function isNestedTasks({ parent, region }: CallPaths, regions: readonly Region[], at: number): boolean {
  const above = parent[at] ?? -1;
  const { name, role } = regions[region[at] ?? -1] ?? {};
  return above >= 0 && (parent[above] ?? -1) < 0 && name === 'TASKS' && role === 'artificial';
}
