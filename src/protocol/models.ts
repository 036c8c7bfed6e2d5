import type {
  ModelCurve,
  ModelDetail,
  ModelPredictions,
  ModelsHeader,
  ModelTableRow,
} from '../core/views/modelPieces';

/**
 * The panel of performance models: how times and counts grow with parameters. The webview fetches rows and predictions in pieces, and
 * curve and details of the selected models; it searches, sorts and draws itself.
 */
export interface ModelsRequests {
  /** Asks for the models to show; also after a reload, or after the panel was hidden. */
  readonly open: { readonly parameters: Record<string, never>; readonly result: ModelsShown };
  /** Rows [first, first + count). `count` ≤ `maximumModelRows`. */
  readonly rows: { readonly parameters: ModelsPiece; readonly result: readonly ModelTableRow[] };
  /** As `rows`: predictions for a point, which has a value for each parameter. */
  readonly predictions: {
    readonly parameters: ModelsPiece & { readonly point: readonly number[] };
    readonly result: ModelPredictions;
  };
  readonly detail: { readonly parameters: ModelName; readonly result: ModelDetail };
  /** A model along a parameter, from the smallest measured value to that of `point`; the others are fixed at `point`. */
  readonly curve: {
    readonly parameters: ModelName & { readonly parameter: number };
    readonly result: ModelCurve;
  };
  /** Jumps to the function of the row, if a function of this name is known. */
  readonly openSource: {
    readonly parameters: { readonly id: string; readonly row: number };
    readonly result: { readonly opened: boolean };
  };
  /** Reads the measurements and makes the models again; progress and result come as events. */
  readonly make: {
    readonly parameters: Record<string, never>;
    readonly result: { readonly started: boolean };
  };
  readonly cancel: {
    readonly parameters: Record<string, never>;
    readonly result: { readonly cancelled: boolean };
  };
  /** Saves a picture or its table, or all models; the extension asks for the file. */
  readonly save: { readonly parameters: ModelsExport; readonly result: { readonly saved: boolean } };
  /** Asks the user for another input, which opens in its own panel. */
  readonly chooseInput: {
    readonly parameters: Record<string, never>;
    readonly result: Record<string, never>;
  };
}

export interface ModelsEvents {
  /** The models or their state have changed. */
  readonly shown: ModelsShown;
  readonly progress: ModelsProgress;
}

/** Rows `[first, first + count)` of these models; the request fails when others have replaced them (`models-changed`). */
export interface ModelsPiece {
  readonly id: string;
  readonly first: number;
  readonly count: number;
}

/** One model, and the point that it is looked at. */
export interface ModelName {
  readonly id: string;
  readonly row: number;
  /** A value for each parameter. */
  readonly point: readonly number[];
}

export type ModelsShown = {
  /** Identifies this panel to the extension after a reload: the view saves it in its state as `panel`. */
  readonly panel: string;
  /** Names of the inputs. */
  readonly title: string;
} & (
  | { readonly kind: 'making'; readonly progress?: ModelsProgress }
  | { readonly kind: 'done'; readonly header: ModelsHeader }
  /** The input has no measurements. */
  | { readonly kind: 'empty'; readonly message: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string }
);

export interface ModelsProgress {
  readonly message: string;
  /** Completed share (0…1) of the whole work. */
  readonly fraction?: number;
}

export const modelFileFormats = ['csv', 'json', 'python', 'latex', 'javascript'] as const;
export type ModelFileFormat = (typeof modelFileFormats)[number];

export type ModelsExport =
  | { readonly kind: 'png' | 'svg' | 'table'; readonly name: string; readonly content: Uint8Array }
  /** The engine writes these as the command line does; JSON has the predictions for `point`. */
  | {
      readonly kind: 'models';
      readonly id: string;
      readonly format: ModelFileFormat;
      readonly point: readonly number[];
    };

/** The engine answers for this number of rows in a fraction of a second, and the extension host passes them on in a few milliseconds. */
export const maximumModelRows = 1_000;
export const maximumParameters = 64;
