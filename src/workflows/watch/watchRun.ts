import path from 'node:path';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { SiteKind } from '../../core/cost/pairCost';
import { runName } from '../../core/functions/base';
import { present } from '../../core/present';
import { cubeChunks } from '../../formats/cube4/write';
import type { WatchedPlan } from '../../measurement/backends/common/backend';
import { writeFileAtomically } from '../../measurement/files/disk';
import { calibrationOf } from '../../measurement/results/calibration';
import { recordingSeconds } from '../online/recordingSeconds';
import { WatchedJob } from '../online/watchedJob';
import { WatchingPace } from '../online/watchingPace';
import { withArrived, type LiveRun } from '../../core/views/liveRun';
import { readWish, writeLive } from '../studies/liveFile';
import { removeLiveFiles } from './liveFiles';
import type { AgentWay } from '../agents/agents';
import { RunProcesses } from '../agents/runProcesses';
import { knownOf, type Known } from './known';
import type { RecordingHistory } from './recordingHistory';
import { Switching, type SwitchingOptions } from './switching';
import { JobStacks } from '../diagnosing/live/jobStacks';
import { WatchedDiagnosis } from './watchedDiagnosis';
import { WatchedIterations } from './watchedIterations';

/** Profiles are written when the run is longer by this part, and by so many seconds. */
const growth = 0.05;
const leastSeconds = 2;
/** When the program has ended, a process that does not answer is waited for so long, in milliseconds. */
const patience = 2000;

export interface WatchedRunOptions extends Pick<SwitchingOptions, 'whyNotRecorded'> {
  readonly workspace: string;
  readonly target: string;
  readonly study: string;
  /** `phase` of the target. */
  readonly phase?: string | undefined;
  readonly sites: ReadonlyMap<string, SiteKind>;
  /** Whether everything is recorded at first, for the survey of a diagnosis. */
  readonly isSurveyed: boolean;
  /** Follows what is recorded. */
  readonly history: RecordingHistory;
  /** How agents come to other hosts of the run. */
  readonly ways: (hosts: readonly string[]) => Promise<readonly AgentWay[]>;
  /** See `RunProcessesOptions`. */
  readonly reduce?: boolean | undefined;
  readonly signal: AbortSignal;
  readonly note: (sentence: string) => void;
  /** All processes can be watched. */
  readonly onBegin: (folder: string) => void;
}

/**
 * Watches a run until it ends, and writes what is known of it into its folder: `live.json`, and `profile.cubex` and `iterations.kymo` of the run so far,
 * which whatever shows a measurement shows. Does what watchers want (`live-wish.json`, `wishes.ts`). Whatever goes wrong here becomes a note, and the program runs on.
 */
export async function watchRun(
  folder: string,
  plan: WatchedPlan,
  running: Promise<unknown>,
  options: WatchedRunOptions,
): Promise<void> {
  const watch = new RunWatch(folder, plan, options);
  try {
    await watch.follow(running);
  } catch (error) {
    if (options.signal.aborted) return;
    const why = error instanceof Error ? error.message : String(error);
    options.note(`The run could not be watched to its end: ${why}`);
  } finally {
    await watch.close();
  }
}

/** Removes what says that the run is under way. */
export async function endWatch(folder: string): Promise<void> {
  await removeLiveFiles(folder);
}

const reducedRun =
  'The run is reduced to sums over its processes, and what these record is not switched then: run it with --no-reduce.';
const run = runName(0, 1);

class RunWatch {
  private readonly begin = performance.now();
  private readonly startedAt = new Date().toISOString();
  private readonly iterations: WatchedIterations;
  private readonly processes: RunProcesses;
  private readonly job: WatchedJob;
  private readonly switching: Switching;
  private readonly stacks: JobStacks;
  private readonly diagnosis: WatchedDiagnosis;
  private readonly pace = new WatchingPace();
  private profileSeconds = 0;
  private recorded = 0;
  private isSuspended = false;

