import type { CommunicationMatrix } from '../communication/communicationMatrix';

/**
 * The first narrow waist: metrics × call paths × locations, as in Cube 4 (docs/formats/cube4.md).
 *
 * Columns are typed arrays. Call paths are numbered in depth-first pre-order, so that a subtree is a contiguous range and
 * sums over it need neither recursion nor maps. Immutable once built.
 */
export interface Profile {
  readonly attributes: ReadonlyMap<string, string>;
  readonly metrics: readonly Metric[];
  readonly regions: readonly Region[];
  readonly callPaths: CallPaths;
  readonly system: readonly SystemNode[];
  /** In the order of their position in value rows (ascending id in the file). */
  readonly locations: readonly Location[];
  /**
   * What is stored for a metric, one row per call path: `values[callPath * locations.length + location]`; undefined when the
   * metric stores nothing (all zero, or derived). As stored: see `Metric.stored` for whether children are included. Unsigned
   * 64-bit numbers from 2^63 on, which are counters that wrapped, stand here less 2^64: doubles hold them exactly then.
   */
  readonly stored: ReadonlyMap<string, Float64Array>;
  /** The same of 64-bit integers of which doubles hold some only nearly, as bits of signed ones. */
  readonly exact?: ReadonlyMap<string, BigInt64Array>;
  /**
   * All parts of metrics whose values have several, e.g. TAU_ATOMIC (number, minimum, maximum, sum, sum of squares), each
   * shaped like `stored`, which holds the part that is shown (`formats/cube4/values/valueTypes.ts`).
   */
  readonly components?: ReadonlyMap<string, readonly Float64Array[]>;
  /** Arrangements of the locations, e.g. of processes in a grid. */
  readonly topologies?: readonly Topology[];
  /** Which process sent how much to which; absent where nothing recorded it. */
  readonly communication?: CommunicationMatrix;
  /** Addresses that stand for `@mirror@` in metrics' and regions' `url`. */
  readonly mirrors?: readonly string[];
}

/** A cartesian arrangement of locations, or of processes and nodes. */
export interface Topology {
  readonly name?: string;
  readonly dimensions: readonly {
    readonly name?: string;
    readonly size: number;
    readonly periodic: boolean;
  }[];
  /** By position in `Profile.locations`: one coordinate per dimension; not all locations need have a place. */
  readonly coordinates: ReadonlyMap<number, readonly number[]>;
  /** The same by position in `Profile.system`, for processes and nodes that have a place themselves; absent where none has. */
  readonly nodeCoordinates?: ReadonlyMap<number, readonly number[]>;
}

/** How values of a metric combine over call paths and locations. */
export type Combine = 'sum' | 'minimum' | 'maximum';

export interface Metric {
  /** Unique name, e.g. `time`, `visits`, `min_time`. */
  readonly name: string;
  readonly displayName: string;
  /** Unit as in the file: `sec`, `occ`, `bytes`, or empty. */
  readonly unit: string;
  /** Cube data type name, e.g. `DOUBLE`, `UINT64`, `MINDOUBLE`. */
  readonly dtype: string;
  /** Whether a stored value contains the call path's children; `derived` metrics store nothing. */
  readonly stored: 'inclusive' | 'exclusive' | 'simple' | 'derived';
  readonly combine: Combine;
  readonly description: string;
  /** Position of the parent metric; absent at a root. */
  readonly parent?: number;
  /** How a derived metric is computed; present exactly when `stored` is `derived`. */
  readonly derivation?: Derivation;
  /** For people: why there are no values, or not all. */
  readonly note?: string;
  /** Its values stay as they are stored, but cannot be shown as numbers; `note` gives the reason. */
  readonly unsupported?: true;
  /** Exists for other metrics' expressions only and is not shown. */
  readonly ghost?: boolean;
  readonly url?: string;
  readonly attributes?: ReadonlyMap<string, string>;
}

/** The expressions of a derived metric, in the CubePL language; not evaluated here. */
export interface Derivation {
  readonly type: 'POSTDERIVED' | 'PREDERIVED_INCLUSIVE' | 'PREDERIVED_EXCLUSIVE';
  /** By element name: `cubepl`, `cubeplinit`, `cubeplaggrplus`, … */
  readonly expressions: ReadonlyMap<string, string>;
}

export interface Region {
  /** Name to show. */
  readonly name: string;
  readonly mangledName?: string;
  /** Absolute path, or as recorded by the compiler. */
  readonly file?: string;
  readonly firstLine?: number;
  readonly lastLine?: number;
  /** `compiler`, `mpi`, `openmp`, `user`, `measurement`, `unknown`. */
  readonly paradigm: string;
  /** `function`, `loop`, `artificial`, `dynamic`, `barrier`, … */
  readonly role: string;
  readonly description?: string;
  readonly url?: string;
  readonly attributes?: ReadonlyMap<string, string>;
}

/** The call tree in depth-first pre-order. All arrays have `count` elements. */
export interface CallPaths {
  readonly count: number;
  /** Position of the parent, -1 at a root; always smaller than the own position. */
  readonly parent: Int32Array;
  /** Position in `Profile.regions`. */
  readonly region: Uint32Array;
  /** The id in the file that the profile came from (its own position for profiles made here). */
  readonly fileId: Uint32Array;
  /** Parameters that tell call paths of the same region apart, e.g. the number of an iteration; by position, sparse. */
  readonly parameters?: ReadonlyMap<number, readonly Parameter[]>;
  /** Where the call stands, if the file says so; by position, sparse. */
  readonly callSites?: ReadonlyMap<number, CallSite>;
}

export interface Parameter {
  readonly kind: 'numeric' | 'string';
  readonly name: string;
  readonly value: string;
}

export interface CallSite {
  readonly file?: string;
  readonly line?: number;
}

export interface SystemNode {
  readonly name: string;
  /** `machine`, `node`, `process`, … as the file says. */
  readonly kind: string;
  readonly parent?: number;
  /** Present exactly at what holds locations: processes, groups of metrics, accelerators (Cube's location groups). */
  readonly rank?: number;
  readonly description?: string;
  readonly attributes?: ReadonlyMap<string, string>;
}

export interface Location {
  readonly name: string;
  readonly rank: number;
  readonly thread: number;
  /** Position in `Profile.system` of the process it belongs to. */
  readonly process: number;
  /** `thread`, `metric`, `accelerator stream`. */
  readonly kind: string;
}
