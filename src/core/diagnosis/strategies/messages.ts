import type { CostReport } from '../budget/costReport';
import type { Folding } from '../folding/folding';
import type { Hypothesis } from '../hypotheses/hypothesis';
import type { Focus, ResourcePath, ResourceTree } from '../resources/focus';
import type { Priority, SearchStrategy } from '../search/searchRecord';

/** Strategies of a program that runs (specification 5.1). */
export type LiveStrategy = Exclude<SearchStrategy, 'recorded'>;

/** What an agent needs to search by itself, and to charge what it is asked for. */
export interface SearchStart {
  readonly strategy: LiveStrategy;
  readonly hypotheses: readonly Hypothesis[];
  /** Greatest slow-down factor by measuring. */
  readonly costLimit: number;
  /** Whether a class may borrow from the other (dynamic), or has a fixed part. */
  readonly borrowing: boolean;
  /** Share of the time that the front end leaves free, because reports are of the past. */
  readonly margin: number;
  /** Reports that the front end may go by: twice the depth of the tree, in sampling intervals ([D 5.2.1]). */
  readonly reportsInUse: number;
  /** Bytes of samples that a host stores for later requests; 0 for independent requests. */
  readonly cacheBytes: number;
}

/** What the front end sends to agents. */
export type ToAgent =
  | { readonly type: 'start'; readonly start: SearchStart }
  /** A host's part of the search: the experiment and all that is refined from it. */
  | {
      readonly type: 'delegate';
      readonly hypothesis: string;
      readonly focus: Focus;
      readonly priority: Priority;
      /** The tree in which it was reached, where the refinement goes on. */
      readonly along: ResourceTree;
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

/** What agents send to the front end, and what becomes of it on the way (`reduction.ts`). */
export type ToFrontEnd =
  /** Answers to a request for data: of how many agents, and who could not. */
  | {
      readonly type: 'reply';
      readonly request: number;
      readonly isGlobal: boolean;
      readonly accepted: number;
      readonly deferred: number;
      readonly failed: readonly { readonly host: string; readonly message: string }[];
    }
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
  | {
      readonly type: 'stacks';
      readonly samples: readonly {
        readonly machine: ResourcePath;
        readonly functions: readonly ResourcePath[];
      }[];
    }
  /** Nothing is pending on any host below. */
  | { readonly type: 'steady'; readonly isSteady: boolean }
  | {
      readonly type: 'resource';
      readonly tree: Exclude<ResourceTree, 'Code'>;
      readonly parent: ResourcePath;
      readonly name: string;
    }
  | { readonly type: 'call'; readonly caller: ResourcePath; readonly callee: ResourcePath };

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
  | Extract<ToFrontEnd, { readonly type: 'stacks' | 'resource' | 'call' }>
  | { readonly type: 'ended' };
