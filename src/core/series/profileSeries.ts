import { remembered } from '../remembered';
import { present } from '../present';
import { at, atFloat, atInt, atUint } from '../at';
import { isIteration } from '../profile/foldIterations';
import type { Metric, Profile, Region } from '../profile/profile';
import { activityOf, isParallelRuntime } from '../functions/activities';
import { kindOf } from './regionKind';
import { sourceFile } from '../profile/place';
import { mpiWaitingMetrics } from '../efficiency/mpiWaiting';
import { iterationsIn, type ProfileIterations } from './profileIterations';
import { heaviestCallers } from './heaviestCallers';
import {
  seriesRegionKey,
  type Burst,
  computingMetric,
  type Series,
  type SeriesRegion,
  type SeriesSource,
  type SourcePlace,
} from './series';

/** A profile whose values are read row by row; an opened Cube file is one. */
export interface ProfileRows {
  /** May be without values. */
  readonly definitions: Profile;
  /** Visits the existing rows of a metric in any order; the first part is the value. */
  eachRow(metric: string, visit: (callPath: number, parts: readonly Float64Array[]) => void): void;
}

export interface ProfileSeriesOptions {
  /** One series per call path; default: per region. */
  readonly callPaths: boolean;
  /**
   * Inclusive instead of exclusive times. A recursion counts once. Beside `time` there is then `computing`: the same without MPI and without waiting
   * for threads, so that ranks that wait are not taken for those that work.
   */
  readonly inclusive: boolean;
  /**
   * Names of metrics; metrics that the profile does not have or cannot add up are ignored. `wait` is the sum of the profile's metrics of
   * waiting in MPI.
   */
  readonly metrics: readonly string[];
  /** Name of the phase where the profile has several. */
  readonly phase?: string;
}

/**
 * Series of a profile with iterations (`iterationsIn`); undefined for a profile without iterations. The value of a location that did not execute a region
 * is 0, because profiles have no missing values. The phase's own code, which is in none of the regions below it, is a series of the phase's
 * region of another kind. Each burst reads the rows once; memory contains the values of one burst and two numbers per call path.
 */
export function profileSeries(rows: ProfileRows, options: ProfileSeriesOptions): SeriesSource | undefined {
  const { definitions } = rows;
  const phaseIterations = iterationsIn(definitions, options.phase);
  if (phaseIterations === undefined) return undefined;
  const plan = planOf(rows, phaseIterations, options);
  return {
    unit: 's',
    phase: at(definitions.regions, phaseIterations.phase).name,
    iterations: phaseIterations.iterations,
    bursts: (length) => bursts(rows, plan, length),
  };
}

/** The series that each call path contributes to. */
interface Plan {
  readonly iterations: number;
  readonly quantities: readonly Quantity[];
  readonly inclusive: boolean;
  readonly parent: Int32Array;
  /** Iteration that a call path belongs to; -1 for those outside of all. */
  readonly iteration: Int32Array;
  /** Position in `slots`; -1 outside. */
  readonly slot: Int32Array;
  /** Whether no call path above it, within the iteration, has the same slot; 0 for iterations as such. */
  readonly outermost: Uint8Array;
  /** 1 for call paths of MPI and of waiting for threads. */
  readonly waits: Uint8Array;
  readonly slots: readonly Slot[];
  readonly phase: SeriesRegion;
  /** Location to position in `lanes`. */
  readonly laneOf: Int32Array;
  readonly lanes: readonly Lane[];
}

/** What series have values of: the sum of some metrics of the profile. */
interface Quantity {
  readonly name: string;
  readonly metrics: readonly Metric[];
}

interface Slot {
  readonly region: SeriesRegion;
  readonly callPath?: readonly SeriesRegion[];
}

interface Lane {
  readonly rank: number;
  readonly thread: number;
}

function planOf(rows: ProfileRows, phaseIterations: ProfileIterations, options: ProfileSeriesOptions): Plan {
  const profile = rows.definitions;
  const callers = heaviestCallers(rows);
  const described = profile.regions.map((region, index) => describe(region, callers.get(index)));
  const phase: SeriesRegion = { ...at(described, phaseIterations.phase), kind: 'phase' };
  const { lanes, laneOf } = lanesOf(profile.locations);
  return {
    ...slotsOf(profile, phaseIterations, described, options.callPaths),
    waits: Uint8Array.from(profile.callPaths.region, (region) =>
      isParallelRuntime(activityOf(at(profile.regions, region))) ? 1 : 0,
    ),
    iterations: phaseIterations.iterations,
    quantities: quantitiesOf(profile.metrics, options.metrics),
    inclusive: options.inclusive,
    parent: profile.callPaths.parent,
    phase,
    lanes,
    laneOf,
  };
}

