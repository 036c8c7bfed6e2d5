import type { CallGraph } from '../../callgraph/callGraph';
import { isMpiName } from '../../functions/activities';
import type { FunctionRow } from '../../functions/functionRow';
import type { Profile } from '../../profile/profile';

/** What rows of a study know of calls. */
export type CallRow = Pick<FunctionRow, 'key' | 'callers' | 'libraryCallees'>;

/**
 * How many callees of a region have no time of their own in the profile, so that theirs is part of the region's exclusive time. Those of
 * libraries count, too; so does one that was never executed, for a profile cannot tell. Calls of MPI are recorded wherever any is.
 * @param keys function key per region of the profile
 */
export function unrecordedCallees(
  profile: Profile,
  graph: CallGraph,
  keys: readonly string[],
): (region: number) => number {
  const recorded = recordedKeys(profile, keys);
  const hasMpi = profile.regions.some(({ paradigm }) => paradigm === 'mpi');
  const positions = new Map(graph.functions.map(({ key }, position) => [key, position]));
  return (region) => {
    const callees = graph.edges[positions.get(keys[region] ?? '') ?? -1] ?? [];
    return callees.filter(({ callee }) => {
      const own = graph.functions[callee];
      const isMpi = hasMpi && own?.hasBody === false && isMpiName(own.mangledName ?? own.name);
      return !isMpi && !recorded.has(own?.key);
    }).length;
  };
}

/** The same by the rows of a finished study, which has no graph: callers are positions of rows. */
export function unrecordedInRows(
  profile: Profile,
  rows: readonly CallRow[],
  keys: readonly string[],
): (region: number) => number {
  const recorded = recordedKeys(profile, keys);
  const counts = rows.map(({ libraryCallees = 0 }) => libraryCallees);
  for (const { key, callers = [] } of rows)
    if (!recorded.has(key)) for (const caller of callers) counts[caller] = (counts[caller] ?? 0) + 1;
  const positions = new Map(rows.map(({ key }, position) => [key, position]));
  return (region) => counts[positions.get(keys[region] ?? '') ?? -1] ?? 0;
}

function recordedKeys({ callPaths }: Profile, keys: readonly string[]): ReadonlySet<string | undefined> {
  const recorded = new Set<string | undefined>();
  for (const region of callPaths.region) recorded.add(keys[region]);
  return recorded;
}
