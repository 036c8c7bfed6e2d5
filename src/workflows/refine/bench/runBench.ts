import { rm } from 'node:fs/promises';
import path from 'node:path';
import { isKymoError, KymoError } from '../../../core/errors';
import { foldIterations } from '../../../core/profile/foldIterations';
import { present } from '../../../core/present';
import type { Selection } from '../../../core/selection/selection';
import { readCube } from '../../../formats/cube4/read';
import type {
  ArmedProgram,
  RecordingPlan,
  RunAgain,
  WatchedPlan,
} from '../../../measurement/backends/common/backend';
import { requireFreeSpace } from '../../../measurement/files/disk';
import type { Experiment } from '../../../core/profile/experiment';
import {
  experimentFileName,
  readExperiment,
  writeExperiment,
} from '../../../measurement/experiments/experimentFile';
import { experimentDirectory, roundDirectory } from '../../../measurement/experiments/studies';
import { requireOneJob } from '../../../measurement/launch/mpirun/oneJob';
import { launchRun, type RunOutcome } from '../../../measurement/launch/runs/launchRun';
import { preemptedShare } from '../../../core/cost/runConditions';
import { slowestRank } from '../../../core/functions/slowestRank';
import type { RunTime } from '../../../core/cost/runTime';
import type { Bench, MeasuredRun, RunPair } from '../loop/loop.types';
import { writeSelection } from '../results/outputs';
import type { RunContext, RunFolders } from './runContext';
import { outcomeOf, timeOf, type RecordedRun, type Turn, type UnfinishedExperiment } from './runOutcome';
import { makeOwnFolder, readOwnBytes } from '../../../measurement/files/ownFiles';

/** Required disk space per run, far above the few hundred kilobytes of its results, so that a nearly full disk is noticed. */
const bytesPerRun = 4_000_000;

/** Maximum number of runs of one repetition, if the first ones show that functions must not be recorded. */
const mostAttempts = 6;

/**
 * Real runs of the built program. A complete experiment on disk that measured the same is read instead of run, so that a stopped refinement
 * can be resumed.
 */
export class RunBench implements Bench {
  /** Over all measured runs so far: the largest part of the time in which other programs had the processor. */
  mostPreempted = 0;
  private plan: { readonly iteration: number; readonly plan: RecordingPlan } | undefined;
  private planOfRanks: Promise<RecordingPlan> | undefined;
  private readonly folders: RunFolders;

  constructor(private readonly context: RunContext) {
    const { directory } = context;
    this.folders = context.folders ?? {
      experiment: (experiment) => experimentDirectory(directory, experiment),
      round: (iteration) => roundDirectory(directory, iteration),
    };
  }

  /** Runs of the same program at another point, by the same plan. */
  at(point: Partial<RunContext>): RunBench {
    const other = new RunBench({ ...this.context, ...point });
    other.plan = this.plan;
    return other;
  }

  /** Prepares the runs of a round, for all points. */
  async preparePlan(iteration: number, selection: Selection): Promise<void> {
    await this.planned(iteration, selection);
  }

  /** With several ranks, MPI calls are recorded if they can be, so that the slowest rank is known. */
  async baseline(repetition: number, turn?: Turn): Promise<RunTime> {
    const { recorder, ranks, together } = this.context;
    if (ranks > 1 && recorder.planOfRanks !== undefined) return this.baselineOfRanks(repetition);
    const done = await this.plain('baseline', repetition, recorder.baselineExecutable, turn);
    if (turn === undefined) together.learn(done);
    return timeOf(done);
  }

  /** Runs the executable with sites and records nothing at all. */
  async idle(repetition: number): Promise<RunTime> {
    return timeOf(await this.plain('baseline', repetition, this.context.recorder.baselineExecutable));
  }

  /** Runs the executable that was built without sites. */
  async vanilla(repetition: number, executable: string): Promise<RunTime> {
    return timeOf(await this.plain('vanilla', repetition, executable));
  }

