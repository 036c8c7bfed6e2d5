import type { GateBudgets } from '../../core/gate/gate';
import type { ImbalanceOptions } from '../../core/selection/imbalanceOptions';
import type { ModelOptions } from '../../core/selection/modelOptions';
import type { StudyDesign } from '../../core/study/points';
import type { TraceSettings } from './traceSettings';
import type { OverheadReduction, Strategy } from '../../core/selection/strategy';

/** `kymo.json` after validation, with defaults filled in (docs/INTERFACES.md). */
export interface Config {
  /** Absolute path of the file, and the folder it lies in. */
  readonly file: string;
  readonly workspace: string;
  readonly targets: readonly Target[];
}

export interface Target {
  readonly name: string;
  readonly build: TargetBuild;
  readonly sources: readonly string[];
  /** As written: relative to `build.cwd`'s workspace, or absolute. */
  readonly executable: string;
  readonly run: {
    readonly arguments: readonly string[];
    /** Relative to the workspace; `ownFolder`: that of the run's `files`. */
    readonly cwd: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly timeoutSeconds: number;
    /** File for the program's standard input, relative to `cwd`; default: none. */
    readonly input?: string;
    /** Files that are written for each run, by their names. */
    readonly files?: Readonly<Record<string, InputFile>>;
    /** Exit statuses that indicate success; default: only 0. */
    readonly successStatuses: readonly number[];
    readonly launcher: Launcher;
    /** Whether two runs in its folder may overlap; default: Kymo tries. */
    readonly together?: boolean;
  };
  readonly parameters: Readonly<Record<string, readonly (string | number)[]>>;
  readonly repetitions: number;
  readonly phase?: string;
  /** Whether waiting in mutexes, condition variables and other functions of Pthreads is recorded. */
  readonly pthreads: boolean;
  /** Whether calls that read and write files are recorded, with their bytes. */
  readonly io: boolean;
  /** Whether the processor counts instructions and cache misses of each call path. */
  readonly counters: boolean;
  /** What `kymo measure` records beside the profile; default: no trace. */
  readonly trace?: TraceSettings;
  readonly refinement: RefinementOptions;
  readonly study: StudySettings;
  /** How functions are expected to grow at most, by name, such as `O(n log n)`; models that grow faster are reported. */
  readonly expect: Readonly<Record<string, string>>;
  readonly gate: GateSettings;
  readonly backend: 'auto' | 'kymo' | 'scorep';
  /** Settings of the back-end `scorep`. */
  readonly scorep: ScorepSettings;
}

/** As `cwd` of runs: the folder of their own files. */
export const ownFolder = '${files}';

export interface InputFile {
  /** As written: relative to the workspace, or absolute. */
  readonly template: string;
  /** Of the template's content when the command began. */
  readonly hash?: string;
}

export interface TargetBuild {
  readonly command: string;
  readonly clean?: string;
  /**
   * Creates the build files (`cmake -B build -DCMAKE_C_COMPILER=${cc} …`, `./configure CC=${cc}`) before `command`, after `clean` in
   * each clean build. The compilers do not instrument its trial programs.
   */
  readonly configure?: string;
  readonly cwd: string;
}

/** What `kymo study` measures. */
export interface StudySettings {
  /** Values of parameters, which replace those of the target. */
  readonly parameters: Target['parameters'];
  /** Default: those of the launcher. */
  readonly ranks?: readonly number[];
  /** Numbers of threads (`OMP_NUM_THREADS`); default: as the environment has it. */
  readonly threads?: readonly number[];
  /** Default: those of the target. */
  readonly repetitions?: number;
  readonly design: StudyDesign;
  /** Design `list`: values by name of a parameter, `ranks` or `threads`; missing ones are the first that the target has. */
  readonly points: readonly Readonly<Record<string, string | number>>[];
}

/** What `kymo gate` compares with, and what the program must not exceed. */
export interface GateSettings {
  /** A git revision, the folder of a measurement, or a baseline file. */
  readonly baseline?: string;
  /** File with the functions to record, as of `kymo measure`. */
  readonly filter?: string;
  /** Of each side that is measured. */
  readonly repetitions: number;
  /** Relative change of a time from which on it matters. */
  readonly minimumChange: number;
  readonly budgets: GateBudgets;
}

export interface ScorepSettings {
  /** The program `scorep`: a name of `PATH`, or a path. */
  readonly instrumenter: string;
  /** Options of `scorep` in addition to those of Kymo: the filter and, where needed, `--mpp`. */
  readonly flags: readonly string[];
  readonly filtering: ScorepFiltering;
  /** Variables of measured runs (`SCOREP_METRIC_PAPI` …), which override those of Kymo. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Where a selection takes effect. `compile-time`: each round has a build. `run-time`: one build with all functions of interest, and a
 * filter file for the run. `hybrid`: a run-time filter, and another build where skipped visits would cost too much.
 */
export type ScorepFiltering = 'compile-time' | 'run-time' | 'hybrid';

export type Launcher =
  | { readonly kind: 'local' }
  | {
      readonly kind: 'mpirun' | 'slurm';
      readonly ranks: readonly number[];
      readonly arguments: readonly string[];
    }
  | {
      readonly kind: 'template';
      readonly ranks: readonly number[];
      /** Words of the command that starts all ranks; the word `${program}` becomes the path of a script that starts one rank. */
      readonly command: readonly [string, ...string[]];
    };

/** The launchers that a first configuration can propose: a template needs the user's own words. */
export type ProposedLauncher = Exclude<Launcher['kind'], 'template'>;

export interface RefinementOptions {
  readonly strategy: Strategy;
  /** Method by which the strategy `agor` makes its exclusion list. */
  readonly base: OverheadReduction;
  readonly mode: 'filter-only' | 'filter-and-expand';
  readonly maximumIterations: number;
  /** In percent of the run time; with `tor`, `por` and `agor` in percent of each function's own time; with `imbalance` the limit for each function. */
  readonly overheadPercent: number;
  readonly budgetSeconds: number;
  /** Of the strategy `imbalance`. */
  readonly imbalance: ImbalanceOptions;
  /** Of the strategy `model`. */
  readonly model: ModelOptions;
}
