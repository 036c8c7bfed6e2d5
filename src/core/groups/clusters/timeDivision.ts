import { at, atFloat } from '../../at';
import { getOrMake } from '../../getOrMake';
import type { ProcessContext } from '../context';
import type { ProcessTimes } from '../differences/processTimes';
import { membersOf, withoutOf } from '../sets/bitSet';
import { clusteringOfParts, type Cluster, type Clustering } from './clusterProcesses';

/** Chance leaves out, or adds, no function in which a process spends this share of its computation; `different-work` is about the same share of a run. */
const weighty = 0.01;

/**
 * Divides clusters whose members differ in what takes them long: a cluster is what a prototype and chance, or a threshold, explain, and both know only how many
 * functions differ. Clusters that are not divided stay as they are; so do all where nearly each process would be a cluster.
 */
export function dividedByTime(
  context: ProcessContext,
  clustering: Clustering,
  times: ProcessTimes,
): Clustering {
  const shares = new Map<number, Float64Array>();
  const shareOf = (attribute: number): Float64Array =>
    getOrMake(shares, attribute, () =>
      times.inclusiveOf([attribute]).map((seconds, process) => {
        const total = atFloat(times.computing, process);
        return total > 0 ? seconds / total : 0;
      }),
    );
  const parts = clustering.clusters.flatMap((cluster) => partsOf(context, cluster, shareOf));
  if (parts.length === clustering.clusters.length) return clustering;
  const divided = clusteringOfParts(context, parts);
  return divided.verdict === 'regular' ? divided : clustering;
}

/** Sets of a cluster that differ from its prototype in the same functions, as far as these take long. */
function partsOf(
  { sets, groupOf }: ProcessContext,
  { groups, processes, prototype }: Cluster,
  shareOf: (attribute: number) => Float64Array,
): readonly (readonly number[])[] {
  if (groups.length < 2) return [groups];
  const members = new Map<number, number[]>();
  for (const process of processes) getOrMake(members, at(groupOf, process), () => []).push(process);
  const mean = (attribute: number, own: readonly number[]): number => {
    const having = own.map((process) => atFloat(shareOf(attribute), process)).filter((share) => share > 0);
    return having.length === 0 ? 0 : having.reduce((sum, share) => sum + share, 0) / having.length;
  };
  const parts = new Map<string, number[]>();
  for (const group of groups) {
    const set = at(sets, group);
    const own = members.get(group) ?? [];
    const extra = membersOf(withoutOf(set, prototype)).filter((attribute) => mean(attribute, own) >= weighty);
    const missing = membersOf(withoutOf(prototype, set)).filter(
      (attribute) => mean(attribute, processes) >= weighty,
    );
    getOrMake(parts, [...extra, '-', ...missing].join(), () => []).push(group);
  }
  return [...parts.values()];
}
