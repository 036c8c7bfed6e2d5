import type { Member } from '../control/configuration';

/**
 * In which order an orphan asks for a new parent.
 * @param orphan its rank
 * @param candidates ranks of inner processes and of the front end that are not below of the lost parent
 * @param topology all processes as of the last epoch
 * @returns ranks of candidates, the best first; those left out are asked last
 */
export type ParentChoice = (
  orphan: number,
  candidates: readonly number[],
  topology: readonly Member[],
) => readonly number[];

/** Those with the fewest children first; orphans of one parent begin at different ones of these, so that not all ask the same. */
export const fewestChildren: ParentChoice = (orphan, candidates, topology) => {
  const counts = new Map<number, number>();
  for (const { parent } of topology) counts.set(parent, (counts.get(parent) ?? 0) + 1);
  const children = (rank: number): number => counts.get(rank) ?? 0;
  const fewest = Math.min(...candidates.map(children));
  const best = candidates.filter((rank) => children(rank) === fewest);
  const others = candidates
    .filter((rank) => children(rank) > fewest)
    .sort((a, b) => children(a) - children(b));
  const from = best.length === 0 ? 0 : orphan % best.length;
  return [...best.slice(from), ...best.slice(0, from), ...others];
};
