import { randomNumbers } from '../../core/randomNumbers';
import type { Member } from '../control/configuration';
import { newParents } from '../layout/adoption';
import type { RankTree } from '../layout/treeQueries';

/**
 * In which order an orphan asks for a new parent: better candidates are more likely to be first, and orphans of one parent draw differently, so that
 * not all ask the same one.
 * @param orphan its rank
 * @param candidates ranks of inner processes that are not below the lost parent
 * @param topology all processes as of the last epoch
 * @returns ranks of candidates and of the front end; empty when the front end was the parent
 */
export function parentOrder(
  orphan: number,
  candidates: readonly number[],
  topology: readonly Member[],
): readonly number[] {
  const question = { tree: treeOf(topology), rank: orphan, lost: new Set<number>(), inner: candidates };
  return newParents(question, randomNumbers(orphan));
}

function treeOf(topology: readonly Member[]): RankTree {
  const nodes: { readonly parent?: number; readonly children: number[] }[] = [];
  for (const { rank, parent } of topology)
    nodes[rank] = { ...(parent === rank ? {} : { parent }), children: [] };
  for (const { rank, parent } of topology) if (parent !== rank) nodes[parent]?.children.push(rank);
  return { root: topology.find(({ role }) => role === 'front-end')?.rank ?? -1, nodes };
}
