import { getOrMake } from '../../getOrMake';
import { pushTo } from '../../remembered';
import { isWithin } from '../resources/containment';
import type { Focus, ResourcePath } from '../resources/focus';
import { printResource } from '../resources/focusText';
import type { SearchNode, SearchRecord } from '../search/searchRecord';
import type { Group } from './refined';

/** Values that differ by less (as a part of the larger one) are the same time: functions take a little beside what they call. */
const tolerance = 0.02;
/** So much more is not longer where each place is measured at another time. */
const liveTolerance = 0.1;

/**
 * Without nodes that say the same as another one, less precisely. The ways of a search refine a focus in different orders, so that the same waiting can be found in a function and in another one that it calls, or of an
 * object and of its type, and nothing leads from the one to the other.
 */
export function saidOnce(
  refined: readonly SearchNode[],
  { nodes }: Pick<SearchRecord, 'nodes'>,
): readonly SearchNode[] {
  const calls = new Calls(nodes);
  const alike = new Map<string, SearchNode[]>();
  for (const node of refined) pushTo(alike, partOf(node), node);
  return refined.filter(
    (node) =>
      alike
        .get(partOf(node))
        ?.some((other) => other !== node && isNear(other, node) && saysMore(other, node, calls)) !== true,
  );
}

/**
 * Without groups of a search in a running program that say of some or all processes what another one says more precisely of all of them, as `waiting in reduce on rank 0` beside `waiting in reduce (MPI_Allreduce)`: such
 * a search is refined to processes in one place and to what they wait for in another, as far as it comes, and each place is measured at another time. Processes that wait longer are left. A measurement that has ended
 * says the same at each place, and what it says is left as it is.
 * @param valueOf mean of a group
 */
export function groupsSaidOnce(
  groups: readonly Group[],
  { nodes, strategy }: Pick<SearchRecord, 'nodes' | 'strategy'>,
  valueOf: (group: Group) => number,
): readonly Group[] {
  if (strategy === 'recorded') return groups;
  const calls = new Calls(nodes);
  const saysAlike = (more: Group, less: Group): boolean =>
    more.hypothesis === less.hypothesis &&
    isPartOf(less, more) &&
    valueOf(less) <= (1 + liveTolerance) * valueOf(more) &&
    saysMore(more, less, calls);
  return groups.filter((less) => !groups.some((more) => more !== less && saysAlike(more, less)));
}

function isPartOf(less: Group, more: Group): boolean {
  return less.nodes.every(({ focus: { Machine } }) =>
    more.nodes.some((node) => isWithin(Machine, node.focus.Machine)),
  );
}

/** Hypothesis and part of the machine. */
function partOf({ hypothesis, focus: { Machine } }: SearchNode): string {
  return `${hypothesis} ${printResource('Machine', Machine)}`;
}

function isNear({ value: a = 0 }: SearchNode, { value: b = 0 }: SearchNode): boolean {
  return Math.abs(a - b) <= tolerance * Math.max(a, b);
}

interface Said {
  readonly focus: Pick<Focus, 'Code' | 'SyncObject'>;
}

function saysMore(more: Said, less: Said, calls: Calls): boolean {
  return (
    isWithin(more.focus.SyncObject, less.focus.SyncObject) &&
    calls.leadTo(more.focus.Code, less.focus.Code) &&
    // Functions that call each other are as precise.
    (more.focus.SyncObject.length > less.focus.SyncObject.length ||
      !calls.leadTo(less.focus.Code, more.focus.Code))
  );
}

/** Who calls whom, as far as the search went from one to the other. */
class Calls {
  private readonly callees = new Map<string, Set<string>>();
  private readonly reached = new Map<string, ReadonlySet<string>>();

  constructor(nodes: readonly SearchNode[]) {
    for (const { focus, parents } of nodes)
      for (const { node } of parents) {
        const caller = nodes[node ?? -1]?.focus.Code;
        if (caller !== undefined)
          getOrMake(this.callees, keyOf(caller), () => new Set<string>()).add(keyOf(focus.Code));
      }
  }

  /** Whether code is called by other code, directly or not, is a part of it, or is the same. */
  leadTo(code: ResourcePath, from: ResourcePath): boolean {
    return isWithin(code, from) || this.from(keyOf(from)).has(keyOf(code));
  }

  private from(code: string): ReadonlySet<string> {
    return getOrMake(this.reached, code, () => {
      const all = new Set([code]);
      // Going through a set reaches what is added meanwhile.
      for (const one of all) for (const callee of this.callees.get(one) ?? []) all.add(callee);
      return all;
    });
  }
}

function keyOf(code: ResourcePath): string {
  return printResource('Code', code);
}