  async together(
    iteration: number,
    repetition: number,
    selection: Selection,
    baselineRepetition: number,
  ): Promise<RunPair | undefined> {
    const { together, recorder } = this.context;
    if (together.processor(baselineRepetition) === undefined) return undefined;
    // The preparation precedes both runs, so that they begin at the same time.
    const { instrumented } = await this.planned(iteration, selection);
    const experiments = [
      this.experiment('baseline', 0, baselineRepetition, 0),
      this.experiment('measured', iteration, repetition, instrumented),
    ];
    const pair = await this.inTurns(
      baselineRepetition,
      experiments,
      (turn) => this.plain('baseline', baselineRepetition, recorder.baselineExecutable, turn),
      (turn) => this.measuredOrRead(iteration, repetition, selection, turn),
    );
    if (pair === undefined) return undefined;
    const [baseline, measured] = pair;
    this.judge(measured, baseline.cpuSeconds);
    return { baseline: timeOf(baseline), measured };
  }

  /** A vanilla run and one with sites at rest. */
  async vanillaBeside(
    repetition: number,
    executable: string,
  ): Promise<readonly [RunTime, RunTime] | undefined> {
    const { baselineExecutable } = this.context.recorder;
    const variants = ['vanilla', 'baseline'] as const;
    return this.inTurns(
      repetition,
      variants.map((variant) => this.experiment(variant, 0, repetition, 0)),
      (turn) => this.plain('vanilla', repetition, executable, turn),
      (turn) => this.plain('baseline', repetition, baselineExecutable, turn),
    );
  }

  /** Runs both simultaneously. Undefined if they must not be simultaneous, or if one failed and must be run alone to show the reason. */
  private async inTurns<A, B>(
    number: number,
    experiments: readonly UnfinishedExperiment[],
    runOne: (turn: Turn) => Promise<A>,
    other: (turn: Turn) => Promise<B>,
  ): Promise<readonly [A, B] | undefined> {
    const { together, signal, note } = this.context;
    const processor = together.processor(number);
    if (processor === undefined) return undefined;
    await this.discardHalves(experiments);
    // A failing run does not end the other one, which must finish its work (a lock, a file).
    const both = [runOne({ processor }), other({ processor })] as const;
    const [first, second] = await Promise.allSettled(both);
    if (first.status === 'fulfilled' && second.status === 'fulfilled') return [first.value, second.value];
    if (signal.aborted)
      throw first.status === 'rejected' ? first.reason : (second as PromiseRejectedResult).reason;
    together.forbid();
    note(
      'The program failed when it ran twice at the same time, so its runs went one after the other. Set "together": false in "run" of kymo.json to have that from the beginning.',
    );
    return undefined;
  }

  async measured(
    iteration: number,
    repetition: number,
    selection: Selection,
    turn?: Turn,
  ): Promise<MeasuredRun> {
    const run = await this.measuredOrRead(iteration, repetition, selection, turn);
    this.judge(run);
    return run;
  }

  /**
   * Runs the program once by a plan, and watches it meanwhile. The results of the whole run, in the folder, are those of any run with the plan.
   * @param watch receives the folder of the run, and the run; the program runs to its end whatever becomes of it
   */
  async watched<Answer>(
    folder: string,
    plan: RecordingPlan,
    watch: (folder: string, running: Promise<unknown>) => Promise<Answer>,
  ): Promise<{ readonly answer: Answer; readonly run: RecordedRun }> {
    let watching: Promise<Answer> | undefined;
    const run = await this.recorded(
      folder,
      plan,
      undefined,
      (running) => (watching = watch(folder, running)),
    );
    if (watching === undefined) throw new TypeError('nothing ran');
    return { answer: await watching, run };
  }

  /**
   * As `measured`, in a run that is watched.
   * @param makePlan of the round's folder
   * @param watch returns what the experiment says beside the results of the run
   */
  async measuredWatched(
    repetition: number,
    selection: Selection,
    makePlan: (folder: string) => Promise<WatchedPlan>,
    watch: (
      folder: string,
      plan: WatchedPlan,
      running: Promise<unknown>,
    ) => Promise<Pick<Experiment, 'instrumented' | 'partlyRecorded'>>,
  ): Promise<MeasuredRun> {
    const round = this.folders.round(0);
    await makeOwnFolder(round);
    const plan = await makePlan(round);
    await writeSelection(round, selection, plan.id);
    const experiment = this.experiment('measured', 0, repetition, plan.instrumented);
    const folder = this.folders.experiment(experiment);
    const { run, answer } = await this.watched(folder, plan, (place, running) => watch(place, plan, running));
    const measured = await this.keep(folder, { ...experiment, ...answer }, plan, run);
    this.judge(measured);
    return measured;
  }

