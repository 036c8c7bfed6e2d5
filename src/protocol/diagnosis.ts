import type { SearchNode } from '../core/diagnosis/search/searchRecord';
import type { DiagnosisHeader, DiagnosisLayout } from '../core/views/diagnosis/diagnosisPieces';
import type { CancelRequest, MakingProgress, Opened, OpenedPiece } from './opened';

/**
 * The panel of a diagnosis: why a program is slow, and where. The webview fetches the experiments of a search in pieces; it searches, filters, folds
 * and draws itself, and asks for places of the boxes that it draws.
 */
export interface DiagnosisRequests {
  /** Asks for the search to show; also after a reload, or after the panel was hidden. */
  readonly open: { readonly parameters: Record<string, never>; readonly result: DiagnosisShown };
  /** Experiments [first, first + count), without those that are the same in an earlier state of the search, `since`. `count` ≤ `maximumExperiments`. */
  readonly nodes: {
    readonly parameters: OpenedPiece & { readonly since?: string };
    readonly result: readonly SearchNode[];
  };
  /** Places of at most `drawnExperiments` boxes. */
  readonly layout: {
    readonly parameters: {
      readonly count: number;
      /** Pairs of positions of boxes: the left one, the right one. */
      readonly edges: Uint32Array;
    };
    readonly result: DiagnosisLayout;
  };
  /** Jumps to the function of the experiment, if it names one that is known. */
  readonly openSource: {
    readonly parameters: { readonly id: string; readonly node: number };
    readonly result: { readonly opened: boolean };
  };
  /** Repeats the search with other thresholds, by hypothesis, or changes those of a search that is under way; progress and result come as events. */
  readonly setThresholds: {
    readonly parameters: { readonly thresholds: readonly Threshold[] };
    readonly result: { readonly started: boolean };
  };
  readonly cancel: CancelRequest;
  /** Saves the search, a picture or its table; the extension asks for the file. */
  readonly save: { readonly parameters: DiagnosisExport; readonly result: { readonly saved: boolean } };
  /** Asks the user for another measurement, or for a saved search; pauses or stops a search that is under way. */
  readonly act: {
    readonly parameters: { readonly action: DiagnosisAction };
    readonly result: Record<string, never>;
  };
}

export interface DiagnosisEvents {
  /** The search or its state has changed. */
  readonly shown: DiagnosisShown;
  readonly progress: MakingProgress;
}

export interface Threshold {
  readonly hypothesis: string;
  /** In the unit of its metric. */
  readonly threshold: number;
}

export const diagnosisActions = ['chooseInput', 'import', 'makeAgain', 'search', 'pause', 'stop'] as const;
export type DiagnosisAction = (typeof diagnosisActions)[number];

export type DiagnosisShown = {
  /** Identifies this panel to the extension after a reload: the view saves it in its state as `panel`. */
  readonly panel: string;
  /** What is diagnosed: the name of a measurement. */
  readonly title: string;
} & Opened<DiagnosisHeader>;

export type DiagnosisExport =
  | { readonly kind: 'png' | 'svg' | 'table'; readonly name: string; readonly content: Uint8Array }
  /** The whole search as the command line writes it; it can be opened again. */
  | { readonly kind: 'search'; readonly id: string };

/** The engine answers for this number of experiments in a fraction of a second, and the extension host passes them on in a few milliseconds. */
export const maximumExperiments = 1_000;
/** Nobody reads more hypotheses. */
export const maximumHypotheses = 500;
