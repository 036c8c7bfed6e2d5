import type { Profile } from '../profile/profile';
import type { RunTimes } from '../selection/regionTimes';
import type { PropertyThresholds } from './thresholds';

/** What the rules work on. */
export interface PropertyContext {
  readonly profile: Profile;
  /** Function key per region. */
  readonly keys: readonly string[];
  readonly times: RunTimes;
  readonly costOf: (region: number) => RegionCost | undefined;
  /** How many functions the region calls, as far as the call graph knows, that have no call path in the profile; 0 without a graph. */
  readonly unrecordedCalleesOf: (region: number) => number;
  readonly thresholds: PropertyThresholds;
}

export interface RegionCost {
  /** Of a visit; the average where not all are timed. */
  readonly pairSeconds: number;
  /** False when it is a rule of thumb and no calibration of this run. */
  readonly calibrated: boolean;
}