  constructor(
    private readonly folder: string,
    private readonly plan: WatchedPlan,
    private readonly options: WatchedRunOptions,
  ) {
    this.iterations = new WatchedIterations(
      { ...plan.program, ...present({ phase: options.phase }) },
      folder,
    );
    const watched = { folder: plan.sockets(folder), token: plan.token };
    const slotCount = plan.program.slots.length;
    const question = { slotCount, suspend: false, firstIteration: 0, phase: options.phase };
    this.processes = new RunProcesses({ watched, question, ...options });
    this.stacks = new JobStacks(plan.program.graph);
    this.job = new WatchedJob(plan, this.processes, options.signal, [this.iterations.streams, this.stacks]);
    const whyNone = (): string | undefined => (this.processes.isReduced ? reducedRun : undefined);
    const { job, stacks } = this;
    this.switching = new Switching({ folder, plan, job, whyNone, ...options });
    this.diagnosis = new WatchedDiagnosis({
      ...{ folder, plan, job, stacks, whyNone, run, ...options, isFromBegin: options.isSurveyed },
      recorded: () => options.history.keys,
      switch: (record, leave, host, isElsewhere) =>
        this.switching.switch({ record, leave }, host, isElsewhere),
      switchedElsewhere: (record, leave) => this.switching.recordedElsewhere(record, leave),
      agents: (onReport, onLost) => this.processes.search(onReport, onLost),
      sockets: plan.sockets(folder),
    });
    options.history.start();
  }

  async follow(running: Promise<unknown>): Promise<void> {
    const end = new AbortController();
    const ended = (): void => {
      end.abort();
      setTimeout(() => this.job.close(), patience).unref();
    };
    running.then(ended, ended);
    await this.write('starting');
    await this.job.attach(running);
    this.processes.settle();
    await this.switching.begin();
    this.options.onBegin(this.folder);
    while (!end.signal.aborted) {
      this.pace.begin();
      await this.look('running');
      const { isSurveying, lookEvery } = this.diagnosis;
      const wait = isSurveying ? 1000 * lookEvery : this.pace.pause(lookEvery);
      await pause(wait, undefined, { signal: end.signal }).catch(() => undefined);
    }
    await this.diagnosis.end();
    await this.write('ending');
  }

  async close(): Promise<void> {
    this.job.close();
    this.iterations.close();
    await this.processes.close();
  }

  private get seconds(): number {
    return (performance.now() - this.begin) / 1000;
  }

  private get known(): Known {
    return knownOf(this.job, this.processes, this.plan.program);
  }

  private async look(state: LiveRun['state']): Promise<void> {
    await this.doWish();
    await this.switching.doWishes();
    await this.job.look();
    await this.diagnosis.look();
    if (this.diagnosis.isSurveying) return;
    const known = this.known;
    const { seconds } = this;
    const isDue = seconds >= Math.max(this.profileSeconds * (1 + growth), this.profileSeconds + leastSeconds);
    if (isDue && known.results.length > 0) {
      await writeFileAtomically(path.join(this.folder, 'profile.cubex'), cubeChunks(await known.profile()));
      this.profileSeconds = seconds;
    }
    this.recorded = known.results.reduce(
      (sum, result) => sum + recordingSeconds(result, this.plan.program, this.options.sites),
      0,
    );
    await this.write(state, known);
  }

  private async doWish(): Promise<void> {
    const suspend = (await readWish(this.folder))?.suspend ?? false;
    this.processes.ask({ suspend, firstIteration: this.iterations.next });
    if (suspend === this.isSuspended) return;
    this.isSuspended = suspend;
    await this.job.tell({ kind: 'suspend', on: suspend });
  }

  private async write(state: LiveRun['state'], known = this.known): Promise<void> {
    const { seconds, options } = this;
    const { isSuspended, processes, ...of } = known.state;
    const iterations = await this.iterations.take(seconds, known.digest, state === 'ending');
    await writeLive(this.folder, {
      kymoLive: 1,
      target: options.target,
      study: options.study,
      startedAt: this.startedAt,
      seconds,
      pid: process.pid,
      host: hostname(),
      state: state === 'running' && isSuspended ? 'suspended' : state,
      processes: withArrived(processes, iterations),
      ...of,
      recordingSeconds: this.recorded,
      ...(known.results.length === 0 ? {} : { calibration: calibrationOf(known.results) }),
      ...present({ iterations }),
      ...(state === 'starting' ? {} : { recording: this.switching.live }),
      profileSeconds: this.profileSeconds,
      ...present({ network: this.processes.network }),
    });
  }
}
