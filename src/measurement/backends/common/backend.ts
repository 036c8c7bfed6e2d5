import type { CallGraph } from '../../../core/callgraph/callGraph';
import type { KymoError } from '../../../core/errors';
import type { Profile } from '../../../core/profile/profile';
import type { ProgressSink } from '../../../core/progress';
import type { PairCosts, SiteKind } from '../../../core/cost/pairCost';
import type { Selection } from '../../../core/selection/selection';
import type { Target } from '../../config/config';
import type { TraceSettings } from '../../config/traceSettings';
import type { ProgramOfProcesses } from '../../results/mergeProcesses';
import type { WrittenTrace } from '../../results/trace/writeTrace';
import type { Calibration, Experiment } from '../../../core/profile/experiment';

/** A measurement system. It prepares a target's program so that runs record nothing, or the functions of a selection. */
export interface Backend {
  readonly name: 'kymo' | 'scorep';
  /** @throws KymoError for whatever a user can correct; `cancelled` after an abort */
  prepare(options: PrepareOptions): Promise<Prepared>;
}

export interface PrepareOptions {
  readonly workspace: string;
  readonly target: Target;
  /** Whether Kymo's own back-end adds probes to the compiler's patchable entries. */
  readonly probes: boolean;
  /** Smallest number of own statements of a function with a probe. */
  readonly minimumStatements: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Default: no trace. Only Kymo's own back-end records one. */
  readonly trace?: TraceSettings;
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
  readonly note: (sentence: string) => void;
}

/** A program that can be measured, with the facts that are known before the first run. */
export interface Prepared {
  /** The result of the build command; absolute. */
  readonly executable: string;
  /** Changes with the program, not with the selection. */
  readonly buildId: string;
  /** Number and wall time of the builds so far: a back-end may build again for another selection. */
  readonly builds: number;
  readonly buildSeconds: number;
  readonly graph: CallGraph;
  /** The kind of site of each function that can be recorded; a run may show that a function cannot. */
  readonly sites: ReadonlyMap<string, SiteKind>;
  /** Keys of functions with inlined copies without a site: these copies count for their callers. */
  readonly inlinedToo?: ReadonlySet<string>;
  /** Usual cost of recording, until a run has calibrated it. */
  readonly typicalCosts: PairCosts;
  /**
   * The reason, other than inlining, why the function with this key has no site, as the part of a sentence after its name. Changes with
   * `sites`.
   */
  readonly whyNotRecorded?: (key: string) => string | undefined;
  /** Functions that get a site only when the user names them; absent when there are none. */
  readonly reserve?: Reserve;
  readonly recorder: Recorder;
}

export interface Reserve {
  has(key: string): boolean;
  /** Gives functions of the reserve a site; ignores all others. */
  admit(keys: Iterable<string>): void;
}

/** Records the functions of selections. */
export interface Recorder {
  /** Absolute; a run of it with nothing set records nothing. */
  readonly baselineExecutable: string;
  /** Variables of such a run. */
  readonly baselineEnvironment: Readonly<Record<string, string>>;
  /** @throws KymoError `executable-changed` when the program that was prepared is not there any more */
  requireSameProgram(): Promise<void>;
  /** Prepares runs with this selection. @param folder the round's folder, which exists, for their files */
  plan(selection: Selection, folder: string): Promise<RecordingPlan>;
  /**
   * Prepares runs that record the entry function and MPI calls alone, which show how long each rank computes; they write no profile. Absent
   * where MPI calls are not recorded.
   */
  planOfRanks?(folder: string): Promise<RecordingPlan>;
  /**
   * Prepares one run that is watched: this selection is recorded at first, and all other functions with sites can be switched on. Absent where a run
   * cannot be watched.
   */
  planWatched?(selection: Selection, folder: string, options?: WatchedPlanOptions): Promise<WatchedPlan>;
}

export interface WatchedPlanOptions {
  /** `adjustable`: how many visits are timed can be changed, too, where the runtime has room for it (those with `samples` in the program). */
  readonly sampling?: 'adjustable';
  /** Asked whenever results are merged. */
  readonly switched?: ProgramOfProcesses['switched'];
}

export interface RecordingPlan {
  /** Runs of the same program with the same id record the same functions. */
  readonly id: string;
  /** Number of recorded functions or copies of functions. */
  readonly instrumented: number;
  /** Makes the executable ready; may build. */
  arm(): Promise<ArmedProgram>;
}

/** A run whose processes can be watched, and told what to record. */
export interface WatchedPlan extends RecordingPlan {
  /** What its results are merged by. */
  readonly program: ProgramOfProcesses;
  /** Slots whose visits are iterations: they stay on. */
  readonly phases: readonly number[];
  /** What its processes want to hear first. */
  readonly token: string;
  /** The folder with the sockets of the processes. @param folder the experiment's */
  sockets(folder: string): string;
}

export interface ArmedProgram {
  /** Absolute. */
  readonly executable: string;
  /** The environment of a run; paths are absolute. @param folder the experiment's */
  environment(folder: string): Readonly<Record<string, string>>;
  /** Makes the place for the results of a run, without those of an earlier one. */
  makePlace(folder: string): Promise<void>;
  /**
   * Reads what the run recorded, writes its profile to `folder` as `profile.cubex`, and removes all other results.
   * @returns `RunAgain` when the results are useless and something else can be tried
   */
  collect(folder: string): Promise<Recording | RunAgain>;
  /**
   * Decides whether the measurement made a run fail. @param error the launcher's error
   * @returns what to do, or an error with a better explanation; undefined when the program itself failed
   */
  failed?(folder: string, error: KymoError): Promise<RunAgain | KymoError | undefined>;
}

/** The run showed that some function must not be recorded: arm the plan anew, and run the program again. */
export interface RunAgain {
  readonly runAgain: true;
  /** Sentences with the reason and the functions that are left out. */
  readonly messages: readonly string[];
}

export interface Recording {
  readonly profile: Profile;
  /** Beside the profile; absent where none was wanted, or nothing was recorded. */
  readonly trace?: WrittenTrace;
  readonly calibration: Calibration;
  /** CPU time of each rank's processes, seconds; absent where it is unknown. */
  readonly rankCpuSeconds?: ReadonlyMap<number, number> | undefined;
  /** Size of MPI_COMM_WORLD in each process that called MPI; absent where it is unknown. */
  readonly worldSizes?: readonly number[];
  /** Keys of the selection that turned out not to be recordable; `Prepared.sites` lacks them from now on. */
  readonly unrecorded?: ReadonlySet<string>;
  /** The variables that Score-P ran with. */
  readonly scorep?: Experiment['scorep'];
  /** Sentences for the user. */
  readonly messages: readonly string[];
}