function quantitiesOf(metrics: readonly Metric[], names: readonly string[]): readonly Quantity[] {
  const waits = new Set(names.includes('wait') ? mpiWaitingMetrics(metrics) : []);
  return [
    ...metrics
      .filter(
        ({ name, combine, dtype, stored }) =>
          names.includes(name) && combine === 'sum' && dtype !== 'RATE' && stored !== 'derived',
      )
      .map((metric) => ({ name: metric.name, metrics: [metric] })),
    ...(waits.size > 0 ? [{ name: 'wait', metrics: metrics.filter(({ name }) => waits.has(name)) }] : []),
  ];
}

function slotsOf(
  { callPaths }: Profile,
  { phase, iterationAt }: ProfileIterations,
  described: readonly SeriesRegion[],
  perCallPath: boolean,
): Pick<Plan, 'iteration' | 'slot' | 'outermost' | 'slots'> {
  const { count, parent } = callPaths;
  const iteration = new Int32Array(count).fill(-1);
  const slot = new Int32Array(count).fill(-1);
  const outermost = new Uint8Array(count);
  const table = new SlotTable(perCallPath);
  for (let callPath = 0; callPath < count; callPath++) {
    const above = atInt(parent, callPath);
    const own = valueAt(iterationAt, callPath);
    iteration[callPath] = own >= 0 ? own : valueAt(iteration, above);
    if (iteration[callPath] === -1) continue;
    const region = at(described, own >= 0 ? phase : atUint(callPaths.region, callPath));
    // Iterations of an inner loop are a part of that loop and no regions of their own.
    const isInner = own < 0 && isIteration(region);
    slot[callPath] = isInner
      ? valueAt(slot, above)
      : table.at(own >= 0 ? undefined : valueAt(slot, above), region);
    outermost[callPath] = own >= 0 || isInner || hasAbove(callPath, { slot, parent, iterationAt }) ? 0 : 1;
  }
  return { iteration, slot, outermost, slots: table.slots };
}

function valueAt(values: Int32Array, position: number): number {
  return values[position] ?? -1;
}

/** Whether a call path above, within the iteration, has the same slot. */
function hasAbove(
  callPath: number,
  of: { readonly slot: Int32Array; readonly parent: Int32Array; readonly iterationAt: Int32Array },
): boolean {
  for (let above = valueAt(of.parent, callPath); above >= 0; above = valueAt(of.parent, above)) {
    if (valueAt(of.iterationAt, above) >= 0) return false;
    if (of.slot[above] === of.slot[callPath]) return true;
  }
  return false;
}

/** One slot per region, or per call path within the iteration. */
class SlotTable {
  readonly slots: Slot[] = [];
  private readonly known = new Map<string, number>();

  constructor(private readonly callPaths: boolean) {}

  /** @param above slot of the call path above; undefined for the iteration itself */
  at(above: number | undefined, region: SeriesRegion): number {
    const key = `${this.callPaths || above === undefined ? (above ?? 'own') : ''} ${seriesRegionKey(region)}`;
    const there = this.known.get(key) ?? this.slots.length;
    if (there < this.slots.length) return there;
    this.known.set(key, there);
    if (!this.callPaths || above === undefined) this.slots.push({ region });
    else this.slots.push({ region, callPath: [...(at(this.slots, above).callPath ?? []), region] });
    return there;
  }
}

/** Locations with the same rank and thread are one lane. */
function lanesOf(locations: Profile['locations']): Pick<Plan, 'lanes' | 'laneOf'> {
  const lanes: Lane[] = [];
  const positions = new Map<string, number>();
  const laneOf = Int32Array.from(locations, ({ rank, thread }) => {
    const key = `${rank} ${thread}`;
    const there = positions.get(key);
    if (there !== undefined) return there;
    positions.set(key, lanes.length);
    return lanes.push({ rank, thread }) - 1;
  });
  return { lanes, laneOf };
}

function describe(region: Region, caller: Region | undefined): SeriesRegion {
  const place = placeIn(region);
  const calledFrom = place.file === undefined && caller !== undefined ? placeIn(caller) : {};
  return {
    name: region.name,
    kind: kindOf(region),
    ...place,
    ...(hasFile(calledFrom) ? { calledFrom } : {}),
  };
}

function placeIn(region: Region): Partial<SourcePlace> {
  const { firstLine = 0, lastLine = 0 } = region;
  const file = sourceFile(region);
  return {
    ...present({ file }),
    ...(firstLine > 0 ? { line: firstLine } : {}),
    ...(firstLine > 0 && lastLine >= firstLine ? { endLine: lastLine } : {}),
  };
}

function hasFile(place: Partial<SourcePlace>): place is SourcePlace {
  return place.file !== undefined;
}

async function* bursts(rows: ProfileRows, plan: Plan, length: number): AsyncGenerator<Burst> {
  for (let first = 0; first < plan.iterations; first += length) {
    const here = Math.min(length, plan.iterations - first);
    const series: Series[] = [];
    for (const { name, metrics } of plan.quantities) {
      const sums = [new BurstSums(plan, name, first, here)];
      if (plan.inclusive && name === 'time') sums.push(new BurstSums(plan, computingMetric, first, here));
      for (const metric of metrics)
        rows.eachRow(metric.name, (callPath, [row]) => {
          for (const own of sums) if (row !== undefined) own.add(metric, callPath, row);
        });
      for (const own of sums) series.push(...own.series());
    }
    yield { first, length: here, series };
    // Rows are read synchronously when they are asked for; the interface of sources is asynchronous.
    await Promise.resolve();
  }
}

