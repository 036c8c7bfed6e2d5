import { remembered } from '../remembered';
import { present } from '../present';
import { atFloat, atInt, atUint } from '../at';
import { isIteration } from '../profile/foldIterations';
import type { Metric, Profile, Region } from '../profile/profile';
import { activityOf } from '../functions/activities';
import { sourceFile } from '../profile/place';
import { iterationsIn, type ProfileIterations } from './profileIterations';
import { heaviestCallers } from './heaviestCallers';
import {
  seriesRegionKey,
  type Burst,
  type Series,
  type SeriesRegion,
  type SeriesSource,
  type SourcePlace,
} from './series';

/** A profile whose values are read row by row; an opened Cube file is one. */
export interface ProfileRows {
  /** May be without values. */
  readonly definitions: Profile;
  /** Goes through the rows of a metric that there are, in any order; the first part is the value. */
  eachRow(metric: string, visit: (callPath: number, parts: readonly Float64Array[]) => void): void;
}

export interface ProfileSeriesOptions {
  /** One series per call path; default: per region. */
  readonly callPaths: boolean;
  /** Inclusive instead of exclusive times. A recursion counts once. */
  readonly inclusive: boolean;
  /** Names of metrics; those that the profile has not, or cannot add up, are left out. */
  readonly metrics: readonly string[];
  /** Name of the phase where the profile has several. */
  readonly phase?: string;
}

/**
 * Series of a profile with iterations (`iterationsIn`); undefined for one without. Where a location was not, its value is 0: profiles know
 * nothing missing. The phase's own code, what is in none of the regions below it, is a series of the phase's region of another kind.
 * Every burst goes through the rows once; what is held is the values of a burst and two numbers per call path.
 */
export function profileSeries(rows: ProfileRows, options: ProfileSeriesOptions): SeriesSource | undefined {
  const { definitions } = rows;
  const found = iterationsIn(definitions, options.phase);
  if (found === undefined) return undefined;
  const plan = planOf(rows, found, options);
  const phase = definitions.regions[found.phase]?.name;
  return {
    unit: 's',
    ...present({ phase }),
    iterations: found.iterations,
    bursts: (length) => bursts(rows, plan, length),
  };
}

/** The series that each call path contributes to. */
interface Plan {
  readonly iterations: number;
  readonly metrics: readonly Metric[];
  readonly inclusive: boolean;
  readonly parent: Int32Array;
  /** Iteration that a call path belongs to; -1 for those outside of all. */
  readonly iteration: Int32Array;
  /** Position in `slots`; -1 outside. */
  readonly slot: Int32Array;
  /** Whether no call path above it, within the iteration, has the same slot; 0 for iterations as such. */
  readonly outermost: Uint8Array;
  readonly slots: readonly Slot[];
  readonly phase: SeriesRegion;
  /** Location to position in `lanes`. */
  readonly laneOf: Int32Array;
  readonly lanes: readonly Lane[];
}

interface Slot {
  readonly region: SeriesRegion;
  readonly callPath?: readonly SeriesRegion[];
}

interface Lane {
  readonly rank: number;
  readonly thread: number;
}

function planOf(rows: ProfileRows, found: ProfileIterations, options: ProfileSeriesOptions): Plan {
  const profile = rows.definitions;
  const callers = heaviestCallers(rows);
  const described = profile.regions.map((region, index) => describe(region, callers.get(index)));
  const phase: SeriesRegion = { ...(described[found.phase] ?? { name: '?' }), kind: 'phase' };
  const { lanes, laneOf } = lanesOf(profile.locations);
  const metrics = profile.metrics.filter(
    ({ name, combine, dtype, stored }) =>
      options.metrics.includes(name) && combine === 'sum' && dtype !== 'RATE' && stored !== 'derived',
  );
  return {
    ...slotsOf(profile, found, described, options.callPaths),
    iterations: found.iterations,
    metrics,
    inclusive: options.inclusive,
    parent: profile.callPaths.parent,
    phase,
    lanes,
    laneOf,
  };
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
  for (let at = 0; at < count; at++) {
    const above = atInt(parent, at);
    const own = valueAt(iterationAt, at);
    iteration[at] = own >= 0 ? own : valueAt(iteration, above);
    if (iteration[at] === -1) continue;
    const region = described[own >= 0 ? phase : atUint(callPaths.region, at)];
    if (region === undefined) continue;
    // Iterations of a loop further in say nothing of their own: they are part of that loop.
    const isInner = own < 0 && isIteration(region);
    slot[at] = isInner ? valueAt(slot, above) : table.at(own >= 0 ? undefined : valueAt(slot, above), region);
    outermost[at] = own >= 0 || isInner || hasAbove(at, { slot, parent, iterationAt }) ? 0 : 1;
  }
  return { iteration, slot, outermost, slots: table.slots };
}

function valueAt(values: Int32Array, at: number): number {
  return values[at] ?? -1;
}

/** Whether a call path above, within the iteration, has the same slot. */
function hasAbove(
  callPath: number,
  of: { readonly slot: Int32Array; readonly parent: Int32Array; readonly iterationAt: Int32Array },
): boolean {
  for (let at = valueAt(of.parent, callPath); at >= 0; at = valueAt(of.parent, at)) {
    if (valueAt(of.iterationAt, at) >= 0) return false;
    if (of.slot[at] === of.slot[callPath]) return true;
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
    else this.slots.push({ region, callPath: [...(this.slots[above]?.callPath ?? []), region] });
    return there;
  }
}

