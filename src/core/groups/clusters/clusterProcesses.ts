import { at, atInt } from '../../at';
import type { ProcessContext } from '../context';
import { jaccard, measured, measureMatrix } from '../measures';
import { sizeOf, distanceOf, type BitSet } from '../sets/bitSet';
import { firstMembers } from '../sets/refineGroups';
import { majorityOf, weightOf, type WeightedSets } from '../sets/weightedSets';
import { completeLinkage, cutLinkage, type Merge } from './linkage';
import { findPrototypes } from './prototypes';
import { usualThreshold } from './splitCluster';

/** Groups of processes that are alike. */
export interface Cluster {
  /** Positions in `ProcessContext.sets`, ascending. */
  readonly groups: readonly number[];
  /** Positions in `ProcessContext.processes`, ascending. */
  readonly processes: readonly number[];
  /** The attributes that more than half of the processes have. */
  readonly prototype: BitSet;
  /** Jaccard similarity of the processes and the prototype: of the one least alike, and the mean. */
  readonly similarity: { readonly least: number; readonly mean: number };
}

/**
 * Why groups are not what a user should go by: processes have more different sets than there are kinds of work (`many clusters`), or lack so many
 * of their cluster's attributes, each others, that schedulers or sampling decided what they called (`much noise`).
 */
export type Irregularity = 'many clusters' | 'much noise';

export interface Clustering {
  /** In the order of their smallest processes. */
  readonly clusters: readonly Cluster[];
  /** Position in `clusters`, by process. */
  readonly clusterOf: Int32Array;
  readonly verdict: 'regular' | 'irregular';
  /** Present exactly if irregular. */
  readonly reason?: Irregularity;
  /** Share of the attributes of prototypes in which processes differ from them, on average. */
  readonly noise: number;
  /** Whether a threshold was asked for, but applied to prototypes: there are too many groups to compare each with each. */
  readonly isApproximate: boolean;
}

export interface ClusterOptions {
  /** Smallest similarity of any two groups of a cluster; absent: the default grouping. */
  readonly threshold?: number;
  /** More clusters than this are irregular. */
  readonly limit?: number;
}

export const usualLimit = 250;
/** More groups than this are not compared each with each: a second, and 16 MB. */
const comparable = 1024;
/** So few processes do not show what chance does; where it leaves out attributes, there are more different sets. */
const few = { processes: 16, sets: 6 };
/** Irregular: clusters by processes, where there are more clusters than given. Few streams of a scheduler are as irregular as many. */
const manyClusters = [
  { share: 0.25, above: 50 },
  { share: 0.5, above: 10 },
];
/** Below the noise that a division allows for (10 %): beyond, what is structure and what is chance is not certain. */
const muchNoise = 0.075;

/**
 * Clusters of groups. With a threshold, by complete linkage of the groups' similarities. By default, such that each cluster is what a prototype and chance
 * explain (`findPrototypes`): a threshold alone is wrong for processes that lack some attributes at random, as in sampled profiles, because two of
 * them lack twice as many as each.
 */
export function clusterProcesses(context: ProcessContext, options: ClusterOptions = {}): Clustering {
  const { limit = usualLimit, threshold } = options;
  const weighted = weightedSetsOf(context);
  const isComparable = context.sets.length <= comparable;
  const isSmall = context.processes.length <= few.processes && context.sets.length <= few.sets;
  const least = threshold ?? (isSmall ? usualThreshold : undefined);
  if (least !== undefined && isComparable) {
    const clusterOf = cutLinkage(linkageOfGroups(context), context.sets.length, least);
    return clusteringOf(context, weighted, membersOfClusters(clusterOf), limit);
  }
  const { parts, isCutOff } = findPrototypes(weighted, limit + 1, threshold);
  const found = parts.map(({ members }) => members);
  const clustering = clusteringOf(context, weighted, found, limit, isCutOff);
  return { ...clustering, isApproximate: threshold !== undefined };
}

/** Clusters that consist of these groups. */
export function clusteringOfParts(
  context: ProcessContext,
  parts: readonly (readonly number[])[],
  limit = usualLimit,
): Clustering {
  return clusteringOf(context, weightedSetsOf(context), parts, limit);
}

