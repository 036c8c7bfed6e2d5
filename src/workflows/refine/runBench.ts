import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { foldIterations } from '../../core/profile/foldIterations';
import type { ProgressSink } from '../../core/progress';
import type { Selection } from '../../core/selection/selection';
import { readCube } from '../../formats/cube4/read';
import type { ArmedProgram, Recorder, RecordingPlan, RunAgain } from '../../measurement/backends/backend';
import type { Target } from '../../measurement/config/config';
import { requireFreeSpace } from '../../measurement/experiments/disk';
import type { EnvironmentFacts } from '../../measurement/experiments/environmentFacts';
import type { Experiment } from '../../measurement/experiments/experiment';
import { readExperiment, writeExperiment } from '../../measurement/experiments/experimentFile';
import { experimentDirectory, iterationDirectory } from '../../measurement/experiments/studies';
import { launchRun, type RunOutcome } from '../../measurement/launch/launchRun';
import { preemptedShare } from '../../core/selection/runConditions';
import type { RunTime } from '../../core/selection/runTime';
import type { Bench, MeasuredRun } from './loop.types';
import { writeSelection } from './outputs';

export interface RunContext {
  readonly workspace: string;
  readonly target: Target;
  /** The study's folder and name. */
  readonly directory: string;
  readonly study: string;
  readonly buildId: string;
  readonly recorder: Recorder;
  readonly parameters: Readonly<Record<string, string>>;
  readonly ranks: number;
  readonly facts: EnvironmentFacts;
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
  /** Collects what the user should know; each sentence once. */
  readonly note: (sentence: string) => void;
}

/** A run's results are a few hundred kilobytes; this is far above and still finds a disk that is about to be full. */
const bytesPerRun = 4_000_000;

/** Runs of one repetition, where the first ones tell that something must not be recorded. */
const mostAttempts = 6;

/**
 * Real runs of the built program. An experiment that is complete on disk and measured the same thing is read instead of run: a
 * refinement that was stopped goes on where it was.
 */
export class RunBench implements Bench {
  /** Of all measured runs so far: the largest part of the time in which others had the processor. */
  mostPreempted = 0;
  private plan: { readonly iteration: number; readonly plan: RecordingPlan } | undefined;

  constructor(private readonly context: RunContext) {}

  async baseline(repetition: number): Promise<RunTime> {
    const experiment = this.experiment('baseline', 0, repetition, 0);
    const folder = experimentDirectory(this.context.directory, experiment);
    const done = await this.finished(folder);
    if (done !== undefined) return timeOf(done);
    return this.unrecorded(folder, experiment, this.context.recorder.baselineExecutable);
  }

  /** Runs the executable that was built without sites. */
  async vanilla(repetition: number, executable: string): Promise<RunTime> {
    const experiment = this.experiment('vanilla', 0, repetition, 0);
    const folder = experimentDirectory(this.context.directory, experiment);
    const done = await this.finished(folder);
    return done === undefined ? this.unrecorded(folder, experiment, executable) : timeOf(done);
  }

  async measured(iteration: number, repetition: number, selection: Selection): Promise<MeasuredRun> {
    const run = await this.measuredOrRead(iteration, repetition, selection);
    this.mostPreempted = Math.max(this.mostPreempted, preemptedShare(run.profile));
    return run;
  }

  private async measuredOrRead(
    iteration: number,
    repetition: number,
    selection: Selection,
  ): Promise<MeasuredRun> {
    const plan = await this.planned(iteration, selection);
    const experiment = this.experiment('measured', iteration, repetition, plan.instrumented);
    const folder = experimentDirectory(this.context.directory, experiment);
    const done = await this.finished(folder);
    if (done?.selection === plan.id && done.calibration !== undefined) {
      const file = path.join(folder, 'profile.cubex');
      return {
        ...timeOf(done),
        profile: foldIterations(readCube(await readFile(file), file)),
        calibration: done.calibration,
      };
    }
    return this.measure(folder, experiment, plan);
  }

  private async unrecorded(
    folder: string,
    experiment: UnfinishedExperiment,
    executable: string,
  ): Promise<RunTime> {
    const { baselineEnvironment } = this.context.recorder;
    const outcome = await this.run(folder, baselineEnvironment, executable);
    await writeExperiment(folder, { ...experiment, ...outcomeOf(outcome) });
    return timeOf(outcome);
  }

