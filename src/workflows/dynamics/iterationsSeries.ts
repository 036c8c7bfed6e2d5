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
} from '../../formats/kymo-iterations/iterationsFile';
import { withoutPartly } from './withoutPartly';
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

/**
 * Series of an experiment's `iterations.kymo`, read burst by burst. A region without visits in an iteration has the value 0. Functions that were recorded in
 * a part of the run only are left out (`withoutPartly`).
 */
export function iterationsSeries(given: IterationsFile, options: IterationsSeriesOptions): SeriesSource {
  const { file, isLeftOut } = withoutPartly(given);
  const { directory } = file;
  const { phase, iterations } = directory;
  const plan = planOf(file, options);
  return {
    unit: 's',
    phase,
    iterations,
    async *bursts(length) {
      const owed = new Float64Array(plan.slots.length);
      for (let first = 0; first < iterations; first += length) {
        const here = Math.min(length, iterations - first);
        const sums = new Sums(plan, here, owed);
        let iteration = 0;
        for (const sample of file.samples(first, first + here)) {
          sums.addSample(sample, iteration, isLeftOut);
          iteration++;
        }
        yield { first, length: here, series: [...sums.series()] } satisfies Burst;
        // Reading is synchronous: signals and messages have their turn.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

interface Plan {
  /** By context: position in `slots` of the slot that it adds to, and of its parent's slot; -1 if there is none. */
  readonly slot: Int32Array;
  readonly slotAbove: Int32Array;
  /** By context: 1 if no ancestor has the same slot. */
  readonly outermost: Uint8Array;
  /** By context: its parent, -1 if there is none; and 1 for those of MPI and of waiting for threads. */
  readonly parent: Int32Array;
  readonly waits: Uint8Array;
  /** By context: position in `phases`, -1 for contexts that are not a phase. */
  readonly phase: Int32Array;
  readonly slots: readonly Omit<SeriesContext, 'metric'>[];
  readonly phases: readonly SeriesContext[];
  readonly metrics: readonly Metric[];
  /** Whether series say how long phases were pre-empted. */
  readonly hasPreempted: boolean;
  readonly pairSeconds: number;
  readonly inclusive: boolean;
}

function planOf({ directory, layout }: IterationsFile, options: IterationsSeriesOptions): Plan {
  const contexts = new Contexts(directory, options.callPaths);
  directory.contexts.forEach((context, position) => {
    contexts.add(context, position);
  });
  const { slot, slotAbove, outermost, phase, slots, phases } = contexts;
  const { inclusive, pairSeconds = 0 } = options;
  const metrics = (['time', computingMetric, 'visits', 'overhead', 'wait'] as const).filter((name) => {
    if (name === computingMetric) return inclusive && options.metrics.includes('time');
    if (name === 'wait' && !layout.hasWaits) return false;
    return options.metrics.includes(name) && (name !== 'overhead' || options.pairSeconds !== undefined);
  });
  const parent = Int32Array.from(directory.contexts, (context) => context.parent ?? -1);
  const waits = Uint8Array.from(directory.contexts, ({ region }) =>
    ['mpi', 'openmp'].includes(directory.regions[region]?.kind ?? '') ? 1 : 0,
  );
  return {
    ...{ slot, slotAbove, outermost, parent, waits, phase, slots, phases },
    ...{ metrics, pairSeconds, inclusive },
    hasPreempted: layout.hasPreempted && options.metrics.includes(preemptedMetric),
  };
}

/** Determines the slot that each context adds to; parents before children. */
class Contexts implements Pick<Plan, 'slot' | 'slotAbove' | 'outermost' | 'phase' | 'slots' | 'phases'> {
  readonly slot: Int32Array;
  readonly slotAbove: Int32Array;
  readonly outermost: Uint8Array;
  readonly phase: Int32Array;
  readonly slots: Omit<SeriesContext, 'metric'>[] = [];
  readonly phases: SeriesContext[] = [];
  private readonly slotByKey = new Map<string, number>();
  /** By rank: position in `phases`. A phase may have several callers, consist of several functions, and continue on another thread. */
  private readonly phaseAt = new Map<number, number>();

  constructor(
    private readonly directory: IterationsDirectory,
    private readonly perCallPath: boolean,
  ) {
    const { length } = directory.contexts;
    this.slot = new Int32Array(length);
    this.slotAbove = new Int32Array(length).fill(-1);
    this.outermost = new Uint8Array(length);
    this.phase = new Int32Array(length).fill(-1);
  }

  add({ region: position, parent, location }: IterationContext, index: number): void {
    const { contexts, regions, locations, phase } = this.directory;
    const given = regions[position];
    const place = locations[location];
    if (given === undefined || place === undefined) return;
    const { rank, thread } = place;
    const above = this.slot[parent ?? -1] ?? -1;
    this.slotAbove[index] = above;
    const isPhase = parent === undefined && given.kind === 'phase' && given.name === phase;
    if (isPhase) this.phase[index] = this.phaseOf(given, rank);
    // The phase's own code is a region like others.
    const region: SeriesRegion = given.kind === 'phase' ? { ...given, kind: 'function' } : given;
    this.slot[index] = this.slotOf(region, { location, rank, thread, above, isPhase });
    this.outermost[index] = isPhase || hasAbove(contexts, this.slot, index) ? 0 : 1;
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

function hasAbove(contexts: IterationsDirectory['contexts'], slot: Int32Array, context: number): boolean {
  for (let above = contexts[context]?.parent; above !== undefined; above = contexts[above]?.parent)
    if (slot[above] === slot[context]) return true;
  return false;
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
    /** By slot, from one burst to the next: time of calls from visits that are still open. */
    private readonly owed: Float64Array,
  ) {
    for (const metric of plan.metrics) this.columns.set(metric, new Map());
    this.phaseTimes = plan.phases.map(() => new Float64Array(length));
    this.preempted = plan.phases.map(() => new Float64Array(length));
  }

  /** @param isLeftOut by context, 1 for those that do not count */
  addSample(sample: IterationSample, iteration: number, isLeftOut: Uint8Array | undefined): void {
    const { count, contexts, visits, seconds, waitSeconds, preempted = [] } = sample;
    for (let i = 0; i < count; i++) {
      const context = contexts[i] ?? 0;
      if (isLeftOut?.[context] === 1) continue;
      this.add(context, iteration, visits[i] ?? 0, seconds[i] ?? 0);
      // Waiting is a part of the time, from which the time without a processor is missing.
      this.addWait(context, iteration, Math.min(waitSeconds?.[i] ?? 0, seconds[i] ?? 0));
    }
    for (const phase of preempted) this.addPreempted(phase.context, iteration, phase.seconds);
  }

  private add(context: number, iteration: number, visits: number, seconds: number): void {
    const { plan, phaseTimes } = this;
    const phase = phaseTimes[plan.phase[context] ?? -1];
    if (phase !== undefined) phase[iteration] = (phase[iteration] ?? 0) + seconds;
    const slot = plan.slot[context] ?? 0;
    if (!plan.inclusive) {
      this.put('time', slot, iteration, seconds);
      const above = plan.slotAbove[context] ?? -1;
      if (above >= 0) this.put('time', above, iteration, -seconds);
    } else {
      if (plan.outermost[context] === 1) this.put('time', slot, iteration, seconds);
      this.addComputing(context, iteration, seconds);
    }
    this.put('visits', slot, iteration, visits);
    this.put('overhead', slot, iteration, visits * plan.pairSeconds);
  }

  /** Waits are those of the context's own visits; inclusive series have them in each region around it, too. */
  private addWait(context: number, iteration: number, seconds: number): void {
    const { inclusive, outermost, parent, slot } = this.plan;
    if (seconds === 0) return;
    if (!inclusive) this.put('wait', slot[context] ?? 0, iteration, seconds);
    else
      for (let up = context; up >= 0; up = parent[up] ?? -1)
        if (outermost[up] === 1) this.put('wait', slot[up] ?? 0, iteration, seconds);
  }

  private addPreempted(context: number, iteration: number, seconds: number): void {
    const phase = this.preempted[this.plan.phase[context] ?? -1];
    if (phase !== undefined) phase[iteration] = (phase[iteration] ?? 0) + seconds;
  }

  private addComputing(context: number, iteration: number, seconds: number): void {
    const { outermost, parent, slot, waits } = this.plan;
    const above: number[] = [];
    for (let up = parent[context] ?? -1; up >= 0; up = parent[up] ?? -1) {
      if (waits[up] === 1) return;
      if (outermost[up] === 1) above.push(up);
    }
    if (waits[context] === 1)
      for (const up of above) this.put(computingMetric, slot[up] ?? 0, iteration, -seconds);
    else if (outermost[context] === 1) this.put(computingMetric, slot[context] ?? 0, iteration, seconds);
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
    let owed = this.owed[slot] ?? 0;
    for (let iteration = 0; iteration < values.length; iteration++) {
      const value = (values[iteration] ?? 0) - owed;
      values[iteration] = value < resolution / 2 ? 0 : value;
      owed = isPhaseThread ? 0 : Math.max(0, -value);
    }
    this.owed[slot] = owed;
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
