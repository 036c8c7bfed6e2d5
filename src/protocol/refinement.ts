import type { FunctionRow } from '../core/functions/functionRow';

/** The refinement panel: one study, live while it runs. */
export interface RefinementRequests {
  readonly open: { readonly parameters: Record<string, never>; readonly result: RefinementShown };
  /** Functions [first, first + count) of the decision table, in the study's order. `count` ≤ `maximumFunctions`. */
  readonly functions: {
    readonly parameters: { readonly first: number; readonly count: number };
    readonly result: readonly DecisionRow[];
  };
  /** What entered and left between two rounds. */
  readonly difference: {
    readonly parameters: { readonly from: number; readonly to: number };
    readonly result: readonly DifferenceRow[];
  };
  /** One more round of the same study. */
  readonly next: {
    readonly parameters: Record<string, never>;
    readonly result: { readonly started: boolean };
  };
  readonly stop: {
    readonly parameters: Record<string, never>;
    readonly result: { readonly stopped: boolean };
  };
  /** Makes the selection of a round the target's own: lenses, trees and `kymo measure` use it from now on. */
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
  /** Saves the chart or the table; the extension asks where. */
  readonly save: {
    readonly parameters: { readonly kind: 'png' | 'csv'; readonly content: Uint8Array };
    readonly result: { readonly saved: boolean };
  };
}

export interface RefinementEvents {
  /** The study changed: another round, another state, another study. */
  readonly shown: RefinementShown;
  readonly progress: RefinementProgress;
}

export interface RefinementProgress {
  readonly message: string;
  /** 0…1 of the whole work. */
  readonly fraction?: number;
  readonly remainingSeconds?: number;
  /** The user asked for its end. */
  readonly stopping: boolean;
}

export const maximumFunctions = 5_000;

/** Names a study; the webview saves it over a reload, and the extension checks it. */
export interface StudyName {
  /** URI of the workspace folder. */
  readonly folder: string;
  readonly target: string;
  readonly study: string;
}

export interface RefinementShown extends StudyName {
  /** ISO 8601. */
  readonly startedAt: string;
  /** `elsewhere`: it runs, in another window or on the command line. */
  readonly state: 'running' | 'elsewhere' | 'complete' | 'interrupted' | 'gone';
  /** Who refines it `elsewhere`: `process 4711 on node1, since 10:05`. */
  readonly runner?: string;
  /** Of the end, in words. */
  readonly stopSentence?: string;
  readonly targetPercent?: number;
  readonly iterations: readonly RoundRow[];
  readonly functions: number;
  /** Another one: the functions have to be asked for again. */
  readonly revision: number;
  /** Present while this window refines it. */
  readonly progress?: RefinementProgress;
  /** Round whose selection was accepted. */
  readonly accepted?: number;
  /** Why a button cannot be used, by its name; absent: it can. */
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
  /** Absent: unknown, nothing was run twice. */
  readonly noisePercent?: number;
  readonly changed: number;
  readonly predictedPercent?: number;
  /** Functions that the prediction leaves out, for their cost was unknown. */
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
  /** What the shares are of, in words; `round`: not of the last one, but of this one. */
  readonly base?: string;
  readonly round?: number;
}

export interface DifferenceRow {
  /** Position in the decision table; −1: no longer known. */
  readonly row: number;
  readonly name: string;
  readonly change: 'entered' | 'left';
  readonly before: string;
  readonly after: string;
}
