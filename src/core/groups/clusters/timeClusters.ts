import { at, atInt } from '../../at';
import { getOrMake } from '../../getOrMake';
import { addTo } from '../../sums';
import type { ProcessContext } from '../context';
import type { ProcessTimes } from '../differences/processTimes';
import { clusterOfGroups, type Clustering } from './clusterProcesses';
import { kMeans } from './kMeans';

/** k-means begins with drawn processes; the same ones each time. */
const seed = 1;

/** Exclusive seconds by process, a row for each function, whatever calls it. */
export function functionRows(
  { attributes }: Pick<ProcessContext, 'attributes'>,
  times: ProcessTimes,
): readonly Float64Array[] {
  const rows = new Map<string, Float64Array>();
  attributes.forEach(({ callee }, attribute) => {
    const row = times.exclusiveOf(attribute);
    addTo(
      getOrMake(rows, callee, () => new Float64Array(row.length)),
      row,
    );
  });
  return [...rows.values()];
}

/**
 * Clusters of processes that take similar times in the ten functions with the most exclusive time (`kMeans`), whatever else they call: for comparison with
 * clusters of processes that do the same.
 * @param count of the clusters; there may be fewer
 */
export function clusterByTime(
  context: ProcessContext,
  rows: readonly Float64Array[],
  count: number,
): Clustering {
  const found = kMeans({ processes: context.processes.length, rows }, count, seed);
  // In the order of their smallest processes.
  const numbers = new Map<number, number>();
  const clusterOf = found.map((cluster) => getOrMake(numbers, cluster, () => numbers.size));
  const processes: number[][] = [...numbers].map(() => []);
  clusterOf.forEach((cluster, process) => at(processes, cluster).push(process));
  return {
    clusters: processes.map((own) => {
      const weights = new Array<number>(context.sets.length).fill(0);
      for (const process of own) {
        const group = atInt(context.groupOf, process);
        weights[group] = at(weights, group) + 1;
      }
      const groups = [...weights.keys()].filter((group) => at(weights, group) > 0);
      return clusterOfGroups(
        { sets: context.sets, weights, attributes: context.attributes.length },
        groups,
        own,
      );
    }),
    clusterOf,
    verdict: 'regular',
    noise: 0,
    isApproximate: false,
  };
}

/** How many of the clusters have processes of several clusters of another clustering. */
export function mixedClusters({ clusters }: Clustering, { clusterOf }: Clustering): number {
  return clusters.filter(
    ({ processes }) => new Set(processes.map((process) => atInt(clusterOf, process))).size > 1,
  ).length;
}
