import { atFloat, atInt, atUint } from '../../core/at';
import { metricNamed } from '../../core/profile/metrics';
import type { Combine, Location, Metric, Profile } from '../../core/profile/profile';
import { childLinks, subtreeEnds, type ChildLinks } from '../../core/profile/tree';
import { tupleValue } from '../../core/profile/tupleValues';
import type { Masking } from '../../core/profile/values';
import { intoType } from '../../core/profile/wholeNumbers';
import type { CubeFile } from './cubeFile';
import { checkCells } from './archive/limits';
import { anyIn, valueType } from './values/valueTypes';

/** Files hold complete values; `visited-only` is for partial ones. */
type CubeMasking = Exclude<Masking, 'visited-only'>;

/**
 * Values of an opened file as views need them: combined over locations for the call tree, or at one call path for the system
 * tree. Rows are read one after another, so that files of any size take little memory. Sums are added in
 * another order than in `core/profile/values.ts`; the last bits of doubles may differ.
 *
 * Throws `KymoError`: `unknown-metric`, and the errors of reading the file.
 */
export class CubeValues {
  private readonly ends: Uint32Array;
  private readonly links: ChildLinks;
  private countsVisits: boolean | undefined;

  constructor(readonly cube: CubeFile) {
    this.ends = subtreeEnds(cube.definitions.callPaths);
    this.links = childLinks(cube.definitions.callPaths.parent);
  }

  /**
   * The profile with one location, which stands for all of them (or for those whose flag in `chosen` is not 0): values are
   * combined over them, minima and maxima over those that visited a call path. Only the named metrics have values, and
   * `visits`, which extremes need.
   */
  combined(metrics: readonly string[], chosen?: ArrayLike<number>): Profile {
    const { definitions } = this.cube;
    const named = metrics.map((name) => metricNamed(definitions, name));
    const visits = this.visitsMetric();
    if (visits !== undefined && !named.includes(visits) && named.some(({ combine }) => combine !== 'sum'))
      named.push(visits);
    const stored = new Map<string, Float64Array>();
    const components = new Map<string, readonly Float64Array[]>();
    for (const metric of named) {
      const parts = this.combinedParts(metric, chosen);
      const shown = parts?.[valueType(metric.dtype)?.shown ?? 0];
      if (parts === undefined || shown === undefined) continue;
      stored.set(metric.name, shown);
      if (parts.length > 1) components.set(metric.name, parts);
    }
    const all: Location = { name: 'all', rank: 0, thread: 0, process: 0, kind: 'thread' };
    return {
      ...definitions,
      locations: [all],
      stored,
      ...(components.size === 0 ? {} : { components }),
    };
  }

  /** Inclusive or exclusive values of one call path, one per location; zeros for derived metrics. */
  atCallPath(
    metric: string,
    callPath: number,
    kind: 'inclusive' | 'exclusive',
    masking: CubeMasking = 'visited',
  ): Float64Array {
    const described = metricNamed(this.cube.definitions, metric);
    const { stored, dtype, combine } = described;
    if (stored === 'derived' || described.unsupported === true)
      return new Float64Array(this.cube.definitions.locations.length);
    if (combine !== 'sum') return this.extremeAt(described, callPath, kind, masking);
    const part = (p: number): Float64Array => this.partAt(described, callPath, kind, p);
    const type = valueType(dtype);
    const tuple = tupleValue(dtype);
    return tuple === undefined
      ? intoType(part(type?.shown ?? 0), described)
      : tuple.of((tuple.parts ?? [...(type?.parts.keys() ?? [])]).map(part));
  }

  private combinedParts(
    { name, dtype, combine }: Metric,
    chosen: ArrayLike<number> | undefined,
  ): readonly Float64Array[] | undefined {
    const type = valueType(dtype);
    if (type === undefined) return undefined;
    const { count } = this.cube.definitions.callPaths;
    let parts: Float64Array[] | undefined;
    this.cube.eachRow(name, (callPath, row) => {
      const visited = combine === 'sum' ? undefined : this.visitsAt(callPath);
      parts ??= this.emptyColumns(name, type.parts.length, count);
      for (const [p, part] of parts.entries()) {
        const values = row[p];
        if (values !== undefined) part[callPath] = combinedRow(values, combine, chosen, visited);
      }
    });
    return parts;
  }

  private emptyColumns(metric: string, parts: number, count: number): Float64Array[] {
    checkCells(this.cube.file, `“${metric}” over all locations has`, parts * count, this.cube.limits);
    return Array.from({ length: parts }, () => new Float64Array(count));
  }

