import type { SearchSpaceOptions } from '../searchSpace';

/** Options of Extra-P's search for one parameter, by the meaning of its own names; its defaults hold for what is absent. */
export interface SearchOptions extends SearchSpaceOptions {
  /** Costs of a candidate from models without the point in question (the default), or from the model of all points. */
  readonly crossValidation?: boolean;
  /** Candidates are compared by their residual sum of squares in place of SMAPE. */
  readonly compareWithRss?: boolean;
  /** A term whose largest share of a measured value is smaller does not count; 0.0005 by default. */
  readonly minimumTermContribution?: number;
}

export const defaultTermContribution = 0.0005;

/** How models of one parameter are searched for. */
export const singleModelers = ['default', 'refining', 'segmented'] as const;
export type SingleModelerName = (typeof singleModelers)[number];

/** Which points the models of one parameter are made from when there are several parameters. */
export type PointSelection = 'all' | 'smallest';

/** Options of Extra-P's models of several parameters. */
export interface CombinationOptions {
  readonly single?: Exclude<SingleModelerName, 'segmented'>;
  readonly singleOptions?: SearchOptions;
  readonly compareWithRss?: boolean;
  /** Whether terms with products and sums in one formula are tried (the default). */
  readonly sumsAndProducts?: boolean;
  readonly pointSelection?: PointSelection;
}
