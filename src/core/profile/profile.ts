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
   * metric stores nothing (all zero, or derived). As stored: see `Metric.stored` for whether children are included.
   */
  readonly stored: ReadonlyMap<string, Float64Array>;
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
}

export interface SystemNode {
  readonly name: string;
  /** `machine`, `node`, `process`, … as the file says. */
  readonly kind: string;
  readonly parent?: number;
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
