import type { Hypothesis } from '../hypotheses/hypothesis';
import type { DiscoveryLimits } from '../resources/discoveryControl';
import type { Focus, ResourcePath, ResourceTree } from '../resources/focus';
import type { ObservationRule } from './experiment';
import type { Budget, SearchedProgram } from './messages';
import type { Priority, SearchNode, SearchRecord } from './searchRecord';

export interface SearchRules extends ObservationRule {
  /** Experiments that are measured or asked for at the same time. */
  readonly maxActive: number;
  /** Experiments that are asked for and not yet answered. */
  readonly maxPending: number;
  /** Seconds of a steady state after which the search is complete. */
  readonly completeAfter: number;
  readonly discovery: DiscoveryLimits;
}

export interface SearchOptions {
  readonly hypotheses: readonly Hypothesis[];
  readonly program: SearchedProgram;
  readonly budget: Budget;
  /** What its record says of it. */
  readonly about: Pick<SearchRecord, 'strategy' | 'run' | 'clock' | 'deepStart' | 'costLimit'>;
  readonly rules?: Partial<SearchRules>;
  /** Experiments that another process tests: they are made here and reported, see `SearchNews.delegated`, and not measured. */
  readonly isDelegated?: (hypothesis: Hypothesis, focus: Focus) => boolean;
}

/** Where a search begins. */
export interface SearchBegin {
  readonly focus: Focus;
  /** The tree in which it is refined first, as if it had been reached along it; absent: in all trees. */
  readonly along?: ResourceTree;
  /** Trees that were searched before that one, and are not searched again. */
  readonly searched?: readonly ResourceTree[];
}

/** An experiment that another process has delegated to this search. */
export interface SearchRoot extends SearchBegin {
  readonly time: number;
  readonly hypothesis: string;
  readonly priority: Priority;
}

/** A function that stack samples name, to be tested before the search comes to it (Roth 2005, chapter 6). */
export interface Starter {
  readonly time: number;
  /** The experiment whose hypothesis and place are tested at the function. */
  readonly trigger: number;
  readonly function: ResourcePath;
  /** Functions that call each other and lead to it, the outermost first: they link it to the function of the trigger. */
  readonly connecting: readonly ResourcePath[];
}

/** A true experiment from which functions were reached. */
export interface Refinement {
  readonly experiment: number;
  /** Experiments at the functions that it calls, in the order of the call graph. */
  readonly functions: readonly number[];
}

/** What has happened since it was last asked for. */
export interface SearchNews {
  /** New and changed nodes, each once, in the order of their ids. */
  readonly changed: readonly SearchNode[];
  readonly refined: readonly Refinement[];
  readonly delegated: readonly number[];
}
