import { foldSource } from '../folding/foldSource';
import type { Folding } from '../folding/folding';
import { searchSource, type Numbering } from '../folding/searchSource';
import type { SearchNode, SearchRecord } from '../search/searchRecord';

/**
 * What a search found out, folded: the same whether the hosts' agents searched or the front end.
 * @param isOwn experiments that this search made itself
 */
export function foldedSearch(
  record: SearchRecord,
  numbering: Numbering,
  isOwn: (node: SearchNode) => boolean = () => true,
): Folding {
  const nodes = record.nodes.filter(isOwn);
  const ids = new Map(nodes.map(({ id }, position) => [id, position]));
  const own = nodes.map((node, id) => ({
    ...node,
    id,
    parents: node.parents.flatMap((parent) => {
      const known = parent.node === undefined ? undefined : ids.get(parent.node);
      return known === undefined ? [] : { ...parent, node: known };
    }),
  }));
  return foldSource(searchSource({ nodes: own }, numbering), { strictSignatures: false });
}
