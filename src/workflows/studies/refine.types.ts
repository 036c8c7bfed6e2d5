import type { FunctionRow } from '../../core/functions/functionRow';
import type { Property } from '../../core/properties/property';
import type { OffCost } from '../../core/knowledge/offCost';
import type { DecisionClock } from '../../core/cost/runTime';

/** What `kymo refine --json` prints (docs/INTERFACES.md). */
export interface RefineResult {
  readonly target: string;
  readonly backend: 'kymo' | 'scorep';
  readonly stopReason: 'fixpoint' | 'overhead' | 'above-target' | 'iterations' | 'budget';
  readonly iterations: readonly RefineRound[];
  readonly functionsKnown: number;
  /** Everything, builds included. */
  readonly totalSeconds: number;
  /** Builds with sites that this refinement made: 1, or 0 when it went on with an executable that a cancelled one had built. */
  readonly builds: number;
  readonly buildSeconds: number;
  /** The selection that the refinement ends with; it holds the target by prediction unless `stopReason` is `above-target`. */
  readonly final: FinalReport;
  /** The study's folder. */
  readonly directory: string;
  /** The exported Score-P filter of the final selection. */
  readonly filter: string;
  readonly properties: readonly Property[];
  /** Functions by exclusive share, descending, those that only earlier rounds recorded behind the others; at most 50. */
  readonly hotFunctions: readonly HotFunction[];
  /** Strategies `tor`, `por` and `agor`: the black list, by descending cost. */
  readonly removed?: readonly RemovedFunction[];
  /** Estimated cost of idle patch points; absent with Score-P, whose baseline has none. */
  readonly offCost?: OffCost;
  /** With `--vanilla`, and if the estimate may exceed 3 %: their measured cost against a build without patch points. */
  readonly vanilla?: VanillaComparison;
  /** What the user should know: units without probes, runs that were incomplete, a limit that was hit. */
  readonly notes: readonly string[];
}

export interface FinalReport {
  readonly instrumented: number;
  /** What recording it is expected to cost, percent. */
  readonly predictedPercent: number;
  /** The round that measured it; absent: selected after the last run, and not measured. */
  readonly iteration?: number;
}

/** A function that was measured, without the table that positions refer to. */
export interface HotFunction
  extends
    Pick<FunctionRow, 'key' | 'name' | 'file' | 'line' | 'selected' | 'hasSite'>,
    Pick<FunctionRow, 'earlier' | 'waitingSeconds' | 'timedOneIn'>,
    Required<Pick<FunctionRow, 'exclusiveShare' | 'inclusiveShare' | 'base' | 'visits'>> {
  /** Names of the nearest functions that the final selection records, whose time contains that of this one, which it does not record. */
  readonly timeIn?: readonly string[];
  /** Functions that are not recorded themselves, whose time this one's contains: their number, and the names of the most important. */
  readonly contains?: { readonly count: number; readonly functions: readonly string[] };
}

/** A function that is not recorded because its overhead is excessive: small and called often, so it is worth optimising itself. */
export interface RemovedFunction {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  /** Over all locations. */
  readonly visits: number;
  /** Least overheads in percent of its own inclusive time, in all and of what falls into that time; the largest number for infinite. */
  readonly totalPercent: number;
  readonly prologPercent: number;
  /** What recording it would cost the run, percent. */
  readonly overheadPercent: number;
}

export interface VanillaComparison {
  readonly vanillaSeconds: number;
  readonly sitesSeconds: number;
  /** Clock of these times; absent: wall (of an earlier version). */
  readonly clock?: DecisionClock;
  /** Runs of each. */
  readonly pairs: number;
  /** Median of the pairs: 100 × (sites ÷ vanilla − 1). */
  readonly sitesPercent: number;
  /** What it surely reaches and does not exceed, percent (95 % confidence interval of the median); absent: too few pairs. */
  readonly leastPercent?: number;
  readonly mostPercent?: number;
}

export interface RefineRound {
  readonly index: number;
  /** How many runs it has; a refinement that goes on reads as many. Absent in studies of older versions. */
  readonly runs?: number;
  readonly instrumented: number;
  readonly executed: number;
  readonly visits: number;
  /** Present when not all visits were timed. */
  readonly timedVisits?: number;
  /** Wall time with and without recording. */
  readonly medianSeconds: number;
  readonly baselineSeconds: number;
  /** Each run was paired with one that records nothing: wall times are about twice those of runs alone. */
  readonly paired?: true;
  /** What the overhead is of; absent: wall time (of an earlier version). */
  readonly clock?: DecisionClock;
  /** CPU time with and without recording, where it decides. */
  readonly cpuSeconds?: number;
  readonly baselineCpuSeconds?: number;
  readonly overheadPercent: number;
  /** Noise of the runs; only overheads above it are significant. Absent: unknown, because nothing was run twice. */
  readonly noisePercent?: number;
  /** Functions added to or removed from the selection since the previous round. */
  readonly changed: number;
  /**
   * The overhead that was expected before it ran: of the selected functions whose visits were known (visits × calibrated pair, corrected
   * by what earlier rounds really cost), percent. Absent for a first round, of which nothing is known.
   */
  readonly predictedPercent?: number;
  /** Selected functions without a prediction, because they were never recorded; absent: none. */
  readonly unpredicted?: number;
  /** What recording cost in this program, relative to the run's calibration; taken off the times. Absent: 1. */
  readonly costFactor?: number;
  /** Number of the run that stands for the round, from 1: shares are of it. Absent in studies of older versions. */
  readonly typicalRun?: number;
}
