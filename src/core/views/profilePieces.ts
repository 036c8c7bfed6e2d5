import type { CommunicationShape } from '../communication/communicationMatrix';
import type { EfficiencySummary } from '../efficiency/summary';
import type { Base } from '../functions/base';
import type { EfficiencyOfFunction } from '../functions/functionRow';
import type { ProcessRanges } from './ranks/processRanges';
import type { RankName } from './ranks/rankRows';

/** The facts about a profile that a viewer needs before it asks for values. */
export interface ProfileHeader {
  /** Changes with the content of the file; later questions name it. */
  readonly id: string;
  /** Target, iteration and run, or the file's name. */
  readonly title: string;
  /** Target of `kymo.json`; absent for a file that is no experiment. */
  readonly target?: string;
  readonly callPaths: number;
  readonly regions: number;
  readonly metrics: readonly { readonly name: string; readonly displayName: string; readonly unit: string }[];
  /** Those whose values are shown. */
  readonly locations: readonly { readonly name: string; readonly rank: number; readonly thread: number }[];
  /** Absent: all locations of the run are shown. */
  readonly chosen?: ChosenProcesses;
  /** Cost of recording one visit, seconds, where a region does not say its own; 0 when unknown. */
  readonly pairSeconds: number;
  /** The cost is a rule of thumb, not a calibration. */
  readonly pairAssumed: boolean;
  /** Wall time of the run, seconds; 0 when unknown. */
  readonly runSeconds: number;
  /** Base of shares of `time`, without waiting and the cost of recording. Absent: the time is as it was measured. */
  readonly base?: Base;
  /** How well processes and threads are used; absent: the run has one thread, or the profile does not show who waits. */
  readonly efficiency?: EfficiencySummary;
  /** The processes, ascending by rank, if there are several. */
  readonly ranks?: readonly RankName[];
  /** Which process sends how much to which other one, where the profile has it. */
  readonly communication?: CommunicationShape & { readonly entries: number; readonly isTimed: boolean };
}

/** The locations whose values are shown, where these are not all. */
export interface ChosenProcesses {
  readonly processes: ProcessRanges;
  /** `Ranks 2–4` */
  readonly text: string;
  /** Number of all locations. */
  readonly of: number;
}

/** The facts about a function that a viewer shows besides its values. */
export interface RegionFacts {
  readonly name: string;
  readonly mangledName?: string;
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** Cost of recording one visit on average, seconds, where it is not `ProfileHeader.pairSeconds`: by the kind of its site, and less when most visits are only counted. */
  readonly visitSeconds?: number;
  /** Whether the study of this profile instruments the function, and the decision in words. */
  readonly selected?: boolean;
  readonly reason?: string;
  /** Of the function with its callees. Thousands of ranks in each of thousands of functions would be megabytes. */
  readonly efficiency?: Omit<EfficiencyOfFunction, 'slowestRanks'>;
  /** Its group of functions (`automaticGroups`). */
  readonly group?: string;
}

/** Call paths as columns; parents come before their children. */
export interface CallPathColumns {
  /** −1 at a root. */
  readonly parent: Int32Array;
  readonly region: Uint32Array;
  /** Per metric, combined over locations. */
  readonly inclusive: readonly Float64Array[];
  readonly exclusive: readonly Float64Array[];
  /** Line of the call in the source of the caller, 0: unknown. Absent: the profile does not have call sites. */
  readonly line?: Int32Array;
}

/** A piece of them: row i describes call path `first + i`. */
export interface ProfileRows extends CallPathColumns {
  readonly first: number;
}

/** Call paths [first, first + count), as copies: a view would take its whole column along to the next process. */
export function profilePiece(columns: CallPathColumns, first: number, count: number): ProfileRows {
  const end = first + count;
  const part = (column: Float64Array): Float64Array => column.slice(first, end);
  return {
    first,
    parent: columns.parent.slice(first, end),
    region: columns.region.slice(first, end),
    inclusive: columns.inclusive.map(part),
    exclusive: columns.exclusive.map(part),
    ...(columns.line !== undefined && { line: columns.line.slice(first, end) }),
  };
}
