import { at } from '../../at';
import type { CallGraph } from '../../callgraph/callGraph';
import { callersOf } from '../../callgraph/reachability';
import { isMpiName, type Activity } from '../../functions/activities';
import { seenWaiting } from '../../efficiency/seenWaiting';
import type { Profile } from '../../profile/profile';

/**
 * Whether a region's own time may contain waiting in MPI, because the profile has several processes and no MPI function: a rank that waits
 * then seems to work. Without a call graph any function may call MPI; with one, those that lead to it through functions that are not recorded.
 * @param keys function key per region
 */
export function hiddenMpi(
  profile: Profile,
  activities: readonly Activity[],
  keys: readonly string[],
  graph: CallGraph | undefined,
): (region: number) => boolean {
  if (seenWaiting(profile, activities).mpi) return () => false;
  if (graph === undefined) return () => true;
  const hiding = callersOfMpi(graph, recordedKeys(profile, keys));
  return (region) => hiding.has(at(keys, region));
}

function recordedKeys({ callPaths }: Profile, keys: readonly string[]): ReadonlySet<string> {
  return new Set(Array.from(callPaths.region, (region) => at(keys, region)));
}

/** Keys of functions whose own time contains that of an MPI function, or of one whose calls are unknown. */
function callersOfMpi(graph: CallGraph, recorded: ReadonlySet<string>): ReadonlySet<string> {
  const { functions } = graph;
  // A function of a library that is not the system's, and one without a record of its source, may call MPI.
  const queue = functions.flatMap(({ key, name, hasBody, isSystem, definitions, statements }, index) => {
    const isUnknown = !isSystem && (!hasBody || (definitions.length === 0 && statements === 0));
    return isMpiName(name) || (isUnknown && !recorded.has(key)) ? [index] : [];
  });
  // A program that nothing of MPI is linked to has no MPI to wait in.
  if (!functions.some(({ name }) => isMpiName(name))) return new Set();
  const callers = callersOf(graph);
  const hiding = new Set<string>();
  const seen = new Set(queue);
  for (const node of queue) {
    for (const caller of at(callers, node)) {
      const { key } = at(functions, caller);
      hiding.add(key);
      if (recorded.has(key) || seen.has(caller)) continue;
      seen.add(caller);
      queue.push(caller);
    }
  }
  return hiding;
}