/** Locations that say they are the same thread of the same rank are one. */
function lanesOf(locations: Profile['locations']): Pick<Plan, 'lanes' | 'laneOf'> {
  const lanes: Lane[] = [];
  const known = new Map<string, number>();
  const laneOf = Int32Array.from(locations, ({ rank, thread }) => {
    const key = `${rank} ${thread}`;
    const there = known.get(key);
    if (there !== undefined) return there;
    known.set(key, lanes.length);
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

function kindOf(region: Region): SeriesRegion['kind'] {
  const activity = activityOf(region);
  if (activity === 'communication' || activity === 'start-up') return 'mpi';
  if (activity === 'io') return 'io';
  if (activity === 'synchronisation') return 'openmp';
  if (region.role === 'loop') return 'loop';
  return region.paradigm === 'user' ? 'user' : 'function';
}

async function* bursts(rows: ProfileRows, plan: Plan, length: number): AsyncGenerator<Burst> {
  for (let first = 0; first < plan.iterations; first += length) {
    const here = Math.min(length, plan.iterations - first);
    const series: Series[] = [];
    for (const metric of plan.metrics) {
      const sums = new BurstSums(plan, metric, first, here);
      rows.eachRow(metric.name, (callPath, parts) => {
        if (parts[0] !== undefined) sums.add(callPath, parts[0]);
      });
      series.push(...sums.series());
    }
    yield { first, length: here, series };
    // Nothing to wait for: rows are read when they are asked for. All sources are read alike.
    await Promise.resolve();
  }
}

/** Differences below this share of the iteration's time are rounding errors. */
const rounding = 1e-12;

/** The values of one metric in one burst. */
class BurstSums {
  /** By slot and lane; only series with a value other than 0. */
  private readonly values = new Map<number, Float64Array>();
  /** Inclusive value of the iterations, by lane. */
  private readonly whole: readonly Float64Array[];

  constructor(
    private readonly plan: Plan,
    private readonly metric: Metric,
    private readonly first: number,
    private readonly length: number,
  ) {
    this.whole = plan.lanes.map(() => new Float64Array(length));
  }

  add(callPath: number, row: Float64Array): void {
    const { plan, length } = this;
    const iteration = valueAt(plan.iteration, callPath);
    const at = iteration - this.first;
    if (iteration < 0 || at < 0 || at >= length) return;
    for (let location = 0; location < row.length; location++) {
      const value = atFloat(row, location);
      if (value !== 0) this.addValue(callPath, atInt(plan.laneOf, location), at, value);
    }
  }

  private addValue(callPath: number, lane: number, at: number, value: number): void {
    const { plan, whole } = this;
    const above = valueAt(plan.parent, callPath);
    const isTop = valueAt(plan.iteration, above) < 0;
    const isInclusive = this.metric.stored === 'inclusive';
    const total = whole[lane];
    if (total !== undefined && (isTop || !isInclusive)) total[at] = atFloat(total, at) + value;
    if (plan.inclusive) {
      this.addInclusive(callPath, lane, at, value);
      return;
    }
    this.put(callPath, lane, at, value);
    if (isInclusive && !isTop) this.put(above, lane, at, -value);
  }

  private addInclusive(callPath: number, lane: number, at: number, value: number): void {
    const { plan, metric } = this;
    const isInclusive = metric.stored === 'inclusive';
    for (let up = callPath; valueAt(plan.iteration, up) >= 0; up = valueAt(plan.parent, up)) {
      if (plan.outermost[up] === 1) this.put(up, lane, at, value);
      if (isInclusive) return;
    }
  }

  private put(callPath: number, lane: number, at: number, value: number): void {
    const { plan, values, length } = this;
    const key = atInt(plan.slot, callPath) * plan.lanes.length + lane;
    let column = values.get(key);
    if (column === undefined) values.set(key, (column = new Float64Array(length)));
    column[at] = atFloat(column, at) + value;
  }

  *series(): Generator<Series> {
    const { plan, metric, whole } = this;
    if (metric.name === 'time') yield* this.phaseTimes();
    for (const key of [...this.values.keys()].sort((a, b) => a - b)) {
      const lane = key % plan.lanes.length;
      const slot = plan.slots[(key - lane) / plan.lanes.length];
      const values = this.values.get(key);
      const place = plan.lanes[lane];
      if (slot === undefined || values === undefined || place === undefined) continue;
      const total = whole[lane];
      for (let i = 0; i < values.length; i++)
        if (Math.abs(atFloat(values, i)) < rounding * Math.abs(total?.[i] ?? 0)) values[i] = 0;
      yield { context: { ...slot, metric: metric.name, ...place }, values };
    }
  }

  /** Phase time of each process: that of its slowest thread, because usually only one thread runs the phase. */
  private *phaseTimes(): Generator<Series> {
    const { plan, whole, length } = this;
    const byRank = new Map<number, Float64Array>();
    plan.lanes.forEach(({ rank }, lane) => {
      const times = remembered(byRank, rank, () => new Float64Array(length));
      whole[lane]?.forEach((value, i) => (times[i] = Math.max(atFloat(times, i), value)));
    });
    for (const [rank, values] of byRank)
      yield { context: { region: plan.phase, metric: 'time', rank, thread: 0 }, values };
  }
}
