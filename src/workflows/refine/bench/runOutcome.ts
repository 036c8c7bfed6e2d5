import type { RunTime } from '../../../core/cost/runTime';
import type { Experiment } from '../../../core/profile/experiment';
import type { Recording } from '../../../measurement/backends/common/backend';
import type { RunOutcome } from '../../../measurement/launch/runs/launchRun';

/** The part that two runs in turns share. */
export interface Turn {
  readonly processor: number;
}

/** The times alone. */
export function timeOf({ wallSeconds, cpuSeconds, slowestRank: rankTime }: RunTime): RunTime {
  return { wallSeconds, cpuSeconds, slowestRank: rankTime };
}

/** The part of an experiment that its run determines. */
type Outcome = Pick<
  Experiment,
  | 'command'
  | 'startedAt'
  | 'wallSeconds'
  | 'cpuSeconds'
  | 'slowestRank'
  | 'memoryBytes'
  | 'writtenBytes'
  | 'processor'
  | 'exitStatus'
>;

/** A run, and what it recorded. */
export interface RecordedRun {
  readonly time: RunTime;
  readonly result: Outcome;
  readonly recording: Recording;
}
/** What is known of an experiment before its run. */
export type UnfinishedExperiment = Omit<Experiment, keyof Outcome>;

export function outcomeOf(outcome: RunOutcome, turn: Turn | undefined): Outcome {
  const { command, startedAt, wallSeconds, cpuSeconds, exitStatus, usage } = outcome;
  return {
    command,
    startedAt,
    wallSeconds,
    ...(cpuSeconds === undefined ? {} : { cpuSeconds }),
    ...usage,
    ...turn,
    exitStatus,
  };
}
