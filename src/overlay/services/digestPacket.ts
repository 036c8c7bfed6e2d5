import { at, atFloat, atUint } from '../../core/at';
import {
  mostClusters,
  mostPaths,
  mostRegions,
  type Cluster,
  type Digest,
  type DigestIterations,
  type DigestRegion,
  type RankRange,
} from '../../core/digest/digest';
import { mostIterationsOf } from '../../core/digest/iterations';
import { present } from '../../core/present';
import { OverlayError } from '../packets/overlayError';
import type { Packet } from '../packets/packet';
import type { Packable, Value } from '../packets/values';

/**
 * Ranks and slots; names, kinds, files and lines of regions; parents and slots of call paths; costs; of each cluster the number of its ranges, firsts and lasts
 * of all ranges, and its counts; names of amounts, and their values by cluster, name and call path. Of iterations: phase, numbers, parents and slots of call
 * paths; of each iteration processes, preempted seconds, computing seconds, most seconds, and the rank of these; visits, seconds and events by iteration and path. No call path: none.
 */
export const digestFormat =
  '%ud %ud %as %auc %as %aud %ad %aud %alf %aud %aud %alf %as %alf %ud %aud %ad %aud %alf %alf %alf %alf %aud %alf %alf %alf';

const countNames = [
  'processes',
  'threads',
  'cpuSeconds',
  'leastIterations',
  'mostIterations',
  'iterating',
  'suspended',
  'ended',
] as const;

/** Bounds on what another process may send. */
const most = { regions: mostRegions, text: 4096, costs: 64, ranges: 2 ** 20, amounts: 32, amountName: 64 };

export function digestValues(digest: Digest): readonly Packable[] {
  const { ranks, slotCount, regions, parents, slots, costs, clusters } = digest;
  const names = [...new Set(clusters.flatMap(({ amounts }) => [...amounts.keys()]))];
  const amounts = new Float64Array(clusters.length * names.length * parents.length);
  clusters.forEach((cluster, position) =>
    names.forEach((name, column) => {
      const values = cluster.amounts.get(name);
      if (values !== undefined) amounts.set(values, (position * names.length + column) * parents.length);
    }),
  );
  return [
    ranks,
    slotCount,
    regions.map(({ name }) => name),
    regions.map(({ kind }) => kind),
    regions.map(({ file }) => file),
    regions.map(({ line }) => line),
    parents,
    slots,
    costs,
    clusters.map((cluster) => cluster.ranks.length),
    clusters.flatMap((cluster) => cluster.ranks.flat()),
    clusters.flatMap((cluster) => countNames.map((name) => cluster[name])),
    names,
    amounts,
    ...iterationValues(digest.iterations),
  ];
}

function iterationValues(iterations: Digest['iterations']): readonly Packable[] {
  if (iterations === undefined) return [0, [], [], [], [], [], [], [], [], [], [], []];
  const { phase, numbers, parents, slots, processes, preemptedSeconds } = iterations;
  const { computingSeconds, mostSeconds, mostRank, visits, seconds, childEvents } = iterations;
  return [
    phase,
    numbers,
    parents,
    slots,
    processes,
    preemptedSeconds,
    computingSeconds,
    mostSeconds,
    mostRank,
    visits,
    seconds,
    childEvents,
  ];
}

/** @throws OverlayError `format`, `malformed` */
export function readDigest(packet: Packet): Digest {
  const values = packet.unpack(digestFormat);
  const [ranks, slotCount, , , , , parents, slots, costs] = values;
  const paths = { parents: parents as Int32Array, slots: slots as Uint32Array };
  requireTree(paths.parents, paths.slots);
  const ownCosts = costs as Float64Array;
  requireThat(ownCosts.length <= most.costs && ownCosts.every(isAmount), 'costs');
  return {
    ranks: Number(ranks),
    slotCount: Number(slotCount),
    regions: readRegions(values),
    ...paths,
    costs: [...ownCosts],
    clusters: readClusters(values, paths.parents.length),
    ...present({ iterations: readIterations(values.slice(14)) }),
  };
}

