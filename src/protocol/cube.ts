import type {
  CubeCallPaths,
  CubeHeader,
  CubeRegion,
  CubeSystemNodes,
  CubeValues,
} from '../core/views/cubePieces';

/**
 * The editor of Cube profiles: metrics, call paths and the system as three coupled trees. Definitions come piece by piece, values of a
 * metric when it is looked at; the webview computes what it shows from them.
 */
export interface CubeRequests {
  /** The file as it is now; again to reload it. */
  readonly open: { readonly parameters: Record<string, never>; readonly result: CubeHeader };
  /** Call paths [first, first + count). `count` ≤ `maximumCallPaths`. */
  readonly callPaths: { readonly parameters: CubePiece; readonly result: CubeCallPaths };
  /** Fewer than asked for when names are long, but at least one. `count` ≤ `maximumNames`. */
  readonly regions: { readonly parameters: CubePiece; readonly result: readonly CubeRegion[] };
  /** As `regions`. */
  readonly system: { readonly parameters: CubePiece; readonly result: CubeSystemNodes };
  /** A metric at call paths [first, first + count), combined over locations. `count` ≤ `maximumCallPaths`. */
  readonly values: {
    readonly parameters: CubePiece & { readonly metric: number };
    readonly result: CubeValues;
  };
  /** A metric's value of the whole run. */
  readonly total: {
    readonly parameters: { readonly id: string; readonly metric: number };
    readonly result: { readonly total: number };
  };
  /** Call paths together, one value per location. At most `maximumSelected` call paths. */
  readonly locations: {
    readonly parameters: {
      readonly id: string;
      readonly metric: number;
      /** Metrics whose values are taken off: children of the metric, when it is shown by itself. */
      readonly minus: Uint32Array;
      readonly callPaths: Uint32Array;
      /** Per call path: 1 for its own value, 0 for that with what it calls. */
      readonly exclusive: Uint8Array;
    };
    readonly result: { readonly values: Float64Array };
  };
  /** Jumps to the first line of a region. */
  readonly openSource: {
    readonly parameters: { readonly id: string; readonly region: number };
    readonly result: { readonly opened: boolean };
  };
  readonly save: {
    readonly parameters:
      | { readonly kind: 'csv' | 'json' | 'speedscope' }
      | { readonly kind: 'png'; readonly content: Uint8Array };
    readonly result: { readonly saved: boolean };
  };
  /** What the editor can do with the whole file; the user may leave the dialogs. */
  readonly act: {
    readonly parameters: { readonly action: CubeAction };
    readonly result: Record<string, never>;
  };
}

export interface CubeEvents {
  /** The file on disk is another one than what is shown, or is gone. */
  readonly stale: { readonly kind: 'changed' | 'deleted' };
}

export interface CubePiece {
  /** Id of the file's content; the request fails when the content has changed (`profile-changed`). */
  readonly id: string;
  readonly first: number;
  readonly count: number;
}

export const cubeActions = ['hotSpots', 'compare', 'reopenWith'] as const;
export type CubeAction = (typeof cubeActions)[number];

export const maximumCallPaths = 100_000;
export const maximumNames = 5_000;
export const maximumSelected = 10_000;
