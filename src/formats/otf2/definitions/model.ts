import type { Integer, TypedValue } from '../bytes/values';
import type { DefinitionRecord } from './records';

/** Number of a location; a `bigint` from 2^53 on. */
export type LocationId = Integer;

export interface Clock {
  readonly ticksPerSecond: number;
  /** Times of events are relative to it. */
  readonly globalOffset: bigint;
  /** Ticks from the first to the last event. */
  readonly length: number;
  /** Nanoseconds since 1970 at the global offset. */
  readonly realtimeNanoseconds?: bigint;
}

export interface Region {
  readonly id: number;
  /** `void f(int)` */
  readonly name: string;
  /** `_Z1fi` */
  readonly canonicalName: string;
  readonly description: string;
  /** `FUNCTION`, `PARALLEL`, `BARRIER`, … */
  readonly role: string;
  /** `COMPILER`, `MPI`, `OPENMP`, … */
  readonly paradigm: string;
  readonly flags: readonly string[];
  readonly file?: string;
  /** 0: unknown. */
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface Location {
  readonly id: LocationId;
  readonly name: string;
  /** `CPU_THREAD`, `ACCELERATOR_STREAM`, `METRIC` */
  readonly type: string;
  /** As announced. */
  readonly events: number;
  readonly group?: LocationGroup;
  /** Rank in `MPI_COMM_WORLD`; position of the process where the archive has no MPI. */
  readonly rank: number;
  /** Number of the thread within its process; accelerators and metrics count on their own. */
  readonly thread: number;
}

export interface LocationGroup {
  readonly id: number;
  readonly name: string;
  /** `PROCESS`, `ACCELERATOR` */
  readonly type: string;
  readonly parent?: SystemTreeNode;
  /** The process of an accelerator. */
  readonly creator?: number;
  /** Properties of an accelerator, or of a process. */
  readonly properties: ReadonlyMap<string, TypedValue>;
}

export interface SystemTreeNode {
  readonly id: number;
  readonly name: string;
  /** `machine`, `node` */
  readonly className: string;
  readonly parent?: SystemTreeNode;
}

export interface Group {
  readonly id: number;
  readonly name: string;
  /** `COMM_LOCATIONS`, `COMM_GROUP`, `COMM_SELF`, … */
  readonly type: string;
  readonly paradigm: string;
  /** `GLOBAL_MEMBERS`: ranks of events are positions in the `COMM_LOCATIONS` of the paradigm, not in this group. */
  readonly flags: readonly string[];
  /** Of a `COMM_GROUP`: positions in the `COMM_LOCATIONS` of its paradigm. */
  readonly members: readonly Integer[];
}

export interface Communicator {
  readonly id: number;
  readonly name: string;
  /** Absent in one between two groups. */
  readonly group?: Group;
  /** Of one between two groups: messages go from a member of the one to a member of the other. */
  readonly sides?: readonly [Group, Group];
  readonly parent?: number;
}

export interface MetricMember {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  /** `PAPI`, `RUSAGE`, `USER`, `OTHER` */
  readonly type: string;
  /** `ACCUMULATED_START`, `ABSOLUTE_POINT`, … */
  readonly mode: string;
  /** `UINT64`, `INT64`, `DOUBLE` */
  readonly valueType: string;
  /** Values count in units times 2 or 10 to this power. */
  readonly base: 2 | 10;
  readonly exponent: number;
}

/** What one metric event has values of. */
export interface Metric {
  readonly id: number;
  readonly members: readonly MetricMember[];
  /** `SYNCHRONOUS_STRICT`, `SYNCHRONOUS`, `ASYNCHRONOUS` */
  readonly occurrence: string;
  /** Of an instance: the location that records it. */
  readonly recorder?: LocationId;
}

export interface Named {
  readonly id: number;
  readonly name: string;
  readonly type: string;
}

/** The definitions of an archive, with strings and references resolved. Undefined references are absent. */
export interface Definitions {
  readonly clock: Clock;
  readonly strings: ReadonlyMap<number, string>;
  readonly regions: ReadonlyMap<number, Region>;
  /** In the order of the file. */
  readonly locations: readonly Location[];
  readonly locationGroups: ReadonlyMap<number, LocationGroup>;
  readonly systemTree: ReadonlyMap<number, SystemTreeNode>;
  readonly groups: ReadonlyMap<number, Group>;
  readonly communicators: ReadonlyMap<number, Communicator>;
  readonly metricMembers: ReadonlyMap<number, MetricMember>;
  readonly metrics: ReadonlyMap<number, Metric>;
  readonly parameters: ReadonlyMap<number, Named>;
  readonly attributes: ReadonlyMap<number, Named>;
  /** All definitions of a kind as they are written (`IO_HANDLE`, `CALLING_CONTEXT`, …), or of all kinds, in the order of the file. */
  records(name?: string): readonly DefinitionRecord[];
}
