import { at, atFloat, atInt } from '../at';
import { present } from '../present';
import { Clusters } from './clusters';
import { mostClusters, type Cluster, type Digest } from './digest';
import { mergeIterations } from './iterations';
import { UnionRegions, UnionTree } from './unionTree';

/**
 * One digest of several: sums over all their clusters stay what they are, whatever the order and however often it was merged on the way; which clusters
 * become one depends on the order.
 * @param digests of one program, so that their slots mean the same
 */
export function mergeDigests(digests: readonly Digest[]): Digest {
  const regions = new UnionRegions(digests[0]?.slotCount ?? 0);
  const union = new UnionTree();
  const slotsHere = digests.map((digest) => regions.add(digest));
  const places = digests.map((digest, position) => union.add(digest, at(slotsHere, position)));
  const { tree } = union;
  const clusters = new Clusters(tree.parents, mostClusters);
  digests.forEach((digest, position) => {
    for (const cluster of digest.clusters)
      clusters.add(moved(cluster, at(places, position), tree.parents.length));
  });
  const iterations = digests.flatMap((digest, position) =>
    digest.iterations === undefined
      ? []
      : [{ iterations: digest.iterations, slotHere: at(slotsHere, position) }],
  );
  return {
    ranks: digests.reduce((most, { ranks }) => Math.max(most, ranks), 0),
    slotCount: regions.slotCount,
    regions: regions.regions,
    ...tree,
    costs: digests.map(({ costs }) => costs).reduce(least, []),
    clusters: clusters.all,
    ...present({ iterations: mergeIterations(iterations) }),
  };
}

/** The cluster with its amounts at other places. */
function moved(cluster: Cluster, places: Int32Array, length: number): Cluster {
  const amounts = new Map<string, Float64Array>();
  for (const [name, values] of cluster.amounts) {
    const there = new Float64Array(length);
    for (let path = 0; path < values.length; path++) {
      const place = atInt(places, path);
      if (place >= 0) there[place] = atFloat(there, place) + atFloat(values, path);
    }
    amounts.set(name, there);
  }
  return { ...cluster, amounts };
}

function least(a: readonly number[], b: readonly number[]): readonly number[] {
  if (a.length !== b.length) return a.length === 0 ? b : a;
  return a.map((value, position) => Math.min(value, at(b, position)));
}
