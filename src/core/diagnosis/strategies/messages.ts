import type { CostReport } from '../budget/costReport';
import type { StackSample } from '../deepStart/functionCountGraph';
import type { Folding } from '../folding/folding';
import type { Hypothesis } from '../hypotheses/hypothesis';
import type { Focus, ResourcePath, ResourceTree } from '../resources/focus';
import type { SearchRules } from '../search/searchOptions';
import type { Priority, SearchRecord, SearchStrategy } from '../search/searchRecord';

/** Strategies for a program that runs. */
export type LiveStrategy = Exclude<SearchStrategy, 'recorded'>;

/** What an agent needs to search by itself, and to charge what it is asked for. */
export interface SearchStart {
  readonly strategy: LiveStrategy;
  readonly run: string;
  readonly clock: SearchRecord['clock'];
  readonly hypotheses: readonly Hypothesis[];
  readonly rules?: Partial<SearchRules>;
  /** Greatest slow-down factor by measuring. */
  readonly costLimit: number;
  /** Functions that are measured in one process are measured in all of its host: each is charged for them. Default: only that one. */
  readonly measuresHosts?: true;
  /** Whether local and global requests may borrow from each other (dynamic), or have fixed parts of the limit. */
  readonly isBorrowing: boolean;
  /** Share of the time that the front end leaves free, because reports are of the past. */
  readonly margin: number;
  /** Sampling intervals that reports may be old when the front end goes by them: twice the depth of the tree ([D 5.2.1]). */
  readonly reportsInUse: number;
  /** Seconds. */
  readonly samplingInterval: number;
  /** Bytes of samples that a host stores for later requests; 0 for independent requests. */
  readonly storedBytes: number;
  /** Share (0…1) of the stack samples that a deep starter exceeds; absent without Deep Start. */
  readonly deepStart?: number;
  /** Ids of the hypotheses with deep starters, where these are others than `deepStartDefaults`. */
  readonly deepStartHypotheses?: readonly string[];
}

/** What the front end sends to agents. */
export type ToAgent =
  | { readonly type: 'start'; readonly start: SearchStart }
  /** An agent's part of the search: the experiment and all that is refined from it. */
  | {
      readonly type: 'delegate';
      readonly hypothesis: string;
      readonly focus: Focus;
      readonly priority: Priority;
      /** The tree in which it was reached, where the refinement goes on; absent: all trees. */
      readonly along?: ResourceTree;
      readonly searched: readonly ResourceTree[];
    }
  | {
      readonly type: 'enable';
      readonly request: number;
      readonly metric: string;
      readonly focus: Focus;
      /** Share of the time that it is predicted to cost. */
      readonly cost: number;
      /** Whether all agents measure it, or only this one. */
      readonly isGlobal: boolean;
    }
  | { readonly type: 'disable'; readonly request: number }
  | { readonly type: 'threshold'; readonly hypothesis: string; readonly threshold: number }
  /** Whether a request of all processes waits: no host may borrow meanwhile. */
  | { readonly type: 'global waiting'; readonly isWaiting: boolean }
  | { readonly type: 'pause' | 'resume' | 'stop' };

/** What agents find out about the program while it runs. */
export type Discovery =
  | {
      readonly type: 'resource';
      readonly tree: Exclude<ResourceTree, 'Code'>;
      readonly parent: ResourcePath;
      readonly name: string;
    }
  /** A call that is not in the static call graph. */
  | { readonly type: 'call'; readonly caller: ResourcePath; readonly callee: ResourcePath };

/** What agents send to the front end, and what becomes of it on the way (`Reduction`). */
export type ToFrontEnd =
  /** The answer to a request for data: of how many agents, and why others could not. */
  | {
      readonly type: 'reply';
      readonly request: number;
      readonly isGlobal: boolean;
      readonly accepted: number;
      readonly failures: readonly { readonly host: string; readonly message: string }[];
    }
  /** An agent cannot measure it yet: nothing was seen of it. */
  | { readonly type: 'deferred'; readonly request: number }
  /** The mean over `processes`, with the largest costs of all processes below. */
  | {
      readonly type: 'sample';
      readonly request: number;
      readonly isGlobal: boolean;
      readonly value: number;
      readonly start: number;
      readonly end: number;
      readonly processes: number;
      readonly cost: CostReport;
    }
  /** When no sample travels, so that the front end knows the costs. */
  | { readonly type: 'cost'; readonly cost: CostReport }
  /** How the folded results of the hosts below have changed. */
  | { readonly type: 'results'; readonly change: Folding }
  /** Whether nothing is pending on any host below. */
  | { readonly type: 'steady'; readonly isSteady: boolean }
  | { readonly type: 'stacks'; readonly stacks: readonly StackSample[] }
  | Discovery;

/** What an agent asks of the measurement on its host. `data` identifies a metric at a focus. */
export type MeasurementCommand =
  | { readonly type: 'measure'; readonly data: string; readonly metric: string; readonly focus: Focus }
  | { readonly type: 'end'; readonly data: string };

/** What the measurement on a host reports to its agent. */
export type MeasurementEvent =
  | { readonly type: 'accepted' | 'deferred'; readonly data: string }
  | { readonly type: 'failed'; readonly data: string; readonly message: string }
  | {
      readonly type: 'sample';
      readonly data: string;
      readonly value: number;
      readonly start: number;
      readonly end: number;
    }
  /** Share of the time of each process of the host that went into measuring. */
  | { readonly type: 'cost'; readonly shares: readonly number[] }
  | { readonly type: 'stacks'; readonly stacks: readonly StackSample[] }
  | Discovery
  | { readonly type: 'ended' };
