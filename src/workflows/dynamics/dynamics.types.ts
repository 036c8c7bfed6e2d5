import type { ProgressSink } from '../../core/progress';
import type { DynamicsOptions } from '../../core/degradations/model/options';
import type { DynamicsResult } from '../../core/degradations/model/result';

/** The inputs and settings of an analysis. `runDynamics(request, context)` is in `dynamics.ts`. */
export interface DynamicsRequest {
  /**
   * Absolute. One of: a series file, a profile with iterations (`.cubex`), the folder of an experiment, an iteration, a study or a target
   * (its newest experiment with iterations), a report of an earlier analysis (`.json`: its settings, unless others are given).
   * Or several series files, such as one per rank, which together are one run.
   */
  readonly inputs: readonly string[];
  /** One series per call path; default: one per region, for all its call paths together. Series files define this themselves. */
  readonly callPaths?: boolean;
  /** Inclusive times (a recursion counts once); default: exclusive times, which add up. */
  readonly inclusive?: boolean;
  /** Name of the phase if a profile has several; default: the outermost. */
  readonly phase?: string;
  /** Settings that differ from the defaults (`defaultDynamicsOptions`). */
  readonly options?: Partial<DynamicsOptions>;
  /** File with rules of the user's own; absolute. */
  readonly rules?: string;
}

export interface DynamicsContext {
  /** Folder whose repository state is recorded, and to which file names in the log are relative. */
  readonly workspace: string;
  readonly signal?: AbortSignal;
  readonly progress?: ProgressSink;
}

export interface DynamicsRun {
  readonly result: DynamicsResult;
  readonly log: AnalysisLog;
}

/** The inputs and settings of a report, which allow repeating it. It has no time stamp, so that the same analysis gives the same report. */
export interface AnalysisLog {
  readonly tool: { readonly name: 'kymo'; readonly version: string };
  readonly inputs: readonly AnalysedInput[];
  readonly settings: {
    readonly options: DynamicsOptions;
    readonly callPaths: boolean;
    readonly inclusive: boolean;
    readonly phase?: string;
    readonly rules?: { readonly file: string; readonly sha256: string };
  };
  /** Repository state of the measured program if the experiment has it, else of the workspace. */
  readonly source?: { readonly commit: string; readonly dirty?: boolean };
  /** Environment of the run if the experiment has it. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface AnalysedInput {
  /** Absolute path of the file. */
  readonly file: string;
  readonly kind: 'series' | 'profile' | 'experiment';
  readonly bytes: number;
  readonly sha256: string;
}
