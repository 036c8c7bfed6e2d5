import { at } from '../../core/at';
import type { CallPaths, Metric, Profile, Region } from '../../core/profile/profile';
import { preOrder, subtreeEnds } from '../../core/profile/tree';
import { standardMetrics, waitingTimeMetric } from '../../core/profile/metrics';
import { counterMetrics } from './counterMetrics';
import type { ContextList } from './iterationContexts';
import type { IterationValue } from './processIterations';

/** Maximum number of call paths that iterations may add to a profile, and of values of a metric in it. */
const mostCallPaths = 65_536;
const mostCells = 1 << 22;

/** Differences of sums of seconds may miss zero because of rounding. */
const negligible = 1e-9;

/** Stores the values of all iterations as long as they fit a profile. */
export class InstanceCollector {
  /** Values by iteration. */
  values: (readonly IterationValue[])[] = [];
  isComplete = true;
  private callPaths = 0;

  constructor(
    private readonly contexts: ContextList,
    private readonly locationCount: number,
  ) {}

  add(values: readonly IterationValue[]): void {
    if (!this.isComplete) return;
    this.callPaths += new Set(values.map(({ context }) => this.contexts.callPaths[context])).size;
    if (this.callPaths > mostCallPaths || this.callPaths * this.locationCount > mostCells) {
      this.isComplete = false;
      this.values = [];
    } else {
      this.values.push(values);
    }
  }
}

/**
 * The profile with each iteration as `instance=N` below its phase and the call tree below that, like dynamic regions of Score-P. Visits
 * outside of iterations remain in their call paths. For a call path with several visits in an iteration, minimum and maximum are those of the run.
 */
export function withInstances(
  profile: Profile,
  iterations: readonly (readonly IterationValue[])[],
  contexts: ContextList,
): Profile {
  const { callPaths, locations } = profile;
  const ends = subtreeEnds(callPaths);
  const isPhase = new Uint8Array(callPaths.count);
  for (const values of iterations)
    for (const { context } of values)
      if (contexts.isPhase(context)) isPhase[contexts.callPaths[context] ?? 0] = 1;
  const below = phaseAbove(callPaths, ends, isPhase);
  const grown = new GrownTree(profile);
  iterations.forEach((values, index) => {
    const instance = grown.instance(index + 1);
    for (const value of values) {
      const callPath = contexts.callPaths[value.context] ?? 0;
      const phase = below[callPath] ?? -1;
      if (phase >= 0) grown.move(callPath, phase, instance, contexts.locationsOf[value.context] ?? 0, value);
    }
  });
  return grown.profile(below, locations.length);
}

/** For each call path, itself if it is a phase, else the phase above it; -1 if there is none. */
function phaseAbove(callPaths: CallPaths, ends: Uint32Array, isPhase: Uint8Array): Int32Array {
  const result = new Int32Array(callPaths.count).fill(-1);
  for (let path = 0; path < callPaths.count; path++)
    if (isPhase[path] === 1 && (result[path] ?? -1) < 0) result.fill(path, path, ends[path] ?? path + 1);
  return result;
}

/** A call tree to which call paths are added; those of the profile have their old numbers until the end. */
class GrownTree {
  private readonly parents: number[];
  private readonly regionOf: number[];
  private readonly regions: Region[];
  private readonly copies = new Map<string, number>();
  private readonly columns: ReadonlyMap<string, number[]>;
  private readonly width: number;

  constructor(private readonly original: Profile) {
    this.parents = Array.from(original.callPaths.parent);
    this.regionOf = Array.from(original.callPaths.region);
    this.regions = [...original.regions];
    this.width = original.locations.length;
    this.columns = new Map([...original.stored].map(([name, values]) => [name, Array.from(values)]));
  }

  /** Position of the region of an iteration. */
  instance(number: number): number {
    const name = `instance=${number}`;
    return this.regions.push({ name, mangledName: name, paradigm: 'user', role: 'unknown' }) - 1;
  }

