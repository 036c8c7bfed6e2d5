import { hottestPath } from '../../../src/core/profile/hotPath';
import { flatColumns, type FlatProfile } from '../../../src/core/profile/regions';
import { childLinks, depths, type ChildLinks } from '../../../src/core/profile/tree';
import { foldTemplates } from '../../../src/core/names/foldTemplates';
import { visibleControls } from '../../../src/core/names/visibleControls';
import { inMerged, mergeTrees, type MergedTree } from '../../../src/core/views/mergeTrees';
import { recordingOverhead } from '../../../src/core/cost/recordingOverhead';
import { childLinksInOrder, orderByValue } from '../../../src/core/views/treeRows';
import type { HotSpotsEvents, RegionRow, Side } from '../../../src/protocol/hotSpots';
import type { LoadedProfile } from './load';

/** Values per call path, or per function. */
export interface Values {
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
  readonly visits: Float64Array;
  /** Visits × cost of recording one, seconds. */
  readonly overhead: Float64Array;
}

/** Values of one metric in both profiles; `compare` only while comparing. */
export interface Measured {
  readonly main: Values;
  readonly compare?: Values | undefined;
}

/** Side and position by which the extension identifies a call path or region. */
export interface Origin {
  readonly side: Side;
  readonly position: number;
}

/**
 * One profile, or two as one tree: the source of all shown values. Call paths are numbers in the (merged) tree, functions are
 * numbers of its regions.
 */
export class Model {
  readonly parent: Int32Array;
  readonly region: Uint32Array;
  readonly depth: Uint32Array;
  /** Line of the call by call path, 0: unknown; undefined: no profile has call sites. */
  readonly line: Int32Array | undefined;
  /** Full names by region, and the same without template arguments. */
  readonly names: readonly string[];
  readonly folded: readonly string[];
  private readonly merged: MergedTree | undefined;
  private readonly measured = new Map<number, { readonly paths: Measured; readonly functions: Measured }>();
  private links: { readonly key: string; readonly links: ChildLinks } | undefined;

  constructor(
    readonly main: LoadedProfile,
    readonly compare?: LoadedProfile,
  ) {
    const first = named(main);
    this.merged = compare === undefined ? undefined : mergeTrees(first, named(compare));
    const { parent, region, names } = this.merged ?? first;
    this.parent = parent;
    this.region = region;
    this.names = names;
    this.folded = names.map((name) => foldTemplates(visibleControls(name)));
    this.depth = depths({ count: parent.length, parent });
    this.line =
      main.line === undefined && compare?.line === undefined
        ? undefined
        : Int32Array.from(parent, (_, callPath) => {
            const { side, position } = this.originOfCallPath(callPath);
            return this[side]?.line?.[position] ?? 0;
          });
  }

  get count(): number {
    return this.parent.length;
  }

  /** The metric shown initially: time, or the first one. */
  get usualMetric(): number {
    return this.metricNamed('time') ?? 0;
  }

  /** Position of a metric in the main profile. */
  metricNamed(name: string): number | undefined {
    const metric = this.main.header.metrics.findIndex((candidate) => candidate.name === name);
    return metric < 0 ? undefined : metric;
  }

  /** Values per call path. A metric is a position in the main profile; the second profile's metric has the same name, if it exists. */
  paths(metric: number): Measured {
    return this.both(metric).paths;
  }

  functions(metric: number): Measured {
    return this.both(metric).functions;
  }

  /**
   * Values of sets of functions that have none in common. Exclusive values and visits are sums; the inclusive value is that of all calls from outside of the set
   * (of no function of it), so that functions of a set that call each other do not count twice.
   * @param setOf set by region
   */
  ofSets(metric: number, setOf: Uint32Array, sets: number): Measured {
    const { main, compare } = this.paths(metric);
    const region = this.region.map((own) => setOf[own] ?? 0);
    const sums = (values: Values): Values => this.flat(values, region, sets);
    return { main: sums(main), ...(compare !== undefined && { compare: sums(compare) }) };
  }

  /** The total of a metric: the sum of its values at the roots. */
  total(metric: number, side: Side = 'main'): number {
    const { inclusive } = this.paths(metric)[side] ?? this.paths(metric).main;
    let sum = 0;
    for (let i = 0; i < this.count; i++) if ((this.parent[i] ?? -1) < 0) sum += inclusive[i] ?? 0;
    return sum;
  }

  /** Children of call paths. */
  get childLinks(): ChildLinks {
    return childLinks(this.parent);
  }

  /** Heaviest children first, in the order of the icicle. */
  heaviestFirst(metric: number): ChildLinks {
    const key = `heaviest ${metric}`;
    if (this.links?.key !== key) {
      const order = orderByValue(this.paths(metric).main.inclusive, true);
      this.links = { key, links: childLinksInOrder(this.parent, order) };
    }
    return this.links.links;
  }

  /** The hot path from a call path, or from the heaviest root. */
  hotPath(metric: number, from?: number): readonly number[] {
    return hottestPath(this.heaviestFirst(metric), this.paths(metric).main.inclusive, 0.5, from);
  }

  /** A function by its full name, or by its name without parameters. */
  regionNamed(name: string): number | undefined {
    const region = this.names.findIndex(
      (candidate) => candidate === name || candidate.split('(')[0] === name,
    );
    return region < 0 ? undefined : region;
  }

