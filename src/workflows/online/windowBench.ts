import path from 'node:path';
import type { SiteKind } from '../../core/cost/pairCost';
import { countingInterval } from '../../core/strategies/sampling';
import type { RunTime } from '../../core/cost/runTime';
import type { Experiment } from '../../core/profile/experiment';
import { pushTo } from '../../core/remembered';
import { intervalsOf, selectedKeys, type Selection } from '../../core/selection/selection';
import { cubeChunks } from '../../formats/cube4/write';
import type { WatchedPlan } from '../../measurement/backends/common/backend';
import { writeExperiment } from '../../measurement/experiments/experimentFile';
import { experimentDirectory, roundDirectory } from '../../measurement/experiments/studies';
import { writeFileAtomically } from '../../measurement/files/disk';
import { makeOwnFolder } from '../../measurement/files/ownFiles';
import { mergeProcesses, type ProgramOfProcesses } from '../../measurement/results/mergeProcesses';
import type { WindowResult } from '../../measurement/results/live/liveResult';
import type { Bench, MeasuredRun, RunPair } from '../refine/loop/loop.types';
import { writeSelection } from '../refine/results/outputs';
import { recordingBySlot } from './recordingSeconds';
import { slotsToCount } from './relief';
import { unlessEnded } from './unlessEnded';
import type { WatchedJob } from './watchedJob';

/** What the windows of a run have in common. */
export interface WindowContext {
  /** The study's folder. */
  readonly directory: string;
  readonly sites: ReadonlyMap<string, SiteKind>;
  /** Length of a window, seconds. */
  readonly windowSeconds: number;
  /** Where recording costs a multiple of this, the most expensive functions are only counted. */
  readonly overheadPercent: number;
  /** What experiments have in common: of the run, and of the program. */
  readonly experiment: Omit<
    Experiment,
    'iteration' | 'repetition' | 'variant' | 'wallSeconds' | 'cpuSeconds' | 'startedAt' | 'instrumented'
  >;
}

/** How often a window looks at what its recording costs, in seconds; the one that lasts until the program ends. */
const lookEvery = 0.05;
const lookAtRestEvery = 1;

/**
 * The rounds of a refinement as windows of one run that is under way: sites are switched between them, and the program runs on. What the run would take with
 * nothing recorded follows from the visits and the cost of each, which the process has calibrated.
 */
export class WindowBench implements Bench {
  private readonly slotsOf = new Map<string, number[]>();

  constructor(
    private readonly job: WatchedJob,
    private readonly plan: WatchedPlan,
    private readonly context: WindowContext,
  ) {
    plan.program.slots.forEach((key, slot) => {
      pushTo(this.slotsOf, key, slot);
    });
  }

  /** A window in which nothing but phases is recorded. */
  async baseline(): Promise<RunTime> {
    return timeOf((await this.window(this.phaseSlots())).results);
  }

  async measured(iteration: number, repetition: number, selection: Selection): Promise<MeasuredRun> {
    return (await this.together(iteration, repetition, selection)).measured;
  }

  async together(iteration: number, repetition: number, selection: Selection): Promise<RunPair> {
    const startedAt = new Date().toISOString();
    const window = await this.window(this.slotsOfSelection(selection));
    // Nothing costs anything while the next selection is decided.
    await this.record(this.phaseSlots()).catch(unlessEnded);
    return this.keep(window, { iteration, repetition, startedAt }, selection);
  }

  /**
   * A window until the program ends, of which what is known a second before is taken: its times are of much more of the run than those of the others. Undefined
   * when the program ends sooner than another window would.
   */
  async rest(iteration: number, selection: Selection): Promise<RunPair | undefined> {
    const startedAt = new Date().toISOString();
    const window = await this.lastWindow(this.slotsOfSelection(selection));
    if (window === undefined || timeOf(window.results).wallSeconds < this.context.windowSeconds)
      return undefined;
    return this.keep(window, { iteration, repetition: 1, startedAt }, selection);
  }

  /** Writes the files of a round. */
  private async keep(
    { results, slots, counted }: RecordedWindow,
    {
      iteration,
      repetition,
      startedAt,
    }: { readonly iteration: number; readonly repetition: number; readonly startedAt: string },
    selection: Selection,
  ): Promise<RunPair> {
    const samples = this.samplesOf(slots, counted);
    const { profile, calibration } = await mergeProcesses(results, { ...this.plan.program, samples });
    const time = timeOf(results);
    const costs = results.map((result) => sumOf(this.costsOf(result, slots).values()));
    const baseline = {
      wallSeconds: Math.max(0, time.wallSeconds - Math.max(...costs)),
      cpuSeconds: Math.max(0, time.cpuSeconds - costs.reduce((sum, cost) => sum + cost, 0)),
    };
    const { parameters, ranks } = this.context.experiment;
    const experiment = { iteration, repetition, variant: 'measured' as const, parameters, ranks };
    const folder = experimentDirectory(this.context.directory, experiment);
    await makeOwnFolder(folder);
    await writeFileAtomically(path.join(folder, 'profile.cubex'), cubeChunks(profile));
    await writeSelection(roundDirectory(this.context.directory, iteration), selection, this.plan.id);
    await writeExperiment(folder, {
      ...this.context.experiment,
      ...experiment,
      ...time,
      startedAt,
      instrumented: selectedKeys(selection).length,
      selection: this.plan.id,
      calibration,
    });
    return { baseline, measured: { ...time, isWindow: true, profile, calibration } };
  }

