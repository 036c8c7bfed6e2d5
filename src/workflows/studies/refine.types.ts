import type { Share } from '../../core/functions/share';
import type { FunctionRow } from '../../core/functions/functionRow';
import type { Property } from '../../core/properties/property';
import type { Rule } from '../../core/selection/selection';
import type { OffCost } from '../../core/knowledge/offCost';
import type { StopReason } from '../../core/selection/stopSentence';
import type { TargetVerdict } from '../../core/cost/targetVerdict';
import type { DecisionClock } from '../../core/cost/runTime';

/** The output of `kymo refine --json` (docs/INTERFACES.md). */
export interface RefineResult {
  readonly target: string;
  readonly backend: 'kymo' | 'scorep';
  readonly stopReason: StopReason;
  /** Whether the overhead meets the target; absent where the target is for each function and not for the run. */
  readonly verdict?: TargetVerdict;
  readonly iterations: readonly RefineRound[];
  readonly functionsKnown: number;
  /** Total wall time, including builds. */
  readonly totalSeconds: number;
  /** Number of builds by this refinement, including those that measure the cost of idle patch points; 0 if it resumed with the executable of a cancelled one. */
  readonly builds: number;
  readonly buildSeconds: number;
  /** The final selection; it meets the target by prediction unless `stopReason` is `above-target`. */
  readonly final: FinalReport;
  /** The study's folder. */
  readonly directory: string;
  /** The exported Score-P filter of the final selection. */
  readonly filter: string;
  readonly properties: readonly Property[];
  /** Functions by exclusive share, descending, those that only earlier rounds recorded behind the others; at most 50. */
  readonly hotFunctions: readonly HotFunction[];
  /** What its shares are of, and what else the run did. */
  readonly lastRun?: LastRun;
  /** Strategies `tor`, `por` and `agor`: the black list, by descending cost. */
  readonly removed?: readonly RemovedFunction[];
  /** Strategy `model`: what the models predict. */
  readonly models?: ModelsReport;
  /** Estimated cost of idle patch points; absent with Score-P, whose baseline has none. */
  readonly offCost?: OffCost;
  /** With `--vanilla`, and if the estimate may exceed 3 %: their measured cost against a build without patch points. */
  readonly vanilla?: VanillaComparison;
  /** Notes for the user: units without probes, incomplete runs, exceeded limits. */
  readonly notes: readonly string[];
}

/** The run that `hotFunctions` have their shares of, except those of earlier rounds. */
export interface LastRun {
  readonly run: string;
  readonly ranks: number;
  /** Of all ranks. */
  readonly threads: number;
  /** Exclusive shares of what is no function, such as `MPI`, in descending order. */
  readonly beside: readonly { readonly what: string; readonly share: Share }[];
}

export interface FinalReport {
  readonly instrumented: number;
  /** Predicted overhead of recording it, percent. */
  readonly predictedPercent: number;
  /** The round that measured it; absent: selected after the last run, and not measured by a round. */
  readonly iteration?: number;
  /** Its measured overhead for each number of ranks, ascending; absent where there is one number. */
  readonly ranks?: readonly RanksReport[];
}

/** Overhead of a selection with a number of ranks. */
export interface RanksReport extends Pick<
  RefineRound,
  | 'medianSeconds'
  | 'baselineSeconds'
  | 'clock'
  | 'cpuSeconds'
  | 'baselineCpuSeconds'
  | 'rankSeconds'
  | 'baselineRankSeconds'
  | 'slowestRank'
  | 'overheadPercent'
  | 'noisePercent'
> {
  readonly ranks: number;
}

/** Overhead of a round at one point of a study. */
export interface PointReport extends Omit<RanksReport, 'ranks'> {
  /** Values by the names that the study has. */
  readonly coordinates: Readonly<Record<string, string>>;
  readonly runs: number;
}

/** What the models of a refinement predict (strategy `model`). */
export interface ModelsReport {
  /** For readers: `p = 32, n = 512`. */
  readonly point: string;
  /** Predicted time of a run there with nothing recorded, and of all recorded functions. */
  readonly baseSeconds: number;
  readonly totalSeconds: number;
  /** By descending predicted time. */
  readonly functions: readonly ModelledFunction[];
}

