import { at, atFloat, atInt, atUint } from '../at';
import { getOrMake } from '../getOrMake';
import { hasNumbers } from '../profile/metrics';
import { placeOf, type RegionPlace } from '../profile/place';
import type { Combine, Metric, Profile } from '../profile/profile';
import { present } from '../present';
import { exclusive, exclusivePerLocation } from '../profile/values';
import { MetricUnits } from './sameUnit';
import {
  measuredPoint,
  type MeasuredPoint,
  type MeasuredSeries,
  type ParameterMeasurements,
} from './measurements';

/**
 * What the values of a point are. `weak`: those of all locations of all repetitions, for work that grows with the locations;
 * `weak-threaded`: the same without those that are 0, unless all are, for locations that do not take part everywhere; `strong`: one
 * value per repetition, combined over its locations (sums, and extremes of metrics that are extremes).
 */
export const scalings = ['weak', 'weak-threaded', 'strong'] as const;
export type Scaling = (typeof scalings)[number];

/** A function in the sources as they were measured. */
export interface FunctionPlace extends RegionPlace {
  readonly endLine?: number;
}

/**
 * Makes measurements of profiles: exclusive values of all metrics that have numbers, by call path. Call paths with the same names are one,
 * and those of one profile are added. A call path that profiles of some points lack has the other points.
 */
export class ProfilesAsMeasurements {
  private readonly tree = new NamedTree();
  /** By call path and metric. */
  private readonly points: Map<string, MeasuredPoint[]>[] = [];
  /** Metrics that some profile has values of; others are zero everywhere. */
  private readonly measured = new Set<string>();
  /** By name; several functions of one name have no place. */
  private readonly places = new Map<string, FunctionPlace>();
  private readonly units = new MetricUnits();

  /** @param parameters names, in the order of the values of points */
  constructor(
    private readonly parameters: readonly string[],
    private readonly scaling: Scaling,
  ) {}

  /**
   * Adds all repetitions at a point, which must be another one each time.
   * @throws KymoError as `MetricUnits`
   */
  addPoint(point: readonly number[], repetitions: readonly Profile[]): void {
    for (const { regions } of repetitions) this.addPlaces(regions);
    const placed = repetitions.map((profile) => ({ profile, callPaths: this.tree.placesOf(profile) }));
    const metrics = new Set(
      repetitions.flatMap((profile) => profile.metrics.filter(isModelled).map(({ name }) => name)),
    );
    for (const name of metrics) {
      const rows = new Map<number, Float64Array[]>();
      for (const { profile, callPaths } of placed) {
        const metric = profile.metrics.find((candidate) => candidate.name === name);
        if (metric === undefined || !isModelled(metric)) continue;
        if (profile.stored.has(name)) this.measured.add(name);
        this.units.require(name, metric.unit);
        for (const [callPath, row] of this.rowsOf(profile, metric, callPaths))
          getOrMake(rows, callPath, () => []).push(row);
      }
      for (const [callPath, repeated] of rows)
        this.add(callPath, name, pointOf(point, repeated, this.scaling));
    }
  }

  measurements(): ParameterMeasurements {
    const series: MeasuredSeries[] = [];
    const names = this.tree.names();
    for (const [callPath, metrics] of this.points.entries())
      for (const [metric, points] of metrics)
        if (this.measured.has(metric)) series.push({ callPath: at(names, callPath), metric, points });
    return { parameters: this.parameters, series };
  }

  /** Where functions are, by their names. */
  functionPlaces(): ReadonlyMap<string, FunctionPlace> {
    return this.places;
  }

  private addPlaces(regions: Profile['regions']): void {
    for (const region of regions) {
      const place = placeOf(region);
      const { name, file, line } = place;
      const known = this.places.get(name);
      if (known === undefined)
        this.places.set(
          name,
          line === undefined ? place : { ...place, ...present({ endLine: region.lastLine }) },
        );
      else if (known.file !== file || known.line !== line) this.places.set(name, { name });
    }
  }

  /** Values of a metric by call path: one per location, or one for all of them. */
  private rowsOf(profile: Profile, metric: Metric, callPaths: Int32Array): ReadonlyMap<number, Float64Array> {
    const isStrong = this.scaling === 'strong';
    const width = isStrong ? 1 : profile.locations.length;
    const values = isStrong
      ? exclusive(profile, metric.name)
      : exclusivePerLocation(profile, metric.name, 'as-stored');
    const rows = new Map<number, Float64Array>();
    for (let path = 0; path < callPaths.length; path++) {
      const row = values.subarray(path * width, (path + 1) * width);
      const place = atInt(callPaths, path);
      const known = rows.get(place);
      if (known === undefined) rows.set(place, row);
      else
        for (let i = 0; i < width; i++)
          known[i] = together(metric.combine, atFloat(known, i), atFloat(row, i));
    }
    return rows;
  }

  private add(callPath: number, metric: string, measured: MeasuredPoint | undefined): void {
    while (this.points.length <= callPath) this.points.push(new Map());
    if (measured !== undefined) getOrMake(at(this.points, callPath), metric, () => []).push(measured);
  }
}

function isModelled(metric: Metric): boolean {
  return hasNumbers(metric) && metric.ghost !== true;
}

/** 0 of a minimum or maximum stands for no visit. */
function together(combine: Combine, a: number, b: number): number {
  if (combine === 'sum') return a + b;
  if (a === 0 || b === 0) return a + b;
  return combine === 'minimum' ? Math.min(a, b) : Math.max(a, b);
}

/** Undefined without locations, and for values that are not finite, as damaged counters have them. */
function pointOf(
  point: readonly number[],
  repetitions: readonly Float64Array[],
  scaling: Scaling,
): MeasuredPoint | undefined {
  const rows = repetitions.map((row) => Array.from(row));
  const takesPart = scaling === 'weak-threaded' && rows.some((row) => row.some((value) => value !== 0));
  const values = rows.map((row) => (takesPart ? row.filter((value) => value !== 0) : row));
  const all = values.flat();
  if (all.length === 0 || !all.every(Number.isFinite)) return undefined;
  const statistics = measuredPoint(point, all);
  // How far locations are apart is imbalance; how far the means of repetitions are apart is noise.
  const means = values.flatMap((row) =>
    row.length === 0 ? [] : [row.reduce((sum, value) => sum + value, 0) / row.length],
  );
  return { ...statistics, values: means, repetitions: repetitions.length };
}

/** The call trees of all profiles by the names of their regions: where nodes of one parent have the same name, they are one. */
class NamedTree {
  private readonly nodes = new Map<string, number>();
  private readonly parents: number[] = [];
  private readonly regions: string[] = [];

  /** The node of each call path. */
  placesOf({ callPaths, regions }: Profile): Int32Array {
    const places = new Int32Array(callPaths.count);
    for (let path = 0; path < places.length; path++) {
      const above = atInt(callPaths.parent, path);
      const { name } = at(regions, atUint(callPaths.region, path));
      places[path] = this.node(above < 0 ? -1 : atInt(places, above), name);
    }
    return places;
  }

  /** The names from the root to each node, joined. */
  names(): readonly string[] {
    const names: string[] = [];
    for (const [node, region] of this.regions.entries()) {
      const parent = at(this.parents, node);
      names.push(parent < 0 ? region : `${at(names, parent)}->${region}`);
    }
    return names;
  }

  private node(parent: number, region: string): number {
    return getOrMake(this.nodes, `${parent} ${region}`, () => {
      this.parents.push(parent);
      return this.regions.push(region) - 1;
    });
  }
}
