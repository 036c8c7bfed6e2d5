import type { Hypothesis } from '../hypotheses/hypothesis';
import type { Focus, ResourcePath, ResourceTree } from '../resources/focus';
import type { Priority } from './searchRecord';

/** What a search asks of the program that it searches. `experiment` is the id of its node. */
export type SearchCommand =
  | {
      readonly type: 'enable';
      readonly experiment: number;
      readonly hypothesis: string;
      readonly focus: Focus;
    }
  | { readonly type: 'disable'; readonly experiment: number };

/** What a search is told. Times are in seconds since the search began and never go back; what goes back is refused. */
export type SearchEvent =
  | { readonly type: 'accepted'; readonly time: number; readonly experiment: number }
  | { readonly type: 'deferred'; readonly time: number; readonly experiment: number }
  | { readonly type: 'failed'; readonly time: number; readonly experiment: number; readonly message: string }
  | {
      readonly type: 'sample';
      readonly time: number;
      readonly experiment: number;
      /** In the unit of the metric, over `[start, end)`. */
      readonly value: number;
      readonly start: number;
      readonly end: number;
    }
  /** Share of the processor's time that was measured to go into measuring. */
  | { readonly type: 'cost'; readonly time: number; readonly share: number }
  | {
      readonly type: 'resource';
      readonly time: number;
      readonly tree: Exclude<ResourceTree, 'Code'>;
      readonly parent: ResourcePath;
      readonly name: string;
    }
  /** A call that is not in the static call graph. */
  | {
      readonly type: 'call';
      readonly time: number;
      readonly caller: ResourcePath;
      readonly callee: ResourcePath;
    }
  | {
      readonly type: 'threshold';
      readonly time: number;
      readonly hypothesis: string;
      readonly threshold: number;
    }
  /** Nothing but time has passed. */
  | { readonly type: 'time'; readonly time: number }
  | { readonly type: 'pause' | 'resume' | 'ended' | 'stop'; readonly time: number }
  /** The source of these experiments was lost: what they say is of an earlier time from now on. */
  | { readonly type: 'lost'; readonly time: number; readonly machine: ResourcePath };

/** What is known of the program that is searched, before and while it runs. */
export interface SearchedProgram {
  /** Functions at which the program enters: paths of `Code` with module and function. */
  readonly entries: readonly ResourcePath[];
  /** Functions that a function calls directly. */
  readonly callees: (of: ResourcePath) => readonly ResourcePath[];
  /** Names below a resource of a tree that is not `Code`. */
  readonly children: (tree: Exclude<ResourceTree, 'Code'>, of: ResourcePath) => readonly string[];
  /** Share of the processor's time that measuring this costs. */
  readonly predictedCost: (hypothesis: Hypothesis, focus: Focus) => number;
}

/** Admits experiments within what measuring may cost; the scheduler of several processes has the same shape. */
export interface Budget {
  /** Whether it fits now; `never` if it would not fit with nothing else active. Reserves the cost if so. */
  readonly admit: (experiment: number, cost: number, priority: Priority) => 'admitted' | 'later' | 'never';
  /** Data of it arrives: its cost is in the observed one from now on. */
  readonly visible: (experiment: number) => void;
  readonly release: (experiment: number) => void;
  readonly observe: (share: number) => void;
}