  /** The call path of a function with the largest inclusive value; undefined if there is none. */
  heaviestPathOf(region: number, metric: number): number | undefined {
    const { inclusive } = this.paths(metric).main;
    let best: number | undefined;
    this.region.forEach((pathRegion, callPath) => {
      if (
        pathRegion === region &&
        (best === undefined || (inclusive[callPath] ?? 0) > (inclusive[best] ?? 0))
      )
        best = callPath;
    });
    return best;
  }

  /** The function's row of the main profile, or of the other one if only that has the function. */
  row(region: number): RegionRow {
    const { side, position } = this.originOfRegion(region);
    return this[side]?.regions[position] ?? { name: '?' };
  }

  setPins(pins: HotSpotsEvents['pins']): void {
    for (const { side, region, pinned } of pins) {
      const row = this[side]?.regions[region] as { pinned?: 'in' | 'out' } | undefined;
      if (row === undefined) continue;
      if (pinned === undefined) delete row.pinned;
      else row.pinned = pinned;
    }
  }

  originOfRegion(region: number): Origin {
    if (this.merged === undefined) return { side: 'main', position: region };
    const first = this.merged.regionInFirst[region] ?? -1;
    return first >= 0
      ? { side: 'main', position: first }
      : { side: 'compare', position: this.merged.regionInSecond[region] ?? 0 };
  }

  /** The function at a position of the main profile. */
  regionOfMain(position: number): number {
    return this.merged === undefined ? position : this.merged.regionInFirst.indexOf(position);
  }

  originOfCallPath(callPath: number): Origin {
    if (this.merged === undefined) return { side: 'main', position: callPath };
    const first = this.merged.inFirst[callPath] ?? -1;
    return first >= 0
      ? { side: 'main', position: first }
      : { side: 'compare', position: this.merged.inSecond[callPath] ?? 0 };
  }

  /** Position of a call path in one of the profiles; −1: it does not have it. */
  positionIn(side: Side, callPath: number): number {
    if (this.merged === undefined) return side === 'main' ? callPath : -1;
    return this.merged[side === 'main' ? 'inFirst' : 'inSecond'][callPath] ?? -1;
  }

  /** A column of the main profile, by call path of both. */
  ofMain(column: Float64Array): Float64Array {
    return this.merged === undefined ? column : inMerged(column, this.merged.inFirst);
  }

  /** Position of a metric of the main profile in one of the profiles; undefined if it does not have it. */
  metricIn(side: Side, metric: number): number | undefined {
    if (side === 'main') return metric;
    const name = this.main.header.metrics[metric]?.name;
    const found = this.compare?.header.metrics.findIndex((candidate) => candidate.name === name) ?? -1;
    return found < 0 ? undefined : found;
  }

  /** Which of the two profiles have a call path. */
  presence(callPath: number): 'both' | 'main' | 'compare' {
    if (this.merged === undefined) return 'both';
    if ((this.merged.inSecond[callPath] ?? -1) < 0) return 'main';
    return (this.merged.inFirst[callPath] ?? -1) < 0 ? 'compare' : 'both';
  }

  /** Number of call paths that both profiles have. */
  get inBoth(): number {
    const { merged } = this;
    if (merged === undefined) return this.count;
    return merged.inFirst.reduce(
      (sum, first, callPath) => sum + (first >= 0 && (merged.inSecond[callPath] ?? -1) >= 0 ? 1 : 0),
      0,
    );
  }

  private both(metric: number): { readonly paths: Measured; readonly functions: Measured } {
    const cached = this.measured.get(metric);
    if (cached !== undefined) return cached;
    const main = this.valuesOf(this.main, metric, this.merged?.inFirst);
    const sides = { main };
    const compared = this.metricIn('compare', metric);
    const paths: Measured =
      this.compare === undefined || compared === undefined
        ? sides
        : { main, compare: this.valuesOf(this.compare, compared, this.merged?.inSecond) };
    const functions: Measured = {
      main: this.flat(paths.main, this.region, this.names.length),
      ...(paths.compare === undefined
        ? {}
        : { compare: this.flat(paths.compare, this.region, this.names.length) }),
    };
    const result = { paths, functions };
    this.measured.set(metric, result);
    return result;
  }

  private valuesOf(profile: LoadedProfile, metric: number, positions: Int32Array | undefined): Values {
    const { header, regions, region } = profile;
    const none = new Float64Array(region.length);
    const counts = profile.exclusive[header.metrics.findIndex(({ name }) => name === 'visits')] ?? none;
    const overhead = recordingOverhead(
      counts,
      region,
      (callPathRegion) => regions[callPathRegion]?.visitSeconds ?? header.pairSeconds,
    );
    const placed = (column: Float64Array): Float64Array =>
      positions === undefined ? column : inMerged(column, positions);
    return {
      inclusive: placed(profile.inclusive[metric] ?? none),
      exclusive: placed(profile.exclusive[metric] ?? none),
      visits: placed(counts),
      overhead: placed(overhead),
    };
  }

  private flat(
    { inclusive, exclusive, visits, overhead }: Values,
    region: Uint32Array,
    regions: number,
  ): Values {
    const tree = {
      callPaths: { count: this.count, parent: this.parent, region },
      regions: { length: regions },
    };
    const flat = (columns: FlatProfile): FlatProfile => flatColumns(tree, columns, 'sum');
    const sums = flat({ inclusive, exclusive, visits });
    return { ...sums, overhead: flat({ inclusive: overhead, exclusive: overhead, visits }).exclusive };
  }
}

function named({ parent, region, regions }: LoadedProfile): {
  readonly parent: Int32Array;
  readonly region: Uint32Array;
  readonly names: readonly string[];
} {
  return { parent, region, names: regions.map(({ name }) => name) };
}
