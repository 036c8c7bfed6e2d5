import type {
  CubeCallPaths,
  CubeHeader,
  CubePlaces,
  CubeRegion,
  CubeSystemNodes,
  CubeValues,
} from '../core/views/cubePieces';
import type { OpenedPiece } from './opened';

/**
 * The editor of Cube profiles: metrics, call paths and the system as three coupled trees. The webview fetches definitions in pieces and the
 * values of a metric when it shows them; it computes all displayed values from them.
 */
export interface CubeRequests {
  /** Opens the file in its current state; asked again to reload it. */
  readonly open: { readonly parameters: Record<string, never>; readonly result: CubeHeader };
  /** Call paths [first, first + count). `count` ≤ `maximumCallPaths`. */
  readonly callPaths: { readonly parameters: OpenedPiece; readonly result: CubeCallPaths };
  /** Fewer than asked for when names are long, but at least one. `count` ≤ `maximumNames`. */
  readonly regions: { readonly parameters: OpenedPiece; readonly result: readonly CubeRegion[] };
  /** As `regions`. */
  readonly system: { readonly parameters: OpenedPiece; readonly result: CubeSystemNodes };
  /** Places of a topology, by its position in the header. `count` ≤ `maximumPlaces`. */
  readonly topology: {
    readonly parameters: OpenedPiece & { readonly topology: number };
    readonly result: CubePlaces;
  };
  /** A metric at call paths [first, first + count), combined over locations. `count` ≤ `maximumCallPaths`. */
  readonly values: {
    readonly parameters: OpenedPiece & { readonly metric: number };
    readonly result: CubeValues;
  };
  /** The value of a metric for the whole run. */
  readonly total: {
    readonly parameters: { readonly id: string; readonly metric: number };
    readonly result: { readonly total: number };
  };
  /** The given call paths combined, one value per location. At most `maximumSelected` call paths. */
  readonly locations: {
    readonly parameters: {
      readonly id: string;
      readonly metric: number;
      /** Metrics whose values are subtracted: children of a metric that is shown exclusively. */
      readonly minus: Uint32Array;
      readonly callPaths: Uint32Array;
      /** Per call path: 1 for its exclusive value, 0 for its inclusive value. */
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
  /** Actions on the whole file; the user may cancel their dialogs. */
  readonly act: {
    readonly parameters: { readonly action: CubeAction };
    readonly result: Record<string, never>;
  };
}

export interface CubeEvents {
  /** The file on disk differs from the one shown, or has been deleted. */
  readonly stale: { readonly kind: 'changed' | 'deleted' };
}

export const cubeActions = ['hotSpots', 'compare', 'reopenWith'] as const;
export type CubeAction = (typeof cubeActions)[number];

export const maximumCallPaths = 100_000;
export const maximumNames = 5_000;
export const maximumPlaces = 50_000;
export const maximumSelected = 10_000;