  private slotsOfSelection(selection: Selection): RecordedSlots {
    const intervals = intervalsOf(selection);
    const slots = this.phaseSlots();
    for (const key of selectedKeys(selection))
      for (const slot of this.slotsOf.get(key) ?? []) slots.set(slot, intervals.get(key) ?? 1);
    return slots;
  }

  private phaseSlots(): Map<number, number> {
    return new Map(this.plan.phases.map((slot) => [slot, 1]));
  }

  private async record(slots: RecordedSlots): Promise<void> {
    const { samples = [] } = this.plan.program;
    const sampled = [...slots].filter(([slot]) => samples[slot] !== undefined);
    await this.job.record(new Set(slots.keys()), new Map(sampled));
  }

  /** How the visits of each slot are timed. */
  private samplesOf(
    slots: RecordedSlots,
    counted: ReadonlySet<number> = new Set(),
  ): NonNullable<ProgramOfProcesses['samples']> {
    const intervalOf = (slot: number): number =>
      counted.has(slot) ? countingInterval : (slots.get(slot) ?? 1);
    const { samples = [] } = this.plan.program;
    return samples.map((sample, slot) => sample && { ...sample, interval: intervalOf(slot) });
  }

  private async window(slots: RecordedSlots): Promise<RecordedWindow> {
    const { windowSeconds } = this.context;
    const counted = new Set<number>();
    const passed = await this.begin(slots);
    for (;;) {
      const left = windowSeconds - passed();
      if (left <= 0) return { slots, counted, results: await this.job.results() };
      await this.job.wait(1000 * Math.min(left, lookEvery));
      await this.relieve({ slots, counted, results: await this.job.results() }, windowSeconds);
    }
  }

  /** @returns what is known of it shortly before the program ends; undefined if that is nothing */
  private async lastWindow(slots: RecordedSlots): Promise<RecordedWindow | undefined> {
    const { windowSeconds } = this.context;
    const counted = new Set<number>();
    let window: RecordedWindow | undefined;
    try {
      const passed = await this.begin(slots);
      for (;;) {
        await this.job.wait(1000 * lookAtRestEvery);
        window = { slots, counted, results: await this.job.results() };
        await this.relieve(window, Math.max(windowSeconds, passed()));
      }
    } catch (error) {
      unlessEnded(error);
      return window;
    }
  }

  /** @returns the seconds since then */
  private async begin(slots: RecordedSlots): Promise<() => number> {
    await this.record(slots);
    await this.job.restart();
    const begin = performance.now();
    return () => (performance.now() - begin) / 1000;
  }

  /** Only counts the visits of the most expensive functions from here on, if recording costs a multiple of what it may in so many seconds. */
  private async relieve({ results, slots, counted }: RecordedWindow, seconds: number): Promise<void> {
    const { samples = [] } = this.plan.program;
    const target = (this.context.overheadPercent / 100) * seconds;
    const canCount = (slot: number): boolean =>
      slots.get(slot) === 1 && samples[slot] !== undefined && !counted.has(slot);
    const now = results.flatMap((result) => [...slotsToCount(this.costsOf(result, slots), target, canCount)]);
    if (now.length === 0) return;
    await this.job.sample(new Map(now.map((slot) => [slot, countingInterval])));
    for (const slot of now) counted.add(slot);
  }

  /** Seconds that recording took of a process, by slot. */
  private costsOf(result: WindowResult, slots: RecordedSlots): ReadonlyMap<number, number> {
    const program = { ...this.plan.program, samples: this.samplesOf(slots) };
    return recordingBySlot(result, program, this.context.sites);
  }
}

/** The slots to record, each with the number of visits of which one is timed. */
type RecordedSlots = ReadonlyMap<number, number>;

/** What a window recorded. */
interface RecordedWindow {
  readonly results: readonly WindowResult[];
  readonly slots: RecordedSlots;
  /** Those that were too expensive, and only counted from some moment on. */
  readonly counted: Set<number>;
}

function secondsOf({ beginNanoseconds, endNanoseconds }: WindowResult): number {
  return (endNanoseconds - beginNanoseconds) / 1e9;
}

function timeOf(results: readonly WindowResult[]): {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
} {
  return {
    wallSeconds: Math.max(...results.map(secondsOf)),
    cpuSeconds: results.reduce((sum, { cpuSeconds = 0 }) => sum + cpuSeconds, 0),
  };
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
