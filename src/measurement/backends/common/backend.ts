import type { CallGraph } from '../../../core/callgraph/callGraph';
import type { KymoError } from '../../../core/errors';
import type { Profile } from '../../../core/profile/profile';
import type { ProgressSink } from '../../../core/progress';
import type { PairCosts, SiteKind } from '../../../core/cost/pairCost';
import type { Selection } from '../../../core/selection/selection';
import type { Target } from '../../config/config';
import type { Calibration, Experiment } from '../../experiments/experiment';

/** A measurement system. What it makes of a target can be run, with nothing recorded or with what a selection names. */
export interface Backend {
  readonly name: 'kymo' | 'scorep';
  /** @throws KymoError for whatever a user can mend; `cancelled` after an abort */
  prepare(options: PrepareOptions): Promise<Prepared>;
}

export interface PrepareOptions {
  readonly workspace: string;
  readonly target: Target;
  /** Kymo's own: probes in functions from so many own statements on, beside the compiler's patchable entries. */
  readonly probes: boolean;
  readonly minimumStatements: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
  readonly note: (sentence: string) => void;
}

/** A program that can be measured, and what is known of it before the first run. */
export interface Prepared {
  /** Absolute; what the build command makes. */
  readonly executable: string;
  /** Changes when the program does, not with what is recorded of it. */
  readonly buildId: string;
  /** Builds so far, and the wall time that they took: a back-end may build again for another selection. */
  readonly builds: number;
  readonly buildSeconds: number;
  readonly graph: CallGraph;
  /** The kind of site of each function that can be recorded; a run may show that one cannot. */
  readonly sites: ReadonlyMap<string, SiteKind>;
  /** Keys of functions of which some copies were inlined where no site is, so that these count for their callers. */
  readonly inlinedToo?: ReadonlySet<string>;
  /** What recording costs as a rule, until a run has calibrated it. */
  readonly typicalCosts: PairCosts;
  /**
   * Why a function of the program is without a site, by key, where that is not that it was inlined: what follows its name in a sentence.
   * Changes with `sites`.
   */
  readonly whyNotRecorded?: (key: string) => string | undefined;
  /** Functions that have no site as long as the user does not name them; absent where there are none. */
  readonly reserve?: Reserve;
  readonly recorder: Recorder;
}

export interface Reserve {
  has(key: string): boolean;
  /** Gives functions of the reserve a site; of all others nothing changes. */
  admit(keys: Iterable<string>): void;
}

/** Records what selections name. */
export interface Recorder {
  /** Absolute; a run of it with nothing set records nothing. */
  readonly baselineExecutable: string;
  /** Variables of such a run. */
  readonly baselineEnvironment: Readonly<Record<string, string>>;
  /** @throws KymoError `executable-changed` when the program that was prepared is not there any more */
  requireSameProgram(): Promise<void>;
  /** What runs with this selection need. Their files go into `folder`, the iteration's, which exists. */
  plan(selection: Selection, folder: string): Promise<RecordingPlan>;
}

export interface RecordingPlan {
  /** Of what is recorded: runs with the same id of the same program measure the same. */
  readonly id: string;
  /** Functions (or copies of these) that are recorded. */
  readonly instrumented: number;
  /** Makes the executable ready; may build. */
  arm(): Promise<ArmedProgram>;
}

export interface ArmedProgram {
  /** Absolute. */
  readonly executable: string;
  /** Makes the place for the results of a run whose experiment lies in `folder`. @returns the run's environment, paths absolute */
  begin(folder: string): Promise<Readonly<Record<string, string>>>;
  /**
   * What the run has recorded; its profile lies in `folder` as `profile.cubex` then, and all else of the results is gone.
   * @returns what to do instead when the results are of no use and something else can be tried
   */
  collect(folder: string): Promise<Recording | RunAgain>;
  /**
   * After a run that did not succeed: whether it was the measurement's doing. @param error what the launcher made of it
   * @returns what to do, or an error that explains more; undefined: the program's own trouble
   */
  failed?(folder: string, error: KymoError): Promise<RunAgain | KymoError | undefined>;
}

/** The run told that something must not be recorded: the plan is to be armed anew, and the program run again. */
export interface RunAgain {
  readonly runAgain: true;
  /** Why, and what is left out; whole sentences. */
  readonly messages: readonly string[];
}

export interface Recording {
  readonly profile: Profile;
  readonly calibration: Calibration;
  /** Keys of the selection that could not be recorded after all; `Prepared.sites` does not have them any more. */
  readonly unrecorded?: ReadonlySet<string>;
  /** The variables that Score-P ran with. */
  readonly scorep?: Experiment['scorep'];
  /** What the user should know; whole sentences. */
  readonly messages: readonly string[];
}
