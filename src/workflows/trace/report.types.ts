/** What is in a trace: `kymo trace show --json`. Seconds are since the beginning of the trace (the global offset of its clock). */
export interface TraceReport {
  readonly file: string;
  readonly archive: {
    /** Of the OTF2 library that wrote it. */
    readonly version: string;
    readonly creator: string;
    readonly machine: string;
    readonly description: string;
    readonly traceId: string;
    readonly properties: readonly { readonly name: string; readonly value: string }[];
  };
  readonly clock: {
    readonly ticksPerSecond: number;
    readonly globalOffset: string;
    /** As announced. */
    readonly seconds: number;
    /** Date and time of the beginning, in ISO 8601. */
    readonly begin?: string;
  };
  /** Command lines of the program with the number of processes that ran each, and exit statuses likewise, where they were recorded. */
  readonly commands: readonly { readonly command: string; readonly count: number }[];
  readonly exitStatuses: readonly { readonly status: string; readonly count: number }[];
  readonly firstSeconds?: number;
  readonly lastSeconds?: number;
  readonly locations: readonly ReportedLocation[];
  /** The most frequent first. */
  readonly events: readonly { readonly kind: string; readonly count: number }[];
  /** Of these locations together, the longest exclusive time first. */
  readonly functions: readonly ReportedFunction[];
  readonly messages: {
    readonly sent: Transfers;
    readonly received: Transfers;
    /** Sends without a receive between the same processes on the same communicator, and receives without a send; absent where not all locations were read. */
    readonly unmatchedSends?: number;
    readonly unmatchedReceives?: number;
  };
  readonly collectives: readonly ReportedCollective[];
  readonly oneSided: readonly ({ readonly operation: 'put' | 'get' | 'atomic' } & Transfers)[];
  /** Bytes as requested. */
  readonly files: readonly ({ readonly operation: string } & Transfers)[];
  readonly metrics: readonly ReportedMetric[];
  readonly parameters: readonly ReportedParameter[];
  /** Calls without a leave, and leaves without a call. */
  readonly missingLeaves: number;
  readonly unmatchedLeaves: number;
  /** Sentences: what is missing or damaged. */
  readonly notes: readonly string[];
}

export interface Transfers {
  readonly count: number;
  readonly bytes: number;
}

export interface ReportedLocation {
  readonly id: string;
  readonly name: string;
  /** `CPU_THREAD`, `ACCELERATOR_STREAM`, `METRIC` */
  readonly type: string;
  /** −1 where it belongs to no process with a rank. */
  readonly rank: number;
  readonly thread: number;
  readonly process: string;
  readonly node?: string;
  /** As read; `announced` by the definitions where that is another number. */
  readonly events: number;
  readonly announced?: number;
  readonly calls: number;
  /** The deepest call stack. */
  readonly depth: number;
  readonly firstSeconds?: number;
  readonly lastSeconds?: number;
  /** Inclusive time of the outermost calls. */
  readonly callSeconds: number;
}

export interface ReportedFunction {
  readonly name: string;
  readonly mangledName?: string;
  readonly file?: string;
  readonly line?: number;
  readonly endLine?: number;
  readonly role: string;
  readonly paradigm: string;
  readonly visits: number;
  readonly exclusiveSeconds: number;
  /** Without calls of the function from itself. */
  readonly inclusiveSeconds: number;
  /** Interrupts while this function ran, of a sampled trace. */
  readonly samples?: number;
}

export interface ReportedCollective {
  readonly operation: string;
  /** Each process counts. */
  readonly calls: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export interface ReportedMetric {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly mode: string;
  readonly values: number;
  readonly least: number;
  readonly greatest: number;
}

export interface ReportedParameter {
  readonly name: string;
  readonly type: string;
  readonly count: number;
  /** The first distinct ones. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
}
