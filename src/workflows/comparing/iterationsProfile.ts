import { at, atFloat, atInt, atUint } from '../../core/at';
import { getOrMake } from '../../core/getOrMake';
import type { IterationRange } from '../../core/compare/iterations';
import { standardMetrics, waitingTimeMetric } from '../../core/profile/metrics';
import type { Profile, Region } from '../../core/profile/profile';
import { preOrder } from '../../core/profile/tree';
import type { SeriesRegion } from '../../core/series/series';
import type { IterationsDirectory } from '../../formats/kymo-iterations/iterationsFile';
import type { IterationsFile } from '../../formats/kymo-iterations/read';

/** The profile of some iterations of an `iterations.kymo`. @param whole profile of the same run, which knows more of its regions */
export function iterationsProfile(
  file: IterationsFile,
  [first, last]: IterationRange,
  whole: Profile,
): Profile {
  const { directory, layout } = file;
  const tree = treeOf(directory);
  const locations = directory.locations.map(({ rank, thread }) => {
    const known = whole.locations.find((location) => location.rank === rank && location.thread === thread);
    return known ?? { name: `${rank}.${thread}`, rank, thread, process: 0, kind: 'thread' };
  });
  const width = locations.length;
  const column = (): Float64Array => new Float64Array(tree.parent.length * width);
  const [visits, seconds, waits] = [column(), column(), column()];
  const add = (cells: Float64Array, cell: number, value: number): void => {
    cells[cell] = atFloat(cells, cell) + value;
  };
  for (const sample of file.samples(first - 1, last))
    for (let i = 0; i < sample.count; i++) {
      const context = atUint(sample.contexts, i);
      const cell = atUint(tree.pathOf, context) * width + at(directory.contexts, context).location;
      add(visits, cell, atFloat(sample.visits, i));
      add(seconds, cell, atFloat(sample.seconds, i));
      if (sample.waitSeconds !== undefined)
        add(waits, cell, Math.min(atFloat(sample.waitSeconds, i), atFloat(sample.seconds, i)));
    }
  const { visits: visitsMetric, time } = standardMetrics;
  return {
    attributes: whole.attributes,
    metrics: [visitsMetric, time, ...(layout.hasWaits ? [waitingTimeMetric] : [])],
    regions: directory.regions.map((region) => regionOf(region, whole.regions)),
    callPaths: {
      count: tree.parent.length,
      parent: tree.parent,
      region: tree.region,
      fileId: Uint32Array.from(tree.parent.keys()),
    },
    system: whole.system,
    locations,
    stored: new Map([
      [visitsMetric.name, visits],
      [time.name, seconds],
      ...(layout.hasWaits ? ([[waitingTimeMetric.name, waits]] as const) : []),
    ]),
  };
}

/** One tree of the call paths of all locations. */
function treeOf({ contexts }: IterationsDirectory): {
  readonly pathOf: Uint32Array;
  readonly parent: Int32Array;
  readonly region: Uint32Array;
} {
  const merged = new Int32Array(contexts.length);
  const known = new Map<string, number>();
  const [parents, regions]: [number[], number[]] = [[], []];
  contexts.forEach(({ region, parent }, context) => {
    const above = parent === undefined ? -1 : atInt(merged, parent);
    merged[context] = getOrMake(known, `${above} ${region}`, () => {
      regions.push(region);
      return parents.push(above) - 1;
    });
  });
  const order = preOrder(parents);
  const position = new Uint32Array(order.length);
  order.forEach((node, place) => (position[node] = place));
  return {
    pathOf: Uint32Array.from(merged, (node) => atUint(position, node)),
    parent: Int32Array.from(order, (node) => {
      const above = at(parents, node);
      return above < 0 ? -1 : atUint(position, above);
    }),
    region: Uint32Array.from(order, (node) => at(regions, node)),
  };
}

function regionOf({ name, file, line, endLine, kind }: SeriesRegion, known: readonly Region[]): Region {
  const same = known.find(
    (region) =>
      region.name === name &&
      (file === undefined || region.file === file) &&
      (line ?? 0) === (region.firstLine ?? 0),
  );
  if (same !== undefined) return same;
  const paradigm = kind === 'mpi' || kind === 'openmp' ? kind : 'compiler';
  return {
    ...{ name, paradigm, role: 'function' },
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { firstLine: line }),
    ...(endLine === undefined ? {} : { lastLine: endLine }),
  };
}
