import { at, atFloat } from '../../core/at';
import {
  computingMetric,
  elapsedMetric,
  preemptedMetric,
  seriesRegionKey,
  type Burst,
  type Series,
  type SeriesContext,
  type SeriesRegion,
  type SeriesSource,
} from '../../core/series/series';
import type {
  IterationContext,
  IterationSample,
  IterationsDirectory,
  IterationsLayout,
} from '../../formats/kymo-iterations/iterationsFile';
import type { IterationsFile } from '../../formats/kymo-iterations/read';

export interface IterationsSeriesOptions {
  /** One series per call path; default: per region. */
  readonly callPaths: boolean;
  /** Inclusive instead of exclusive times, with `computing` beside `time` as in `ProfileSeriesOptions`. A recursion counts once. */
  readonly inclusive: boolean;
  /** Any of `time`, `visits`, `overhead`, `wait`: of waiting for other processes in MPI, and `preempted`: of phases, with `elapsed` beside it. */
  readonly metrics: readonly string[];
  /** Cost of recording one visit; without it there is no `overhead`. */
  readonly pairSeconds?: number;
}

type Metric = 'time' | typeof computingMetric | 'visits' | 'overhead' | 'wait';

/** Series of an experiment's `iterations.kymo`, read burst by burst. A region without visits in an iteration has the value 0. */
export function iterationsSeries(file: IterationsFile, options: IterationsSeriesOptions): SeriesSource {
  const { phase, iterations } = file.directory;
  return {
    unit: 's',
    phase,
    iterations,
    async *bursts(length) {
      const series = new SeriesOfIterations(file.directory, file.layout, options);
      for (let first = 0; first < iterations; first += length) {
        const here = Math.min(length, iterations - first);
        yield series.burst(first, here, file.samples(first, first + here));
        // Reading is synchronous: signals and messages have their turn.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/** What contexts are; more may come behind those that are there. */
export type GrowingDirectory = Pick<IterationsDirectory, 'phase' | 'regions' | 'locations' | 'contexts'>;

/** Series of iterations that come in order. */
export class SeriesOfIterations {
  private readonly plan: Plan;

  constructor(directory: GrowingDirectory, layout: IterationsLayout, options: IterationsSeriesOptions) {
    this.plan = new Plan(directory, layout, options);
  }

  /** The next iterations, of which there are `length`. */
  burst(first: number, length: number, samples: Iterable<IterationSample>): Burst {
    this.plan.extend();
    const sums = new Sums(this.plan, length);
    let iteration = 0;
    for (const sample of samples) {
      const { count, contexts, visits, seconds, waitSeconds, preempted = [] } = sample;
      for (let i = 0; i < count; i++) {
        sums.add(contexts[i] ?? 0, iteration, visits[i] ?? 0, seconds[i] ?? 0);
        // Waiting is a part of the time, from which the time without a processor is missing.
        sums.addWait(contexts[i] ?? 0, iteration, Math.min(waitSeconds?.[i] ?? 0, seconds[i] ?? 0));
      }
      for (const phase of preempted) sums.addPreempted(phase.context, iteration, phase.seconds);
      iteration++;
    }
    return { first, length, series: [...sums.series()] };
  }
}

/** Determines what each context adds to; parents before children. */
class Plan {
  /** By context: position in `slots` of the slot that it adds to, and of its parent's slot; -1 if there is none. */
  readonly slot: number[] = [];
  readonly slotAbove: number[] = [];
  /** By context: whether no ancestor has the same slot. */
  readonly outermost: boolean[] = [];
  /** By context: its parent, -1 if there is none; and whether it is of MPI or of waiting for threads. */
  readonly parent: number[] = [];
  readonly waits: boolean[] = [];
  /** By context: position in `phases`, -1 for contexts that are not a phase. */
  readonly phase: number[] = [];
  readonly slots: Omit<SeriesContext, 'metric'>[] = [];
  readonly phases: SeriesContext[] = [];
  readonly metrics: readonly Metric[];
  /** Whether series say how long phases were pre-empted. */
  readonly hasPreempted: boolean;
  readonly pairSeconds: number;
  readonly inclusive: boolean;
  /** By slot, from one burst to the next: time of calls from visits that are still open. */
  readonly owed: number[] = [];
  private readonly perCallPath: boolean;
  private readonly slotByKey = new Map<string, number>();
  /** By rank: position in `phases`. A phase may have several callers, consist of several functions, and continue on another thread. */
  private readonly phaseAt = new Map<number, number>();

  constructor(
    private readonly directory: GrowingDirectory,
    layout: IterationsLayout,
    options: IterationsSeriesOptions,
  ) {
    this.perCallPath = options.callPaths;
    this.inclusive = options.inclusive;
    this.pairSeconds = options.pairSeconds ?? 0;
    this.hasPreempted = layout.hasPreempted && options.metrics.includes(preemptedMetric);
    this.metrics = (['time', computingMetric, 'visits', 'overhead', 'wait'] as const).filter((name) => {
      if (name === computingMetric) return options.inclusive && options.metrics.includes('time');
      if (name === 'wait' && !layout.hasWaits) return false;
      return options.metrics.includes(name) && (name !== 'overhead' || options.pairSeconds !== undefined);
    });
  }

  /** Takes the contexts that are new. */
  extend(): void {
    for (let next = this.slot.length; next < this.directory.contexts.length; next++)
      this.add(at(this.directory.contexts, next), next);
  }

  private add({ region: position, parent, location }: IterationContext, index: number): void {
    const { regions, locations, phase } = this.directory;
    const given = at(regions, position);
    const { rank, thread } = at(locations, location);
    const above = this.slot[parent ?? -1] ?? -1;
    this.slotAbove.push(above);
    this.parent.push(parent ?? -1);
    this.waits.push(['mpi', 'openmp'].includes(given.kind));
    const isPhase = parent === undefined && given.kind === 'phase' && given.name === phase;
    this.phase.push(isPhase ? this.phaseOf(given, rank) : -1);
    // The phase's own code is a region like others.
    const region: SeriesRegion = given.kind === 'phase' ? { ...given, kind: 'function' } : given;
    this.slot.push(this.slotOf(region, { location, rank, thread, above, isPhase }));
    this.outermost.push(!isPhase && !this.hasAbove(index));
  }

  private hasAbove(context: number): boolean {
    for (let above = at(this.parent, context); above >= 0; above = at(this.parent, above))
      if (this.slot[above] === this.slot[context]) return true;
    return false;
  }

  private phaseOf(region: SeriesRegion, rank: number): number {
    const position =
      this.phaseAt.get(rank) ?? this.phases.push({ region, metric: 'time', rank, thread: 0 }) - 1;
    this.phaseAt.set(rank, position);
    return position;
  }

  private slotOf(region: SeriesRegion, of: PlaceOfContext): number {
    const { location, rank, thread, above } = of;
    const key = `${location} ${this.perCallPath ? above : ''} ${seriesRegionKey(region)}`;
    const there = this.slotByKey.get(key);
    if (there !== undefined) return there;
    const callPath =
      this.perCallPath && !of.isPhase ? { callPath: [...(this.slots[above]?.callPath ?? []), region] } : {};
    const added = this.slots.push({ region, ...callPath, rank, thread }) - 1;
    this.owed.push(0);
    this.slotByKey.set(key, added);
    return added;
  }
}

interface PlaceOfContext {
  readonly location: number;
  readonly rank: number;
  readonly thread: number;
  /** Slot of the parent context, -1 if there is none. */
  readonly above: number;
  readonly isPhase: boolean;
}

/** Times are whole nanoseconds in the file; smaller differences are rounding. */
const resolution = 1e-9;

/** The values of one burst. */
class Sums {
  private readonly columns = new Map<Metric, Map<number, Float64Array>>();
  private readonly phaseTimes: readonly Float64Array[];
  private readonly preempted: readonly Float64Array[];

  constructor(
    private readonly plan: Plan,
    private readonly length: number,
  ) {
    for (const metric of plan.metrics) this.columns.set(metric, new Map());
    this.phaseTimes = plan.phases.map(() => new Float64Array(length));
    this.preempted = plan.phases.map(() => new Float64Array(length));
  }

  add(context: number, iteration: number, visits: number, seconds: number): void {
    const { plan, phaseTimes } = this;
    const phase = phaseTimes[plan.phase[context] ?? -1];
    if (phase !== undefined) phase[iteration] = (phase[iteration] ?? 0) + seconds;
    const slot = plan.slot[context] ?? 0;
    if (!plan.inclusive) {
      this.put('time', slot, iteration, seconds);
      const above = plan.slotAbove[context] ?? -1;
      if (above >= 0) this.put('time', above, iteration, -seconds);
    } else {
      if (plan.outermost[context] === true) this.put('time', slot, iteration, seconds);
      this.addComputing(context, iteration, seconds);
    }
    this.put('visits', slot, iteration, visits);
    this.put('overhead', slot, iteration, visits * plan.pairSeconds);
  }

  /** Waits are those of the context's own visits; inclusive series have them in each region around it, too. */
  addWait(context: number, iteration: number, seconds: number): void {
    const { inclusive, outermost, parent, slot } = this.plan;
    if (seconds === 0) return;
    if (!inclusive) this.put('wait', slot[context] ?? 0, iteration, seconds);
    else
      for (let up = context; up >= 0; up = parent[up] ?? -1)
        if (outermost[up] === true) this.put('wait', slot[up] ?? 0, iteration, seconds);
  }

  addPreempted(context: number, iteration: number, seconds: number): void {
    const phase = this.preempted[this.plan.phase[context] ?? -1];
    if (phase !== undefined) phase[iteration] = (phase[iteration] ?? 0) + seconds;
  }

  private addComputing(context: number, iteration: number, seconds: number): void {
    const { outermost, parent, slot, waits } = this.plan;
    const above: number[] = [];
    for (let up = parent[context] ?? -1; up >= 0; up = parent[up] ?? -1) {
      if (waits[up] === true) return;
      if (outermost[up] === true) above.push(up);
    }
    if (waits[context] === true)
      for (const up of above) this.put(computingMetric, slot[up] ?? 0, iteration, -seconds);
    else if (outermost[context] === true) this.put(computingMetric, slot[context] ?? 0, iteration, seconds);
  }

  private put(metric: Metric, slot: number, iteration: number, value: number): void {
    const columns = this.columns.get(metric);
    if (columns === undefined) return;
    let column = columns.get(slot);
    if (column === undefined) columns.set(slot, (column = new Float64Array(this.length)));
    column[iteration] = (column[iteration] ?? 0) + value;
  }

  /**
   * Settles the values of threads other than the phase's. There a visit counts in the iteration in which it ends, and its callees in those in
   * which they ended. The time of the callees is subtracted where the visit ends, so that waiting for them is no exclusive time.
   */
  private settle(slot: number, values: Float64Array): void {
    const isPhaseThread = this.plan.slots[slot]?.thread === 0;
    let owed = this.plan.owed[slot] ?? 0;
    for (let iteration = 0; iteration < values.length; iteration++) {
      const value = (values[iteration] ?? 0) - owed;
      values[iteration] = value < resolution / 2 ? 0 : value;
      owed = isPhaseThread ? 0 : Math.max(0, -value);
    }
    this.plan.owed[slot] = owed;
  }

  /** By the wall, a phase takes longer than its times, which leave out when it was pre-empted. */
  private *preemption(context: SeriesContext, times: Float64Array, index: number): Generator<Series> {
    const preempted = at(this.preempted, index);
    yield { context: { ...context, metric: preemptedMetric }, values: preempted };
    const elapsed = times.map((time, i) => time + atFloat(preempted, i));
    yield { context: { ...context, metric: elapsedMetric }, values: elapsed };
  }

  *series(): Generator<Series> {
    const { plan, columns, phaseTimes } = this;
    for (const [index, context] of plan.phases.entries()) {
      const values = phaseTimes[index];
      if (values === undefined) continue;
      yield { context, values };
      if (plan.hasPreempted) yield* this.preemption(context, values, index);
    }
    for (const [metric, bySlot] of columns)
      for (const [slot, values] of [...bySlot].sort(([a], [b]) => a - b)) {
        const context = plan.slots[slot];
        if (context === undefined) continue;
        if (metric === 'time') this.settle(slot, values);
        yield { context: { ...context, metric }, values };
      }
  }
}
