import type { Measure } from '../core/modeling/measurements';
import type { Scaling } from '../core/modeling/profilesAsMeasurements';
import type {
  ModelCurve,
  ModelDetail,
  ModelPlane,
  ModelPredictions,
  ModelsHeader,
  ModelTableRow,
} from '../core/views/models/modelPieces';
import type { CancelRequest, MakingProgress, Opened, OpenedPiece } from './opened';

/**
 * The panel of performance models: how times and counts grow with parameters. The webview fetches rows and predictions in pieces, and
 * curve and details of the selected models; it searches, sorts and draws itself.
 */
export interface ModelsRequests {
  /** Asks for the models to show; also after a reload, or after the panel was hidden. */
  readonly open: { readonly parameters: Record<string, never>; readonly result: ModelsShown };
  /** Rows [first, first + count). `count` ≤ `maximumModelRows`. */
  readonly rows: { readonly parameters: OpenedPiece; readonly result: readonly ModelTableRow[] };
  /** As `rows`: predictions for a point, which has a value for each parameter. */
  readonly predictions: {
    readonly parameters: OpenedPiece & { readonly point: readonly number[] };
    readonly result: ModelPredictions;
  };
  readonly detail: { readonly parameters: ModelName & OfCompared; readonly result: ModelDetail };
  /** A model along a parameter, from the smallest measured value to that of `point`; the others are fixed at `point`. */
  readonly curve: {
    readonly parameters: ModelName & OfCompared & { readonly parameter: number };
    readonly result: ModelCurve;
  };
  /** A model over the plane of two parameters, from their smallest measured values to those of `point`. */
  readonly plane: {
    readonly parameters: ModelName & {
      readonly parameters: readonly [horizontal: number, vertical: number];
      readonly logarithmic: readonly [horizontal: boolean, vertical: boolean];
    };
    readonly result: ModelPlane;
  };
  /** Jumps to the function of the row, if a function of this name is known. */
  readonly openSource: {
    readonly parameters: { readonly id: string; readonly row: number };
    readonly result: { readonly opened: boolean };
  };
  /** Reads the measurements and makes the models again in this way; progress and result come as events. */
  readonly make: {
    readonly parameters: { readonly settings: ModelSettings };
    readonly result: { readonly started: boolean };
  };
  readonly cancel: CancelRequest;
  /** Measures the point that the header names as the next one. */
  readonly measureNext: {
    readonly parameters: { readonly id: string };
    readonly result: { readonly started: boolean };
  };
  /** Saves a picture or its table, or all models; the extension asks for the file. */
  readonly save: { readonly parameters: ModelsExport; readonly result: { readonly saved: boolean } };
  /** Actions for which the extension asks the user for other measurements, and the end of a comparison. */
  readonly act: {
    readonly parameters: { readonly action: ModelsAction };
    readonly result: Record<string, never>;
  };
}

export interface ModelsEvents {
  /** The models or their state have changed. */
  readonly shown: ModelsShown;
  readonly progress: MakingProgress;
}

/** `chooseInput` opens its own panel. */
export const modelsActions = ['chooseInput', 'compare', 'compareNothing'] as const;
export type ModelsAction = (typeof modelsActions)[number];

/** How models are made. */
export interface ModelSettings {
  readonly mode: ModelMode;
  /** Statistic of the repetitions. */
  readonly measure: Measure;
  /** How locations of a profile become one value; `default`: as the mode does it. */
  readonly scaling: Scaling | 'default';
}

/** The most probable formula, or what Extra-P chooses. */
export const modelModes = ['probable', 'extra-p'] as const;
export type ModelMode = (typeof modelModes)[number];

export const usualModelSettings: ModelSettings = { mode: 'probable', measure: 'mean', scaling: 'default' };

/** Of the measurements that the models are compared with. */
interface OfCompared {
  readonly isCompared: boolean;
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
  readonly settings: ModelSettings;
  /** Whether the models are compared with others, also while these are made or cannot be. */
  readonly isComparing: boolean;
} & Opened<ModelsHeader>;

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