  /** Moves a call path's values in an iteration to its copy below the instance. */
  move(callPath: number, phase: number, instance: number, location: number, value: IterationValue): void {
    const copy = this.copy(callPath, phase, instance);
    const from = callPath * this.width + location;
    const to = copy * this.width + location;
    const { visits, time, minimumTime, maximumTime } = standardMetrics;
    this.add(visits.name, to, value.visits);
    this.add(visits.name, from, -value.visits);
    this.add(time.name, to, value.seconds);
    this.add('kymo_child_events', to, value.childEvents);
    this.add(waitingTimeMetric.name, to, value.waitingSeconds);
    this.add(waitingTimeMetric.name, from, -value.waitingSeconds);
    this.add('kymo_timed_visits', to, value.timedVisits);
    this.add('kymo_timed_visits', from, -value.timedVisits);
    for (const [counter, amount] of value.counters) {
      this.add(counterMetrics[counter].name, to, amount);
      this.add(counterMetrics[counter].name, from, -amount);
    }
    // The phase has the sum of its instances; call paths below it retain the values outside of instances.
    if (callPath !== phase) {
      this.add(time.name, from, -value.seconds);
      this.add('kymo_child_events', from, -value.childEvents);
    }
    for (const { name } of [minimumTime, maximumTime]) {
      const column = this.columns.get(name);
      if (column !== undefined && value.visits > 0)
        column[to] = value.visits === 1 ? value.seconds : (column[from] ?? 0);
    }
  }

  profile(below: Int32Array, width: number): Profile {
    const { callPaths: before } = this.original;
    const remain = [
      standardMetrics.visits.name,
      waitingTimeMetric.name,
      ...Object.values(counterMetrics).map(({ name }) => name),
    ].flatMap((name) => {
      const column = this.columns.get(name);
      return column === undefined ? [] : [column];
    });
    const isIncluded = new Uint8Array(this.parents.length);
    for (let path = this.parents.length - 1; path >= 0; path--) {
      const isOutside = path >= before.count || (below[path] ?? -1) < 0 || below[path] === path;
      const cells = [path * width, (path + 1) * width] as const;
      if (
        isOutside ||
        remain.some((column) => column.slice(...cells).some((value) => Math.abs(value) > negligible))
      )
        isIncluded[path] = 1;
      // What ranks waited for each other outside of iterations, or in too many of them, keeps its call path.
      const parent = this.parents[path] ?? -1;
      if (isIncluded[path] === 1 && parent >= 0) isIncluded[parent] = 1;
    }
    const included = this.parents.flatMap((_, path) => (isIncluded[path] === 1 ? [path] : []));
    const number = new Map(included.map((path, index) => [path, index]));
    const order = preOrder(included.map((path) => number.get(this.parents[path] ?? -1) ?? -1));
    const paths = Array.from(order, (index) => at(included, index));
    const position = new Map(paths.map((path, place) => [path, place]));
    return {
      ...this.original,
      regions: this.regions,
      callPaths: {
        count: paths.length,
        parent: Int32Array.from(paths, (path) => position.get(this.parents[path] ?? -1) ?? -1),
        region: Uint32Array.from(paths, (path) => this.regionOf[path] ?? 0),
        fileId: Uint32Array.from(paths.keys()),
      },
      stored: new Map([...this.columns].map(([name, values]) => [name, this.ordered(name, values, paths)])),
    };
  }

  private ordered(name: string, values: readonly number[], paths: readonly number[]): Float64Array {
    const result = new Float64Array(paths.length * this.width);
    const isCounted = this.original.metrics.some(
      (metric: Metric) => metric.name === name && metric.dtype === 'UINT64',
    );
    paths.forEach((path, place) => {
      for (let location = 0; location < this.width; location++) {
        const value = values[path * this.width + location] ?? 0;
        // Differences of times may miss zero because of rounding.
        result[place * this.width + location] = isCounted ? Math.round(value) : Math.max(0, value);
      }
    });
    return result;
  }

  private copy(callPath: number, phase: number, instance: number): number {
    const key = `${instance}:${callPath}`;
    const existing = this.copies.get(key);
    if (existing !== undefined) return existing;
    const above = this.original.callPaths.parent[callPath] ?? -1;
    const parent = callPath === phase ? phase : this.copy(above, phase, instance);
    const position = this.parents.push(parent) - 1;
    this.regionOf.push(callPath === phase ? instance : (this.original.callPaths.region[callPath] ?? 0));
    this.copies.set(key, position);
    return position;
  }

  private add(metric: string, cell: number, value: number): void {
    const column = this.columns.get(metric);
    if (column === undefined) return;
    while (column.length <= cell) column.push(0);
    column[cell] = (column[cell] ?? 0) + value;
  }
}
