import { getOrMake } from '../../getOrMake';
import { pushTo } from '../../remembered';
import { isWithin } from '../resources/containment';
import type { ResourcePath } from '../resources/focus';
import { printResource } from '../resources/focusText';
import type { SearchNode, SearchRecord } from '../search/searchRecord';

/** Values that differ by less (as a part of the larger one) are the same time: functions take a little beside what they call. */
const tolerance = 0.02;

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
      alike.get(partOf(node))?.some((other) => other !== node && saysMore(other, node, calls)) !== true,
  );
}

/** Hypothesis and part of the machine. */
function partOf({ hypothesis, focus: { Machine } }: SearchNode): string {
  return `${hypothesis} ${printResource('Machine', Machine)}`;
}

function saysMore(more: SearchNode, less: SearchNode, calls: Calls): boolean {
  const [a = 0, b = 0] = [more.value, less.value];
  return (
    Math.abs(a - b) <= tolerance * Math.max(a, b) &&
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
