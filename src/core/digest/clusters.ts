import { at, atFloat, atInt } from '../at';
import { remembered } from '../remembered';
import { joinRanges, type Cluster } from './digest';

/** Clusters that differ by no more become one: what processes with equal work differ by at any moment. Of a distance from 0 to 1. */
const near = 0.02;

/** A cluster with what it is compared by. */
interface Compared {
  readonly cluster: Cluster;
  /** Mean exclusive seconds of a process by call path. */
  readonly means: Float64Array;
  /** To those that came later. */
  readonly distances: Map<Compared, number>;
}

/**
 * Clusters that are made while they come, at most a given number: dynamic profile clustering with weak structural equality (the same call paths) and the
 * Manhattan distance of means (performance-dynamics.md §14). Clusters with other call paths are farther from each other than any with the same ones.
 */
export class Clusters {
  private compared: Compared[] = [];

  /** @param parents of the call paths, before their children */
  constructor(
    private readonly parents: Int32Array,
    private readonly most: number,
  ) {}

  get all(): readonly Cluster[] {
    return this.compared
      .map(({ cluster }) => cluster)
      .sort((a, b) => (a.ranks[0]?.[0] ?? 0) - (b.ranks[0]?.[0] ?? 0));
  }

  add(cluster: Cluster): void {
    this.compared.push(this.prepared(cluster));
    const last = this.compared.length - 1;
    const pair = this.nearest(last);
    if (pair !== undefined && pair.distance <= near) this.join(pair);
    else if (last >= this.most) this.join(this.nearest(1));
  }

  /** @param from position of the first that is compared with those before it */
  private nearest(from: number): Pair | undefined {
    let nearest: Pair | undefined;
    for (let second = from; second < this.compared.length; second++)
      for (let first = 0; first < second; first++) {
        const [a, b] = [at(this.compared, first), at(this.compared, second)];
        const distance = remembered(a.distances, b, () => distanceOf(a, b));
        if (nearest === undefined || distance < nearest.distance) nearest = { first, second, distance };
      }
    return nearest;
  }

  private join(pair: Pair | undefined): void {
    if (pair === undefined) return;
    const [a, b] = [at(this.compared, pair.first), at(this.compared, pair.second)];
    this.compared = this.compared.filter((one) => one !== a && one !== b);
    this.compared.push(this.prepared(sumOf(a.cluster, b.cluster)));
  }

  private prepared(cluster: Cluster): Compared {
    const seconds = amountOf(cluster, 'seconds');
    const exclusive = Float64Array.from(seconds);
    for (let path = 1; path < exclusive.length; path++) {
      const above = atInt(this.parents, path);
      exclusive[above] = atFloat(exclusive, above) - atFloat(seconds, path);
    }
    const means = exclusive.map((value) => Math.max(0, value) / Math.max(1, cluster.processes));
    return { cluster, means, distances: new Map() };
  }
}

interface Pair {
  readonly first: number;
  readonly second: number;
  readonly distance: number;
}

/** 0: equal, 1: nothing in common; more where call paths differ. */
function distanceOf(a: Compared, b: Compared): number {
  let [difference, sum] = [0, 0];
  for (let path = 0; path < a.means.length; path++) {
    const [ofA, ofB] = [atFloat(a.means, path), atFloat(b.means, path)];
    difference += Math.abs(ofA - ofB);
    sum += ofA + ofB;
  }
  const distance = sum === 0 ? 0 : difference / sum;
  return areAlike(amountOf(a.cluster, 'visits'), amountOf(b.cluster, 'visits')) ? distance : 1 + distance;
}

/** Whether the same call paths were visited. */
function areAlike(a: Float64Array, b: Float64Array): boolean {
  return a.every((visits, path) => visits > 0 === atFloat(b, path) > 0);
}

function sumOf(a: Cluster, b: Cluster): Cluster {
  const amounts = new Map(a.amounts);
  for (const [name, values] of b.amounts) {
    const others = amounts.get(name);
    amounts.set(
      name,
      others === undefined ? values : values.map((value, path) => value + atFloat(others, path)),
    );
  }
  return {
    ranks: joinRanges(a.ranks, b.ranks),
    processes: a.processes + b.processes,
    threads: a.threads + b.threads,
    cpuSeconds: a.cpuSeconds + b.cpuSeconds,
    leastIterations: Math.min(a.leastIterations, b.leastIterations),
    mostIterations: Math.max(a.mostIterations, b.mostIterations),
    iterating: a.iterating + b.iterating,
    suspended: a.suspended + b.suspended,
    ended: a.ended + b.ended,
    amounts,
  };
}

function amountOf({ amounts }: Cluster, name: string): Float64Array {
  return amounts.get(name) ?? new Float64Array(0);
}
