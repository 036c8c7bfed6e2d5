import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PairCosts, SiteKind } from '../../core/cost/pairCost';
import type { RunTime } from '../../core/cost/runTime';
import type { Experiment } from '../../core/profile/experiment';
import { pushTo } from '../../core/remembered';
import { selectedKeys, type Selection } from '../../core/selection/selection';
import { cubeChunks } from '../../formats/cube4/write';
import type { WatchedPlan } from '../../measurement/backends/common/backend';
import { writeExperiment } from '../../measurement/experiments/experimentFile';
import { experimentDirectory, roundDirectory } from '../../measurement/experiments/studies';
import { writeFileAtomically } from '../../measurement/files/disk';
import { makeOwnFolder } from '../../measurement/files/ownFiles';
import { mergeProcesses } from '../../measurement/results/mergeProcesses';
import type { WindowResult } from '../../measurement/results/live/liveResult';
import type { Bench, MeasuredRun, RunPair } from '../refine/loop/loop.types';
import { writeSelection } from '../refine/results/outputs';
import { recordingSeconds } from './recordingSeconds';
import type { WatchedJob } from './watchedJob';

/** What the windows of a run have in common. */
export interface WindowContext {
  /** The study's folder. */
  readonly directory: string;
  readonly sites: ReadonlyMap<string, SiteKind>;
  /** Length of a window, seconds. */
  readonly windowSeconds: number;
  /** Recording that costs a multiple of this ends its window early. */
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
/** A window ends early when recording costs this multiple of the target. */
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
    return timeOf(await this.window([]));
  }

  async measured(iteration: number, repetition: number, selection: Selection): Promise<MeasuredRun> {
    return (await this.together(iteration, repetition, selection)).measured;
  }

  async together(iteration: number, repetition: number, selection: Selection): Promise<RunPair> {
    const keys = selectedKeys(selection);
    const startedAt = new Date().toISOString();
    const results = await this.window(keys);
    const { profile, calibration } = await mergeProcesses(results, this.plan.program);
    const time = timeOf(results);
    const costs = results.map((result) => this.costOf(result));
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
    return { baseline, measured: { ...time, isWindow: true, profile, calibration: timedCosts(calibration) } };
  }

  /** What is recorded until the run ends. */
  async keep(selection: Selection): Promise<void> {
    await this.job.record(this.slots(selectedKeys(selection)));
  }

  private slots(keys: readonly string[]): ReadonlySet<number> {
    return new Set([...this.plan.phases, ...keys.flatMap((key) => this.slotsOf.get(key) ?? [])]);
  }

  private async window(keys: readonly string[]): Promise<readonly WindowResult[]> {
    const { windowSeconds, signal } = this.context;
    await this.job.record(this.slots(keys));
    await this.job.restart();
    const begin = performance.now();
    for (;;) {
      const left = windowSeconds - (performance.now() - begin) / 1000;
      if (left <= 0) return this.job.results();
      await pause(1000 * Math.min(left, lookEvery), undefined, { signal });
      const results = await this.job.results();
      const most = (hopeless * this.context.overheadPercent) / 100;
      if (results.some((result) => this.costOf(result) > most * secondsOf(result))) return results;
    }
  }

  private costOf(result: WindowResult): number {
    return recordingSeconds(result, this.plan.program, this.context.sites);
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

/** In a window, all visits are timed. */
function timedCosts({ probe, entry }: PairCosts): PairCosts {
  const timed = ({ pairSeconds, insideSeconds, outsideSeconds }: PairCosts['probe']): PairCosts['probe'] => ({
    pairSeconds,
    insideSeconds,
    outsideSeconds,
  });
  return { probe: timed(probe), entry: timed(entry) };
}