  private judge({ profile }: MeasuredRun, twinSeconds?: number): void {
    if (profile.locations.length > 1) this.context.together.forbid();
    this.mostPreempted = Math.max(this.mostPreempted, preemptedShare(profile, twinSeconds));
  }

  private async measuredOrRead(
    iteration: number,
    repetition: number,
    selection: Selection,
    turn?: Turn,
  ): Promise<MeasuredRun> {
    const plan = await this.planned(iteration, selection);
    const experiment = this.experiment('measured', iteration, repetition, plan.instrumented);
    const folder = this.folders.experiment(experiment);
    const done = await this.finished(folder, turn);
    if (done?.selection === plan.id && done.calibration !== undefined) {
      const file = path.join(folder, 'profile.cubex');
      return {
        ...timeOf(done),
        profile: foldIterations(readCube(await readOwnBytes(file), file)),
        calibration: done.calibration,
      };
    }
    return this.measure(folder, experiment, plan, turn);
  }

  private async plain(
    variant: 'baseline' | 'vanilla',
    repetition: number,
    executable: string,
    turn?: Turn,
  ): Promise<Experiment> {
    const { recorder } = this.context;
    const { baselineEnvironment } = recorder;
    const experiment = this.experiment(variant, 0, repetition, 0);
    const folder = this.folders.experiment(experiment);
    const finished = await this.finished(folder, turn);
    if (finished !== undefined) return finished;
    const outcome = await this.run(folder, baselineEnvironment, executable, turn);
    const done = { ...experiment, ...outcomeOf(outcome, turn) };
    await writeExperiment(folder, done);
    return done;
  }

  private async baselineOfRanks(repetition: number): Promise<RunTime> {
    const { recorder } = this.context;
    const experiment = this.experiment('baseline', 0, repetition, 0);
    const folder = this.folders.experiment(experiment);
    const finished = await this.finished(folder);
    if (finished !== undefined) return timeOf(finished);
    const round = this.folders.round(0);
    await makeOwnFolder(round);
    this.planOfRanks ??= recorder.planOfRanks?.(round);
    const plan = await this.planOfRanks;
    if (plan === undefined) return this.idle(repetition);
    const { time, result } = await this.recorded(folder, plan, undefined);
    await writeExperiment(folder, { ...experiment, ...result });
    return time;
  }

  private async measure(
    folder: string,
    experiment: UnfinishedExperiment,
    plan: RecordingPlan,
    turn: Turn | undefined,
  ): Promise<MeasuredRun> {
    return this.keep(folder, experiment, plan, await this.recorded(folder, plan, turn));
  }

  private async keep(
    folder: string,
    experiment: UnfinishedExperiment,
    plan: RecordingPlan,
    { time, result, recording }: RecordedRun,
  ): Promise<MeasuredRun> {
    const { profile, calibration, unrecorded, scorep, trace } = recording;
    await writeExperiment(folder, {
      ...experiment,
      ...result,
      selection: plan.id,
      calibration,
      ...present({ scorep }),
    });
    return { ...time, profile: foldIterations(profile), calibration, ...present({ unrecorded, trace }) };
  }

  private async recorded(
    folder: string,
    plan: RecordingPlan,
    turn: Turn | undefined,
    onRun?: (running: Promise<unknown>) => Promise<unknown>,
  ): Promise<RecordedRun> {
    for (let attempt = 1; ; attempt++) {
      const armed = await plan.arm();
      await makeOwnFolder(folder);
      const running = this.run(folder, armed.environment(folder), armed.executable, turn, () =>
        armed.makePlace(folder),
      );
      // Results are not touched before nobody looks at them any more, also when the program fails.
      if (onRun !== undefined) await Promise.allSettled([running, onRun(running)]);
      const outcome = await running.catch((error: unknown) => explained(armed, folder, error));
      const collected = 'runAgain' in outcome ? outcome : await armed.collect(folder);
      for (const message of collected.messages) this.context.note(message);
      if ('runAgain' in outcome || 'runAgain' in collected) {
        if (attempt < mostAttempts) continue;
        throw new KymoError(
          'no-results',
          `The run was repeated ${attempt - 1} times and its results were of no use. ${collected.messages.join(' ')}`,
        );
      }
      await this.requireOneJob(outcome, armed.executable, collected.worldSizes);
      const rankTime = slowestRank(collected.profile, collected.rankCpuSeconds);
      const result = { ...outcomeOf(outcome, turn), ...present({ slowestRank: rankTime }) };
      return { time: timeOf(result), result, recording: collected };
    }
  }

