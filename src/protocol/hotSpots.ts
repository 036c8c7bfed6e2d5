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
  readonly regions: {
    readonly parameters: { readonly side: Side; readonly first: number; readonly count: number };
    readonly result: readonly RegionRow[];
  };
  /** Values of one call path at each location, in the order of `ProfileHeader.locations`. */
  readonly locations: {
    readonly parameters: { readonly side: Side; readonly callPath: number; readonly metric: number };
    readonly result: { readonly inclusive: Float64Array; readonly exclusive: Float64Array };
  };
  /** Jumps to the first line of a region. */
  readonly openSource: {
    readonly parameters: { readonly side: Side; readonly region: number };
    readonly result: { readonly opened: boolean };
  };
  /** Pins a function in or out of the instrumentation, or takes the pin away. */
  readonly pin: {
    readonly parameters: { readonly region: number; readonly state: 'in' | 'out' | 'none' };
    readonly result: { readonly pinned: boolean };
  };
  /** Chooses the second profile (position in `HotSpotsOpened.comparable`; −1: none). The answer comes as an `opened` event. */
  readonly compare: {
    readonly parameters: { readonly experiment: number };
    readonly result: Record<string, never>;
  };
  /** Saves what is shown; the extension asks where. `content` only for `csv`, `json`, `speedscope` made by the webview, or PNG bytes. */
  readonly save: {
    readonly parameters: {
      readonly kind: 'csv' | 'json' | 'speedscope' | 'png';
      readonly content: Uint8Array;
    };
    readonly result: { readonly saved: boolean };
  };
}

export interface HotSpotsEvents {
  /** Something else is shown from now on: another profile on one side, or the file changed on disk. */
  readonly opened: HotSpotsOpened;
  /** The profile can no longer be read: deleted, half-written, not a profile. */
  readonly gone: { readonly side: Side; readonly message: string };
  /** Select this region: the user asked for it in the source. */
  readonly reveal: { readonly region: number };
}

export type Side = 'main' | 'compare';

export const maximumRows = 20_000;

export interface HotSpotsOpened {
  readonly main: ProfileHeader;
  readonly compare?: ProfileHeader;
  /** Experiments of the same target that can be compared with. */
  readonly comparable: readonly { readonly label: string; readonly detail: string }[];
}

export interface ProfileHeader {
  /** Changes with the content. */
  readonly id: string;
  /** Target, study and iteration, or the file's name. */
  readonly title: string;
  readonly callPaths: number;
  readonly regions: number;
  readonly metrics: readonly { readonly name: string; readonly displayName: string; readonly unit: string }[];
  readonly locations: readonly { readonly name: string; readonly rank: number; readonly thread: number }[];
  /** Calibrated cost of recording one visit, seconds; 0 when unknown. */
  readonly pairSeconds: number;
  /** Wall time of the run, seconds; 0 when unknown. */
  readonly runSeconds: number;
}

/** Row i describes call path `first + i`; parents come before their children. */
export interface ProfileRows {
  readonly first: number;
  readonly parent: Int32Array;
  readonly region: Uint32Array;
  /** Per metric, combined over locations. */
  readonly inclusive: readonly Float64Array[];
  readonly exclusive: readonly Float64Array[];
}

export interface RegionRow {
  readonly name: string;
  readonly mangledName?: string;
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  readonly selected?: boolean;
  readonly pinned?: 'in' | 'out';
  /** The decision in words. */
  readonly reason?: string;
}
