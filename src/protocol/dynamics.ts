import type {
  DynamicsHeader,
  MapPiece,
  PropertyRow,
  ReportPiece,
  RuleCheck,
  SeriesDetail,
  SeriesRow,
} from '../core/views/dynamicsPieces';
import type { CancelRequest, MakingProgress, Opened, OpenedPiece } from './opened';

/**
 * The panel of performance dynamics: degradations over the iterations, with their time, place and size. The webview fetches rows in pieces,
 * and the values of a series or a map when it shows them; it filters, groups, smooths and explains them itself (`core/signal`).
 */
export interface DynamicsRequests {
  /** Asks for the analysis to show; also after a reload, or after the panel was hidden. */
  readonly open: { readonly parameters: Record<string, never>; readonly result: DynamicsShown };
  /** Properties [first, first + count). `count` ≤ `maximumDynamicsRows`. */
  readonly properties: { readonly parameters: OpenedPiece; readonly result: readonly PropertyRow[] };
  /** As `properties`. */
  readonly series: { readonly parameters: OpenedPiece; readonly result: readonly SeriesRow[] };
  /** As `properties`. */
  readonly report: { readonly parameters: OpenedPiece; readonly result: readonly ReportPiece[] };
  readonly values: {
    readonly parameters: { readonly id: string; readonly series: number };
    readonly result: SeriesDetail;
  };
  /** Rows [first, first + count) of a map. `count` times its columns ≤ `maximumMapCells`, or one row. */
  readonly map: {
    readonly parameters: OpenedPiece & { readonly map: number };
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
  readonly cancel: CancelRequest;
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
  readonly progress: MakingProgress;
  /** The user selected a property elsewhere (tree, lens); the view shows it. */
  readonly choose: { readonly id: string; /** Id of the property. */ readonly property: string };
}

export type DynamicsShown = {
  /** Identifies this panel to the extension after a reload: the view saves it in its state as `panel`. */
  readonly panel: string;
  /** Target and experiment, or the file's name. */
  readonly title: string;
  readonly settings: DynamicsSettings;
} & Opened<DynamicsHeader>;

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
