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
import { writeDiagnosisWish, type DiagnosisWish } from '../diagnosing/live/diagnosisWish';
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

export interface SearchedRunOptions {
  /** Searches why and where the program is slow while it runs, and leaves `search.json` beside its profile; the selection does not count then. */
  readonly diagnose?: DiagnosisWish | undefined;
  /** The run can be watched from now on, in this folder. */
  readonly onWatched?: ((folder: string) => void) | undefined;
}

/** Runs the program once and watches it meanwhile. @throws KymoError as `RunBench.measured` */
export async function measureWatched(
  bench: RunBench,
  chosen: Selection,
  prepared: Prepared,
  {
    workspace,
    target,
    study,
    diagnose,
    onWatched,
    recorder,
    batch,
    reduce,
    signal,
    note,
    progress,
  }: RunContext & Pick<WatchedRunOptions, 'reduce'> & SearchedRunOptions,
): Promise<WatchedMeasurement> {
  const { graph, sites, whyNotRecorded } = prepared;
  const selection = diagnose === undefined ? chosen : surveyed(sites.keys());
  const phases = target.phase === undefined ? [] : phaseFunctions(graph, target.phase);
  const history = new RecordingHistory([
    ...selectedKeys(selection),
    ...[...phases].filter((key) => sites.has(key)),
  ]);
  const options = {
    workspace,
    target: target.name,
    study,
    isSurveyed: diagnose !== undefined,
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
      onWatched?.(folder);
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
      if (diagnose !== undefined) await writeDiagnosisWish(folder, diagnose);
      await watchRun(folder, plan, running, options);
      // Where it could not be watched to its end, what was switched stays so.
      await Promise.allSettled([running]);
      history.end();
      return switchedFacts(plan.instrumented, history, graph);
    });
    const recorded = withSwitchedOn(selection, history);
    if (recorded !== selection && place !== undefined)
      await writeSelection(path.dirname(place), recorded, planId);
    const notes = diagnose === undefined ? switchedNotes(history, graph) : [searchedNote];
    for (const sentence of notes) note(sentence);
    const measured = { ...run, isWindow: true } as const;
    const baseline = withoutRecording(measured, recorded, prepared);
    return { run: measured, baseline, selection: recorded };
  } finally {
    if (place !== undefined) await endWatch(place);
  }
}

const searchedNote =
  'The search recorded functions when it needed them: their times are of parts of the run (experiment.json), and callers have the time of the others.';

/** All functions, for the begin of a run that is searched. */
function surveyed(keys: Iterable<string>): Selection {
  const reason = { rule: 'switched-on' } as const;
  return { decisions: new Map([...keys].map((key) => [key, { key, selected: true, reason }])) };
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
