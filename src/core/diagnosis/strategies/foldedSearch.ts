import { getOrMake } from '../../getOrMake';
import { foldSource } from '../folding/foldSource';
import { composeAll, type Folding } from '../folding/folding';
import { searchSource, type Numbering } from '../folding/searchSource';
import type { SearchNode, SearchRecord } from '../search/searchRecord';

/**
 * What a search found out, folded: about the whole program, and about each host by itself, so that the result is the same whether the host's agent
 * searched or the front end.
 * @param isOwn experiments that this search made itself
 */
export function foldedSearch(
  record: SearchRecord,
  numbering: Numbering,
  isOwn: (node: SearchNode) => boolean = () => true,
): Folding {
  const parts = new Map<string | undefined, SearchNode[]>([[undefined, []]]);
  for (const node of record.nodes)
    if (isOwn(node)) getOrMake(parts, node.focus.Machine[0], () => []).push(node);
  return composeAll(
    [...parts.values()].map((nodes) =>
      foldSource(searchSource(recordOf(record, nodes), numbering), { strictSignatures: false }),
    ),
  );
}

/** Some of the experiments of a record as one of their own: those that others led to begin it. */
function recordOf(record: SearchRecord, nodes: readonly SearchNode[]): SearchRecord {
  const ids = new Map(nodes.map(({ id }, position) => [id, position]));
  const part = nodes.map((node, id) => ({
    ...node,
    id,
    parents: node.parents.flatMap((parent) => {
      const known = parent.node === undefined ? undefined : ids.get(parent.node);
      return known === undefined ? [] : { ...parent, node: known };
    }),
  }));
  return { ...record, nodes: part };
}
