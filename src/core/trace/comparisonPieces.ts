import type { RegionPlace } from '../profile/place';

/** What viewers of a comparison of two to four traces ask for. View k is compared with view k + 1. */
export interface ComparisonHeader {
  /** Of this opened document. */
  readonly id: string;
  readonly views: readonly ComparedView[];
  /** What can be compared: `time`, and the counters that all views have. */
  readonly metrics: readonly string[];
  /** What their messages' sizes count. */
  readonly sizeUnit: 'bytes' | 'elements';
  /** The deepest call. */
  readonly depth: number;
  /** Sentences: what is missing, how times were taken, and whether the traces have too little in common. */
  readonly notes: readonly string[];
}

export interface ComparedView {
  /** `run-a, rank 1, iteration 12` */
  readonly name: string;
  /** Calls and messages, all repetitions counted. */
  readonly entries: number;
  readonly seconds: number;
  /** Iterations that can be chosen; 0: the trace has no marks. */
  readonly iterations: number;
  readonly ranks: number;
}

/** How traces are compared and what is shown of it. */
export interface ComparisonSettings {
  /** `chain`: entries in their order; `frequency`: entries of the same call path together. */
  readonly mode: 'chain' | 'frequency';
  readonly metric: string;
  /** Smaller relative deviations are none (0.05: 5 %). */
  readonly sensitivity: number;
  /** Partners as distances from the own rank. */
  readonly isRelative: boolean;
  /** What is shown; hiding does not change what is compared. */
  readonly shows: ComparisonFilter;
}

/** Of one view, or of all that are linked. */
export interface ComparisonFilter {
  readonly collectives: boolean;
  readonly pointToPoint: boolean;
  readonly contexts: boolean;
  /** Deeper entries are hidden; roots have depth 1. */
  readonly depth: number;
  /** Equal entries are hidden where nothing below them differs. */
  readonly onlyDifferent: boolean;
  /** Entries with at least this inclusive share (0…1) of the metric are highlighted. */
  readonly hotSpotShare: number;
}

/** What an entry is in a pair of views: the later ones are stronger, and win in the overview. */
export const entryClasses = ['equal', 'changed', 'added', 'deleted'] as const;
export type EntryClass = (typeof entryClasses)[number];

/** Counts of the call paths of a pair, which are the same in both modes. */
export interface ComparedPairFacts {
  readonly matched: number;
  readonly added: number;
  readonly deleted: number;
  readonly changed: number;
  readonly unchanged: number;
}

/** What differs, the most at stake first (§3.7). */
export interface Characteristic {
  readonly kind: 'computation' | 'message sizes' | 'partners' | 'calls' | 'counts' | 'order';
  readonly sentence: string;
  /** Position of the pair. */
  readonly pair: number;
  /** Row that shows it, in the mode that was asked for. */
  readonly row: number;
  /** Share (0…1) of the metric that is at stake. */
  readonly share: number;
  readonly place?: RegionPlace;
}

export interface ComparisonSummary {
  readonly pairs: readonly ComparedPairFacts[];
  readonly characteristics: readonly Characteristic[];
  /** Rows with these settings. */
  readonly rows: number;
}

/** A row: the same entry of all views, or one that some of them do not have. */
export interface ComparisonRow {
  /** Position among all rows of the mode, whatever is shown of them: joins the rows of views that are not linked. */
  readonly entry: number;
  /** From 1. */
  readonly depth: number;
  readonly kind: 'context' | 'send' | 'receive' | 'collective';
  /** `sweep.f`, `MPI_RECV from 3` */
  readonly name: string;
  readonly place?: RegionPlace;
  readonly lastLine?: number;
  /** By view. */
  readonly cells: readonly (ComparisonCell | undefined)[];
  /** By pair; undefined: in neither. */
  readonly classes: readonly (EntryClass | undefined)[];
  readonly isHotSpot: boolean;
  /** The sequence of rows that begins here is repeated so often, by view. */
  readonly loop?: { readonly rows: number; readonly repeats: readonly (number | undefined)[] };
}

export interface ComparisonCell {
  readonly count: number;
  /** Exclusive, of all calls together. */
  readonly seconds: number;
  readonly instructions?: number;
  /** Inclusive share (0…1) of the metric. */
  readonly share: number;
  /** Of messages: mean, least and most size of one. */
  readonly size?: { readonly mean: number; readonly least: number; readonly most: number };
  /** Of messages between two processes: their tags, as text (`tagNames`). */
  readonly tags?: string;
}

/** Whole views as strips of this many pixels: the strongest class of the entries in a pixel, by view; `0xff`: no entry. */
export interface ComparisonOverview {
  /** By view: an index of `entryClasses` for each pixel. */
  readonly strips: readonly Uint8Array[];
  /** Row at the first entry of each pixel. */
  readonly rows: Uint32Array;
}