function readIterations(values: readonly Value[]): DigestIterations | undefined {
  const tree = { parents: values[2] as Int32Array, slots: values[3] as Uint32Array };
  const paths = tree.parents.length;
  if (paths === 0) return undefined;
  requireTree(tree.parents, tree.slots);
  const numbers = values[1] as Uint32Array;
  const mostRank = values[8] as Uint32Array;
  const column = (position: number): Float64Array => values[position] as Float64Array;
  const perIteration = {
    processes: column(4),
    preemptedSeconds: column(5),
    computingSeconds: column(6),
    mostSeconds: column(7),
  };
  const ofPaths = { visits: column(9), seconds: column(10), childEvents: column(11) };
  const { length } = numbers;
  requireThat(
    length <= mostIterationsOf(paths) &&
      numbers.every((number, row) => row === 0 || number > atUint(numbers, row - 1)),
    'iterations',
  );
  const areOf = (columns: readonly Float64Array[], cells: number): boolean =>
    columns.every((values) => values.length === cells && values.every(isAmount));
  requireThat(
    mostRank.length === length &&
      areOf(Object.values(perIteration), length) &&
      areOf(Object.values(ofPaths), length * paths),
    'values of iterations',
  );
  return { phase: Number(values[0]), numbers, ...tree, ...perIteration, mostRank, ...ofPaths };
}

function readRegions(values: readonly Value[]): readonly DigestRegion[] {
  const names = values[2] as readonly string[];
  const kinds = values[3] as Uint8Array;
  const files = values[4] as readonly string[];
  const lines = values[5] as Uint32Array;
  const { length } = names;
  requireThat(
    length <= most.regions && [kinds, files, lines].every((column) => column.length === length),
    'regions',
  );
  requireThat(
    [...names, ...files].every((text) => text.length <= most.text),
    'names of regions',
  );
  return names.map((name, position) => ({
    name,
    kind: at(kinds, position),
    file: at(files, position),
    line: at(lines, position),
  }));
}

function requireTree(parents: Int32Array, slots: Uint32Array): void {
  const { length } = parents;
  requireThat(length <= mostPaths && slots.length === length, 'call paths');
  const areInOrder = parents.every((parent, path) =>
    path === 0 ? parent === -1 : parent >= 0 && parent < path,
  );
  requireThat(areInOrder, 'parents of call paths');
}

function readClusters(values: readonly Value[], paths: number): readonly Cluster[] {
  const rangeCounts = values[9] as Uint32Array;
  const borders = values[10] as Uint32Array;
  const counts = values[11] as Float64Array;
  const names = values[12] as readonly string[];
  const amounts = values[13] as Float64Array;
  const { length } = rangeCounts;
  requireThat(length <= mostClusters && counts.length === length * countNames.length, 'clusters');
  requireThat(
    names.length <= most.amounts &&
      new Set(names).size === names.length &&
      names.every((name) => name.length <= most.amountName),
    'names of amounts',
  );
  requireThat(amounts.length === length * names.length * paths && amounts.every(isAmount), 'amounts');
  const ranges = readRanges(rangeCounts, borders);
  return ranges.map((ranks, position) => {
    const count = (name: (typeof countNames)[number]): number => {
      const value = atFloat(counts, position * countNames.length + countNames.indexOf(name));
      requireThat(isAmount(value), 'counts of clusters');
      return value;
    };
    const columnOf = (column: number): Float64Array => {
      const first = (position * names.length + column) * paths;
      return amounts.slice(first, first + paths);
    };
    return {
      ranks,
      processes: count('processes'),
      threads: count('threads'),
      cpuSeconds: count('cpuSeconds'),
      leastIterations: count('leastIterations'),
      mostIterations: count('mostIterations'),
      iterating: count('iterating'),
      suspended: count('suspended'),
      ended: count('ended'),
      amounts: new Map(names.map((name, column) => [name, columnOf(column)])),
    };
  });
}

function readRanges(counts: Uint32Array, borders: Uint32Array): readonly (readonly RankRange[])[] {
  const sum = counts.reduce((total, count) => total + count, 0);
  requireThat(sum <= most.ranges && borders.length === 2 * sum, 'numbers of ranges');
  let next = 0;
  return Array.from(counts, (count) => {
    let before = -1;
    return Array.from({ length: count }, (): RankRange => {
      const [first, last] = [atUint(borders, 2 * next), atUint(borders, 2 * next + 1)];
      next++;
      requireThat(first > before && last >= first, 'ranges of ranks');
      before = last;
      return [first, last];
    });
  });
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}

function requireThat(isSo: boolean, what: string): asserts isSo {
  if (!isSo) throw new OverlayError('malformed', `The ${what} of a digest cannot be right.`);
}
