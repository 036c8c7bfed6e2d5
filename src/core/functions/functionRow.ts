import type { SiteKind } from '../cost/pairCost';
import type { RecordedPart } from '../profile/recordedPart';
import type { Explanation } from '../selection/explainReason';
import type { Rule } from '../selection/selection';
import type { Base } from './base';

/**
 * The waist between everything that knows functions (studies, measurements, profiles of any origin) and everything that shows them: lenses,
 * hovers, trees, tables, panels. Positions are positions in the table of all rows.
 */
export interface FunctionRow {
  /** Names the function in all files. */
  readonly key: string;
  readonly name: string;
  readonly mangledName?: string;
  /** Absolute. */
  readonly file?: string;
  readonly line?: number;
  readonly endLine?: number;
  /** Whether the next run records it; of a profile that nothing decided about: whether it recorded it. */
  readonly selected: boolean;
  /** Why; absent: nothing was decided. */
  readonly decision?: FunctionDecision;
  readonly hasSite: boolean;
  /** Why it has none, unless it was inlined: the rest of a sentence that its name begins. */
  readonly notRecorded?: string;
  /** Some of its copies were inlined where nothing records them: the measures are those of the others. */
  readonly inlinedToo?: true;
  /** Kind of the site; absent: it has none, or the study is of an earlier version. */
  readonly site?: SiteKind;
  /** Of all threads and processes. */
  readonly visits?: number;
  /** About one in this number of visits is timed, and the others are counted; absent: all are timed. */
  readonly timedOneIn?: number;
  /** The part of the run that its visits, times and shares are of, where somebody switched it while the program ran; absent: all of it. */
  readonly recordedPart?: RecordedPart;
  /** Shares (0…1) of `base`; of the run time in a study of an earlier version, which has none. */
  readonly inclusiveShare?: number;
  readonly exclusiveShare?: number;
  /** The run, clock and time that the shares refer to. */
  readonly base?: Base;
  /** The shares are those of an earlier round: the last one did not record the function. */
  readonly earlier?: true;
  /** Waiting in it and its callees, which no share contains. */
  readonly waitingSeconds?: number;
  /** How well processes and threads are used in it and its callees; absent: the run has one thread, or the profile does not show who waits. */
  readonly efficiency?: EfficiencyOfFunction;
  /** How its computation differs between ranks; absent: the run has one process. */
  readonly ranks?: RankSpread;
  /** Predicted cost of recording it: visits × calibrated pair, percent of the run time. */
  readonly overheadPercent?: number;
  /** Positions of the functions that call it; at most 50. */
  readonly callers?: readonly number[];
  /** Number of functions without a row that it calls, such as those of libraries; without MPI. Absent: none, or a study of an older version. */
  readonly libraryCallees?: number;
  /** It runs and is not recorded: positions of the nearest recorded callers, whose time includes its own; at most 50. */
  readonly timeIn?: readonly number[];
  /** It is recorded, and its time includes that of these functions, which are not; the most important first. */
  readonly contains?: ContainedFunctions;
  /** It is worth recording and has no site. */
  readonly missed?: true;
}

/** POP metrics (`core/efficiency`), 0…1 of the time of the process that takes longest in it: parallel = load balance × communication. */
export interface EfficiencyOfFunction {
  readonly parallel: number;
  readonly loadBalance: number;
  readonly communication: number;
  readonly runSeconds: number;
  /** Ranks with the most computation; absent: there is one. */
  readonly slowestRanks?: string;
}

/**
 * How the computation in a function and its callees differs between the processes of a run: seconds of all threads of a rank together, also of ranks
 * that do nothing of it.
 */
export interface RankSpread {
  readonly leastSeconds: number;
  readonly meanSeconds: number;
  readonly mostSeconds: number;
  /** Rank sets such as `0-3,7`: those that have these values, to the three digits that people read. */
  readonly leastRanks: string;
  readonly mostRanks: string;
  /** Waiting in MPI may be a part of it, because the profile does not show MPI. */
  readonly hidesMpi?: true;
}

/** Why a function is recorded or not. `rule` is absent where the selection did not know the function. */
export interface FunctionDecision extends Explanation {
  readonly rule?: Rule;
}

/** The whole sentence; the texts around it name the state. */
export function decisionText(decision: FunctionDecision | undefined): string {
  return decision === undefined ? '' : `${decision.clause}${decision.details}`;
}

export interface ContainedFunctions {
  readonly count: number;
  /** Positions, at most 50. */
  readonly functions: readonly number[];
}
