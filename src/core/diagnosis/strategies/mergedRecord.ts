import { at } from '../../at';
import { printFocus } from '../resources/focusText';
import type { ParentEdge, SearchNode, SearchRecord } from '../search/searchRecord';

/**
 * The search of a front end with those of agents, as one: each experiment once, with what the one that tested it knows. Experiments that agents began with are
 * below those that the front end delegated.
 * @param own of the front end, or of the first agent where only agents search
 */
export function mergedRecord(own: SearchRecord, others: readonly SearchRecord[]): SearchRecord {
  const nodes: SearchNode[] = [];
  const ids = new Map<string, number>();
  for (const record of [own, ...others]) {
    const idOf = (id: number): number | undefined => ids.get(keyOf(at(record.nodes, id)));
    for (const node of record.nodes) {
      const key = keyOf(node);
      const known = ids.get(key);
      const id = known ?? nodes.length;
      ids.set(key, id);
      const parents = node.parents.flatMap((edge): readonly ParentEdge[] => {
        if (edge.node === undefined) return [edge];
        const parent = idOf(edge.node);
        return parent === undefined ? [] : [{ ...edge, node: parent }];
      });
      nodes[id] = known === undefined ? { ...node, id, parents } : joined(at(nodes, known), node, parents);
    }
  }
  return {
    ...own,
    end: Math.max(own.end, ...others.map(({ end }) => end)),
    nodes,
    notices: [own, ...others].flatMap(({ notices }) => notices).sort((a, b) => a.time - b.time),
  };
}

function joined(first: SearchNode, other: SearchNode, parents: readonly ParentEdge[]): SearchNode {
  const known = first.value === undefined ? other : first;
  const isDelegated = first.parents.some(({ node }) => node !== undefined);
  const more = parents.filter(({ by, node }) =>
    by === 'root' ? !isDelegated : !first.parents.some((edge) => edge.node === node),
  );
  return { ...known, id: first.id, parents: inOrder([...first.parents, ...more]) };
}

/** The first one is how the experiment was made, and stays that; clocks of hosts may differ a little. */
function inOrder([first, ...others]: readonly ParentEdge[]): readonly ParentEdge[] {
  if (first === undefined) return [];
  const later = others.map((edge) => ({ ...edge, time: Math.max(first.time, edge.time) }));
  return [first, ...later.sort((a, b) => a.time - b.time)];
}

function keyOf({ hypothesis, focus }: SearchNode): string {
  return `${hypothesis}\n${printFocus(focus)}`;
}