/** Differences below this share of the iteration's time are rounding errors. */
const rounding = 1e-12;

/** The values of one quantity in one burst. */
class BurstSums {
  /** By slot and lane; only series with a value other than 0. */
  private readonly values = new Map<number, Float64Array>();
  /** Inclusive value of the iterations, by lane. */
  private readonly whole: readonly Float64Array[];

  constructor(
    private readonly plan: Plan,
    private readonly name: string,
    private readonly first: number,
    private readonly length: number,
  ) {
    this.whole = plan.lanes.map(() => new Float64Array(length));
  }

  add({ stored }: Metric, callPath: number, row: Float64Array): void {
    const { plan, length } = this;
    const iteration = valueAt(plan.iteration, callPath);
    const offset = iteration - this.first;
    if (iteration < 0 || offset < 0 || offset >= length) return;
    for (let location = 0; location < row.length; location++) {
      const value = atFloat(row, location);
      const isInclusive = stored === 'inclusive';
      if (value !== 0) this.addValue(isInclusive, callPath, atInt(plan.laneOf, location), offset, value);
    }
  }

  private addValue(
    isInclusive: boolean,
    callPath: number,
    lane: number,
    offset: number,
    value: number,
  ): void {
    const { plan, whole } = this;
    const above = valueAt(plan.parent, callPath);
    const isTop = valueAt(plan.iteration, above) < 0;
    const total = at(whole, lane);
    if (isTop || !isInclusive) total[offset] = atFloat(total, offset) + value;
    if (plan.inclusive) {
      if (this.name !== computingMetric) this.addInclusive(isInclusive, callPath, lane, offset, value);
      else this.addComputing(isInclusive, callPath, lane, offset, value);
      return;
    }
    this.put(callPath, lane, offset, value);
    if (isInclusive && !isTop) this.put(above, lane, offset, -value);
  }

  private addInclusive(
    isInclusive: boolean,
    callPath: number,
    lane: number,
    offset: number,
    value: number,
  ): void {
    const { plan } = this;
    for (let up = callPath; valueAt(plan.iteration, up) >= 0; up = valueAt(plan.parent, up)) {
      if (plan.outermost[up] === 1) this.put(up, lane, offset, value);
      if (isInclusive) return;
    }
  }

  /** Inclusive, without the outermost call paths of MPI and of waiting for threads. */
  private addComputing(
    isInclusive: boolean,
    callPath: number,
    lane: number,
    offset: number,
    value: number,
  ): void {
    const { plan } = this;
    for (let up = callPath; valueAt(plan.iteration, up) >= 0; up = valueAt(plan.parent, up))
      if (up !== callPath && plan.waits[up] === 1) return;
    if (plan.waits[callPath] !== 1) {
      this.addInclusive(isInclusive, callPath, lane, offset, value);
      return;
    }
    if (!isInclusive) return;
    for (
      let up = valueAt(plan.parent, callPath);
      valueAt(plan.iteration, up) >= 0;
      up = valueAt(plan.parent, up)
    )
      if (plan.outermost[up] === 1) this.put(up, lane, offset, -value);
  }

  private put(callPath: number, lane: number, offset: number, value: number): void {
    const { plan, values, length } = this;
    const key = atInt(plan.slot, callPath) * plan.lanes.length + lane;
    let column = values.get(key);
    if (column === undefined) values.set(key, (column = new Float64Array(length)));
    column[offset] = atFloat(column, offset) + value;
  }

  *series(): Generator<Series> {
    const { plan, whole } = this;
    if (this.name === 'time') yield* this.phaseTimes();
    for (const [key, values] of [...this.values].sort(([a], [b]) => a - b)) {
      const lane = key % plan.lanes.length;
      const slot = at(plan.slots, (key - lane) / plan.lanes.length);
      const total = at(whole, lane);
      for (let i = 0; i < values.length; i++)
        if (Math.abs(atFloat(values, i)) < rounding * Math.abs(atFloat(total, i))) values[i] = 0;
      yield { context: { ...slot, metric: this.name, ...at(plan.lanes, lane) }, values };
    }
  }

  /** Phase time of each process: that of its slowest thread, because usually only one thread runs the phase. */
  private *phaseTimes(): Generator<Series> {
    const { plan, whole, length } = this;
    const byRank = new Map<number, Float64Array>();
    plan.lanes.forEach(({ rank }, lane) => {
      const times = remembered(byRank, rank, () => new Float64Array(length));
      at(whole, lane).forEach((value, i) => (times[i] = Math.max(atFloat(times, i), value)));
    });
    for (const [rank, values] of byRank)
      yield { context: { region: plan.phase, metric: 'time', rank, thread: 0 }, values };
  }
}
