import type { Experiment } from '../../../core/profile/experiment';
import type { ProgressSink } from '../../../core/progress';
import type { Recorder } from '../../../measurement/backends/common/backend';
import type { Target } from '../../../measurement/config/config';
import type { EnvironmentFacts } from '../../../measurement/experiments/environmentFacts';
import type { BatchRuns } from '../../../measurement/launch/slurm/batchRuns';
import type { Together } from './together';

/** What all runs of a program have in common. */
export interface RunContext {
  readonly workspace: string;
  readonly target: Target;
  /** The study's folder and name. */
  readonly directory: string;
  readonly study: string;
  readonly buildId: string;
  readonly recorder: Recorder;
  readonly together: Together;
  /** Jobs of a batch system; used by the launcher `slurm` only. */
  readonly batch: BatchRuns;
  readonly parameters: Readonly<Record<string, string>>;
  readonly ranks: number;
  /** Number of ranks that jobs have room for; default: `ranks`. */
  readonly jobRanks?: number;
  /** Number of threads that the environment sets; absent: not set by Kymo. */
  readonly threads?: number;
  /** Where results go; default: in the rounds of a study. */
  readonly folders?: RunFolders;
  readonly facts: EnvironmentFacts;
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
  /** Collects notes for the user, each sentence once. */
  readonly note: (sentence: string) => void;
}

export interface RunFolders {
  readonly experiment: (
    experiment: Pick<Experiment, 'iteration' | 'variant' | 'parameters' | 'ranks' | 'repetition'>,
  ) => string;
  readonly round: (iteration: number) => string;
}
