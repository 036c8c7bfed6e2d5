import type { Cutoff } from './cutoff';
import { defaultImbalanceOptions, type ImbalanceOptions } from './imbalanceOptions';
import { defaultModelOptions, type ModelOptions } from './modelOptions';
import type { OverheadReduction, Strategy } from './strategy';

/** How the refinement decides. Shares are of the run time (0…1), so that they hold for any input. */
export interface SelectionOptions {
  readonly strategy: Strategy;
  /** How `agor` makes its black list. */
  readonly base: OverheadReduction;
  /** `filter-only` never adds what was not selected at first; `filter-and-expand` looks below hot functions. */
  readonly mode: 'filter-only' | 'filter-and-expand';
  /**
   * Target: how much longer the run may take, percent. With `tor`, `por` and `agor`: the threshold for the overhead of each function, in
   * percent of its own time; with `imbalance`: of the run.
   */
  readonly overheadPercent: number;
  /** What idle patch points take of the user's target beside `overheadPercent`, percent; for reasons only. */
  readonly idlePercent?: number;
  readonly cutoff: Cutoff;
  /** A function with at least this exclusive share is a hot spot and is dropped last. */
  readonly hotExclusiveShare: number;
  /** A function with at least this inclusive share is hot too, and gives way to hot spots only. */
  readonly hotInclusiveShare: number;
  /** Below this inclusive share a function is not worth a place in the profile, however cheap. */
  readonly usefulShare: number;
  /** Part of the target that predictions may fill: pairs of rarely called functions meet cold caches and cost more than calibrated ones. */
  readonly aimShare: number;
  /** Part of that which functions other than hot spots may fill; the rest is room for errors of the prediction. */
  readonly fillShare: number;
  /** Static selection never takes functions with fewer inclusive statements, so that the first run is bearable. */
  readonly minimumStatements: number;
  /** Limit of the estimated overhead of new functions in one run, percent. */
  readonly explorationPercent: number;
  /** Part of that limit for functions that are timed before their visits were counted, where they can be counted; percent. */
  readonly timedAtOncePercent: number;
  /** Limit of the overhead of functions that are measured again because an earlier run blurred their times, percent. */
  readonly againPercent: number;
  /** Of the strategy `imbalance`. */
  readonly imbalance: ImbalanceOptions;
  /** Of the strategy `model`. */
  readonly model: ModelOptions;
  /** Keys of functions that the user wants in or out, whatever it costs. */
  readonly pinnedIn: ReadonlySet<string>;
  readonly pinnedOut: ReadonlySet<string>;
  /** Keys of the functions whose visits are the iterations: always in, since without them there are none. */
  readonly phase: ReadonlySet<string>;
}

export const defaultSelectionOptions: SelectionOptions = {
  strategy: 'hotspot',
  base: 'tor',
  mode: 'filter-and-expand',
  overheadPercent: 5,
  cutoff: 'unique-median',
  // A fifth below the usual threshold of 5 %: measured shares have errors, most of all those of small functions.
  hotExclusiveShare: 0.04,
  hotInclusiveShare: 0.02,
  usefulShare: 0.005,
  aimShare: 0.8,
  fillShare: 0.8,
  minimumStatements: 10,
  explorationPercent: 100,
  timedAtOncePercent: 20,
  againPercent: 15,
  imbalance: defaultImbalanceOptions,
  model: defaultModelOptions,
  pinnedIn: new Set(),
  pinnedOut: new Set(),
  phase: new Set(),
};
