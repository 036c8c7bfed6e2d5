import type { LocationValues } from '../core/views/locationValues';
import type { ProfileHeader, ProfileRows, RegionFacts } from '../core/views/profilePieces';

/**
 * The hot-spot panel: one profile, and optionally a second one to compare with. The webview fetches the columns piece by piece and
 * computes what it shows itself (`core/profile`), so that scrolling, sorting and searching ask nobody.
 */
export interface HotSpotsRequests {
  /** What is shown; also again after a reload, or when the panel was hidden. */
  readonly open: { readonly parameters: Record<string, never>; readonly result: HotSpotsOpened };
  /** Columns of call paths [first, first + count). `count` ≤ `maximumRows`. */
  readonly rows: {
    readonly parameters: { readonly side: Side; readonly first: number; readonly count: number };
    readonly result: ProfileRows;
  };
  /** Regions [first, first + count); fewer when their names are long, but at least one. `count` ≤ `maximumRegions`. */
  readonly regions: {
    readonly parameters: { readonly side: Side; readonly first: number; readonly count: number };
    readonly result: readonly RegionRow[];
  };
  /** Values of one call path at each location, in the order of `ProfileHeader.locations`. */
  readonly locations: {
    readonly parameters: { readonly side: Side; readonly callPath: number; readonly metric: number };
    readonly result: LocationValues;
  };
  /** Jumps to the first line of a region. */
  readonly openSource: {
    readonly parameters: { readonly side: Side; readonly region: number };
    readonly result: { readonly opened: boolean };
  };
  /** Pins a function in or out of the instrumentation, or takes the pin away. */
  readonly pin: {
    readonly parameters: {
      readonly side: Side;
      readonly region: number;
      readonly state: 'in' | 'out' | 'none';
    };
    readonly result: { readonly pinned: boolean };
  };
  /** Chooses the second profile (position in `HotSpotsOpened.comparable`; −1: none). The answer comes as an `opened` event. */
  readonly compare: {
    readonly parameters: { readonly experiment: number };
    readonly result: Record<string, never>;
  };
  /** Saves the whole profile, or the picture that the webview drew; the extension asks where. */
  readonly save: {
    readonly parameters:
      | { readonly kind: 'csv' | 'json' | 'speedscope'; readonly side: Side }
      | { readonly kind: 'png'; readonly content: Uint8Array };
    readonly result: { readonly saved: boolean };
  };
}

export interface HotSpotsEvents {
  /** Something else is shown from now on: another profile on one side, or the file changed on disk. */
  readonly opened: HotSpotsOpened;
  /** The profile can no longer be read: deleted, half-written, not a profile. */
  readonly gone: { readonly side: Side; readonly message: string };
  /** Regions whose pins changed, with what they are now. */
  readonly pins: readonly { readonly side: Side; readonly region: number; readonly pinned?: 'in' | 'out' }[];
  /** Select this function: the user asked for it in the source. By name, for the webview knows all names. */
  readonly reveal: Reveal;
}

/** A wish to select a function. The page may be loaded twice or receive the wish twice: equal `id`s are the same wish. */
export interface Reveal {
  readonly name: string;
  readonly id: string;
}

export type Side = 'main' | 'compare';

export const maximumRows = 20_000;
export const maximumRegions = 2_000;
/** Of the picture of a flame graph. */
export const maximumPictureBytes = 32 << 20;

export interface HotSpotsOpened {
  /** Names this panel to the extension after a reload. */
  readonly panel: string;
  readonly main: ProfileHeader;
  readonly compare?: ProfileHeader;
  /** Experiments of the same target that can be compared with. */
  readonly comparable: readonly { readonly label: string; readonly detail: string }[];
  /** Position of the second profile in `comparable`; −1: none, or it is not among them. */
  readonly compared: number;
  /** A function to select at first. */
  readonly reveal?: Reveal;
}

export interface RegionRow extends RegionFacts {
  /** The function can be pinned in or out. */
  readonly known?: true;
  readonly pinned?: 'in' | 'out';
}