  private async measure(
    folder: string,
    experiment: UnfinishedExperiment,
    plan: RecordingPlan,
  ): Promise<MeasuredRun> {
    for (let attempt = 1; ; attempt++) {
      const armed = await plan.arm();
      await mkdir(folder, { recursive: true });
      const outcome = await this.run(folder, await armed.begin(folder), armed.executable).catch(
        (error: unknown) => explained(armed, folder, error),
      );
      const collected = 'runAgain' in outcome ? outcome : await armed.collect(folder);
      for (const message of collected.messages) this.context.note(message);
      if ('runAgain' in outcome || 'runAgain' in collected) {
        if (attempt < mostAttempts) continue;
        throw new KymoError(
          'no-results',
          `The run was repeated ${attempt - 1} times and its results were of no use. ${collected.messages.join(' ')}`,
        );
      }
      const { profile, calibration, unrecorded, scorep } = collected;
      await writeExperiment(folder, {
        ...experiment,
        ...outcomeOf(outcome),
        selection: plan.id,
        calibration,
        ...(scorep === undefined ? {} : { scorep }),
      });
      return {
        ...timeOf(outcome),
        profile: foldIterations(profile),
        calibration,
        ...(unrecorded === undefined ? {} : { unrecorded }),
      };
    }
  }

  private async run(
    folder: string,
    environment: Readonly<Record<string, string>>,
    executable: string,
  ): Promise<RunOutcome> {
    const { workspace, target, parameters, ranks, signal, recorder } = this.context;
    await mkdir(folder, { recursive: true });
    await requireFreeSpace(folder, bytesPerRun);
    await recorder.requireSameProgram();
    const outcome = await launchRun({
      target,
      workspace,
      executable,
      parameters,
      ranks,
      environment,
      outputFile: path.join(folder, 'output.txt'),
      signal,
    });
    if (outcome.leftBehind !== undefined) this.context.note(outcome.leftBehind);
    return outcome;
  }

  private async planned(iteration: number, selection: Selection): Promise<RecordingPlan> {
    if (this.plan?.iteration === iteration) return this.plan.plan;
    const folder = iterationDirectory(this.context.directory, iteration);
    await mkdir(folder, { recursive: true });
    const plan = await this.context.recorder.plan(selection, folder);
    await writeSelection(folder, selection, plan.id);
    this.plan = { iteration, plan };
    return plan;
  }

  private async finished(folder: string): Promise<Experiment | undefined> {
    const done = await readExperiment(folder).catch(() => undefined);
    return done?.buildId === this.context.buildId ? done : undefined;
  }

  private experiment(
    variant: Experiment['variant'],
    iteration: number,
    repetition: number,
    instrumented: number,
  ): UnfinishedExperiment {
    const { target, study, parameters, ranks, facts, buildId } = this.context;
    return {
      kymoExperiment: 1,
      target: target.name,
      study,
      iteration,
      repetition,
      variant,
      parameters,
      ranks,
      ...facts,
      buildId,
      instrumented,
    };
  }
}

/** What the back-end makes of a run that did not succeed. @throws the error, or one that says more */
async function explained(armed: ArmedProgram, folder: string, error: unknown): Promise<RunAgain> {
  if (!isKymoError(error) || error.reason === 'cancelled') throw error;
  const verdict = await armed.failed?.(folder, error);
  if (verdict === undefined || verdict instanceof KymoError) throw verdict ?? error;
  return verdict;
}

function isKymoError(error: unknown): error is KymoError {
  return error instanceof KymoError;
}

function timeOf({ wallSeconds, cpuSeconds }: RunTime): RunTime {
  return { wallSeconds, cpuSeconds };
}

type UnfinishedExperiment = Omit<Experiment, keyof ReturnType<typeof outcomeOf>>;

function outcomeOf(
  outcome: RunOutcome,
): Pick<Experiment, 'command' | 'startedAt' | 'wallSeconds' | 'cpuSeconds' | 'exitStatus'> {
  const { command, startedAt, wallSeconds, cpuSeconds, exitStatus } = outcome;
  return {
    command,
    startedAt,
    wallSeconds,
    ...(cpuSeconds === undefined ? {} : { cpuSeconds }),
    exitStatus,
  };
}
