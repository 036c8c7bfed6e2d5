import type { Base } from '../../functions/base';
import type { MeasuredTimes } from '../../functions/measuredRun';
import type { Profile } from '../../profile/profile';
import type { RunTimes } from '../../functions/regionTimes';
import type { Activity } from '../../functions/activities';
import type { PropertyThresholds } from './thresholds';

/** What the finders need of a profile. */
export interface PropertyContext {
  /** Iterations folded, one region per function. */
  readonly profile: Profile;
  /** Function key per region. */
  readonly keys: readonly string[];
  /** Per region, its positions in the profile as it was read. */
  readonly regionsOf: readonly (readonly number[])[];
  /** Name for sentences per region. */
  readonly names: readonly string[];
  /** Position of the phase's region, if the profile has one. */
  readonly phase?: number;
  readonly activities: readonly Activity[];
  /** Computing time. */
  readonly times: RunTimes;
  readonly base: Base;
  /** Exclusive ones per call path and location, of which `times` are sums. */
  readonly cells: Float64Array;
  /** The parts of the base by location. */
  readonly parts: MeasuredTimes['parts'];
  /** The same with waiting, for activities other than computation. */
  readonly elapsed: MeasuredTimes;
  readonly whole: WholeTime;
  readonly costOf: (region: number) => RegionCost | undefined;
  /** The part (0…1) of a region's exclusive time that is the program's, and not that of recording. */
  readonly undisturbedOf: (region: number) => number;
  /** How many functions the region calls, as far as the call graph knows, that have no call path in the profile; 0 without a graph. */
  readonly unrecordedCalleesOf: (region: number) => number;
  /** Whether waiting in MPI may be in a region's own time, because the profile does not show MPI; false where nothing is hidden. */
  readonly hidesMpi: (region: number) => boolean;
  readonly thresholds: PropertyThresholds;
}

/** The base in words, and the location that takes longest. */
export interface WholeTime {
  readonly longestSeconds: number;
  /** Such as `the run time`; can end a sentence. */
  readonly words: string;
}

export interface RegionCost {
  /** Cost of a visit; the average where not all are timed. */
  readonly pairSeconds: number;
  /** False when it is a rule of thumb and no calibration of this run. */
  readonly calibrated: boolean;
}
