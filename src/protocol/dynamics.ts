import type {
  DynamicsHeader,
  MapPiece,
  PropertyRow,
  ReportPiece,
  RuleCheck,
  SeriesDetail,
  SeriesRow,
} from '../core/views/dynamicsPieces';

/**
 * The panel of performance dynamics: degradations over the iterations, with their time, place and size. The webview fetches rows in pieces,
 * and the values of a series or a map when it shows them; it filters, groups, smooths and explains them itself (`core/signal`).
 */
export interface DynamicsRequests {
  /** Asks for the analysis to show; also after a reload, or after the panel was hidden. */
  readonly open: { readonly parameters: Record<string, never>; readonly result: DynamicsShown };
  /** Properties [first, first + count). `count` ≤ `maximumDynamicsRows`. */
  readonly properties: { readonly parameters: DynamicsPiece; readonly result: readonly PropertyRow[] };
  /** As `properties`. */
  readonly series: { readonly parameters: DynamicsPiece; readonly result: readonly SeriesRow[] };
  /** As `properties`. */
  readonly report: { readonly parameters: DynamicsPiece; readonly result: readonly ReportPiece[] };
  readonly values: {
    readonly parameters: { readonly id: string; readonly series: number };
    readonly result: SeriesDetail;
  };
  /** Rows [first, first + count) of a map. `count` times its columns ≤ `maximumMapCells`, or one row. */
  readonly map: {
    readonly parameters: DynamicsPiece & { readonly map: number };
    readonly result: MapPiece;
  };
  /** The rules that the analysis applied to a series, in this order. */
  readonly trace: {
    readonly parameters: { readonly id: string; readonly series: number };
    readonly result: readonly RuleCheck[];
  };
  /** Jumps to the first line of the region. */
  readonly openSource: {
    readonly parameters: {
      readonly id: string;
      readonly of: 'property' | 'series' | 'report';
      readonly row: number;
    };
    readonly result: { readonly opened: boolean };
  };
  /** Repeats the analysis; its progress and result come as `shown` events. */
  readonly analyse: {
    readonly parameters: { readonly settings: DynamicsSettings };
    readonly result: { readonly started: boolean };
  };
  readonly cancel: {
    readonly parameters: Record<string, never>;
    readonly result: { readonly cancelled: boolean };
  };
  /** Saves a picture or a table of the view, or the report; the extension asks for the file. */
  readonly save: {
    readonly parameters: DynamicsExport;
    readonly result: { readonly saved: boolean };
  };
  /** Actions outside of the view. */
  readonly act: {
    readonly parameters: { readonly action: DynamicsAction };
    readonly result: Record<string, never>;
  };
}

export interface DynamicsEvents {
  /** The analysis or its state has changed. */
  readonly shown: DynamicsShown;
  readonly progress: DynamicsProgress;
  /** The user selected a property elsewhere (tree, lens); the view shows it. */
  readonly choose: { readonly id: string; /** Id of the property. */ readonly property: string };
}

/** Rows `[first, first + count)` of this analysis; the request fails when another one has replaced it (`analysis-changed`). */
export interface DynamicsPiece {
  readonly id: string;
  readonly first: number;
  readonly count: number;
}

export type DynamicsShown = {
  /** Identifies this panel to the extension after a reload: the view saves it in its state as `panel`. */
  readonly panel: string;
  /** Target and experiment, or the file's name. */
  readonly title: string;
  readonly settings: DynamicsSettings;
} & (
  | { readonly kind: 'analysing'; readonly progress?: DynamicsProgress }
  | { readonly kind: 'done'; readonly header: DynamicsHeader }
  /** The input has no iterations; `message` explains how to record them. */
  | { readonly kind: 'noIterations'; readonly message: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string; readonly detail?: string }
);

export interface DynamicsProgress {
  readonly message: string;
  /** Completed share (0…1) of the whole work. */
  readonly fraction?: number;
}

/** Settings of an analysis that the view offers; the others are settings of VS Code. */
export interface DynamicsSettings {
  /** Number of iterations that are analysed together; 0: derived from the number of iterations. */
  readonly burst: number;
  /** Also report improvements. */
  readonly improvements: boolean;
}

export type DynamicsExport =
  | { readonly kind: 'png' | 'svg' | 'csv'; readonly name: string; readonly content: Uint8Array }
  /** The extension writes these as the command line does. `threshold`: minimum severity (0…1) of the rows. */
  | { readonly kind: 'report-csv' | 'report-markdown' | 'report-json'; readonly threshold: number };

export const dynamicsActions = ['markPhase', 'openFile', 'compare', 'settings'] as const;
export type DynamicsAction = (typeof dynamicsActions)[number];

export const maximumDynamicsRows = 5_000;
export const maximumMapCells = 1 << 20;
