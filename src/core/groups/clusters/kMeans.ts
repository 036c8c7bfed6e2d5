import { at, atFloat } from '../../at';
import { randomNumbers } from '../../randomNumbers';
import { sumOf } from '../../sums';
import { heaviestRows, type TimeVectors } from './timeVectors';

const dimensions = 10;
const mostRounds = 100;

/**
 * Clusters by Lloyd's algorithm (k-means) of the ten dimensions with the largest times, as other tools do: for comparison only. It takes the number of clusters, and puts
 * processes together that do not call the same functions. Begins with k-means++ (Arthur and Vassilvitskii).
 * @returns the cluster by process; some of them may be empty
 */
export function kMeans(vectors: TimeVectors, count: number, seed: number): Int32Array {
  const points = heaviestRows(vectors.rows, dimensions);
  const { processes } = vectors;
  const clusterOf = new Int32Array(processes);
  if (processes === 0) return clusterOf;
  let centres = firstCentres(points, processes, count, randomNumbers(seed));
  for (let round = 0; round < mostRounds; round++) {
    let isStable = round > 0;
    for (let process = 0; process < processes; process++) {
      const nearest = nearestCentre(points, process, centres).centre;
      if (nearest !== clusterOf[process]) isStable = false;
      clusterOf[process] = nearest;
    }
    if (isStable) break;
    centres = centresOf(points, clusterOf, centres);
  }
  return clusterOf;
}

type Centre = readonly number[];

function squareDistance(points: readonly Float64Array[], process: number, centre: Centre): number {
  let sum = 0;
  for (let dimension = 0; dimension < points.length; dimension++)
    sum += (atFloat(at(points, dimension), process) - at(centre, dimension)) ** 2;
  return sum;
}

function nearestCentre(
  points: readonly Float64Array[],
  process: number,
  centres: readonly Centre[],
): { readonly centre: number; readonly distance: number } {
  let [centre, distance] = [0, Infinity];
  centres.forEach((candidate, number) => {
    const own = squareDistance(points, process, candidate);
    if (own < distance) [centre, distance] = [number, own];
  });
  return { centre, distance };
}

/** Each further centre is a process, drawn with the square of its distance to the nearest centre so far. */
function firstCentres(
  points: readonly Float64Array[],
  processes: number,
  count: number,
  random: () => number,
): readonly Centre[] {
  const centreAt = (process: number): Centre => points.map((row) => atFloat(row, process));
  const centres = [centreAt(Math.floor(random() * processes))];
  while (centres.length < Math.min(count, processes)) {
    const weights = Float64Array.from(
      { length: processes },
      (_, process) => nearestCentre(points, process, centres).distance,
    );
    let left = random() * sumOf(weights);
    const drawn = weights.findIndex((weight) => (left -= weight) < 0);
    centres.push(centreAt(Math.max(0, drawn)));
  }
  return centres;
}

/** Means of the clusters; an empty one keeps its centre. */
function centresOf(
  points: readonly Float64Array[],
  clusterOf: Int32Array,
  before: readonly Centre[],
): readonly Centre[] {
  const sizes = before.map(() => 0);
  const sums = before.map(() => points.map(() => 0));
  clusterOf.forEach((cluster, process) => {
    sizes[cluster] = at(sizes, cluster) + 1;
    const sum = at(sums, cluster);
    points.forEach((row, dimension) => (sum[dimension] = at(sum, dimension) + atFloat(row, process)));
  });
  return before.map((centre, cluster) => {
    const size = at(sizes, cluster);
    return size === 0 ? centre : at(sums, cluster).map((sum) => sum / size);
  });
}
