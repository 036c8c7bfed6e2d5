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
 * The panel of performance dynamics: what gets worse while the program runs, when, where and how much. Rows come piece by piece, values
 * of a series or a map when they are looked at; the webview filters, groups, smooths and explains by itself (`core/signal`).
 */
export interface DynamicsRequests {
  /** What is shown; also again after a reload, or when the panel was hidden. */
  readonly open: { readonly parameters: Record<string, never>; readonly result: DynamicsShown };
  /** Found properties [first, first + count). `count` ≤ `maximumDynamicsRows`. */
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
  /** The rules that were tried on a series, in the order in which that was done. */
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
  /** Analyses again; what is shown comes as `shown` events. */
  readonly analyse: {
    readonly parameters: { readonly settings: DynamicsSettings };
    readonly result: { readonly started: boolean };
  };
  readonly cancel: {
    readonly parameters: Record<string, never>;
    readonly result: { readonly cancelled: boolean };
  };
  /** Saves a picture or a table of the view, or the report; the extension asks where. */
  readonly save: {
    readonly parameters: DynamicsExport;
    readonly result: { readonly saved: boolean };
  };
  /** What cannot be done in the view. */
  readonly act: {
    readonly parameters: { readonly action: DynamicsAction };
    readonly result: Record<string, never>;
  };
}

export interface DynamicsEvents {
  /** Another analysis, or another state of it. */
  readonly shown: DynamicsShown;
  readonly progress: DynamicsProgress;
  /** Somebody chose a property elsewhere (tree, lens): shows it. */
  readonly choose: { readonly id: string; /** Its id. */ readonly property: string };
}

/** `[first, first + count)` of this analysis; the request fails when another one has replaced it (`analysis-changed`). */
export interface DynamicsPiece {
  readonly id: string;
  readonly first: number;
  readonly count: number;
}

export type DynamicsShown = {
  /** Names this panel to the extension after a reload: the view saves it in its state as `panel`. */
  readonly panel: string;
  /** Target and experiment, or the file's name. */
  readonly title: string;
  readonly settings: DynamicsSettings;
} & (
  | { readonly kind: 'analysing'; readonly progress?: DynamicsProgress }
  | { readonly kind: 'done'; readonly header: DynamicsHeader }
  /** The input has no iterations: `message` says how to get them. */
  | { readonly kind: 'noIterations'; readonly message: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string; readonly detail?: string }
);

export interface DynamicsProgress {
  readonly message: string;
  /** 0…1 of the whole work. */
  readonly fraction?: number;
}

/** What the user may change of an analysis; the others are settings of VS Code. */
export interface DynamicsSettings {
  /** Iterations that are analysed together; 0: chosen by the number of iterations. */
  readonly burst: number;
  /** Also what gets better. */
  readonly improvements: boolean;
}

export type DynamicsExport =
  | { readonly kind: 'png' | 'svg' | 'csv'; readonly name: string; readonly content: Uint8Array }
  /** Made by the extension, as the command line does. `threshold`: least severity (0…1) of its rows. */
  | { readonly kind: 'report-csv' | 'report-markdown' | 'report-json'; readonly threshold: number };

export const dynamicsActions = ['markPhase', 'openFile', 'compare', 'settings'] as const;
export type DynamicsAction = (typeof dynamicsActions)[number];

export const maximumDynamicsRows = 5_000;
export const maximumMapCells = 1 << 20;
