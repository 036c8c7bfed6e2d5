import path from 'node:path';
import type { DecisionClock, RunTime } from '../../core/cost/runTime';
import { accumulateKnowledge } from '../../core/knowledge/knowledge';
import { recordingSeconds } from '../../core/knowledge/recordingCost';
import { phaseFunctions } from '../../core/selection/phase';
import { selectedKeys, type Selection } from '../../core/selection/selection';
import type { Prepared, WatchedPlan } from '../../measurement/backends/common/backend';
import type { RunBench } from '../refine/bench/runBench';
import type { RunContext } from '../refine/bench/runContext';
import type { MeasuredRun } from '../refine/loop/loop.types';
import { agentWays } from '../agents/agentWays';
import { writeSelection } from '../refine/results/outputs';
import { RecordingHistory } from './recordingHistory';
import { switchedFacts, switchedNotes, withSwitchedOn } from './switchedFacts';
import { endWatch, watchRun, type WatchedRunOptions } from './watchRun';

/** A run that was watched, and what it would have taken with nothing recorded. */
export interface WatchedMeasurement {
  readonly run: MeasuredRun;
  readonly baseline: RunTime;
  /** All that was recorded at any time of the run. */
  readonly selection: Selection;
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
  const { graph, sites, whyNotRecorded } = prepared;
  const phases = target.phase === undefined ? [] : phaseFunctions(graph, target.phase);
  const history = new RecordingHistory([
    ...selectedKeys(selection),
    ...[...phases].filter((key) => sites.has(key)),
  ]);
  const options = {
    target: target.name,
    study,
    phase: target.phase,
    sites,
    history,
    whyNotRecorded,
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
    const plan = await recorder.planWatched?.(selection, folder, { switched: history });
    if (plan === undefined) throw new TypeError(`the runs of ${target.name} cannot be watched`);
    planId = plan.id;
    return plan;
  };
  let place: string | undefined;
  let planId = '';
  try {
    const run = await bench.measuredWatched(1, selection, makePlan, async (folder, plan, running) => {
      place = folder;
      await watchRun(folder, plan, running, options);
      // Where it could not be watched to its end, what was switched stays so.
      await Promise.allSettled([running]);
      history.end();
      return switchedFacts(plan.instrumented, history, graph);
    });
    const recorded = withSwitchedOn(selection, history);
    if (recorded !== selection && place !== undefined)
      await writeSelection(path.dirname(place), recorded, planId);
    for (const sentence of switchedNotes(history, graph)) note(sentence);
    const measured = { ...run, isWindow: true } as const;
    const baseline = withoutRecording(measured, recorded, prepared);
    return { run: measured, baseline, selection: recorded };
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
