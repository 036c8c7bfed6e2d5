import type {
  ComparisonFilter,
  ComparisonHeader,
  ComparisonOverview,
  ComparisonRow,
  ComparisonSettings,
  ComparisonSummary,
} from '../core/trace/comparisonPieces';
import type { CancelRequest, MakingProgress, Opened, OpenedPiece } from './opened';

/** The panel that shows two to four traces side by side. */
export interface ComparisonRequests {
  readonly open: { readonly parameters: Record<string, never>; readonly result: ComparisonShown };
  readonly summary: { readonly parameters: Shown; readonly result: ComparisonSummary };
  /** Rows [first, first + count). `count` ≤ `maximumComparisonRows`. With `view`, those of that view alone, without gaps. */
  readonly rows: {
    readonly parameters: OpenedPiece & Shown;
    readonly result: { readonly rows: readonly ComparisonRow[]; readonly total: number };
  };
  readonly overview: {
    readonly parameters: Shown & { readonly pixels: number };
    readonly result: ComparisonOverview;
  };
  /** The next row that differs after `row`, or before it; or the next one whose name has the text. */
  readonly find: {
    readonly parameters: Shown & {
      readonly row: number;
      readonly isBackwards: boolean;
      readonly text?: string;
    };
    readonly result: { readonly row?: number };
  };
  /** Jumps to the entry of a row. */
  readonly openSource: {
    readonly parameters: Shown & { readonly row: number };
    readonly result: { readonly opened: boolean };
  };
  /** Compares other iterations or ranks of the same traces, one of each for every view; undefined: all. Progress and result come as events. */
  readonly choose: {
    readonly parameters: { readonly parts: readonly ComparedPart[] };
    readonly result: { readonly started: boolean };
  };
  readonly cancel: CancelRequest;
  readonly save: { readonly parameters: ComparisonExport; readonly result: { readonly saved: boolean } };
  /** `chooseInputs` asks for other traces in a new panel; `swap` exchanges the order of the views. */
  readonly act: {
    readonly parameters: { readonly action: ComparisonAction };
    readonly result: Record<string, never>;
  };
}

export interface ComparisonEvents {
  readonly shown: ComparisonShown;
  readonly progress: MakingProgress;
}

interface Shown {
  /** Of the document; the request fails when another one has replaced it. */
  readonly id: string;
  readonly settings: ComparisonSettings;
  /** Position of a view that is not linked to the others. */
  readonly view?: number;
}

export const comparisonActions = ['chooseInputs', 'swap'] as const;
export type ComparisonAction = (typeof comparisonActions)[number];

/** Of one view. */
export interface ComparedPart {
  readonly rank?: number;
  /** From 1, inclusive. */
  readonly iterations?: readonly [first: number, last: number];
}

export type ComparisonShown = {
  /** Identifies this panel to the extension after a reload: the view saves it in its state as `panel`. */
  readonly panel: string;
  readonly title: string;
  readonly parts: readonly ComparedPart[];
} & Opened<ComparisonHeader>;

/** The differences and rows with these settings, as the command line writes them. */
export interface ComparisonExport {
  readonly id: string;
  readonly format: 'json' | 'csv';
  readonly settings: ComparisonSettings;
}

export const usualFilter: ComparisonFilter = {
  collectives: true,
  pointToPoint: true,
  contexts: true,
  depth: 1_000,
  onlyDifferent: false,
  hotSpotShare: 0.05,
};

export const maximumComparisonRows = 500;
export const maximumComparisonPixels = 8_192;
export const maximumComparedViews = 4;