export interface ModelledFunction {
  readonly name: string;
  readonly selected: boolean;
  readonly rule: Rule;
  /** The sentence of the decision. */
  readonly reason: string;
  /** For readers: `12 ns · n²`; of the call path with the most time. */
  readonly formula: string;
  /** Predicted exclusive time and visits. */
  readonly seconds: number;
  readonly visits: number;
  /** Verdict on a model that cannot be relied on. */
  readonly doubt?: string;
  /** Round whose measurements made the model. */
  readonly round: number;
}

/** A measured function, independent of the table that positions refer to. */
export interface HotFunction
  extends
    Pick<FunctionRow, 'key' | 'name' | 'file' | 'line' | 'selected' | 'hasSite'>,
    Pick<FunctionRow, 'earlier' | 'waitingSeconds' | 'timedOneIn'>,
    Required<Pick<FunctionRow, 'exclusiveShare' | 'inclusiveShare' | 'base' | 'visits'>> {
  /** For a function that the final selection does not record: names of the nearest recorded functions, whose time contains its own. */
  readonly timeIn?: readonly string[];
  /** Unrecorded functions whose time this one's contains: their number, and the names of the most important. */
  readonly contains?: { readonly count: number; readonly functions: readonly string[] };
}

/** A function that is not recorded because its overhead is excessive: small and called often, so it is worth optimising itself. */
export interface RemovedFunction {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  /** Number of visits over all locations. */
  readonly visits: number;
  /** Least overheads in percent of its own inclusive time, in all and of what falls into that time; the largest number for infinite. */
  readonly totalPercent: number;
  readonly prologPercent: number;
  /** Overhead of recording it in the run, percent. */
  readonly overheadPercent: number;
}

export interface VanillaComparison {
  readonly vanillaSeconds: number;
  readonly sitesSeconds: number;
  /** Clock of these times; absent: wall (of an earlier version). */
  readonly clock?: DecisionClock;
  /** Number of runs of each program. */
  readonly pairs: number;
  /** Median of the pairs: 100 × (sites ÷ vanilla − 1). */
  readonly sitesPercent: number;
  /** Lower and upper bound, percent (95 % confidence interval of the median); absent: too few pairs. */
  readonly leastPercent?: number;
  readonly mostPercent?: number;
}

export interface RefineRound {
  readonly index: number;
  /** Number of runs, which a resumed refinement reads again. Absent in studies of older versions. */
  readonly runs?: number;
  readonly instrumented: number;
  readonly executed: number;
  readonly visits: number;
  /** Number of timed visits, if not all were timed. */
  readonly timedVisits?: number;
  /** Wall time with and without recording. */
  readonly medianSeconds: number;
  readonly baselineSeconds: number;
  /** Each run was paired with one that records nothing: wall times are about twice those of runs alone. */
  readonly paired?: true;
  /** It is a part of a run (`refine --online`): what it would take with nothing recorded follows from the visits and the calibrated cost of each. */
  readonly window?: true;
  /** Clock of the overhead; absent: wall time (of an earlier version). */
  readonly clock?: DecisionClock;
  /** CPU time with and without recording, if it decides. */
  readonly cpuSeconds?: number;
  readonly baselineCpuSeconds?: number;
  /** Computing time of the slowest rank with and without recording, if it decides, and which rank it is. */
  readonly rankSeconds?: number;
  readonly baselineRankSeconds?: number;
  readonly slowestRank?: number;
  readonly overheadPercent: number;
  /** Noise of the runs; only overheads above it are significant. Absent: unknown, because nothing was run twice. */
  readonly noisePercent?: number;
  /** Functions added to or removed from the selection since the previous round. */
  readonly changed: number;
  /**
   * The predicted overhead of the selected functions with known visits (visits × calibrated pair, corrected by the actual cost in earlier
   * rounds), percent. Absent for a first round, which has no data.
   */
  readonly predictedPercent?: number;
  /** Selected functions without a prediction, because they were never recorded; absent: none. */
  readonly unpredicted?: number;
  /** Actual cost of recording in this program relative to the run's calibration, which is subtracted from the times. Absent: 1. */
  readonly costFactor?: number;
  /** Strategy `model`: each measured point; the times of the round are their sums, and its overhead is that of the sums. */
  readonly points?: readonly PointReport[];
  /** With `points`: folder of the typical run, at the longest point. */
  readonly typicalFolder?: string;
  /** Number of the typical run of the round, from 1; shares are of this run. Absent in studies of older versions. */
  readonly typicalRun?: number;
}
