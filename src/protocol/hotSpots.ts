import type { CommunicationColumns } from '../core/communication/communicationMatrix';
import type { Grouping } from '../core/groups/comparison/compareGroups';
import type { BlockOrder } from '../core/groups/differences/blocks';
import type { GroupDetails, GroupMatrix, GroupPicture, ProcessGroups } from '../core/views/groupSummary';
import type { ChangeTable } from '../core/views/changeRows';
import type { LocationValues } from '../core/views/ranks/locationValues';
import type { ProfileHeader, ProfileRows, RegionFacts } from '../core/views/profilePieces';
import type { ProcessRanges } from '../core/views/ranks/processRanges';
import type { PathSets } from '../core/views/pathSets';
import type { Extent } from '../core/views/ranks/rankRows';
import type { RankTimes } from '../core/views/ranks/rankTimes';
import type { RowSpread } from '../core/views/ranks/rowSpread';

/**
 * The hot-spot panel: one profile, and optionally a second one to compare with. The webview fetches the columns in pieces and computes all
 * displayed values itself (`core/profile`), so that scrolling, sorting and searching need no requests.
 */
export interface HotSpotsRequests {
  /** Asks for the profile to show; also after a reload, or after the panel was hidden. */
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
  /** Values of functions by rank (`ProfileHeader.ranks`), one row after the other. At most `maximumRankRows` functions. */
  readonly rankRows: {
    readonly parameters: {
      readonly metric: number;
      readonly extent: Extent;
      readonly regions: readonly number[];
    };
    readonly result: Float64Array;
  };
  /** What the ranks spend their time for, in the run (−1) or in a function with its callees. */
  readonly rankTimes: {
    readonly parameters: { readonly region: number };
    readonly result: RankTimes;
  };
  /** How the value of each row of a table is distributed over locations. At most `maximumSpreads` rows, of `maximumPaths` call paths. */
  readonly spreads: {
    readonly parameters: SpreadOf & { readonly rows: PathSets; readonly outliers: boolean };
    readonly result: readonly RowSpread[];
  };
  /** The value of one row of a table at each location, in the order of `ProfileHeader.locations`. */
  readonly rowValues: {
    readonly parameters: SpreadOf & { readonly rows: PathSets };
    readonly result: Float64Array;
  };
  /** A number of each row: what it costs by being unbalanced, or its largest value at any location. */
  readonly spreadScores: {
    readonly parameters: SpreadOf & { readonly rows: PathSets; readonly score: SpreadScore };
    readonly result: Float64Array;
  };
  /** The same of each call path. */
  readonly pathScores: {
    readonly parameters: SpreadOf & { readonly score: SpreadScore };
    readonly result: Float64Array;
  };
  /** Entries [first, first + count) of the communication matrix. `count` ≤ `maximumEntries`. */
  readonly communication: {
    readonly parameters: { readonly first: number; readonly count: number };
    readonly result: CommunicationColumns;
  };
  /** Which processes behave alike, of all processes of the main profile. */
  readonly groups: { readonly parameters: Grouped; readonly result: ProcessGroups };
  /** How similar these groups are. */
  readonly groupMatrix: { readonly parameters: Grouped; readonly result: GroupMatrix };
  /** How two of them differ, by their positions, or what one of them is (the same position twice). */
  readonly groupDetails: {
    readonly parameters: Grouped & {
      readonly one: number;
      readonly other: number;
      readonly order: BlockOrder;
    };
    readonly result: GroupDetails;
  };
  /** What they have in common; `isWhole`: the whole concept lattice. */
  readonly groupGraph: {
    readonly parameters: Grouped & { readonly isWhole: boolean };
    readonly result: GroupPicture;
  };
  /** The content of a file with the comparison or the graph, or why there is none. */
  readonly groupFile: {
    readonly parameters: Grouped & { readonly isWhole: boolean; readonly format: 'json' | 'dot' | 'svg' };
    readonly result: { readonly text: string } | { readonly reason: string };
  };
  /** Chooses the processes whose values are shown; none: all. The answer comes as an `opened` event. */
  readonly choose: {
    readonly parameters: { readonly processes: ProcessRanges };
    readonly result: Record<string, never>;
  };
  /** Jumps to the first line of a region. */
  readonly openSource: {
    readonly parameters: { readonly side: Side; readonly region: number };
    readonly result: { readonly opened: boolean };
  };
  /** Pins a function in or out of the instrumentation, or removes its pin. */
  readonly pin: {
    readonly parameters: {
      readonly side: Side;
      readonly region: number;
      readonly state: 'in' | 'out' | 'none';
    };
    readonly result: { readonly pinned: boolean };
  };
  /**
   * Moves a function to another group of functions: to one that the user chooses or names (`among`: those there are), to a given one, or back to its own.
   * Holds for all profiles of the program; panels that show one are told by `moved`.
   */
  readonly regroup: {
    readonly parameters: { readonly side: Side; readonly region: number } & (
      | { readonly to: 'chosen'; readonly among: readonly string[] }
      | { readonly to: 'group'; readonly group: string }
      | { readonly to: 'own' }
    );
    readonly result: { readonly moved: boolean };
  };
  /** Keeps the state of the view (JSON) for the next panel that shows a profile of the same program. */
  readonly remember: {
    readonly parameters: { readonly state: string };
    readonly result: Record<string, never>;
  };
  /** Chooses the second profile (position in `HotSpotsOpened.comparable`; −1: none). The answer comes as an `opened` event. */
  readonly compare: {
    readonly parameters: { readonly experiment: number };
    readonly result: Record<string, never>;
  };
  /** Has the user choose the second profile among all measurements and files. The answer comes as an `opened` event, unless nothing is chosen. */
  readonly chooseBaseline: {
    readonly parameters: Record<string, never>;
    readonly result: Record<string, never>;
  };
  /** What changed from the second profile to the first one, of all repetitions of both. */
  readonly changes: { readonly parameters: Record<string, never>; readonly result: ChangeTable };
  /** Saves the whole profile, or what the webview drew or wrote; the extension asks for the file. */
  readonly save: {
    readonly parameters:
      | { readonly kind: 'csv' | 'json' | 'speedscope'; readonly side: Side }
      | { readonly kind: 'png'; readonly content: Uint8Array }
      | SavedDrawing;
    readonly result: { readonly saved: boolean };
  };
}

