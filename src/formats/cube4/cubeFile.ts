import type { Profile } from '../../core/profile/profile';
import type { CubeLimits } from './archive/limits';

/**
 * An opened file: definitions are in memory, values are read on request. Reading throws `KymoError`
 * (`CubeReason`), and the errors of the byte source, e.g. when the file has changed since.
 */
export interface CubeFile {
  /** File name for messages. */
  readonly file: string;
  /** The profile without values (`stored` is empty). */
  readonly definitions: Profile;
  /** Limits on what may be in memory at once. */
  readonly limits: CubeLimits;
  /**
   * All values of a metric, part by part (docs/formats/cube4.md: most types have one part), each shaped like
   * `Profile.stored`; undefined when all are 0 or the metric is derived or unknown.
   */
  parts(metric: string): readonly Float64Array[] | undefined;
  /** Values of a metric of 64-bit integers, shaped like `Profile.exact`. */
  exact(metric: string): BigInt64Array | undefined;
  /**
   * The shown part of one call path's values, one per location. Consecutive call paths cause few
   * reads of the file; other rows are read one by one.
   */
  row(metric: string, callPath: number): Float64Array;
  /** As `row`, all parts; undefined when the file has no row for the call path, so that all values are 0. */
  rowParts(metric: string, callPath: number): readonly Float64Array[] | undefined;
  /**
   * Visits the existing rows of call paths from `first` to before `end` (default: all), in the order of the
   * file. The arrays are reused for the next row.
   */
  eachRow(metric: string, visit: RowVisitor, first?: number, end?: number): void;
}

export type RowVisitor = (callPath: number, parts: readonly Float64Array[]) => void;
