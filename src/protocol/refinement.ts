import type { FunctionRow } from '../core/functions/functionRow';

/** The refinement panel: one study, live while it runs. */
export interface RefinementRequests {
  readonly open: { readonly parameters: Record<string, never>; readonly result: RefinementShown };
  /** Functions [first, first + count) of the decision table, in the study's order. `count` ≤ `maximumFunctions`. */
  readonly functions: {
    readonly parameters: { readonly first: number; readonly count: number };
    readonly result: readonly DecisionRow[];
  };
  /** Functions added and removed between two rounds. */
  readonly difference: {
    readonly parameters: { readonly from: number; readonly to: number };
    readonly result: readonly DifferenceRow[];
  };
  /** Runs one more round of the same study. */
  readonly next: {
    readonly parameters: Record<string, never>;
    readonly result: { readonly started: boolean };
  };
  readonly stop: {
    readonly parameters: Record<string, never>;
    readonly result: { readonly stopped: boolean };
  };
  /** Accepts the selection of a round for the target: lenses, trees and `kymo measure` then use it. */
  readonly accept: {
    readonly parameters: { readonly iteration: number };
    readonly result: { readonly accepted: boolean };
  };
  readonly exportFilter: {
    readonly parameters: { readonly iteration: number };
    readonly result: { readonly saved: boolean };
  };
  readonly openSource: {
    readonly parameters: { readonly row: number };
    readonly result: { readonly opened: boolean };
  };
  readonly pin: {
    readonly parameters: { readonly row: number; readonly state: 'in' | 'out' | 'none' };
    readonly result: { readonly pinned: boolean };
  };
  /** Saves the chart or the table; the extension asks for the file. */
  readonly save: {
    readonly parameters: { readonly kind: 'png' | 'csv'; readonly content: Uint8Array };
    readonly result: { readonly saved: boolean };
  };
}

export interface RefinementEvents {
  /** The study has changed: a new round, a new state, or another study. */
  readonly shown: RefinementShown;
  readonly progress: RefinementProgress;
}

export interface RefinementProgress {
  readonly message: string;
  /** Completed share (0…1) of the whole work. */
  readonly fraction?: number;
  readonly remainingSeconds?: number;
  /** The user has requested a stop. */
  readonly stopping: boolean;
}

export const maximumFunctions = 5_000;

/** Identifies a study; the webview saves it over a reload, and the extension checks it. */
export interface StudyName {
  /** URI of the workspace folder. */
  readonly folder: string;
  readonly target: string;
  readonly study: string;
}

export interface RefinementShown extends StudyName {
  /** ISO 8601. */
  readonly startedAt: string;
  /** `elsewhere`: another window or the command line runs it. */
  readonly state: 'running' | 'elsewhere' | 'complete' | 'interrupted' | 'failed' | 'gone';
  /** The error that ended it, if it `failed`. */
  readonly failure?: string;
  /** The process that runs it `elsewhere`: `process 4711 on node1, since 10:05`. */
  readonly runner?: string;
  /** The stop reason as a sentence. */
  readonly stopSentence?: string;
  readonly targetPercent?: number;
  readonly iterations: readonly RoundRow[];
  readonly functions: number;
  /** When it changes, the view has to request the functions again. */
  readonly revision: number;
  /** Present while this window refines it. */
  readonly progress?: RefinementProgress;
  /** Round whose selection was accepted. */
  readonly accepted?: number;
  /** Reasons why buttons are disabled, by name; absent: enabled. */
  readonly disabled: Readonly<Partial<Record<RefinementButton, string>>>;
}

export interface RoundRow {
  readonly index: number;
  readonly instrumented: number;
  readonly executed: number;
  readonly visits: number;
  readonly medianSeconds: number;
  readonly baselineSeconds: number;
  readonly overheadPercent: number;
  /** Absent if unknown, because no run was repeated. */
  readonly noisePercent?: number;
  readonly changed: number;
  readonly predictedPercent?: number;
  /** Number of functions that the prediction omits, because their cost was unknown. */
  readonly unpredicted?: number;
}

export type RefinementButton = 'next' | 'stop' | 'accept' | 'exportFilter';

/** One function of the decision table; rows are named by their position. */
export interface DecisionRow
  extends
    Pick<FunctionRow, 'name' | 'file' | 'line' | 'selected' | 'visits'>,
    Pick<FunctionRow, 'inclusiveShare' | 'exclusiveShare' | 'overheadPercent'> {
  readonly pinned?: 'in' | 'out';
  readonly rule: string;
  readonly reason: string;
  /** The base of the shares, in words; `round` is set if the shares are not of the last round. */
  readonly base?: string;
  readonly round?: number;
}

export interface DifferenceRow {
  /** Position in the decision table; −1: the study no longer knows the function. */
  readonly row: number;
  readonly name: string;
  readonly change: 'entered' | 'left';
  readonly before: string;
  readonly after: string;
}