  /** Exclusive: the stored value, minus the children's values where it includes them. Inclusive: the stored value, or the sum of the subtree. */
  private partAt(
    { name, stored }: Metric,
    callPath: number,
    kind: 'inclusive' | 'exclusive',
    p: number,
  ): Float64Array {
    const values = this.storedPart(name, callPath, p);
    if (kind === 'inclusive' && stored === 'exclusive') {
      const add = (_: number, row: readonly Float64Array[]): void => {
        addTo(values, row[p]);
      };
      this.cube.eachRow(name, add, callPath + 1, atUint(this.ends, callPath));
      return values;
    }
    if (kind === 'inclusive' || stored !== 'inclusive') return values;
    const ofChildren = new Float64Array(values.length);
    for (let child = atInt(this.links.firstChild, callPath); child >= 0;) {
      addTo(ofChildren, this.cube.rowParts(name, child)?.[p]);
      child = atInt(this.links.nextSibling, child);
    }
    // A remainder of less than one rounding step is noise, as in core/profile/values.ts.
    return values.map((inclusive, l) => {
      const exclusive = inclusive - atFloat(ofChildren, l);
      return Math.abs(exclusive) < Math.abs(inclusive) * Number.EPSILON ? 0 : exclusive;
    });
  }

  private extremeAt(
    { name, combine, stored }: Metric,
    callPath: number,
    kind: 'inclusive' | 'exclusive',
    masking: CubeMasking,
  ): Float64Array {
    const counted = (position: number): Float64Array => {
      const values = this.storedPart(name, position, 0);
      return masking === 'as-stored' ? values : masked(values, combine, this.visitsAt(position));
    };
    const result = counted(callPath);
    const end = kind === 'inclusive' && stored === 'exclusive' ? atUint(this.ends, callPath) : 0;
    // Call paths without a row are included: their values are 0.
    for (let below = callPath + 1; below < end; below++) {
      const values = counted(below);
      for (let l = 0; l < result.length; l++)
        result[l] = better(combine, atFloat(result, l), atFloat(values, l));
    }
    const nothing = neutral(combine);
    return result.map((value) => (value === nothing ? 0 : value));
  }

  private storedPart(name: string, callPath: number, p: number): Float64Array {
    return (
      this.cube.rowParts(name, callPath)?.[p] ?? new Float64Array(this.cube.definitions.locations.length)
    );
  }

  private visitsMetric(): Metric | undefined {
    const metric = this.cube.definitions.metrics.find(
      ({ name, stored, combine }) =>
        name === 'visits' && combine === 'sum' && (stored === 'exclusive' || stored === 'inclusive'),
    );
    this.countsVisits ??= metric !== undefined && this.hasValues(metric.name);
    return this.countsVisits ? metric : undefined;
  }

  /** Whether any value is not 0; normally the first row decides. */
  private hasValues(metric: string): boolean {
    const { count } = this.cube.definitions.callPaths;
    for (let callPath = 0; callPath < count; callPath++) {
      const row = this.cube.rowParts(metric, callPath)?.[0];
      if (row !== undefined && anyIn(row, 0, row.length)) return true;
    }
    return false;
  }

  /** Exclusive visits of each location; undefined when the file does not count them. */
  private visitsAt(callPath: number): Float64Array | undefined {
    const visits = this.visitsMetric();
    return visits === undefined ? undefined : this.partAt(visits, callPath, 'exclusive', 0);
  }
}

function combinedRow(
  values: Float64Array,
  combine: Combine,
  chosen: ArrayLike<number> | undefined,
  visits: Float64Array | undefined,
): number {
  let result = neutral(combine);
  for (let l = 0; l < values.length; l++) {
    if (chosen !== undefined && !chosen[l]) continue;
    if (visits !== undefined && !((visits[l] ?? 0) > 0)) continue;
    result = better(combine, result, atFloat(values, l));
  }
  return combine !== 'sum' && result === neutral(combine) ? 0 : result;
}

function neutral(combine: Combine): number {
  if (combine === 'sum') return 0;
  return combine === 'minimum' ? Infinity : -Infinity;
}

function better(combine: Combine, a: number, b: number): number {
  if (combine === 'sum') return a + b;
  return combine === 'minimum' ? Math.min(a, b) : Math.max(a, b);
}

function masked(values: Float64Array, combine: Combine, visits: Float64Array | undefined): Float64Array {
  if (visits === undefined) return values;
  return values.map((value, l) => ((visits[l] ?? 0) > 0 ? value : neutral(combine)));
}

function addTo(sum: Float64Array, values: Float64Array | undefined): void {
  if (values !== undefined)
    for (let l = 0; l < sum.length; l++) sum[l] = atFloat(sum, l) + atFloat(values, l);
}
