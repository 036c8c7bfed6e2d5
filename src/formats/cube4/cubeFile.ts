import type { Profile } from '../../core/profile/profile';
import type { CubeLimits } from './archive/limits';

/**
 * An opened file: definitions are in memory, values are read when they are asked for. Reading throws `KymoError`
 * (`CubeReason`), and what the source of the bytes throws, e.g. when the file has changed meanwhile.
 */
export interface CubeFile {
  /** Its name, for messages. */
  readonly file: string;
  /** The profile without values (`stored` is empty). */
  readonly definitions: Profile;
  /** What may be held of it at once. */
  readonly limits: CubeLimits;
  /**
   * All values of a metric, part by part (docs/formats/cube4.md: most types have one part), each shaped like
   * `Profile.stored`; undefined when all are 0 or the metric is derived or unknown.
   */
  parts(metric: string): readonly Float64Array[] | undefined;
  /** Values of a metric of 64-bit integers, shaped like `Profile.exact`. */
  exact(metric: string): BigInt64Array | undefined;
  /**
   * The shown part of one call path's values, one per location. Whoever asks for one call path after the other causes few
   * reads of the file; other rows are read alone.
   */
  row(metric: string, callPath: number): Float64Array;
  /** As `row`, all parts; undefined when the file has no row there, so that all are 0. */
  rowParts(metric: string, callPath: number): readonly Float64Array[] | undefined;
  /**
   * Goes through the rows that there are, of call paths from `first` to before `end` (default: all), in the order of the
   * file. The arrays are used again for the next row.
   */
  eachRow(metric: string, visit: RowVisitor, first?: number, end?: number): void;
}

export type RowVisitor = (callPath: number, parts: readonly Float64Array[]) => void;
