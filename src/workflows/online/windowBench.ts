import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { atFloat, atUint } from '../../core/at';
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
  readonly signal: AbortSignal;
}

/** How often a window looks at what its recording costs, in seconds. */
const lookEvery = 0.05;
/** From this multiple of the target on, the most expensive functions are only counted. */
const hopeless = 3;

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
    return timeOf(await this.window(new Map(this.plan.phases.map((slot) => [slot, 1]))));
  }

  async measured(iteration: number, repetition: number, selection: Selection): Promise<MeasuredRun> {
    return (await this.together(iteration, repetition, selection)).measured;
  }

  async together(iteration: number, repetition: number, selection: Selection): Promise<RunPair> {
    const keys = selectedKeys(selection);
    const startedAt = new Date().toISOString();
    const recorded = this.slotsOfSelection(selection);
    const results = await this.window(recorded);
    const samples = this.samplesOf(recorded);
    const { profile, calibration } = await mergeProcesses(results, { ...this.plan.program, samples });
    const time = timeOf(results);
    const costs = results.map((result) => sumOf(this.costsOf(result, recorded).values()));
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
      instrumented: keys.length,
      selection: this.plan.id,
      calibration,
    });
    return { baseline, measured: { ...time, isWindow: true, profile, calibration } };
  }

  /** What is recorded until the run ends. */
  async keep(selection: Selection): Promise<void> {
    await this.record(this.slotsOfSelection(selection));
  }

  /** The slots to record, each with the number of visits of which one is timed. */
  private slotsOfSelection(selection: Selection): Map<number, number> {
    const intervals = intervalsOf(selection);
    const slots = new Map(this.plan.phases.map((slot) => [slot, 1]));
    for (const key of selectedKeys(selection))
      for (const slot of this.slotsOf.get(key) ?? []) slots.set(slot, intervals.get(key) ?? 1);
    return slots;
  }

  private async record(slots: ReadonlyMap<number, number>): Promise<void> {
    const { samples = [] } = this.plan.program;
    const sampled = [...slots].filter(([slot]) => samples[slot] !== undefined);
    await this.job.record(new Set(slots.keys()), new Map(sampled));
  }

  /** How the visits of each slot are timed in a window. */
  private samplesOf(slots: ReadonlyMap<number, number>): NonNullable<ProgramOfProcesses['samples']> {
    const { samples = [] } = this.plan.program;
    return samples.map((sample, slot) => sample && { ...sample, interval: slots.get(slot) ?? 1 });
  }

  private async window(slots: Map<number, number>): Promise<readonly WindowResult[]> {
    const { windowSeconds, signal } = this.context;
    await this.record(slots);
    await this.job.restart();
    const begin = performance.now();
    for (;;) {
      const left = windowSeconds - (performance.now() - begin) / 1000;
      if (left <= 0) return this.job.results();
      await pause(1000 * Math.min(left, lookEvery), undefined, { signal });
      const relieved = this.relief(slots, await this.job.results());
      if (relieved.size === 0) continue;
      for (const [slot, interval] of relieved) slots.set(slot, interval);
      await this.job.sample(relieved);
    }
  }

  /** Which slots are to be counted from here on, because timing them costs too much for the window: the most expensive ones. */
  private relief(
    slots: ReadonlyMap<number, number>,
    results: readonly WindowResult[],
  ): ReadonlyMap<number, number> {
    const target = (this.context.overheadPercent / 100) * this.context.windowSeconds;
    const relieved = new Map<number, number>();
    for (const result of results) {
      const costs = this.costsOf(result, slots);
      let seconds = sumOf(costs.values());
      if (seconds <= hopeless * target) continue;
      for (const [slot, cost] of [...costs].sort(([, a], [, b]) => b - a)) {
        if (seconds <= target) break;
        if (slots.get(slot) !== 1 || this.plan.program.samples?.[slot] === undefined) continue;
        relieved.set(slot, countingInterval);
        seconds -= cost;
      }
    }
    return relieved;
  }

  /** Seconds that recording took of a process, by slot. */
  private costsOf(
    { probeCost, entryCost, threads }: WindowResult,
    slots: ReadonlyMap<number, number>,
  ): ReadonlyMap<number, number> {
    const seconds = new Map<number, number>();
    for (const { slot, visits, untimed } of threads)
      for (let node = 1; node < slot.length; node++) {
        const number = atUint(slot, node);
        const site = this.context.sites.get(this.plan.program.slots[number] ?? '');
        const { pairSeconds, sampled } = site === 'entry' ? entryCost : probeCost;
        const timed = (slots.get(number) ?? 1) > 1 ? (sampled?.pairSeconds ?? pairSeconds) : pairSeconds;
        const each = untimed[node] === 1 ? (sampled?.countedSeconds ?? 0) : timed;
        seconds.set(number, (seconds.get(number) ?? 0) + atFloat(visits, node) * each);
      }
    return seconds;
  }
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