/** Positions of clusters whose processes are not all equal. */
export function nearlyEqual({ clusters }: Clustering): ReadonlySet<number> {
  return new Set(clusters.flatMap(({ groups }, cluster) => (groups.length > 1 ? [cluster] : [])));
}

/** The order in which groups become one as the threshold falls; for `cutLinkage`. At most about a thousand groups. */
export function linkageOfGroups({ sets, groupOf }: ProcessContext): readonly Merge[] {
  return completeLinkage(measureMatrix(sets), firstMembers(groupOf, sets.length));
}

/** Below, members are not nearly equal any more, as of groups by time. */
const nearly = 0.9;

/** Similarity of the process least alike, of clusters whose processes are not even nearly equal. */
export function looselyEqual({ clusters }: Clustering): ReadonlyMap<number, number> {
  return new Map(
    clusters.flatMap(({ similarity: { least } }, cluster) => (least < nearly ? [[cluster, least]] : [])),
  );
}

function weightedSetsOf({ sets, groupOf, attributes }: ProcessContext): WeightedSets {
  const weights = new Array<number>(sets.length).fill(0);
  for (const group of groupOf) weights[group] = at(weights, group) + 1;
  return { sets, weights, attributes: attributes.length };
}

function membersOfClusters(clusterOf: Int32Array): readonly (readonly number[])[] {
  const members: number[][] = [];
  clusterOf.forEach((cluster, item) => (members[cluster] ??= []).push(item));
  return members;
}

function clusteringOf(
  context: ProcessContext,
  weighted: WeightedSets,
  found: readonly (readonly number[])[],
  limit: number,
  isCutOff = false,
): Clustering {
  const first = firstMembers(context.groupOf, context.sets.length);
  // Groups need not have the order of their processes.
  const smallest = (groups: readonly number[]): number =>
    groups.reduce((least, group) => Math.min(least, at(first, group)), Infinity);
  const ordered = found
    .map((groups) => ({ groups, smallest: smallest(groups) }))
    .sort((a, b) => a.smallest - b.smallest)
    .map(({ groups }) => groups);
  const clusterOfGroup = new Int32Array(context.sets.length);
  ordered.forEach((groups, cluster) => {
    for (const group of groups) clusterOfGroup[group] = cluster;
  });
  const clusterOf = context.groupOf.map((group) => atInt(clusterOfGroup, group));
  const processes: number[][] = ordered.map(() => []);
  clusterOf.forEach((cluster, process) => at(processes, cluster).push(process));
  const clusters = ordered.map((groups, cluster) =>
    clusterOfGroups(weighted, groups, at(processes, cluster)),
  );
  const noise = noiseOf(weighted, clusters);
  const reason = irregularity(clusters.length, clusterOf.length, noise, limit, isCutOff);
  return {
    clusters,
    clusterOf,
    verdict: reason === undefined ? 'regular' : 'irregular',
    ...(reason === undefined ? {} : { reason }),
    noise,
    isApproximate: false,
  };
}

/** The processes of some groups as one cluster. */
export function clusterOfGroups(
  weighted: WeightedSets,
  groups: readonly number[],
  processes: readonly number[],
): Cluster {
  const prototype = majorityOf(weighted, groups);
  let [least, sum] = [1, 0];
  for (const group of groups) {
    const similarity = measured(jaccard, at(weighted.sets, group), prototype);
    least = Math.min(least, similarity);
    sum += similarity * at(weighted.weights, group);
  }
  return { groups, processes, prototype, similarity: { least, mean: sum / processes.length } };
}

function noiseOf(weighted: WeightedSets, clusters: readonly Cluster[]): number {
  let [differences, whole] = [0, 0];
  for (const { groups, prototype } of clusters) {
    whole += sizeOf(prototype) * weightOf(weighted, groups);
    for (const group of groups)
      differences += distanceOf(at(weighted.sets, group), prototype) * at(weighted.weights, group);
  }
  return whole === 0 ? 0 : differences / whole;
}

function irregularity(
  clusters: number,
  processes: number,
  noise: number,
  limit: number,
  isCutOff: boolean,
): Irregularity | undefined {
  if (isCutOff || clusters > limit) return 'many clusters';
  if (manyClusters.some(({ share, above }) => clusters > above && clusters >= share * processes))
    return 'many clusters';
  return noise > muchNoise ? 'much noise' : undefined;
}
