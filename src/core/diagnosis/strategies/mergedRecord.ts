import { at } from '../../at';
import { getOrMake } from '../../getOrMake';
import { present } from '../../present';
import { printFocus } from '../resources/focusText';
import { largestCost } from '../search/largestCost';
import type { ParentEdge, SearchNode, SearchRecord } from '../search/searchRecord';

/** An edge from the node of a key; a root has none. */
type Edge = Omit<ParentEdge, 'node'> & { readonly from?: string };

interface Merged {
  /** Of the search that tested it, else of the last one that knows it. */
  node: SearchNode;
  isStale: boolean;
  edges: readonly Edge[];
}

/**
 * The search of a front end with those of agents, as one: each experiment once, with what the one that tested it knows, in the order in which they were made. Experiments
 * that agents began with are below those that the front end delegated.
 * @param own of the front end, or of the first agent where only agents search
 */
export function mergedRecord(own: SearchRecord, others: readonly SearchRecord[]): SearchRecord {
  const records = [own, ...others];
  const merged = new Map<string, Merged>();
  for (const { nodes } of records) {
    const keys = nodes.map(keyOf);
    nodes.forEach((node, id) => {
      const one = getOrMake(merged, at(keys, id), () => ({ node, isStale: false, edges: [] }));
      if (one.node.value === undefined) one.node = node;
      one.isStale ||= node.stale === true;
      const edges = node.parents.map(({ node: from, ...edge }): Edge =>
        from === undefined ? edge : { from: at(keys, from), ...edge },
      );
      one.edges = joined(one.edges, edges);
    });
  }
  return {
    ...own,
    end: Math.max(...records.map(({ end }) => end)),
    nodes: numbered(merged),
    notices: records.flatMap(({ notices }) => notices).sort((a, b) => a.time - b.time),
    ...present({ largestCost: largestCost(records.map((record) => record.largestCost)) }),
  };
}

/** In the order of time, each parent once. An experiment that has one is no root. */
function joined(first: readonly Edge[], others: readonly Edge[]): readonly Edge[] {
  const all = [...first, ...others];
  const isBelow = all.some(({ from }) => from !== undefined);
  const byParent = new Map<string | undefined, Edge>();
  for (const edge of all.sort((a, b) => a.time - b.time))
    if (edge.from !== undefined || !isBelow) getOrMake(byParent, edge.from, () => edge);
  return [...byParent.values()];
}

function numbered(merged: ReadonlyMap<string, Merged>): readonly SearchNode[] {
  const firstEdge = (key: string): Edge | undefined => merged.get(key)?.edges[0];
  const byTime = [...merged.keys()].sort((a, b) => (firstEdge(a)?.time ?? 0) - (firstEdge(b)?.time ?? 0));
  const ids = new Map<string, number>();
  for (const key of byTime) {
    // Of what was made at the same time, parents come first.
    const way = new Set<string>();
    let next: string | undefined = key;
    for (; next !== undefined && !ids.has(next) && !way.has(next); next = firstEdge(next)?.from)
      way.add(next);
    for (const one of [...way].reverse()) ids.set(one, ids.size);
  }
  return [...ids].flatMap(([key, id]) => {
    const one = merged.get(key);
    if (one === undefined) return [];
    const parents = one.edges.map(({ from, ...edge }): ParentEdge => {
      const node = from === undefined ? undefined : ids.get(from);
      return node === undefined ? edge : { node, ...edge };
    });
    return [{ ...one.node, id, parents, ...(one.isStale && { stale: true }) }];
  });
}

function keyOf({ hypothesis, focus }: SearchNode): string {
  return `${hypothesis}\n${printFocus(focus)}`;
}
