import type { CallGraph } from '../callgraph/callGraph';
import type { Knowledge } from '../knowledge/knowledge';
import type { PairCosts, SiteKind } from '../cost/pairCost';
import type { PredictedCost, Selection } from '../selection/selection';
import type { SelectionOptions } from '../selection/selectionOptions';
import type { StaticAnalysis } from './staticSelection';

/** What all parts of a step of the selection share. */
export interface Step {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly knowledge: Knowledge;
  readonly pairCosts: PairCosts;
  readonly options: SelectionOptions;
  readonly statics: StaticAnalysis;
  readonly visitSeconds: Float64Array;
  readonly briefSeconds: Float64Array;
}

/** Costs and times of the measured functions. */
export interface Measures {
  /** With an interval: the cost when about one in `interval` visits is timed. */
  readonly costOf: (key: string, interval?: number) => PredictedCost | undefined;
  readonly runSeconds: number;
  readonly scale: number;
  readonly remainingRuns: number;
  readonly previous: Selection | undefined;
}