export interface HotSpotsEvents {
  /** The shown profiles have changed: another profile on one side, or a new content of the file. */
  readonly opened: HotSpotsOpened;
  /** The profile can no longer be read: it was deleted, is incomplete, or is no profile. */
  readonly gone: { readonly side: Side; readonly message: string };
  /** Regions whose pins changed, with their new state. */
  readonly pins: readonly { readonly side: Side; readonly region: number; readonly pinned?: 'in' | 'out' }[];
  /** All functions that are in another group than their own. */
  readonly moved: MovedFunctions;
  readonly reveal: Reveal;
}

/** Full names of functions with the groups that the user chose for them. */
export type MovedFunctions = readonly (readonly [name: string, group: string])[];

/** What to select or to show. The page may load twice or receive the request twice: equal `id`s are the same request. */
export interface Reveal {
  readonly what: RevealTarget;
  readonly id: string;
}

/** A function that the user chose in the source, by its name because the webview knows all names; or a view. */
export type RevealTarget = { readonly name: string } | { readonly tab: 'groups' | 'changes' };

/** A question on the groups of the processes. */
interface Grouped {
  readonly grouping: Grouping;
}

/** What a view can save of a drawing. */
export const drawingFormats = ['png', 'svg', 'csv', 'json', 'dot'] as const;
export type DrawingFormat = (typeof drawingFormats)[number];

/** A map, matrix or graph that the webview drew, or its numbers. */
export interface SavedDrawing {
  readonly kind: 'drawing';
  readonly format: DrawingFormat;
  /** What it shows, for the name of the file. */
  readonly name: string;
  readonly content: Uint8Array;
}

export type Side = 'main' | 'compare';

/** Which value of the rows of a table. */
export interface SpreadOf {
  readonly side: Side;
  readonly metric: number;
  readonly extent: Extent;
}

export const spreadScores = ['imbalance', 'largest'] as const;
export type SpreadScore = (typeof spreadScores)[number];

export const maximumRows = 20_000;
export const maximumRegions = 2_000;
export const maximumRankRows = 64;
/** A screenful; its rows, or all rows of a table, are made of call paths: each is in a few rows of a tree of functions. */
export const maximumSpreads = 256;
export const maximumPaths = 4_000_000;
export const maximumEntries = 100_000;
/** Maximum number of groups that k-means makes. */
export const maximumMeans = 64;
/** Maximum length of ranges of processes: each second one of half a million. */
export const maximumRanges = 500_000;
/** Maximum number of groups of functions to choose from, and of characters of a name of one. */
export const maximumGroups = 2_000;
export const maximumGroupName = 400;
/** Maximum number of characters of the state that the extension remembers. */
export const maximumState = 200_000;
/** Maximum size of the picture of a flame graph. */
export const maximumPictureBytes = 32 << 20;

export interface HotSpotsOpened {
  /** Identifies this panel to the extension after a reload. */
  readonly panel: string;
  readonly main: ProfileHeader;
  readonly compare?: ProfileHeader;
  /** Experiments of the same target to compare with. */
  readonly comparable: readonly { readonly label: string; readonly detail: string }[];
  /** Position of the second profile in `comparable`; −1: none, or it is not among them. */
  readonly compared: number;
  /** At the start. */
  readonly reveal?: Reveal;
  readonly moved: MovedFunctions;
  /** What the last panel of the same program had the extension remember. */
  readonly remembered?: string;
}

export interface RegionRow extends RegionFacts {
  /** The function can be pinned in or out. */
  readonly known?: true;
  readonly pinned?: 'in' | 'out';
}
