import type { SearchRecord } from '../../diagnosis/search/searchRecord';

/** What a viewer learns first of a search: all but its experiments, which it asks for in pieces, and the program. */
export interface DiagnosisHeader extends Omit<SearchRecord, 'nodes' | 'program'> {
  /** Of this state of the search; another one has another id. */
  readonly id: string;
  /** Number of experiments. */
  readonly count: number;
  /**
   * Thresholds of the hypotheses as they are defined, by id; those of the search may be others. Absent where the search cannot be repeated: it was saved, and its
   * measurement is not known.
   */
  readonly usualThresholds?: Readonly<Record<string, number>>;
  /** What the user wants of a search in a run that is under way; absent: the run has ended, or it is a finished measurement. */
  readonly wanted?: 'search' | 'pause' | 'stop';
  /** To be known about the result: what was not measured, and why. A sentence each. */
  readonly notes: readonly string[];
}

/** Places of boxes and ways of edges in the picture of a search, in pixels. */
export interface DiagnosisLayout {
  readonly width: number;
  readonly height: number;
  /** Alternating x and y, by box. */
  readonly centres: Float64Array;
  /** Alternating x and y, by edge. */
  readonly ways: readonly Float64Array[];
}

/** Pixels of the box of an experiment. */
export const experimentBox = { width: 210, height: 52 };

/** More boxes than this are a tangle, and take seconds to lay out. */
export const drawnExperiments = 120;
