import type { Base } from '../../functions/base';
import type { RegionPlace } from '../../profile/place';
import type { Hypothesis } from '../hypotheses/hypothesis';
import type { Focus, ResourcePath } from '../resources/focus';

export type Truth = 'unknown' | 'true' | 'false';

/**
 * `inactive`: nothing is measured for it; `waiting`: in the activation queue; `requested`: its measurement was asked for; `deferred`: it cannot
 * be measured yet, for example because the function is running; `active`: data arrives.
 */
export type Activity = 'inactive' | 'waiting' | 'requested' | 'deferred' | 'active';

/** Served in this order under one cost limit (specification 4.6). */
export const priorities = ['deep starter', 'connecting', 'why', 'where'] as const;
export type Priority = (typeof priorities)[number];

/** How a node was reached: by a more precise hypothesis, by a part of the focus, or as a root, a deep starter or a connection to one. */
export type RefinementKind = 'root' | 'why' | 'where' | 'deep starter' | 'connecting';

export interface ParentEdge {
  /** Id of the parent; absent for a root. */
  readonly node?: number;
  readonly by: RefinementKind;
  /** Seconds since the search began. */
  readonly time: number;
}

/** One experiment: a hypothesis at a focus. Each pair is one node, however many ways lead to it. */
export interface SearchNode {
  /** Position in `SearchRecord.nodes`, in the order in which they were made. */
  readonly id: number;
  readonly hypothesis: string;
  readonly focus: Focus;
  /** The first one is how it was made, the others are shown as shadows. */
  readonly parents: readonly ParentEdge[];
  readonly truth: Truth;
  readonly activity: Activity;
  readonly priority: Priority;
  /** Mean of the metric since data arrives, in the unit of the metric; absent without data. */
  readonly value?: number;
  /** That it was compared with. */
  readonly threshold: number;
  /** Begin and end of the data, in seconds since the search began. */
  readonly data?: readonly [number, number];
  /** Conclusions, in the order of time. */
  readonly conclusions: readonly { readonly time: number; readonly truth: Truth; readonly value: number }[];
  /** Share of the processor's time that measuring it was predicted to cost. */
  readonly predictedCost: number;
  /** Why it is not measured: the message of a failed request, or a cost above the limit. */
  readonly problem?: string;
  /** Its agent was lost: what it says is of an earlier time. */
  readonly stale?: true;
  /** Where several runs were searched together and show it: their values, of which `value` is the mean. */
  readonly runs?: readonly number[];
  /** Of an imbalance that holds: the ranks that compute longest there. */
  readonly ranks?: readonly number[];
}

/** What happened that concerns the search as a whole: resources that were suppressed, the cost limit that slowed it. */
export interface SearchNotice {
  readonly time: number;
  readonly message: string;
}

/**
 * `centralised`, `partially distributed` and `truly distributed` are the strategies of a running program; `recorded` is a search in a finished
 * measurement, which takes no time.
 */
export type SearchStrategy = 'centralised' | 'partially distributed' | 'truly distributed' | 'recorded';

/** What the resources of a search are in the program: who reads the record has no measurement to ask. */
export interface ProgramFacts {
  /** The time of all threads of the program. */
  readonly base: Base;
  /** The threads that do the program's work, process by process. */
  readonly threads: readonly SearchedThread[];
  /** The functions that experiments name, as far as they are known. */
  readonly functions: readonly SearchedFunction[];
}

export interface SearchedThread {
  /** Host, process, and the thread where its process has several. */
  readonly machine: ResourcePath;
  readonly rank: number;
  /** How long its process ran. */
  readonly seconds: number;
}

export interface SearchedFunction {
  readonly code: ResourcePath;
  /** The same in every run. */
  readonly key: string;
  /** For sentences. */
  readonly name: string;
  readonly place: RegionPlace;
}

/** What measuring took of the processor time of a process, in one interval. */
export interface ObservedCost {
  /** Share (0…1) of the processor time of the process. */
  readonly share: number;
  /** End of the interval, in seconds since the search began. */
  readonly time: number;
}

/** The whole history of a search, as it is exported, imported, shown, compared and folded (specification 4.7). */
export interface SearchRecord {
  readonly strategy: SearchStrategy;
  /** What was searched: `i3.r1` of a study, a file, or the command of a running program. */
  readonly run: string;
  /** What the times of the record are measured by. */
  readonly clock: 'recorded' | 'wall' | 'virtual';
  readonly deepStart: boolean;
  /** Greatest slow-down factor by measuring that was allowed: 1.5. */
  readonly costLimit: number;
  /** The largest cost that was observed in any process and interval; absent where none was, as in a finished measurement. */
  readonly largestCost?: ObservedCost;
  /** Seconds since the search began. */
  readonly end: number;
  /** `searching`, `steady` (nothing is pending, everything has concluded), `complete` (steady for 30 s), `ended` (the program did), `stopped`. */
  readonly state: 'searching' | 'paused' | 'steady' | 'complete' | 'ended' | 'stopped';
  readonly hypotheses: readonly Hypothesis[];
  readonly nodes: readonly SearchNode[];
  readonly notices: readonly SearchNotice[];
  /** Absent in records of searches that did not know it. */
  readonly program?: ProgramFacts;
}
