import { at, atFloat, atInt, atUint } from '../at';
import { remembered } from '../remembered';
import { Clusters } from './clusters';
import { mostClusters, mostPaths, mostRegions, type Cluster, type Digest, type DigestRegion } from './digest';

/**
 * One digest of several: sums over all their clusters stay what they are, whatever the order and however often it was merged on the way; which clusters
 * become one depends on the order.
 * @param digests of one program, so that their slots mean the same
 */
export function mergeDigests(digests: readonly Digest[]): Digest {
  const [first] = digests;
  const paths = new UnionPaths(first?.slotCount ?? 0);
  const places = digests.map((digest) => paths.add(digest));
  const clusters = new Clusters(paths.parents, mostClusters);
  digests.forEach((digest, position) => {
    for (const cluster of digest.clusters)
      clusters.add(moved(cluster, at(places, position), paths.parents.length));
  });
  return {
    ranks: digests.reduce((most, { ranks }) => Math.max(most, ranks), 0),
    slotCount: paths.slotCount,
    regions: paths.regions,
    parents: Int32Array.from(paths.parents),
    slots: Uint32Array.from(paths.slots),
    costs: digests.map(({ costs }) => costs).reduce(least, []),
    clusters: clusters.all,
  };
}

/** The place of what is beyond the bounds. */
const leftOut = -1;

/** The call paths of several digests, in order of appearance. */
class UnionPaths {
  readonly regions: DigestRegion[] = [];
  readonly parents: number[] = [];
  readonly slots: number[] = [];
  private readonly regionAt = new Map<string, number>();
  private readonly below = new Map<string, number>();

  constructor(readonly slotCount: number) {}

  /** @returns the place of each path of the digest */
  add({ regions, slotCount, parents, slots }: Digest): Int32Array {
    const slotOf = regions.map((region) => this.region(region));
    const places = new Int32Array(parents.length);
    for (let path = 0; path < parents.length; path++) {
      const slot = atUint(slots, path);
      const above = path === 0 ? -1 : atInt(places, atInt(parents, path));
      places[path] = path > 0 && above < 0 ? leftOut : this.path(above, slotOf[slot - slotCount] ?? slot);
    }
    return places;
  }

  private region(region: DigestRegion): number {
    if (this.regions.length >= mostRegions) return this.regionAt.get(region.name) ?? leftOut;
    const add = (): number => this.slotCount + this.regions.push(region) - 1;
    return remembered(this.regionAt, region.name, add);
  }

  private path(above: number, slot: number): number {
    const key = `${above}:${slot}`;
    const known = this.below.get(key);
    if (known !== undefined) return known;
    if (slot === leftOut || this.parents.length >= mostPaths) return leftOut;
    this.parents.push(above);
    const place = this.slots.push(slot) - 1;
    this.below.set(key, place);
    return place;
  }
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