  private async run(
    folder: string,
    environment: Readonly<Record<string, string>>,
    executable: string,
    turn: Turn | undefined,
    prepare?: () => Promise<void>,
  ): Promise<RunOutcome> {
    const { workspace, target, parameters, ranks, jobRanks, signal, recorder, note, batch } = this.context;
    await makeOwnFolder(folder);
    await requireFreeSpace(folder, bytesPerRun);
    await recorder.requireSameProgram();
    const outcome = await launchRun(
      {
        target,
        workspace,
        executable,
        parameters,
        ranks,
        environment,
        outputFile: path.join(folder, 'output.txt'),
        signal,
        note,
        ...present({ prepare, jobRanks }),
        ...turn,
      },
      batch,
    );
    if (outcome.leftBehind !== undefined) note(outcome.leftBehind);
    return outcome;
  }

  /** @throws KymoError `launcher-mismatch` */
  private async requireOneJob(
    { command }: RunOutcome,
    executable: string,
    worldSizes: readonly number[] = [],
  ): Promise<void> {
    const { target, ranks, note } = this.context;
    const { launcher, environment: own } = target.run;
    const environment = { ...process.env, ...own };
    const run = { target: target.name, ranks, worldSizes, launcher, command, executable, environment };
    const sentence = await requireOneJob(run);
    if (sentence !== undefined) note(sentence);
  }

  private async planned(iteration: number, selection: Selection): Promise<RecordingPlan> {
    if (this.plan?.iteration === iteration) return this.plan.plan;
    const folder = this.folders.round(iteration);
    await makeOwnFolder(folder);
    const plan = await this.context.recorder.plan(selection, folder);
    await writeSelection(folder, selection, plan.id);
    this.plan = { iteration, plan };
    return plan;
  }

  /** The experiment in a folder, if it is complete and was made in the same way: alone, or in turns. */
  private async finished(folder: string, turn?: Turn): Promise<Experiment | undefined> {
    const done = await readExperiment(folder).catch(() => undefined);
    const isSame = (done?.processor === undefined) === (turn === undefined);
    return isSame && done?.buildId === this.context.buildId ? done : undefined;
  }

  /** Removes runs whose paired run failed, because they cannot be compared. */
  private async discardHalves(experiments: readonly UnfinishedExperiment[]): Promise<void> {
    const folders = experiments.map((experiment) => this.folders.experiment(experiment));
    const done = await Promise.all(folders.map((folder) => readExperiment(folder).catch(() => undefined)));
    if (done.every((experiment) => experiment !== undefined)) return;
    await Promise.all(folders.map((folder) => rm(path.join(folder, experimentFileName), { force: true })));
  }

  private experiment(
    variant: Experiment['variant'],
    iteration: number,
    repetition: number,
    instrumented: number,
  ): UnfinishedExperiment {
    const { target, study, parameters, ranks, threads, facts, buildId } = this.context;
    return {
      kymoExperiment: 1,
      target: target.name,
      study,
      iteration,
      repetition,
      variant,
      parameters,
      ranks,
      ...present({ threads }),
      ...facts,
      buildId,
      instrumented,
    };
  }
}

/** The back-end's handling of a failed run. @throws the error, or a more specific one */
async function explained(armed: ArmedProgram, folder: string, error: unknown): Promise<RunAgain> {
  if (!isKymoError(error) || error.reason === 'cancelled') throw error;
  const verdict = await armed.failed?.(folder, error);
  if (verdict === undefined || verdict instanceof KymoError) throw verdict ?? error;
  return verdict;
}
