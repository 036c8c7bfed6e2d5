import type { DecisionClock, RunTime } from '../../core/cost/runTime';
import { accumulateKnowledge } from '../../core/knowledge/knowledge';
import { recordingSeconds } from '../../core/knowledge/recordingCost';
import { selectedKeys, type Selection } from '../../core/selection/selection';
import type { Prepared, WatchedPlan } from '../../measurement/backends/common/backend';
import type { RunBench } from '../refine/bench/runBench';
import type { RunContext } from '../refine/bench/runContext';
import type { MeasuredRun } from '../refine/loop/loop.types';
import { agentWays } from '../agents/agentWays';
import { endWatch, watchRun, type WatchedRunOptions } from './watchRun';

/** A run that was watched, and what it would have taken with nothing recorded. */
export interface WatchedMeasurement {
  readonly run: MeasuredRun;
  readonly baseline: RunTime;
}

/** Runs the program once and watches it meanwhile. @throws KymoError as `RunBench.measured` */
export async function measureWatched(
  bench: RunBench,
  selection: Selection,
  prepared: Prepared,
  {
    target,
    study,
    recorder,
    batch,
    reduce,
    signal,
    note,
    progress,
  }: RunContext & Pick<WatchedRunOptions, 'reduce'>,
): Promise<WatchedMeasurement> {
  const options = {
    target: target.name,
    study,
    phase: target.phase,
    sites: prepared.sites,
    reduce,
    ways: (hosts: readonly string[]) =>
      agentWays(hosts, {
        ...target.run,
        executable: recorder.baselineExecutable,
        job: batch.jobId ?? process.env.SLURM_JOB_ID,
      }),
    signal,
    note,
    onBegin: (folder: string): void => {
      progress.log(`${target.name} runs and can be watched: ${folder}`);
    },
  };
  const makePlan = async (folder: string): Promise<WatchedPlan> => {
    const plan = await recorder.planWatched?.(selection, folder);
    if (plan === undefined) throw new TypeError(`the runs of ${target.name} cannot be watched`);
    return plan;
  };
  let place: string | undefined;
  try {
    const run = await bench.measuredWatched(1, selection, makePlan, (folder, plan, running) => {
      place = folder;
      return watchRun(folder, plan, running, options);
    });
    const measured = { ...run, isWindow: true } as const;
    return { run: measured, baseline: withoutRecording(measured, selection, prepared) };
  } finally {
    if (place !== undefined) await endWatch(place);
  }
}

/** What a run would have taken with nothing recorded, by its visits and the calibrated cost of each. */
function withoutRecording(run: MeasuredRun, selection: Selection, { graph, sites }: Prepared): RunTime {
  const { wallSeconds, cpuSeconds, slowestRank, profile, calibration } = run;
  const knowledge = accumulateKnowledge(
    undefined,
    profile,
    graph,
    calibration,
    selectedKeys(selection),
    sites,
  );
  const cost = (clock: DecisionClock): number =>
    recordingSeconds(selection, knowledge, calibration, sites, clock);
  const rest = (seconds: number, clock: DecisionClock): number => Math.max(0, seconds - cost(clock));
  return {
    isWindow: true,
    wallSeconds: rest(wallSeconds, 'wall'),
    ...(cpuSeconds === undefined ? {} : { cpuSeconds: rest(cpuSeconds, 'cpu') }),
    ...(slowestRank === undefined
      ? {}
      : { slowestRank: { ...slowestRank, seconds: rest(slowestRank.seconds, 'rank') } }),
  };
}
